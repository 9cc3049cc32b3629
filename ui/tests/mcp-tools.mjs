// A server of the Model Context Protocol on standard input and output, with results for the cards of the page.

import { createInterface } from "node:readline";

/** An image of one red pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

const text = (value) => ({ content: [{ type: "text", text: value }] });

/** The results of the tools, by their names. */
const RESULTS = {
  picture: () => ({ content: [{ type: "text", text: "a red pixel" }, { type: "image", data: PIXEL, mimeType: "image/png" }] }),
  structured: () => ({ ...text("two cities"), structuredContent: { cities: [{ name: "Lisbon" }, { name: "Porto" }] } }),
  long: ({ lines }) => text(Array.from({ length: lines }, (_, line) => `line ${line}`).join("\n")),
  big: ({ values }) => text(JSON.stringify(Array.from({ length: values }, (_, id) => ({ id, name: `value ${id}` })))),
  nested: () => text('{"deep":{"list":[1,12345678901234567890,"two\\u202elines"],"empty":{}},"yes":true}'),
};

const TOOLS = Object.keys(RESULTS).map((name) => ({
  name,
  description: name,
  inputSchema: { type: "object", properties: { lines: { type: "integer" }, values: { type: "integer" } } },
  annotations: { readOnlyHint: true, openWorldHint: false },
}));

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const send = (body) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
  if (method === "initialize") {
    const serverInfo = { name: "cards", version: "1" };
    return send({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  }
  if (method === "tools/list") return send({ result: { tools: TOOLS } });
  if (method === "tools/call") return send({ result: RESULTS[params.name](params.arguments ?? {}) });
  if (method === "ping") return send({ result: {} });
  send({ error: { code: -32601, message: "unknown method" } });
});
