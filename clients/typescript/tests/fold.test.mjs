// The fold from events to the view of a turn gives what the server gives.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { EventStream, emptyTurn, foldTurn, followTurn } from "./support.mjs";
import { ASKING, gate, last, plain, scene, start, text, view } from "./support.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

/** Streams of hand-written turns, which the tests of the server compare with what it writes. */
const STREAMS = join(ROOT, "crates", "server", "tests", "dialects", "native");

/** The server's view after each event of these turns, which its tests compare in the same way. */
const VIEWS = join(STREAMS, "..", "views");

const STREAM_FILES = readdirSync(STREAMS).filter((name) => name.endsWith(".sse"));

const fold = (view, { event, data }) => foldTurn(view, event, data);

const parsed = (frames) => frames.map(({ event, data }) => ({ event, data: JSON.parse(data) }));

/** Returns the views of a turn before and after each of its events. */
function views(begin, events) {
  const seen = [begin];
  for (const event of events) seen.push(fold(seen.at(-1), event));
  return seen;
}

/** Checks that a fold which begins with any view of the turn, as JSON, ends with the last view. */
function continuesFromEach(events, seen, what) {
  for (const [cut, view] of seen.entries()) {
    const rest = events.slice(cut).reduce(fold, plain(view));
    assert.deepEqual(plain(rest), plain(seen.at(-1)), `${what}, cut after ${cut} events`);
    // A connection may repeat events that a view has; a retraction is never repeated after its events.
    const repeated = events.slice(0, cut).some(({ event }) => event === "retracted") ? [] : events.slice(0, cut);
    assert.deepEqual(plain(repeated.reduce(fold, view)), plain(view), `${what}, repeated after ${cut} events`);
  }
}

/** Returns the views of a hand-written turn before and after each of its events, and the events. */
function handWritten(file) {
  const [first, ...rest] = parsed(new EventStream().push(readFileSync(join(STREAMS, file), "utf8")));
  const isSnapshot = first.event === "resync";
  const events = isSnapshot ? rest : [first, ...rest];
  return { events, seen: views(isSnapshot ? first.data.turn : emptyTurn(first.data.turn_id, 3), events), isSnapshot };
}

test("each event of hand-written turns gives the server's view", () => {
  assert.ok(STREAM_FILES.length > 20, `${STREAM_FILES.length} streams`);
  for (const file of STREAM_FILES) {
    const { seen, isSnapshot } = handWritten(file);
    const lines = readFileSync(join(VIEWS, file.replace(".sse", ".jsonl")), "utf8").trimEnd().split("\n");
    // A snapshot is the view before the first event.
    assert.deepEqual(plain(isSnapshot ? seen : seen.slice(1)), lines.map((line) => JSON.parse(line)), file);
  }
});

test("hand-written turns continue from every event and every snapshot", () => {
  for (const file of STREAM_FILES) {
    const { events, seen } = handWritten(file);
    continuesFromEach(events, seen, file);
  }
});

test("a stream that is cut at any byte has the events before the cut, whole and once", () => {
  for (const file of STREAM_FILES) {
    const bytes = readFileSync(join(STREAMS, file));
    const whole = new EventStream().push(bytes.toString("utf8")).filter(({ id }) => id);
    const decoder = new TextDecoder();
    const events = new EventStream();
    const begun = [];
    for (const [index] of bytes.entries()) {
      begun.push(...events.push(decoder.decode(bytes.subarray(index, index + 1), { stream: true })));
      const known = begun.filter(({ id }) => id);
      assert.deepEqual(known, whole.slice(0, known.length), `${file}, cut after ${index + 1} bytes`);
    }
    assert.equal(begun.filter(({ id }) => id).length, whole.length, file);
  }
});

/** Returns every piece of an answer, with a gate after each. */
function paced(pieces) {
  const gates = pieces.map(() => gate());
  const answer = (function* () {
    for (const [index, piece] of pieces.entries()) yield* [piece, gates[index].opened];
  })();
  return { answer, gates };
}

/** Returns the view of a turn that the server has now. */
async function stored(client, { session_id, turn_id }) {
  const { data } = await client.turns(session_id, { around: turn_id, limit: 1 });
  const { state: _, after: __, kind: ___, ...view } = data[0];
  return view;
}

/**
 * Follows a turn to its end, and reads its view from the server after each change. Checks that each is the view of the
 * events up to its number, and that these events may be cut anywhere. Returns the number of different views.
 */
