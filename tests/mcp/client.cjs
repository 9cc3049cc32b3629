// A client for the conformance suite: turnkit lists and calls the tools of the server whose address the suite adds to
// the command. TURNKIT names the binary.
"use strict";

const { execFileSync } = require("node:child_process");
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const address = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT || "{}");
const folder = mkdtempSync(join(tmpdir(), "turnkit-conformance-"));

/** Runs `turnkit mcp`. A failed command is no failure of the client: the suite judges what reached its server. */
function turnkit(...words) {
  const options = { cwd: folder, encoding: "utf8", env: { PATH: process.env.PATH, HOME: folder } };
  try {
    return execFileSync(process.env.TURNKIT, ["mcp", ...words], options);
  } catch (error) {
    return error.stdout ?? "";
  }
}

/** Returns the credentials that an operator would configure: turnkit asks no server where tokens are issued. */
async function credentials() {
  if (!context.client_secret) return "";
  const metadata = new URL(`/.well-known/oauth-protected-resource${new URL(address).pathname}`, address);
  const { authorization_servers: [issuer], resource } = await (await fetch(metadata)).json();
  const { client_id, client_secret } = context;
  const settings = { issuer, client_id, client_secret, resource };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  return `[mcp.auth]\ntype = "client_credentials"\n${lines.join("")}`;
}

/** Returns the calls that the scenario wants, as names and arguments. */
function calls(tools) {
  if (context.toolCalls) return context.toolCalls.map((call) => [call.name, call.arguments]);
  return tools.map(({ name, parameters }) => {
    if (name.endsWith("__add_numbers")) return [name, { a: 5, b: 3 }];
    if (name.endsWith("__json_schema_echo")) return [name, { schema: tools[0].parameters }];
    return [name, {}];
  });
}

async function main() {
  const server = `[[mcp]]\nname = "suite"\nurl = ${JSON.stringify(address)}\ntimeout_s = 10\n`;
  writeFileSync(join(folder, "turnkit.toml"), server + (await credentials()));
  const listed = turnkit("tools", "suite", "--json");
  const tools = listed ? JSON.parse(listed).data : [];
  for (const [name, values] of calls(tools)) {
    console.log(name, turnkit("call", "suite", name, JSON.stringify(values)));
  }
}

main().finally(() => rmSync(folder, { recursive: true, force: true }));
