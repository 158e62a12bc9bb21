"""An MCP server that does nothing, in as few words as Python takes: what a child and a call cost at least."""

import json
import sys
from typing import Any

for line in sys.stdin.buffer:
    message = json.loads(line)
    if "id" not in message:
        continue
    if message["method"] == "initialize":
        result: dict[str, Any] = {
            "protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "null", "version": "1"},
        }  # fmt: skip
    else:
        result = {"content": [{"type": "text", "text": "{}"}]}
    answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
    sys.stdout.buffer.flush()
