// A server whose sessions are the hand-written turns that the server's tests compare with what it writes.

import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import { pipeline } from "node:stream";
import { fileURLToPath } from "node:url";

const DIALECTS = fileURLToPath(new URL("../../crates/server/tests/dialects/", import.meta.url));

/** The pause between two events, in which the page may draw. In milliseconds. */
const PAUSE = 15;

/**
 * The turns: of each its name, the id of its session here, its events, and the server's view after each of them. A view
 * comes first if the stream begins with a snapshot.
 */
export const GOLDENS = readdirSync(`${DIALECTS}views`).map((file, index) => {
  const name = file.replace(".jsonl", "");
  const frames = readFileSync(`${DIALECTS}native/${name}.sse`, "utf8").split("\n\n").filter((frame) => frame.includes("data: "));
  const [first, ...rest] = frames.map((frame) => {
    const [event, data] = ["event", "data"].map((field) => frame.match(new RegExp(`^${field}: (.*)$`, "m"))[1]);
    return { event, data: JSON.parse(data) };
  });
  const views = readFileSync(`${DIALECTS}views/${file}`, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  const isSnapshot = first.event === "resync";
  const session = `00000000-0000-0000-0001-${String(index).padStart(12, "0")}`;
  return { name, session, isSnapshot, events: isSnapshot ? rest : [first, ...rest], views };
});

/** What a page of turns says of a turn beside its view. */
const listed = (view) => ({ ...view, state: view.status ?? "running", after: null });

const pageOf = (views) => ({ data: views.map(listed), turns: views.length, before: null, after: null });

export class Goldens {
  #server = http.createServer((request, response) => void this.#answer(request, response));
  #target;
  #isLive;
  #change;
  /** How many events of each session were sent. */
  #sent = new Map();

  /**
   * Starts a server that has the turns: running ones, or such that ended, whose views `change` may replace. Another server
   * answers everything else.
   */
  static async before(target, { isLive = false, change = (view) => view } = {}) {
    const goldens = new Goldens();
    goldens.#target = target;
    goldens.#isLive = isLive;
    goldens.#change = change;
    goldens.#server.listen(0, "127.0.0.1");
    await once(goldens.#server, "listening");
    return goldens;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** Reports whether all events of a session were sent. */
  isSent({ session, events }) {
    return !this.#isLive || (this.#sent.get(session) ?? 0) === events.length;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request, response) {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    if (request.url === "/api/v1/feed") return this.#feed(JSON.parse(body), response);
    const golden = GOLDENS.find(({ session }) => request.url.startsWith(`/api/v1/sessions/${session}/turns`));
    if (golden) return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(this.#page(golden)));
    const { method, headers } = request;
    const forwarded = http.request(new URL(request.url, this.#target.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      pipeline(answer, response, () => {});
    });
    forwarded.on("error", () => response.destroy());
    forwarded.end(body);
  }

  /** Returns the page of turns of a session as it is now: the turn so far. */
  #page({ session, isSnapshot, views }) {
    const sent = this.#isLive ? (this.#sent.get(session) ?? 0) : views.length;
    const view = this.#isLive ? views[sent - (isSnapshot ? 0 : 1)] : views.at(-1);
    return pageOf(view ? [this.#change(view)] : []);
  }

  #feed({ sessions }, response) {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
    for (const { id, after } of sessions) {
      const golden = GOLDENS.find(({ session }) => session === id);
      if (golden) void this.#send(golden, after, response);
    }
  }

  async #send(golden, after, response) {
    const { session: id, events } = golden;
    const write = (event, data, cursor) => response.write(`event: ${event}\ndata: ${JSON.stringify({ ...data, session_id: id, cursor })}\n\n`);
    if (after === undefined) {
      const turns = this.#page(golden);
      const session = { id, agent: "assistant", title: golden.name, turns: 1, pinned: false, archived: false, metadata: {}, head: turns.data[0]?.turn_id };
      const times = { created_at: "2026-01-01T00:00:00Z", last_active: "2026-01-01T00:00:00Z" };
      write("resync", { session: { ...session, ...times }, messages: [], turn: null, turns, queue: [] }, String(this.#sent.get(id) ?? 0));
    }
    if (!this.#isLive) return;
    for (const [index, { event, data }] of events.entries()) {
      if (index < (Number(after) || this.#sent.get(id) || 0)) continue;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (response.destroyed) return;
      write(event, data, String(index + 1));
      this.#sent.set(id, index + 1);
    }
  }
}
