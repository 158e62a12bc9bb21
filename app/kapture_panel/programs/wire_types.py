"""Print the wire's types: `python -m kapture_panel.programs.wire_types > extension/wire/protocol.d.ts`."""

from kapture_panel.core.wire import typescript
from kapture_panel.programs import terminal

if __name__ == "__main__":
    terminal.say(typescript.text(), end="")