async function compare(client, server, turn, gates, decide = () => {}) {
  const read = [];
  const closed = [...gates];
  let followed;
  for await (followed of followTurn(client, turn)) {
    read.push(await stored(client, turn));
    closed.shift()?.open();
    await decide(followed);
  }
  for (const { open } of closed) open();
  read.push(await stored(client, turn));
  assert.deepEqual(plain(followed), read.at(-1), "the last view that was followed");
  const response = await fetch(`${server.url}/api/v1/turns/${turn.turn_id}/events`);
  const events = parsed(new EventStream().push(await response.text()));
  const seen = views(emptyTurn(turn.turn_id, read[0].number), events);
  for (const view of read) {
    // A retraction and the events after it have numbers of retracted events.
    const candidates = seen.filter(({ seq }) => seq === view.seq).map(plain);
    if (candidates.length > 1) assert.ok(candidates.some((candidate) => isDeepStrictEqual(candidate, view)));
    else assert.deepEqual(candidates[0], view, `the view at ${view.seq}`);
  }
  continuesFromEach(events, seen, "the log of the server");
  return new Set(read.map(({ seq }) => seq)).size;
}

scene("the view of a running turn is the server's after each piece of it", {}, async ({ client, model, server }) => {
  const call = (expression) => ({ name: "calculator", arguments: { expression } });
  const reasoning = [{ reasoning: "Let me " }, { reasoning: "think." }];
  const first = paced([...reasoning, "I ", "calculate.", call("1 + 1"), call("2 * 3")]);
  const second = paced(["Two ", "and ", "six."]);
  model.answersWith(first.answer).answersWith(second.answer);
  const turn = await start(client, "What are 1 + 1 and 2 * 3?");
  const compared = await compare(client, server, turn, [...first.gates, ...second.gates]);
  assert.ok(compared >= 3, `${compared} views were compared`);
});

scene("the view of a turn whose call waits is the server's", { configuration: ASKING }, async (parts) => {
  const { client, model, server } = parts;
  const changed = { decision: "approve", arguments: { expression: "2 + 2" }, note: "Two." };
  for (const decision of [changed, { decision: "deny", note: "No." }]) {
    model.answers({ name: "calculator", arguments: { expression: "1 + 1" } }).answers("Done.");
    const turn = await start(client, "What is 1 + 1?");
    let decided = false;
    const compared = await compare(client, server, turn, [], async ({ waits }) => {
      if (decided || !waits?.length) return;
      decided = true;
      await client.resolve(waits[0].id, decision);
    });
    assert.ok(decided && compared > 0, `${compared} views were compared`);
  }
});

scene("the view of a turn whose process died is the server's", {}, async ({ client, model, server }) => {
  const held = gate();
  const again = paced(["The ", "answer."]);
  model.answers({ reasoning: "Hm. " }, "The beginning", held.opened).answersWith(again.answer);
  const turn = await start(client, "Say it.");
  await view(client, turn, (view) => text(view) === "The beginning");
  await server.kill();
  await server.run();
  const compared = await compare(client, server, turn, again.gates);
  held.open();
  assert.ok(compared > 0, `${compared} views were compared`);
});

scene("the view of a cancelled turn is the server's", {}, async ({ client, model, server }) => {
  const held = gate();
  model.answers("It ", "begins", held.opened);
  const turn = await start(client, "Begin.");
  await view(client, turn, (view) => text(view) === "It begins");
  await client.cancel(turn.turn_id);
  await last(followTurn(client, turn));
  await compare(client, server, turn, []);
  held.open();
});

scene("the view of a turn whose calls fail is the server's", {}, async ({ client, model, server }) => {
  const calls = [{ name: "calculator", arguments: { expression: "1 / 0" } }, { name: "no_such_tool", arguments: {} }];
  model.answers(...calls).answers("It cannot be calculated.");
  await compare(client, server, await start(client, "What is 1 / 0?"), []);
});

scene("the view of a turn that read a message while it ran is the server's", {}, async ({ client, model, server }) => {
  const first = paced(["Wait", { name: "calculator", arguments: { expression: "1 + 1" } }]);
  model.answersWith(first.answer).answers("In Rome.");
  const turn = await start(client, "What time is it?");
  await view(client, turn, (view) => text(view) === "Wait");
  const other = await start(client, "In Rome.", { session_id: turn.session_id, on_busy: "steer" });
  await compare(client, server, turn, first.gates);
  const steered = await last(followTurn(client, turn));
  assert.equal(steered.steered?.[0].steering_turn_id, other.turn_id);
});
