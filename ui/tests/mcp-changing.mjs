// A server of the Model Context Protocol on standard input and output, whose tool has the description that is in a file:
// `node mcp-changing.mjs FILE`.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const close = () => ({
  name: "close",
  description: readFileSync(process.argv[2], "utf8"),
  inputSchema: { type: "object", properties: { id: { type: "integer", description: "The number of the ticket." } } },
  annotations: { readOnlyHint: true, openWorldHint: false },
});

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const send = (body) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
  if (method === "initialize") {
    const serverInfo = { name: "changing", version: "1" };
    return send({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  }
  if (method === "tools/list") return send({ result: { tools: [close()] } });
  if (method === "tools/call") return send({ result: { content: [{ type: "text", text: "closed" }] } });
  if (method === "ping") return send({ result: {} });
  send({ error: { code: -32601, message: "unknown method" } });
});
