// The client with a real server.

import assert from "node:assert/strict";
import { ApiError, Client, emptyTurn, foldTurn, follow, followTurn } from "./support.mjs";
import { ASKING, CuttingProxy, conditions, first, gate, last, plain } from "./support.mjs";
import { read, scene, start, text, view } from "./support.mjs";

scene("a turn is followed to its end", {}, async ({ client, model }) => {
  model.answers("One, ", "two, ", "three.");
  const turn = await start(client, "Count to three.");
  const seen = [];
  for await (const view of followTurn(client, turn)) seen.push(view);
  const ended = seen.at(-1);
  assert.equal(ended.status, "completed");
  assert.equal(text(ended), "One, two, three.");
  for (const [index, view] of seen.entries()) assert.ok(text(ended).startsWith(text(view)), `view ${index}`);
  // A turn that has ended is followed in the same way.
  assert.deepEqual(plain(await last(followTurn(client, turn))), plain(ended));
});

scene("a turn after which others have begun is followed too", {}, async ({ client, model }) => {
  model.answers("first").answers("second");
  const earlier = await start(client, "1");
  await last(followTurn(client, earlier));
  const later = await start(client, "2", { session_id: earlier.session_id });
  await last(followTurn(client, later));
  const { number, ...found } = await last(followTurn(client, earlier));
  assert.deepEqual([number, text(found), found.status], [1, "first", "completed"]);
});

scene("a turn is followed while it waits for its session", {}, async ({ client, model }) => {
  const answer = gate();
  model.answers("first", answer.opened).answers("second");
  const earlier = await start(client, "1");
  await view(client, earlier, (view) => text(view) === "first");
  const later = await start(client, "2", { session_id: earlier.session_id, on_busy: "enqueue" });
  const waiting = await view(client, later, ({ number }) => number === 2);
  assert.deepEqual([waiting.input, waiting.steps], [[{ type: "text", text: "2" }], []]);
  const following = last(followTurn(client, later));
  answer.open();
  const ended = await following;
  assert.deepEqual([ended.number, text(ended), ended.status], [2, "second", "completed"]);
});

scene("the same key starts one turn", {}, async ({ client, model }) => {
  model.answers("once");
  const turns = await Promise.all([1, 2, 3].map(() => client.start({ message: "Hi", key: "same" })));
  assert.equal(new Set(turns.map(({ turn_id }) => turn_id)).size, 1);
});

scene("a feed that is cut at any byte continues exactly", { offline: true }, async ({ client, server }) => {
  const turn = await start(client, "What is 12.5% of 840?");
  await last(followTurn(client, turn));
  const response = await fetch(`${server.url}/api/v1/turns/${turn.turn_id}/events`);
  const bytes = await response.text();
  // The last events are of all lengths: texts, the answer, and the end of the turn.
  const cursors = [...bytes.matchAll(/^id: (.*)$/gm)].map(([, cursor]) => cursor).slice(-6);
  const whole = await read(client, turn.session_id, turn.turn_id, cursors[0]);
  const numbered = (events) => events.filter(({ cursor }) => cursor);
  assert.deepEqual([whole.ended, numbered(whole.events).map(({ cursor }) => cursor)], [true, cursors.slice(1)]);
  const proxy = await CuttingProxy.to(server.url);
  const throughProxy = new Client({ base: `${proxy.url}/` });
  try {
    const rests = new Map();
    // The last cut is behind the end of the turn.
    for (let ended = false, limit = 1; !ended; limit += 1) {
      proxy.limit = limit;
      const begin = await read(throughProxy, turn.session_id, turn.turn_id, cursors[0]);
      ended = begin.ended;
      const cursor = numbered(begin.events).at(-1)?.cursor ?? cursors[0];
      if (!ended && !rests.has(cursor)) rests.set(cursor, await read(client, turn.session_id, turn.turn_id, cursor));
      const rest = ended ? [] : rests.get(cursor).events;
      assert.deepEqual(numbered([...begin.events, ...rest]), numbered(whole.events), `cut after ${limit} bytes`);
    }
    assert.deepEqual([...rests.keys()], cursors.slice(0, -1), "there was a cut after each event");
  } finally {
    proxy.stop();
  }
});

