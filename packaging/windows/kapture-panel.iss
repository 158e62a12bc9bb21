; For Inno Setup 6, after PyInstaller: iscc /DVersion=X.Y.Z packaging\windows\kapture-panel.iss
; It has never been run here: no Windows was at hand. See docs/rooms/packages.md.
;
; For the person alone, so no administrator is asked. Uninstalling leaves the person's data in %LOCALAPPDATA%\kapture-panel.

#ifndef Version
  #error "Say the version: iscc /DVersion=X.Y.Z"
#endif

[Setup]
AppId={{6B0C35B5-6E5C-4C53-9A43-51D1D2B0C6A7}
AppName=Kapture Panel
AppVersion={#Version}
AppPublisher=The Kapture Panel authors
DefaultDirName={localappdata}\Programs\Kapture Panel
DefaultGroupName=Kapture Panel
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile=..\..\LICENSE
SetupIconFile=..\..\build\dist\icons\kapture.ico
UninstallDisplayIcon={app}\kapture-panel.exe
SourceDir=.
OutputDir=..\..\dist
OutputBaseFilename=kapture-panel-{#Version}-windows-x64
Compression=lzma2/max
SolidCompression=yes
ChangesEnvironment=yes
CloseApplications=yes

[Tasks]
Name: path; Description: "Let terminals find &kapture (adds its folder to your PATH)"
Name: autostart; Description: "Start in the tray at every &log-in"; Flags: unchecked

[Files]
Source: ..\..\dist\kapture-panel\*; DestDir: {app}; Flags: recursesubdirs ignoreversion
Source: ..\..\LICENSE; DestDir: {app}

[Icons]
Name: {group}\Kapture Panel; Filename: {app}\kapture-panel.exe
Name: {userstartup}\Kapture Panel; Filename: {app}\kapture-panel.exe; Parameters: --tray; Tasks: autostart

[Registry]
Root: HKCU; Subkey: Environment; ValueType: expandsz; ValueName: Path; ValueData: "{olddata};{app}"; Tasks: path; Check: IsNotOnPath

[Run]
Filename: {app}\kapture-panel.exe; Description: "Open Kapture Panel"; Flags: nowait postinstall skipifsilent

[Code]
function PathOfUser(): string;
begin
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Result) then Result := '';
end;

function IsNotOnPath(): Boolean;
begin
  Result := Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', ';' + Uppercase(PathOfUser()) + ';') = 0;
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Path: string;
  Place: Integer;
begin
  if Step <> usUninstall then exit;
  Path := ';' + PathOfUser() + ';';
  Place := Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', Uppercase(Path));
  if Place = 0 then exit;
  Delete(Path, Place, Length(ExpandConstant('{app}')) + 1);
  RegWriteExpandStringValue(HKCU, 'Environment', 'Path', Copy(Path, 2, Length(Path) - 2));
end;
