// A turn that is followed while requests fail.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, followTurn, last, plain } from "./support.mjs";
import { paged, resync, SESSION, STARTED, serve, viewOf } from "./written.mjs";

/** Returns a response that has begun, and ends with its request. */
function open(bytes, signal) {
  const start = (stream) => {
    stream.enqueue(bytes);
    signal.addEventListener("abort", () => stream.error(signal.reason));
  };
  return new Response(new ReadableStream({ start }));
}

/** Returns a response with an error of the server. */
function refusal(status, code) {
  return Response.json({ error: { code, message: "no" } }, { status });
}

/** Answers the requests of a test whose turn is not in the feed, because later ones are. Returns those that read it. */
function serveEarlier(context, respond) {
  const requests = [];
  serve(context, (path, _, signal) => {
    if (path.endsWith("/feed")) return open(resync([]), signal);
    requests.push(path);
    return respond(requests.length);
  });
  return requests;
}

const client = new Client({ base: "http://server/" });

test("an earlier turn is read again until the server answers", async (context) => {
  const view = viewOf("tool_done.sse");
  const requests = serveEarlier(context, (count) => {
    if (count === 1) throw new TypeError("no network");
    return count === 2 ? refusal(503, "unavailable") : Response.json({ data: [paged(view)] });
  });
  assert.deepEqual(plain(await last(followTurn(client, STARTED))), view);
  assert.deepEqual(requests, Array(3).fill(`/api/v1/sessions/${SESSION}/turns`));
});

test("an earlier turn that does not exist is not read again", { timeout: 20_000 }, async (context) => {
  const requests = serveEarlier(context, () => refusal(404, "not_found"));
  await assert.rejects(last(followTurn(client, STARTED)), { name: "ApiError", status: 404 });
  assert.equal(requests.length, 1);
});

for (const { when, before } of [
  { when: "while it is read", before: 0 },
  { when: "between two attempts to read it", before: 20 },
]) {
  test(`an earlier turn is left at once ${when}`, { timeout: 20_000 }, async (context) => {
    // Time stands still, so a pause would never end by itself.
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const stopped = new AbortController();
    const stop = async () => {
      for (let turn = 0; turn < before; turn += 1) await new Promise(setImmediate);
      stopped.abort();
    };
    const requests = serveEarlier(context, () => {
      void stop();
      return refusal(503, "unavailable");
    });
    const ended = last(followTurn(client, STARTED, { signal: stopped.signal }));
    context.mock.timers.tick(1);
    assert.equal(await ended, undefined);
    assert.equal(requests.length, 1);
  });
}

test("a feed that the server refuses for good is the error of the turn", { timeout: 20_000 }, async (context) => {
  let requests = 0;
  serve(context, () => {
    requests += 1;
    return refusal(422, "invalid_request");
  });
  await assert.rejects(last(followTurn(client, STARTED)), { name: "ApiError", status: 422, code: "invalid_request" });
  assert.equal(requests, 1);
  const nonsense = followTurn(client, { ...STARTED, session_id: "nonsense" });
  await assert.rejects(last(nonsense), { name: "RangeError", message: '"nonsense" is not the id of a session' });
});
