// Starts the real server, with a model that answers from a script.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The program under test. */
const BINARY = process.env.TURNKIT_BINARY;

/** The environment of the server: without the keys of vendors and settings of this machine. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: tmpdir(),
  TURNKIT_LOG__LEVEL: "warn",
  // A debug build reads the page from this folder.
  ...(process.env.TURNKIT_PAGE_DIR && { TURNKIT_PAGE_DIR: process.env.TURNKIT_PAGE_DIR }),
};

/** A model that answers each request with the next entry of its script. */
export class Model {
  #script = [];
  #usage;
  #server = http.createServer((request, response) => void this.#answer(request, response));

  async start() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/v1`;
  }

  /**
   * Adds an answer. Its pieces are texts, calls (`{ name, arguments }`), reasoning (`{ reasoning }`), addresses of images
   * (`{ image }`), and promises that are awaited. `{ error }` ends it with an error of the provider, and
   * `{ breaks: true }` without a word.
   */
  answers(...pieces) {
    this.#script.push(pieces);
    return this;
  }

  /** Lets each answer report these tokens. */
  reports(usage) {
    this.#usage = usage;
    return this;
  }

  /** Adds an answer whose pieces are made one by one. */
  answersWith(pieces) {
    this.#script.push(pieces);
    return this;
  }

  async #answer(request, response) {
    for await (const _ of request);
    const pieces = this.#script.shift() ?? ["The script has ended."];
    response.writeHead(200, { "content-type": "text/event-stream" });
    let finish = "stop";
    const write = (fields) => {
      const chunk = { id: "1", object: "chat.completion.chunk", created: 0, model: "scripted", ...fields };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    const send = (delta, finish_reason = null) => write({ choices: [{ index: 0, delta, finish_reason }] });
    let calls = 0;
    for (const piece of pieces) {
      if (typeof piece === "string") send({ content: piece });
      else if (piece instanceof Promise) await piece;
      else if ("error" in piece) return response.end(`data: ${JSON.stringify({ error: piece.error })}\n\n`);
      else if ("breaks" in piece) return response.end();
      else if ("reasoning" in piece) send({ reasoning_content: piece.reasoning });
      else if ("image" in piece) send({ images: [{ type: "image_url", image_url: { url: piece.image } }] });
      else {
        const { name, arguments: given } = piece;
        send({ tool_calls: [{ index: calls, id: `call_${calls}`, type: "function", function: { name, arguments: JSON.stringify(given) } }] });
        calls += 1;
        finish = "tool_calls";
      }
    }
    send({}, finish);
    if (this.#usage) write({ choices: [], usage: this.#usage });
    response.end("data: [DONE]\n\n");
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/**
 * Yields pieces of an answer at this many in a second. What is late is sent at once, so that the last one comes in time.
 * `sent` is called after the last one.
 */
export function* paced(pieces, perSecond, sent = () => undefined) {
  let begin;
  for (const [number, piece] of pieces.entries()) {
    begin ??= performance.now();
    const wait = begin + (number * 1_000) / perSecond - performance.now();
    if (wait > 0) yield new Promise((resolve) => setTimeout(resolve, wait));
    yield piece;
  }
  sent();
}

/** A promise that the test resolves. */
export function gate() {
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A server with a data folder of its own. */
export class Server {
  #folder;
  #environment = ENVIRONMENT;
  #process;
  #through;
  url;
  /** How long the last start took until the server accepted requests, in milliseconds. */
  ready;

  /**
   * Starts a server. `model` answers; without one, the offline responder does. `configuration` is added to the file,
   * `detail` to the provider there, and `environment` to the variables. `through` are the words of a program that runs
   * the server.
   */
  static async start({ model, configuration = "", detail = "", environment = {}, through = [] } = {}) {
    const server = new Server();
    server.#environment = { ...ENVIRONMENT, ...environment };
    server.#through = through;
    server.#folder = await mkdtemp(join(tmpdir(), "turnkit-page-"));
    const provider = model
      ? `[[providers]]\nid = "scripted"\napi = "openai-chat"\nbase_url = "${model.url}"\nmodels = ["scripted"]\n`
      : "";
    await writeFile(join(server.#folder, "turnkit.toml"), `${configuration}\n${provider}${detail}`);
    await server.run();
    return server;
  }

  /** The folder of the configuration and of the data. */
  get folder() {
    return this.#folder;
  }

  /** The id of the server's process. */
  get pid() {
    return this.#process.pid;
  }

  /** Runs the program, at the address that it had before. */
  async run() {
    const listen = this.url ? new URL(this.url).host : "127.0.0.1:0";
    const begin = performance.now();
    this.#process = this.#spawn("serve", "--listen", listen);
    const lines = createInterface({ input: this.#process.stdout });
    const [line] = await Promise.race([
      once(lines, "line"),
      once(this.#process, "exit").then(([code]) => Promise.reject(new Error(`the server ended with ${code}`))),
    ]);
    this.ready = performance.now() - begin;
    this.url = line.split(" ").at(-1);
  }

  /** Runs a command to its end, and returns its output. */
  async command(...words) {
    const child = this.#spawn(...words);
    let output = "";
    child.stdout.on("data", (piece) => {
      output += piece;
    });
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`turnkit ${words.join(" ")} ended with ${code}`);
    return output.trim();
  }

  #spawn(...words) {
    if (!BINARY) throw new Error("TURNKIT_BINARY does not name the program to test");
    const stdio = ["ignore", "pipe", process.env.TURNKIT_SHOW_LOG ? "inherit" : "ignore"];
    const [program, ...rest] = [...this.#through, BINARY, ...words];
    return spawn(program, rest, { cwd: this.#folder, env: this.#environment, stdio });
  }

  /** Ends the process at once, as a crash does. */
  async kill() {
    this.#process.kill("SIGKILL");
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, "exit");
  }

  async stop() {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
