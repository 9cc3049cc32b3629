// Following several sessions over connections that are replaced and lost, without a browser.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));

async function load(path) {
  const options = { bundle: true, format: "esm", platform: "node", write: false, logLevel: "silent" };
  const { outputFiles } = await build({ ...options, entryPoints: [join(HERE, "..", "src", path)] });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const { ApiError, follow } = await load("net/index.ts");
const { Hub } = await load("worker/hub.ts");
const { Outbox } = await load("worker/outbox.ts");

const [A, B, C] = ["a", "b", "c"].map((letter) => `0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a0${letter}`);

/** Returns as many ids of sessions. */
function ids(count) {
  return Array.from({ length: count }, (_, index) => `0199a1f0-5d1c-7cc0-9d8e-${String(index).padStart(12, "0")}`);
}

/** A client whose feeds the test writes. */
class Feeds {
  requests = [];

  async send(_method, _path, { sessions }, signal) {
    const request = { sessions, signal };
    this.requests.push(request);
    await new Promise((resolve, reject) => {
      Object.assign(request, { resolve, reject });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    const body = new ReadableStream({
      start: (stream) => {
        request.stream = stream;
        signal.addEventListener("abort", () => stream.error(signal.reason), { once: true });
      },
    });
    return { body };
  }

  /** Waits for a request, and accepts it. */
  async open(number) {
    await until(() => this.requests.length > number);
    this.requests[number].resolve();
    await until(() => this.requests[number].stream);
  }

  async write(number, ...events) {
    const frames = events.map(([event, session_id, cursor]) => {
      return `event: ${event}\ndata: ${JSON.stringify({ session_id, ...(cursor && { cursor }) })}\n\n`;
    });
    this.requests[number].stream.enqueue(new TextEncoder().encode(frames.join("")));
    // What was written passes through several streams.
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  }
}

async function until(isSo) {
  for (const end = performance.now() + 20_000; !isSo(); ) {
    assert.ok(performance.now() < end, `it never was: ${isSo}`);
    await new Promise(setImmediate);
  }
}

/** What tests follow. It would connect for ever if a test failed before it stopped. */
const followings = [];

afterEach(() => {
  for (const following of followings.splice(0)) following.stop();
});

/** Follows sessions until the test has ended, and notes what arrives. */
function begin(sessions, { me = true } = {}) {
  const feeds = new Feeds();
  const seen = [];
  const states = [];
  const follower = {
    events: (events) => seen.push(...events.map(({ event, session, cursor }) => [event, session, cursor].join(" ").trim())),
    connection: (state) => states.push(state),
    ended: (error) => states.push(error.status),
  };
  const following = follow(feeds, follower, { sessions, me });
  followings.push(following);
  return { feeds, seen, states, following };
}

test("what two connections deliver while one replaces the other is passed once", async () => {
  const { feeds, seen, following } = begin([{ id: A, after: "1" }]);
  await feeds.open(0);
  await feeds.write(0, ["e", A, "2"]);
  following.add(B);
  await until(() => feeds.requests.length === 2);
  assert.deepEqual(feeds.requests[1].sessions, [{ id: A, after: "2" }, { id: B }]);
  await feeds.write(0, ["e", A, "3"], ["e", A, "4"]);
  await feeds.open(1);
  await feeds.write(1, ["queue", A], ["e", A, "3"], ["e", A, "4"], ["e", A, "5"], ["resync", B, "9"]);
  await feeds.write(0, ["e", A, "5"], ["interactions.changed"]);
  assert.deepEqual(seen, [
    ...["2", "3", "4"].map((cursor) => `e ${A} ${cursor}`),
    `queue ${A}`,
    `e ${A} 5`,
    `resync ${B} 9`,
    "interactions.changed",
  ]);
});

test("what follows a snapshot is passed again, because the snapshot may be older", async () => {
  const { feeds, seen, following } = begin([{ id: A, after: "1" }]);
  await feeds.open(0);
  following.add(A);
  await until(() => feeds.requests.length === 2);
  await feeds.write(0, ["e", A, "2"]);
  await feeds.open(1);
  await feeds.write(1, ["resync", A, "1"], ["e", A, "2"]);
  assert.deepEqual(seen, [`e ${A} 2`, `resync ${A} 1`, `e ${A} 2`]);
});

test("a session begins anew even if the connection that asked for it is lost", async () => {
  const { feeds, states, following } = begin([{ id: A, after: "1" }]);
  await feeds.open(0);
  following.add(A);
  await until(() => feeds.requests.length === 2);
  await feeds.write(0, ["e", A, "2"]);
  feeds.requests[1].reject(new TypeError("no network"));
  await until(() => feeds.requests.length === 3);
  assert.deepEqual(feeds.requests[2].sessions, [{ id: A }]);
  assert.deepEqual(states, ["connecting", "open"], "the first connection goes on");
});

test("a lost connection continues after the last events, and a refused one ends", async () => {
  const { feeds, states, following } = begin([{ id: A }, { id: B }]);
  await feeds.open(0);
  await feeds.write(0, ["resync", A, "1"], ["resync", B, "7"], ["e", A, "2"]);
  feeds.requests[0].stream.close();
  await until(() => feeds.requests.length === 2);
  assert.deepEqual(feeds.requests[1].sessions, [{ id: A, after: "2" }, { id: B, after: "7" }]);
  feeds.requests[1].reject(new ApiError(401, "unauthorized", "no"));
  await until(() => states.includes(401));
  assert.deepEqual(states, ["connecting", "open", "lost", 401]);
  following.reconnect();
  await new Promise(setImmediate);
  assert.equal(feeds.requests.length, 2);
});

test("a request that the server refuses for good ends following, and others are sent again", async () => {
  for (const [status, code, isFinal] of [
    [400, "invalid_request", true],
    [403, "forbidden", true],
    [404, "not_found", true],
    [413, "too_large", true],
    [422, "invalid_request", true],
    [404, "unknown", false],
    [408, "timeout", false],
    [429, "rate_limited", false],
    [503, "unavailable", false],
    [0, "unreachable", false],
  ]) {
    const { feeds, states, following } = begin([{ id: A, after: "1" }]);
    await until(() => feeds.requests.length === 1);
    feeds.requests[0].reject(new ApiError(status, code, "no"));
    await until(() => states.length === 2);
    assert.deepEqual(states, ["connecting", isFinal ? status : "lost"], `${status} ${code}`);
    if (!isFinal) await feeds.open(1);
    following.reconnect();
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(feeds.requests.length, isFinal ? 1 : 2, `${status} ${code}`);
  }
});

test("a session that would make the server refuse all is refused at once, and the others go on", async () => {
  const [last, ...others] = ids(33).map((id) => ({ id, after: "1" }));
  const { feeds, seen, states, following } = begin(others);
  await feeds.open(0);
  assert.throws(() => following.add(last.id), { name: "RangeError", message: /^32 sessions/ });
  following.add(others[0].id, "1");
  following.remove(others[0].id);
  assert.throws(() => following.add("nonsense"), { name: "RangeError", message: '"nonsense" is not the id of a session' });
  following.add(last.id, "1");
  await feeds.open(1);
  assert.deepEqual(feeds.requests[1].sessions, [...others.slice(1), last]);
  await feeds.write(1, ["e", last.id, "2"]);
  assert.deepEqual([seen, states], [[`e ${last.id} 2`], ["connecting", "open", "open"]]);
  for (const sessions of [[...others, last], [{ id: A }, { id: A.toUpperCase() }]]) {
    const refused = new Feeds();
    assert.throws(() => follow(refused, {}, { sessions }), RangeError);
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(refused.requests, [], "nothing is followed");
  }
});

test("a connection that is lost after none was needed is reported", async () => {
  const { feeds, states, following } = begin([{ id: A, after: "1" }], { me: false });
  await feeds.open(0);
  following.remove(A);
  await until(() => feeds.requests[0].signal.aborted);
  following.add(B, "1");
  await until(() => feeds.requests.length === 2);
  feeds.requests[1].reject(new TypeError("no network"));
  await until(() => feeds.requests.length === 3);
  assert.deepEqual(states, ["connecting", "open", "lost"]);
});

test("a session that was removed is asked for no more, and the others go on", async () => {
  const { feeds, following } = begin([{ id: A, after: "1" }, { id: B, after: "1" }]);
  await feeds.open(0);
  await feeds.write(0, ["session.removed", A], ["e", B, "2"]);
  assert.deepEqual(following.sessions, [{ id: B, after: "2" }]);
  assert.equal(feeds.requests.length, 1, "the connection stays");
});

/** A tab of a hub, and what it was sent. */
function tabOf(hub) {
  const tab = { sent: [], send: (message) => tab.sent.push(message) };
  tab.events = (subscription) =>
    tab.sent
      .filter((message) => message.type === "events" && message.subscription === subscription)
      .flatMap(({ events }) => events.map(({ event, cursor }) => `${event} ${cursor}`));
  hub.join(tab);
  return tab;
}

test("a tab that joins others begins with a snapshot, which all of them get", async () => {
  const feeds = new Feeds();
  const hub = new Hub(feeds);
  const [first, second] = [tabOf(hub), tabOf(hub)];
  hub.follow(first, 1, A, undefined);
  await feeds.open(0);
  await feeds.write(0, ["resync", A, "1"], ["e", A, "2"]);
  hub.follow(second, 2, A, "1");
  await feeds.write(0, ["e", A, "3"]);
  await feeds.open(1);
  await feeds.write(1, ["resync", A, "3"], ["e", A, "4"]);
  assert.deepEqual(first.events(1), ["resync 1", "e 2", "e 3", "resync 3", "e 4"]);
  assert.deepEqual(second.events(2), ["resync 3", "e 4"]);
  await feeds.write(1, ["session.removed", A]);
  assert.deepEqual(first.sent.at(-1), { type: "removed", subscription: 1 });
  assert.deepEqual(second.sent.at(-1), { type: "removed", subscription: 2 });
  for (const tab of [first, second]) hub.leave(tab);
  await until(() => feeds.requests.every(({ signal }) => signal.aborted));
});

test("a tab that alone continues a session does so after its own cursor", async () => {
  const feeds = new Feeds();
  const hub = new Hub(feeds);
  const tab = tabOf(hub);
  hub.follow(tab, 1, A, "5");
  await feeds.open(0);
  assert.deepEqual(feeds.requests[0].sessions, [{ id: A, after: "5" }]);
  await feeds.write(0, ["e", A, "6"]);
  hub.sleep();
  assert.ok(feeds.requests[0].signal.aborted);
  hub.wake(tab);
  await feeds.open(1);
  assert.deepEqual(feeds.requests[1].sessions, [{ id: A, after: "6" }]);
  hub.leave(tab);
});

test("of more sessions than a feed may have, those that were looked at last are followed", async () => {
  const feeds = new Feeds();
  const hub = new Hub(feeds);
  const sessions = ids(33);
  const tabs = sessions.map((id, number) => {
    const tab = tabOf(hub);
    hub.follow(tab, number, id, "1");
    return tab;
  });
  await feeds.open(0);
  const followed = (number) => feeds.requests[number].sessions.map(({ id }) => id).sort();
  assert.deepEqual(followed(0), sessions.slice(1));
  hub.wake(tabs[0]);
  await feeds.open(1);
  assert.deepEqual(followed(1), [sessions[0], ...sessions.slice(2)]);
  assert.deepEqual(feeds.requests[1].sessions.find(({ id }) => id === sessions[0]), { id: sessions[0], after: "1" });
  hub.follow(tabs[0], 99, "nonsense", undefined);
  assert.deepEqual(tabs[0].sent.at(-1), { type: "removed", subscription: 99 });
  for (const tab of tabs) hub.leave(tab);
});

test("events that follow each other closely reach a tab together and in their order", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const posted = [];
  const outbox = new Outbox((message) => posted.push(message));
  const events = (subscription, ...events) => ({ type: "events", subscription, events });
  const send = (...messages) => messages.forEach((message) => outbox.send(message));
  const arrived = () => posted.splice(0);
  send(events(1, "a"), events(1, "b"), events(1, "c"));
  assert.deepEqual(arrived(), [events(1, "a")], "the first is not delayed");
  context.mock.timers.tick(25);
  assert.deepEqual(arrived(), [events(1, "b", "c")]);
  send(events(1, "d"), events(2, "e"), events(1, "f"));
  assert.deepEqual(arrived(), [], "the pause goes on");
  context.mock.timers.tick(25);
  assert.deepEqual(arrived(), [events(1, "d"), events(2, "e"), events(1, "f")]);
  const removed = { type: "removed", subscription: 1 };
  send(events(1, "g"), removed);
  assert.deepEqual(arrived(), [events(1, "g"), removed], "what is no event waits for nothing, and overtakes nothing");
  context.mock.timers.tick(25);
  send(events(1, "h"));
  assert.deepEqual(arrived(), [events(1, "h")]);
});
