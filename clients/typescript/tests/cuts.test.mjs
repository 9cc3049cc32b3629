// A turn whose connection is cut anywhere.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client, EventStream, emptyTurn, followTurn, last, plain } from "./support.mjs";
import { BEGIN, DIALECTS, frame, paged, resync, STARTED, serve, TURN, viewOf } from "./written.mjs";

/** Returns the feed in which a hand-written turn begins and ends, and the cursors of its events with their ends. */
function feedOf(file) {
  const events = new EventStream().push(readFileSync(join(DIALECTS, "native", file), "utf8"));
  const frames = [resync([paged(emptyTurn(TURN, 3))])];
  for (const { event, id, data } of events) frames.push(frame(event, id, JSON.parse(data)));
  const cursors = [BEGIN, ...events.map(({ id }) => id)];
  const ends = cursors.map((cursor, index) => ({ cursor, end: Buffer.concat(frames.slice(0, index + 1)).length }));
  return { file, view: viewOf(file), bytes: Buffer.concat(frames), ends };
}

/** The feeds of the hand-written turns that begin and end. */
const FEEDS = readdirSync(join(DIALECTS, "native"))
  .filter((file) => {
    const text = readFileSync(join(DIALECTS, "native", file), "utf8");
    return text.startsWith("event: turn.started\n") && text.includes("\nevent: turn.ended\n");
  })
  .map(feedOf);

/**
 * Follows turns, all at the same time: each as often as `cutsOf` returns numbers of bytes, after which its first
 * connection is cut. The second one continues after the last event that was whole.
 */
async function checkCuts(context, feeds, cutsOf) {
  const cursors = new Map();
  serve(context, (path, { sessions: [{ after }] }) => {
    const [, number, cut] = path.split("/").map(Number);
    const { bytes, ends } = feeds[number];
    const known = cursors.get(`${number} ${cut}`) ?? [];
    cursors.set(`${number} ${cut}`, [...known, after]);
    const begin = ends.find(({ cursor }) => cursor === after)?.end ?? 0;
    return new Response(known.length === 0 ? bytes.subarray(0, cut) : bytes.subarray(begin));
  });
  const check = async ({ file, view, bytes, ends }, number, cut) => {
    const what = `${file}, cut after ${cut} bytes`;
    const client = new Client({ base: `http://server/${number}/${cut}/` });
    assert.deepEqual(plain(await last(followTurn(client, STARTED))), view, what);
    // Nothing is asked for again but the event that was cut off, and nothing after the end of the turn.
    const continued = cut === bytes.length ? [] : [ends.findLast(({ end }) => end <= cut)?.cursor];
    assert.deepEqual(cursors.get(`${number} ${cut}`), [undefined, ...continued], what);
  };
  await Promise.all(feeds.flatMap((feed, number) => cutsOf(feed).map((cut) => check(feed, number, cut))));
}

test("a turn with a call has the same view in the end, at whatever byte its connection is cut", async (context) => {
  const feeds = FEEDS.filter(({ file }) => file === "tool_done.sse");
  assert.equal(feeds.length, 1);
  await checkCuts(context, feeds, ({ bytes }) => [...Array(bytes.length + 1).keys()]);
});

test("every turn has the same view in the end, whichever event is the last before a cut", async (context) => {
  assert.ok(FEEDS.length > 20, `${FEEDS.length} turns`);
  await checkCuts(context, FEEDS, ({ ends }) => ends.flatMap(({ end }) => [end - 1, end]));
});
