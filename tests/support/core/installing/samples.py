"""Files as people have them in their clients, by the client's key: comments, other servers, every style."""

from __future__ import annotations

COMMAND = "/opt/kapture panel/bin/kapture"
ARGS = ["mcp", "--data-dir", "/data/pánel \\ two"]

_CLAUDE_CODE = """{
  "numStartups": 184,
  "installMethod": "native",
  "autoUpdates": true,
  "tipsHistory": {
    "new-user-warmup": 6,
    "shift-enter": 181
  },
  "projects": {
    "/srv/shop": {
      "allowedTools": [],
      "history": [
        {
          "display": "why is {\\"mcpServers\\": …} empty? // see docs",
          "pastedContents": {}
        }
      ],
      "mcpServers": {
        "kapture": {
          "command": "echo"
        }
      },
      "hasTrustDialogAccepted": true
    }
  },
  "oauthAccount": {
    "emailAddress": "someone@shop.example"
  },
  "mcpServers": {
    "playwright": {
      "type": "stdio",
      "command": "npx",
      "args": [
        "@playwright/mcp@latest"
      ],
      "env": {}
    }
  },
  "userID": "0f3a"
}"""

_CURSOR = """{
    "mcpServers": {
        // files, read only
        "filesystem": {
            "command": "npx",
            "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv"], // one folder
        },
        /* "github": {
            "url": "https://api.githubcopilot.com/mcp/"
        }, */
        "linear": { "url": "https://mcp.linear.app/sse" } // no comma after this one
        // and nothing more
    }
}
"""

_VSCODE = """{
\t"servers": {
\t\t"github": {
\t\t\t"type": "http",
\t\t\t"url": "https://api.githubcopilot.com/mcp/"
\t\t},
\t\t"memory": {
\t\t\t"type": "stdio",
\t\t\t"command": "npx",
\t\t\t"args": ["-y", "@modelcontextprotocol/server-memory"],
\t\t\t"env": { "KEY": "${input:key}" }
\t\t},
\t},
\t"inputs": [
\t\t{ "id": "key", "type": "promptString", "password": true },
\t]
}"""

_CODEX = """# Codex
model = "gpt-5-codex" # the usual
notify = ["notify-send", "Codex"]
sandbox_mode = "workspace-write"

[mcp_servers.context7]
command = "npx"
args = [
  "-y",
  "@upstash/context7-mcp", # docs
]
startup_timeout_sec = 20

[mcp_servers.context7.env]
NOTE = \"\"\"
[mcp_servers.kapture]
command = "not this one"
\"\"\"

[projects."/srv/shop"]
trust_level = "trusted"

[mcp_servers."with space"]
url = 'https://mcp.example/\\u'
# the end
"""

_GEMINI = """{
  "general": { "vimMode": true },
  "security": { "auth": { "selectedType": "oauth-personal" } },
  "mcpServers": {},
  "ui": { "theme": "GitHub" }
}
"""

_ZED = """// Zed settings
//
// For information on how to configure Zed, see the Zed
// documentation: https://zed.dev/docs/configuring-zed
{
  "agent": {
    "default_model": { "provider": "anthropic", "model": "claude-sonnet-4" },
  },
  "ui_font_size": 16, // px
  "theme": {
    "mode": "system",
    "light": "One Light",
    "dark": "One Dark",
  },
  /* "context_servers": { "old": {} } */
}
"""

_WINDSURF = """{"mcpServers":{"knovya":{"serverUrl":"https://mcp.knovya.com/mcp"}}}"""

_DESKTOP = """{
  "globalShortcut": "",
  "mcpServers": {
    "sqlite": {
      "command": "uvx",
      "args": ["mcp-server-sqlite", "--db-path", "D:\\\\data\\\\test.db"]
    }
  },
  "preferences": {"menuBarEnabled": false}
}
"""

#: A file with comments, tabs, trailing commas, no last line break, one line, … for each client.
SAMPLES: dict[str, str] = {
    "claude-code": _CLAUDE_CODE,
    "cursor": _CURSOR,
    "vscode": _VSCODE,
    "codex": _CODEX,
    "gemini": _GEMINI,
    "zed": _ZED,
    "windsurf": _WINDSURF,
    "claude-desktop": _DESKTOP,
}


def variants(text: str) -> dict[str, bytes]:
    """The same file as it comes from other systems and editors."""
    return {
        "as it is": text.encode(),
        "line breaks of Windows": text.replace("\n", "\r\n").encode(),
        "a byte order mark": b"\xef\xbb\xbf" + text.encode(),
        "both": b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
        "no last line break": text.rstrip("\n").encode(),
        "two more at the end": text.encode() + b"\n\n",
    }