scene("events are seen once, however often the connection is lost", {}, async ({ client, model, server }) => {
  const words = Array.from({ length: 12 }, (_, index) => `${index} `);
  const gates = words.map(() => gate());
  model.answersWith((function* () {
    for (const [index, word] of words.entries()) yield* [word, gates[index].opened];
  })());
  const proxy = await CuttingProxy.to(server.url);
  const lost = [];
  try {
    const turn = await start(client, "Count.");
    const options = { connection: (state) => lost.push(state) };
    for await (const view of followTurn(new Client({ base: `${proxy.url}/` }), turn, options)) {
      const count = words.findIndex((_, index) => text(view) === words.slice(0, index + 1).join(""));
      assert.ok(count >= 0 || text(view) === "", `the text is ${text(view)}`);
      // Each word is followed by a cut, and the next one is written meanwhile.
      if (count < 0 || gates[count].passed) continue;
      gates[count].passed = true;
      proxy.cut();
      gates[count].open();
      if (view.status) assert.equal(view.status, "completed");
    }
  } finally {
    proxy.stop();
  }
  assert.ok(lost.filter((state) => state === "lost").length >= 3, `the connection was ${lost}`);
});

scene("a server that is killed while it answers leaves the text once", {}, async ({ client, model, server }) => {
  const answer = gate();
  model.answers("Half of ", answer.opened).answers("The whole answer.");
  const turn = await start(client, "Say it.");
  const seen = [];
  for await (const view of followTurn(client, turn)) {
    if (text(view) === "Half of " && seen.at(-1) !== "Half of ") {
      await server.kill();
      await server.run();
    }
    seen.push(text(view));
    if (view.status) assert.equal(view.status, "completed");
  }
  answer.open();
  assert.equal(seen.at(-1), "The whole answer.");
  assert.ok(seen.includes("Half of "));
  assert.ok(!seen.some((text) => text.startsWith("Half of The")));
});

scene("a follower continues from the cursor of an earlier one", {}, async ({ client, model }) => {
  const middle = gate();
  model.answers("before ", middle.opened, "after");
  const turn = await start(client, "Say it.");
  let begun = emptyTurn(turn.turn_id, 1);
  const apply = (view, { event, data }) => {
    if (event === "resync") return data.turns.data.at(-1) ?? view;
    return data.turn_id === turn.turn_id && data.seq ? foldTurn(view, event, data) : view;
  };
  const [{ id, after }] = await new Promise((resolve) => {
    const follower = {
      events: (events) => {
        begun = events.reduce(apply, begun);
        if (text(begun) !== "before ") return;
        following.stop();
        resolve(following.sessions);
      },
      connection: () => {},
      ended: (error) => assert.fail(error),
    };
    const following = follow(client, follower, { sessions: [{ id: turn.session_id }] });
  });
  middle.open();
  const rest = await read(client, id, turn.turn_id, after);
  assert.ok(!rest.events.some(({ event }) => event === "resync"), "nothing is sent again");
  assert.equal(text(rest.events.reduce(apply, begun)), "before after");
});

