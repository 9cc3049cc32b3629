// A client for the conformance suite: an agent of turnkit calls the tools of the server whose address the suite adds to
// the command, and passes the questions of the server on to this script. TURNKIT names the binary, and MODEL the
// address of a model that calls every tool.
"use strict";

const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { createInterface } = require("node:readline");

const address = process.argv.at(-1);
const folder = mkdtempSync(join(tmpdir(), "turnkit-conformance-"));

const configuration = `
[[providers]]
id = "fake"
api = "openai-chat"
base_url = ${JSON.stringify(process.env.MODEL)}
api_key = "secret"
models = ["small"]

[[agents]]
name = "assistant"
tools = ["suite__*"]

[[mcp]]
name = "suite"
url = ${JSON.stringify(address)}
trust = "full"
`;

/** Sends a request to turnkit, and returns the JSON of the response. */
async function post(url, body) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

/** Yields the events of a turn up to its end. */
async function* events(url) {
  let text = "";
  for await (const bytes of (await fetch(url)).body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + bytes).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const field = (name) => block.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      if (field("data")) yield { name: field("event"), data: JSON.parse(field("data")) };
    }
  }
}

/** Runs a turn and answers the questions in it. Returns their number. */
async function answered(api) {
  const { turn_id } = await post(`${api}/turns`, { message: "Go", interact: true });
  let questions = 0;
  for await (const { name, data } of events(`${api}/turns/${turn_id}/events`)) {
    if (name !== "interaction.requested") continue;
    questions += 1;
    await post(`${api}/interactions/${data.id}`, { answer: { confirmed: true } });
  }
  return questions;
}

async function main() {
  writeFileSync(join(folder, "turnkit.toml"), configuration);
  const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, stdio: ["ignore", "pipe", "inherit"] };
  const server = spawn(process.env.TURNKIT, ["serve", "--listen", "127.0.0.1:0"], options);
  try {
    const [ready] = await once(createInterface({ input: server.stdout }), "line");
    const api = `${ready.split(" ").at(-1)}/api/v1`;
    // A turn runs without the tools of a server that is not ready.
    for (let turns = 0; turns < 20 && !(await answered(api)); turns += 1);
  } finally {
    server.kill();
    await once(server, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

main();
