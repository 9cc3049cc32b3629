// The server of hand-written turns, in the process of a test.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

/** Streams of hand-written turns, in `native`, and the server's view after each of their events, in `views`. */
export const DIALECTS = join(ROOT, "crates", "server", "tests", "dialects");

/** The turn of these streams, and its session. */
export const TURN = "00000000-0000-0000-0000-000000000001";
export const SESSION = "00000000-0000-0000-0000-000000000002";

/** The turn as `Client.start` returns it. */
export const STARTED = { turn_id: TURN, session_id: SESSION };

/** The cursor with which a feed of the session begins. */
export const BEGIN = "1-2-9";

/** Answers the requests of a test, by their path and body. */
export function serve(context, respond) {
  const { fetch } = globalThis;
  context.after(() => {
    globalThis.fetch = fetch;
  });
  globalThis.fetch = async (address, { body, signal }) => {
    return respond(new URL(address).pathname, body && JSON.parse(body), signal);
  };
}

/** Returns an event of the session's feed as it is sent. */
export function frame(event, cursor, data) {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify({ session_id: SESSION, cursor, ...data })}\n\n`);
}

/** Returns the event with which a feed begins if the session has had these turns. */
export function resync(turns) {
  return frame("resync", BEGIN, { turns: { data: turns }, queue: [] });
}

/** Returns the view of a turn as pages of turns have it. */
export function paged(view) {
  return { ...view, state: view.status ?? "running", after: null };
}

/** Returns the server's view of a hand-written turn after its last event. */
export function viewOf(file) {
  const lines = readFileSync(join(DIALECTS, "views", file.replace(".sse", ".jsonl")), "utf8").trimEnd().split("\n");
  return JSON.parse(lines.at(-1));
}