scene("one connection follows several sessions and what changes among all", {}, async ({ client, model, server }) => {
  const middle = gate();
  model.answers("first", middle.opened).answers("second").answers("third");
  const first = await start(client, "1");
  await view(client, first, (view) => text(view) === "first");
  const second = await start(client, "2");
  await last(followTurn(client, second));
  const proxy = await CuttingProxy.to(server.url);
  const throughProxy = new Client({ base: `${proxy.url}/` });
  const views = new Map();
  const changed = new Set();
  const cursors = [];
  const until = conditions();
  const events = (events) => {
    for (const { event, session, cursor, data } of events) {
      if (cursor && event !== "resync") cursors.push(`${session} ${cursor}`);
      if (event === "session.changed") changed.add(session);
      if (event === "resync") for (const turn of data.turns.data) views.set(turn.turn_id, turn);
      if (!data.turn_id || data.seq === undefined) continue;
      views.set(data.turn_id, foldTurn(views.get(data.turn_id) ?? emptyTurn(data.turn_id, 1), event, data));
    }
    until.check();
  };
  const follower = { events, connection: () => {}, ended: (error) => assert.fail(error) };
  const sessions = [first, second].map(({ session_id: id }) => ({ id }));
  const following = follow(throughProxy, follower, { sessions, me: true });
  try {
    await until.holds(() => views.size === 2);
    proxy.cut();
    middle.open();
    await until.holds(() => views.get(first.turn_id).status === "completed");
    // A session that is not followed is only known to have changed, until it is followed too.
    const third = await start(client, "3");
    await until.holds(() => changed.has(third.session_id));
    assert.ok(!views.has(third.turn_id));
    following.add(third.session_id);
    await until.holds(() => views.get(third.turn_id)?.status === "completed");
    const texts = [first, second, third].map(({ turn_id }) => text(views.get(turn_id)));
    assert.deepEqual(texts, ["first", "second", "third"]);
    assert.equal(new Set(cursors).size, cursors.length, "each event arrives once");
    assert.equal(following.sessions.length, 3);
  } finally {
    following.stop();
    proxy.stop();
  }
});

scene("as many sessions can be added as the server lets one connection follow", { offline: true }, async ({ client }) => {
  const ids = Array.from({ length: 33 }, (_, index) => `0199a1f0-5d1c-7cc0-9d8e-${String(index).padStart(12, "0")}`);
  const sessions = ids.map((id) => ({ id }));
  const most = await client.send("POST", "api/v1/feed", { sessions: sessions.slice(1) });
  assert.equal((await most.text()).match(/^event: session.removed$/gm).length, 32, "none of them exists");
  const expected = { status: 422, code: "invalid_request", field: "sessions" };
  await assert.rejects(client.send("POST", "api/v1/feed", { sessions }), expected);
  const follower = { events: () => {}, connection: () => {}, ended: (error) => assert.fail(error) };
  const following = follow(client, follower, { sessions: sessions.slice(1) });
  try {
    assert.throws(() => following.add(ids[0]), RangeError);
    assert.equal(following.sessions.length, 32);
  } finally {
    following.stop();
  }
});

scene("a call that waits is decided", { configuration: ASKING }, async ({ client, model }) => {
  for (const [decision, ok] of [[{ decision: "approve" }, true], [{ decision: "deny", note: "Not now." }, false]]) {
    model.answers({ name: "calculator", arguments: { expression: "6 * 7" } }).answers("Done.");
    const turn = await start(client, "What is 6 * 7?");
    const waiting = await view(client, turn, ({ waits }) => waits?.some(({ decided }) => !decided));
    const [wait] = waiting.waits;
    assert.deepEqual([wait.kind, wait.name, wait.arguments], ["approval", "calculator", '{"expression":"6 * 7"}']);
    const { data } = await client.interactions();
    assert.deepEqual(data.map(({ id }) => id), [wait.id]);
    const { decided } = await client.resolve(wait.id, decision);
    assert.equal(decided.decision, ok ? "approved" : "denied");
    const ended = await last(followTurn(client, turn));
    assert.deepEqual([ended.status, ended.tools[0].ok, text(ended)], ["completed", ok, "Done."]);
    assert.equal(ended.waits[0].decided.decision, ok ? "approved" : "denied");
    const other = { decision: ok ? "deny" : "approve" };
    await assert.rejects(client.resolve(wait.id, other), { name: "ApiError", status: 409, code: "already_decided" });
  }
});

scene("a turn is cancelled, and leaving it does not cancel it", {}, async ({ client, model }) => {
  const answer = gate();
  model.answers("It begins", answer.opened);
  const turn = await start(client, "Begin.");
  const begun = await view(client, turn, (view) => text(view) !== "");
  assert.equal(begun.status, undefined);
  const stopped = new AbortController();
  const iteration = followTurn(client, turn, { signal: stopped.signal });
  assert.equal((await iteration.next()).done, false);
  stopped.abort();
  assert.equal((await iteration.next()).done, true);
  await client.cancel(turn.turn_id);
  const ended = await last(followTurn(client, turn));
  answer.open();
  assert.equal(ended.status, "cancelled");
});

scene("an uploaded file is part of the message", {}, async ({ client, model }) => {
  model.answers("It says hello.");
  const file = await client.upload("note.txt", new Blob(["hello"], { type: "text/plain" }));
  assert.deepEqual([file.media_type.split(";")[0], file.bytes], ["text/plain", 5]);
  const turn = await start(client, "What does it say?", { files: [file.id] });
  const ended = await last(followTurn(client, turn));
  assert.equal(ended.status, "completed");
  assert.ok(JSON.stringify(ended.input).includes("note.txt"), JSON.stringify(ended.input));
});

/** More than a page of a list can have. */
const MANY = Array.from({ length: 210 }, (_, index) => `n${index}`);

const LONG_LISTS = MANY.map(
  (name) => `
[[agents]]
name = "${name}"
[[providers]]
id = "${name}"
api = "openai-chat"
base_url = "http://127.0.0.1:1/v1"
models = ["${name}"]
`,
).join("");

scene("lists of choices have all pages", { offline: true, configuration: LONG_LISTS }, async ({ client }) => {
  const names = async (list, field) => (await list).data.map((item) => item[field]).toSorted();
  assert.deepEqual(await names(client.agents(), "name"), MANY.toSorted());
  assert.deepEqual(await names(client.models(), "id"), MANY.toSorted());
  assert.deepEqual(await names(client.providers(), "id"), MANY.toSorted());
});

scene("an error has its status, its code and its field", { offline: true }, async ({ client }) => {
  const unknown = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01";
  const nowhere = new Client({ base: "http://127.0.0.1:1/" });
  await client.start({ message: "One", key: "k" });
  for (const [what, request, ...expected] of [
    ["a message without text", () => start(client, ""), 422, "invalid_request", "message"],
    ["an unknown session", () => start(client, "Hi", { session_id: unknown }), 404, "not_found", "session_id"],
    ["an unknown agent", () => start(client, "Hi", { agent: "nobody" }), 404, "not_found", "agent"],
    ["an unknown turn", () => client.cancel(unknown), 404, "not_found", undefined],
    ["the key of another message", () => client.start({ message: "Two", key: "k" }), 422, "key_reused", undefined],
    ["no server", () => nowhere.me(), 0, "unreachable", undefined],
  ]) {
    await assert.rejects(request(), (error) => {
      assert.ok(error instanceof ApiError, what);
      const { status, code, field, message } = error;
      assert.deepEqual([status, code, field], expected, what);
      assert.notEqual(message, "", what);
      return true;
    });
  }
  const gone = { turn_id: unknown, session_id: unknown };
  await assert.rejects(last(followTurn(client, gone)), { name: "ApiError", status: 404, code: "not_found" });
});

const KEYS = '[auth]\nmode = "api_key"\n';

scene("a refused credential is reported", { offline: true, configuration: KEYS }, async ({ server }) => {
  let credential = "wrong";
  let refusals = 0;
  const refused = () => {
    refusals += 1;
  };
  const client = new Client({ base: `${server.url}/`, credential: () => credential, refused });
  await assert.rejects(client.me(), { name: "ApiError", status: 401, code: "unauthenticated" });
  const turn = { turn_id: "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01", session_id: "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02" };
  await assert.rejects(first(followTurn(client, turn), () => true), { status: 401 });
  assert.equal(refusals, 2);
  credential = await server.command("keys", "create", "client");
  assert.equal((await client.me()).tenant, "local");
  const ended = await last(followTurn(client, await start(client, "What is 1 + 1?")));
  assert.equal(text(ended), "1 + 1 is 2.");
});
