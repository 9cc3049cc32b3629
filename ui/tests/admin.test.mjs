// The screens of operators against the real server: turns, usage, providers, tools, keys.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { accessible, close, Person, until } from "./browser.mjs";
import { gate, Model, Server } from "./server.mjs";

after(close);

/** What the browser reports about requests that the tests want to be refused, and about routes of later servers. */
const REFUSED = /status of (401|403|404|409|410|422|503)/;

const KEYS = '[auth]\nmode = "api_key"\n';
const ASKING = '[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n';
const BUDGETS = "[budgets]\nday = { tokens = 400 }\nuser = { usd = 2 }\n";
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** Loads a source that needs no browser. Of what the page shares, it gets the client of the API. */
async function load(path) {
  const source = (name) => join(dirname(fileURLToPath(import.meta.url)), "..", "src", name);
  const client = { name: "client", setup: (build) => void build.onResolve({ filter: /\/shared$/ }, () => ({ path: source("net/index.ts") })) };
  const options = { bundle: true, format: "esm", platform: "node", write: false, logLevel: "silent", plugins: [client] };
  const { outputFiles } = await build({ ...options, entryPoints: [source(path)] });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Sends requests as a program would. */
function apiOf(server, key) {
  const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
  const send = async (method, path, body) => {
    const response = await fetch(`${server.url}/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
    return response.json();
  };
  return { get: (path) => send("GET", path), post: (path, body) => send("POST", path, body) };
}

/** Starts a turn and waits until it is in a state. */
async function turn(api, message, state = "completed") {
  const started = await api.post("turns", { message, interact: true });
  await until(() => api.get(`turns/${started.turn_id}`), (turn) => turn.state === state);
  return started;
}

/** A provider that refuses or answers, as the test says. */
async function provider() {
  const told = { status: 401 };
  const server = http.createServer((request, response) => {
    request.resume();
    if (told.status === 200) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const delta = { id: "1", object: "chat.completion.chunk", created: 0, model: "m" };
      response.write(`data: ${JSON.stringify({ ...delta, choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] })}\n\n`);
      response.end("data: [DONE]\n\n");
      return;
    }
    response.writeHead(told.status, { "content-type": "application/json", "retry-after": "240" });
    response.end('{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { told, url: `http://127.0.0.1:${server.address().port}/v1`, stop };
}

const providerAt = (id, url) => `[[providers]]\nid = "${id}"\napi = "openai-chat"\nbase_url = "${url}"\nmodels = ["${id}-1"]\n`;

/** Runs a test with a server, a model and a person, and stops them. */
function scene(name, { offline = false, configuration, keyed = false, person: options } = {}, play) {
  test(name, async () => {
    const model = offline ? undefined : await new Model().start();
    let server;
    try {
      server = await Server.start({ model, configuration: `${keyed ? KEYS : ""}${configuration ?? ""}` });
      const person = await Person.at(`${server.url}/`, { allowed: REFUSED, ...options });
      await play({ model, server, person, api: apiOf(server) });
      await person.leave();
    } finally {
      await server?.stop();
      model?.stop();
    }
  });
}

/** Creates a key, and signs in with it at an address. */
async function signIn(server, person, address, scopes = ["chat", "read", "decide", "admin"]) {
  const key = await server.command("keys", "create", "page", "--user", "ada", ...scopes.flatMap((scope) => ["--scope", scope]));
  const page = await person.open(address);
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  return { page, api: apiOf(server, key) };
}

const heading = (page, name) => page.getByRole("heading", { level: 1, name });

/** Checks a screen in both sizes and both themes. */
async function accessibleEverywhere(page, what) {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await accessible(page, `${what}, ${size.width} px, ${colorScheme}`);
    }
    const isWide = await page.evaluate(() => document.querySelector(".screen").scrollWidth > document.querySelector(".screen").clientWidth);
    assert.equal(isWide, false, `${what}: the screen is no wider than ${size.width} px`);
  }
  await page.setViewportSize(SIZES[0]);
}

test("a cell of a CSV file is quoted, and runs as no formula", async () => {
  const { toCsv } = await load("admin/csv.ts");
  for (const [cell, expected] of [
    ["plain", "plain"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\nlines", '"two\nlines"'],
    ["=1+1", "'=1+1"],
    ["+49 30", "'+49 30"],
    ["-x", "'-x"],
    ["@sum", "'@sum"],
    ["=a,b", "\"'=a,b\""],
    ["\t=1", "'\t=1"],
    [-1.5, "-1.5"],
    [0, "0"],
    [null, ""],
    [undefined, ""],
  ]) {
    assert.equal(toCsv([[cell, 1]]), `${expected},1\r\n`, String(cell));
  }
});

test("the trace of a turn is drawn as attempts, calls, waits and summaries", async () => {
  const { placed, spansOf } = await load("admin/turns/trace.ts");
  const span = (id, kind, start_ms, ms, more) => ({ id, kind, name: kind, start_ms, ms, ...more });
  const of = (parent, ...given) => ({ ...span(...given), parent });
  const ended = [
    span("turn", "turn", 0, 20),
    of("turn", "step.1", "step", 0, 15, { first_ms: 3 }),
    of("step.1", "step.1.failed.1", "attempt", 0, 2, { error: "provider_rate_limited" }),
    of("step.1", "step.1.answer", "attempt", 2, 2, { first_ms: 1 }),
    of("step.1", "T.1.0.0", "wait", 4, 10),
    of("step.1", "T.1.0", "tool", 14, 1, { error: "failed" }),
    of("turn", "compaction.9", "compaction", 15, 2),
    of("turn", "step.2", "step", 17, 3),
    of("step.2", "step.2.answer", "attempt", 17, 3, { first_ms: 0 }),
  ];
  const withoutTimes = ended.filter(({ id, kind }) => kind !== "wait" && kind !== "compaction" && !id.endsWith("answer"));
  for (const [what, trace, expected] of [
    ["a turn that ended", ended, [
      ["attempt", "attempt", 0, 2, "provider_rate_limited"],
      ["model", "attempt", 2, 3],
      ["answer", "attempt", 3, 4],
      ["wait", "tool of T.1.0.0", 4, 14],
      ["tool", "tool", 14, 15, "failed"],
      ["compaction", "compaction", 15, 17],
      ["answer", "attempt", 17, 20],
    ]],
    ["a call that runs", [span("turn", "turn", 0), of("turn", "step.1", "step", 0, 4), of("step.1", "T.1.0", "tool", 4)], [
      ["answer", "step", 0, 4],
      ["tool", "tool", 4, 50, "open"],
    ]],
    ["a clock that is behind", [span("turn", "turn", 0), of("turn", "step.1", "step", 0, 60), of("step.1", "T.1.0", "tool", 55)], [
      ["answer", "step", 0, 60],
      ["tool", "tool", 55, 60, "open"],
    ]],
    ["a turn that nothing answered", [span("turn", "turn", 0, 7, { error: "provider_key_invalid" })], [["turn", "turn", 0, 7, "provider_key_invalid"]]],
    ["a call that its turn did not wait for", [span("turn", "turn", 0, 9, { error: "cancelled" }), of("turn", "T.1.0", "tool", 4)], [["tool", "tool", 4, 9]]],
    ["a turn whose events are deleted", withoutTimes.map(({ start_ms, ...known }) => known), []],
    ["a turn that has not begun", [], []],
  ]) {
    const drawn = placed(spansOf(trace, 50, (wait) => `tool of ${wait}`));
    const shown = drawn.map(({ kind, name, from, to, error, isOpen }) => [kind, name, from, to, error ?? (isOpen ? "open" : undefined)]);
    assert.deepEqual(shown.map((row) => row.filter((value) => value !== undefined)), expected, what);
  }
});

test("an axis has whole and round steps, and none if there is nothing", async () => {
  const { axisOf } = await load("admin/usage/axis.ts");
  for (const [highest, marks] of [
    [0, []],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 20, 40, 60, 80, 100]],
    [4_000, [0, 1_000, 2_000, 3_000, 4_000]],
    [4_001, [0, 1_000, 2_000, 3_000, 4_000, 5_000]],
    [6_300_000, [0, 2e6, 4e6, 6e6, 8e6]],
  ]) {
    assert.deepEqual(axisOf(highest), marks, String(highest));
  }
});

test("a long wait for a person leaves space for the rest of a turn", async () => {
  const { scaleOf } = await load("admin/turns/scale.ts");
  const span = (kind, from, to) => ({ kind, from, to });
  const short = scaleOf([span("answer", 0, 6_000), span("tool", 6_000, 10_000)]);
  assert.deepEqual([short.place(0), short.place(6_000), short.place(10_000), short.shortened], [0, 60, 100, []]);
  assert.deepEqual(short.marks, [0, 2_000, 4_000, 6_000, 8_000, 10_000].map((at) => ({ at, x: at / 100 })));
  const day = 86_400_000;
  const long = scaleOf([span("answer", 0, 6_000), span("wait", 6_000, day), span("tool", day, day + 2_000)]);
  assert.deepEqual(long.shortened.map(({ from, to }) => [Math.round(from), Math.round(to)]), [[60, 80]]);
  assert.deepEqual([3_000, 6_000, day, day + 2_000].map((time) => Math.round(long.place(time))), [30, 60, 80, 100]);
});

scene("the screens of operators are loaded when one of them is first opened", { offline: true }, async ({ person }) => {
  const page = await person.open();
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  assert.deepEqual(asked.filter((path) => path.includes("admin")), []);
  await page.getByRole("link", { name: "Turns" }).click();
  await heading(page, "Turns").waitFor();
  await page.getByText("There are no turns yet.").waitFor();
  await page.getByRole("link", { name: "Usage" }).click();
  await page.getByText("There were no model calls in this period.").waitFor();
  assert.deepEqual(asked.filter((path) => path.includes("admin")).sort(), ["/admin.css", "/admin.js"]);
  await accessibleEverywhere(page, "no usage");
});

scene("a part of the page that cannot be loaded offers to reload", {
  offline: true,
  person: { allowed: /Failed to load resource|net::/ },
}, async ({ person }) => {
  const page = await person.open();
  const arrived = gate();
  await page.route("**/admin.js", async (route) => {
    await arrived.opened;
    await route.abort();
  });
  await page.getByRole("link", { name: "Turns" }).click();
  await page.getByText("Loading…").waitFor();
  arrived.open();
  await page.getByText("This part of the page could not be loaded.").waitFor();
  await accessible(page, "not loaded");
  await page.unroute("**/admin.js");
  await page.getByRole("button", { name: "Reload" }).click();
  await heading(page, "Turns").waitFor();
});

scene("turns of several states are listed, filtered by the address, and written as CSV", {
  configuration: ASKING,
}, async ({ model, person, api }) => {
  model.answers("Hello.").answers({ name: "calculator", arguments: { expression: "1+1" } }).answers("Formula.");
  await turn(api, "Say hello");
  await turn(api, "Calculate", "waiting");
  await turn(api, '=1+1, "quoted"');
  const page = await person.open("#/turns");
  const rows = page.getByRole("table", { name: "Turns" }).getByRole("row");
  await rows.filter({ hasText: "Say hello" }).getByText("Complete").waitFor();
  await rows.filter({ hasText: "Calculate" }).getByText("Waiting").waitFor();
  assert.equal(await rows.count(), 4, "a head and three turns");
  await accessibleEverywhere(page, "turns");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  const csv = await readFile(await download.path(), "utf8");
  assert.equal(download.suggestedFilename(), "turns.csv");
  assert.match(csv, /^\ufeffTime,Session,Agent,State,Model,Tokens,Cost,First output,Duration\r\n/);
  assert.match(csv, /,"'=1\+1, ""quoted""",assistant,completed,/);

  await page.getByLabel("State").selectOption("waiting");
  await rows.filter({ hasText: "Say hello" }).waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).hash, "#/turns?state=waiting");
  await rows.filter({ hasText: "Calculate" }).waitFor();
  assert.equal(await rows.count(), 2);
  await page.reload();
  await rows.filter({ hasText: "Calculate" }).waitFor();
  assert.equal(await page.getByLabel("State").inputValue(), "waiting");
  await page.getByLabel("State").selectOption("failed");
  await page.getByText("No turn matches these filters.").waitFor();
  await accessible(page, "no turn");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await rows.filter({ hasText: "Say hello" }).waitFor();

  await page.getByRole("columnheader", { name: "Session" }).getByRole("button").click();
  assert.equal(await page.getByRole("columnheader", { name: "Session" }).getAttribute("aria-sort"), "ascending");
  assert.match(await rows.nth(1).textContent(), /=1\+1/);
});

scene("all columns of the turns are seen in a window of 1120 pixels, and a title has two lines at most", {
  person: { viewport: { width: 1120, height: 760 } },
}, async ({ model, person, api }) => {
  model.answers("Hello.").answers("A title.");
  await turn(api, "How many orders are that, ".repeat(8));
  const page = await person.open();
  const [row] = (await api.get("turns")).data;
  const failed = { ...row, id: `${row.id.slice(0, -1)}x`, state: "failed", error: "provider_key_invalid", accepted_at: "2026-01-01T12:30:00Z", ended_at: "2026-01-03T15:31:00Z" };
  await page.route("**/api/v1/turns?*", (route) => route.fulfill({ json: { data: [row, failed], next: null } }));
  await page.getByRole("link", { name: "Turns" }).click();
  const table = page.getByRole("region", { name: "Turns" });
  await table.getByText("2 days 3 hr").waitFor();
  const { hidden, lines, tops } = await table.evaluate((element) => {
    const title = element.querySelector(".titled a");
    const textTop = (cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return Math.round(range.getClientRects()[0].top);
    };
    return {
      hidden: element.scrollWidth - element.clientWidth,
      lines: Math.round(title.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(title).lineHeight)),
      tops: [...element.querySelector("tbody tr").cells].map(textTop),
    };
  });
  assert.equal(hidden, 0);
  assert.equal(lines, 2);
  assert.ok(Math.max(...tops) - Math.min(...tops) <= 4, `cells begin together: ${tops}`);
});

scene("each filter of the address is one of the server's", { offline: true }, async ({ person, api }) => {
  await turn(api, "Say hello");
  const page = await person.open("#/turns");
  const rows = page.getByRole("table", { name: "Turns" }).getByRole("row");
  await rows.filter({ hasText: "Say hello" }).waitFor();
  const { data } = await api.get("turns");
  const { agent, provider, model } = data[0];
  await page.getByText("More filters").click();
  const clear = page.getByRole("button", { name: "Clear filters" });
  for (const [label, name, value] of [
    ["Agent", "agent", agent],
    ["Provider", "provider", provider],
    ["Model", "model", model],
    ["Error code", "error", undefined],
  ]) {
    for (const [given, shown] of [["other", "No turn matches these filters."], [value, "Say hello"]]) {
      if (!given) continue;
      await page.getByLabel(label, { exact: true }).fill(given);
      await page.getByLabel(label, { exact: true }).press("Enter");
      await page.waitForURL((url) => url.hash === `#/turns?${new URLSearchParams({ [name]: given })}`);
      await page.getByText(shown).first().waitFor();
    }
    await clear.click();
    await page.waitForURL((url) => url.hash === "#/turns");
  }
  await page.getByLabel("To", { exact: true }).fill("2026-01-02T03:04");
  await page.getByLabel("To", { exact: true }).press("Tab");
  await page.waitForURL((url) => url.hash.includes("to=2026-01-0"));
  await page.getByText("No turn matches these filters.").waitFor();
  await accessibleEverywhere(page, "all filters");
});

scene("turns of another user are listed for those who may read them", { offline: true }, async ({ person, api }) => {
  await turn(api, "Say hello");
  const page = await person.open("#/turns");
  const rows = page.getByRole("table", { name: "Turns" }).getByRole("row");
  await rows.filter({ hasText: "Say hello" }).waitFor();
  await page.getByText("More filters").click();
  for (const [user, shown] of [["bob", "No turn matches these filters."], ["local", "Say hello"]]) {
    await page.getByLabel("User").fill(user);
    await page.getByLabel("User").press("Enter");
    await page.waitForURL((url) => url.hash === `#/turns?user=${user}`);
    await page.getByText(shown).first().waitFor();
  }
});

scene("of the turns of another user, numbers and times are shown, and no words", { keyed: true }, async ({ model, server, person }) => {
  const bob = apiOf(server, await server.command("keys", "create", "bob's", "--user", "bob"));
  model.answers({ name: "calculator", arguments: { expression: "6 * 7" } }).answers("A secret answer.");
  await turn(bob, "A secret question");
  const { page } = await signIn(server, person, "#/turns?user=bob");
  const row = page.getByRole("table", { name: "Turns" }).getByRole("row").filter({ hasText: "Complete" });
  await row.waitFor();
  assert.equal(await row.getByRole("link").count(), 1, "only the turn can be opened");
  await row.getByRole("link").click();
  await heading(page, "Turn 1 of a session of bob").waitFor();
  await page.locator(".waterfall-row").filter({ hasText: "calculator" }).waitFor();
  assert.doesNotMatch(await page.getByRole("main").innerText(), /secret/i);
  await accessibleEverywhere(page, "a turn of another user");
  await page.getByRole("link", { name: "All turns" }).click();
  await page.waitForURL((url) => url.hash === "#/turns?user=bob");
});

scene("a long list is continued, and sorted only when it is complete", { offline: true }, async ({ person, api }) => {
  await turn(api, "First");
  const page = await person.open();
  const [row] = (await api.get("turns")).data;
  await page.route("**/api/v1/turns?*", (route) => {
    const isSecond = new URL(route.request().url()).searchParams.get("cursor") === "one";
    return route.fulfill({ json: { data: [{ ...row, id: isSecond ? "two" : "one", number: 41_200 }], next: isSecond ? null : "one" } });
  });
  await page.getByRole("link", { name: "Turns" }).click();
  const table = page.getByRole("table", { name: "Turns" });
  await table.getByText("Turn 41,200").waitFor();
  assert.equal(await table.getByRole("columnheader").getByRole("button").count(), 0);
  await page.getByRole("button", { name: "Show more" }).click();
  await table.getByRole("columnheader").getByRole("button").first().waitFor();
  assert.equal(await table.getByRole("row").count(), 3);
});

scene("a turn shows when its steps, calls and decisions happened, and its texts and events", {
  configuration: ASKING,
}, async ({ model, person, api }) => {
  model.answers("I will calculate.", { name: "calculator", arguments: { expression: "6*7" } }).answers("It is 42.");
  const { turn_id, session_id } = await turn(api, "What is 6 x 7?", "waiting");
  const page = await person.open(`#/turns/${turn_id}`);
  await heading(page, "Turn 1 of “What is 6 x 7?”").waitFor();
  const drawn = page.locator(".waterfall-row");
  await drawn.filter({ hasText: "Decision on calculator" }).waitFor();
  await accessibleEverywhere(page, "a waiting turn");
  const [{ id }] = (await api.get("interactions")).data;
  await api.post(`interactions/${id}`, { decision: "approve" });
  await page.locator(".written").filter({ hasText: "It is 42." }).waitFor();
  await page.getByText("As a table").click();
  const table = page.getByRole("table", { name: "Timeline" });
  const kinds = ["Until the first output", "Answer", "Waiting for a decision", "Tool"];
  for (const kind of kinds) await table.getByRole("cell", { name: kind, exact: true }).first().waitFor();
  for (const name of ["Step 1: scripted", "Decision on calculator", "calculator", "Step 2: scripted"]) {
    // The texts, the time line and the state are three answers of the server, so the bars may come last.
    const row = drawn.filter({ has: page.getByText(name, { exact: true }) });
    await row.locator(".bar").first().waitFor({ state: "attached" });
  }
  await page.getByText(/^\d+ events$/).click();
  await page.getByText("turn.ended").click();
  await page.getByText('"status": "completed"').waitFor();
  await accessibleEverywhere(page, "a turn");
  await page.getByRole("link", { name: "Open the session" }).click();
  await page.getByRole("log").getByText("It is 42.").waitFor();
  assert.equal(new URL(page.url()).hash, `#/s/${session_id}/t/${turn_id}`);
});

scene("the time line of a turn has the tokens and the cost of each model call", {}, async ({ model, person, api }) => {
  model.reports({ prompt_tokens: 1_200, completion_tokens: 100, total_tokens: 1_300 }).answers("Yes.");
  const { turn_id } = await turn(api, "Say yes");
  const page = await person.open(`#/turns/${turn_id}`);
  const drawn = page.locator(".waterfall-row");
  await drawn.filter({ hasText: "Step 1: scripted" }).getByText("1,300 tokens", { exact: true }).waitFor();
  const trace = await api.get(`turns/${turn_id}/trace`);
  const parts = [
    ["step.1", "step", "first", { tokens: 1_300, cost: { nano_usd: 13_000_000, unpriced_calls: 0 } }],
    ["step.2", "step", "second", { tokens: 0, cost: { nano_usd: 0, unpriced_calls: 1 } }],
    ["compaction.9", "compaction", "third", { tokens: 90, cost: { nano_usd: 0, unpriced_calls: 0 } }],
  ].map(([id, kind, name, consumed]) => ({ id, parent: "turn", kind, name, start_ms: 0, ms: 500, ...consumed }));
  await page.route("**/trace", (route) => route.fulfill({ json: [trace[0], ...parts] }));
  await page.reload();
  await page.getByText("As a table").click();
  const table = page.getByRole("table", { name: "Timeline" });
  for (const [name, beside, tokens, cost] of [
    ["Step 1: first", "1,300 tokens · $0.013", "1,300", "$0.013"],
    ["Step 2: second", "", "–", "–"],
    ["Summary", "90 tokens · $0.00", "90", "$0.00"],
  ]) {
    const row = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
    assert.equal(await row.locator('[data-label="Tokens"]').textContent(), tokens, name);
    assert.equal(await row.locator('[data-label="Cost"]').textContent(), cost, name);
    const bars = drawn.filter({ has: page.getByText(name, { exact: true }) });
    assert.equal(await bars.locator(".waterfall-consumption").textContent(), beside, name);
  }
  await accessibleEverywhere(page, "tokens and costs of steps");
});

scene("a turn says that its events are gone, or that there is no such turn", { offline: true }, async ({ person, api }) => {
  const { turn_id } = await turn(api, "Say hello");
  const page = await person.open();
  await page.route("**/events", (route) => route.fulfill({ status: 410, json: { error: { code: "stream_expired", message: "gone" } } }));
  // What the server knows once the events are deleted.
  const trace = [
    { id: "turn", kind: "turn", name: "assistant", start_ms: 0, ms: 900 },
    { id: "step.1", parent: "turn", kind: "step", name: "second" },
    { id: "step.1.failed.1", parent: "step.1", kind: "attempt", name: "first", ms: 300, error: "provider_rate_limited" },
    { id: `${turn_id}.1.0`, parent: "step.1", kind: "tool", name: "calculator", ms: 40 },
  ];
  await page.route("**/trace", (route) => route.fulfill({ json: trace }));
  await page.evaluate((id) => { location.hash = `#/turns/${id}`; }, turn_id);
  await page.getByText("The events of this turn are no longer stored.").waitFor();
  const table = page.getByRole("table", { name: "Timeline" });
  for (const [name, kind, took] of [
    ["Step 1: second", "Answer", "–"],
    ["Failed attempt: first", "Failed attempt, failed: provider_rate_limited", "300"],
    ["calculator", "Tool", "40"],
  ]) {
    const row = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
    await row.getByRole("cell", { name: kind, exact: true }).waitFor();
    assert.match(await row.locator('[data-label="Took"]').textContent(), new RegExp(`^${took}`));
  }
  await accessible(page, "a turn without events");
  await page.evaluate((id) => { location.hash = `#/turns/${id.replace(/.$/, (last) => (last === "0" ? "1" : "0"))}`; }, turn_id);
  await page.getByText("There is no such turn, or it belongs to another user.").waitFor();
  await accessible(page, "no such turn");
});

scene("usage is drawn by day, divided, and written as CSV", { offline: true }, async ({ person, api }) => {
  await turn(api, "Say hello");
  const page = await person.open("#/usage");
  await page.getByRole("table", { name: "Totals by model" }).waitFor();
  const today = new Date().toISOString().slice(0, 10);
  await page.route("**/api/v1/usage?from*", (route) => {
    const row = (name, fresh, nano_usd) => ({
      day: today, user: name, calls: 2,
      usage: { fresh, cache_read: 0, cache_write: 0, output: 0, reasoning: 0 }, cost: { nano_usd, unpriced_calls: 1 },
    });
    const { day, user, ...total } = row("", 4_000, 3e9);
    return route.fulfill({ json: { from: today, to: today, data: [row("ada", 3_000, 2e9), row("@bob", 1_000, 1e9)], total } });
  });
  await page.getByRole("combobox", { name: "By" }).selectOption("user");
  await page.getByText("1 call is not part of the cost").waitFor();
  const table = page.getByRole("table", { name: "Totals by user" });
  assert.match(await table.getByRole("row").nth(1).textContent(), /^ada23,000/);
  const chart = page.getByRole("slider", { name: "Consumption by day" });
  await chart.focus();
  assert.match(await chart.getAttribute("aria-valuetext"), /: 4,000; ada 3,000; @bob 1,000$/);
  await page.getByRole("button", { name: "Cost", exact: true }).click();
  await until(() => chart.getAttribute("aria-valuetext"), (text) => /: ≥\s\$3\.00; ada ≥\s\$2\.00/.test(text));
  await page.locator("summary").filter({ hasText: "Day by day" }).click();
  await accessibleEverywhere(page, "usage");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  assert.match(await readFile(await download.path(), "utf8"), new RegExp(`\r\n${today},'@bob,2,1000,0,0,0,0,1,1\r\n$`));
  await page.getByRole("button", { name: "Custom" }).click();
  await page.getByLabel("From").fill("2026-01-01");
  await page.getByLabel("From").press("Tab");
  await page.waitForURL((url) => url.hash.includes("from=2026-01-01"));
});

test("a frozen provider shows why, and answers again after it was thawed", async () => {
  const refusing = await provider();
  const limited = await provider();
  limited.told.status = 429;
  const configuration = `${KEYS}${providerAt("refusing", refusing.url)}${providerAt("limited", limited.url)}`;
  const server = await Server.start({ configuration });
  const person = await Person.at(`${server.url}/`, { allowed: REFUSED });
  try {
    const { page, api } = await signIn(server, person, "#/providers");
    const panel = (id) => page.getByRole("article", { name: id });
    await panel("refusing").getByText("Ready").waitFor();
    await turn(api, "Say hello", "failed");
    await page.reload();
    const frozen = panel("refusing");
    await frozen.getByText("Frozen", { exact: true }).waitFor();
    await frozen.getByText("provider_key_invalid").waitFor();
    await frozen.getByText("stays frozen until it is thawed").waitFor();
    await page.getByRole("article", { name: "limited" }).getByText(/next attempt in/).waitFor();
    await accessibleEverywhere(page, "frozen providers");
    await frozen.getByRole("button", { name: "Thaw refusing" }).click();
    await frozen.getByText("It is still frozen.").waitFor();
    refusing.told.status = 200;
    await frozen.getByRole("button", { name: "Thaw refusing" }).click();
    await frozen.getByText("The provider answers again.").waitFor();
    await frozen.getByText("Ready", { exact: true }).waitFor();
    await accessibleEverywhere(page, "a thawed provider");
    await person.leave();
  } finally {
    await server.stop();
    refusing.stop();
    limited.stop();
  }
});

scene("what is left of the budgets is shown", { configuration: BUDGETS }, async ({ model, person, api }) => {
  model.reports({ prompt_tokens: 150, completion_tokens: 100, total_tokens: 250 });
  model.answers("Yes.").answers("No.");
  await turn(api, "Say yes", "completed");
  const page = await person.open("#/usage");
  const budgets = page.getByRole("region", { name: "Your budgets" });
  await budgets.getByText("150 of 400 tokens left").waitFor();
  await budgets.getByText("$2.00 of $2.00 left").waitFor();
  const meters = await budgets.getByRole("meter").evaluateAll((all) => all.map(({ value, max }) => [value, max]));
  assert.deepEqual(meters, [[250, 400], [0, 2e9]]);
  await accessibleEverywhere(page, "budgets");
  await turn(api, "Say no", "completed");
  await page.reload();
  await budgets.getByText("400 tokens, used up").waitFor();
});

test("a turn shows its failed attempts, and how it failed itself", async () => {
  const refusing = await provider();
  const model = await new Model().start();
  model.answers("Hello.");
  // Another provider may answer, or none.
  for (const answering of [undefined, model]) {
    const server = await Server.start({ model: answering, configuration: providerAt("refusing", refusing.url) });
    const person = await Person.at(`${server.url}/`);
    try {
      const { turn_id } = await turn(apiOf(server), "Say hello", answering ? "completed" : "failed");
      const page = await person.open(`#/turns/${turn_id}`);
      const row = page.locator(".waterfall-row").filter({ hasText: "Failed attempt: refusing-1" });
      await row.locator(".bar.failed").waitFor();
      await page.getByText("As a table").click();
      await page.getByRole("cell", { name: "Failed attempt, failed: provider_key_invalid", exact: true }).waitFor();
      await accessible(page, answering ? "another provider answered" : "no provider answered");
      await person.leave();
    } finally {
      await server.stop();
    }
  }
  refusing.stop();
  model.stop();
});

scene("grants are listed, and revoked after a question", { configuration: ASKING, keyed: true }, async ({ model, server, person }) => {
  model.answers({ name: "calculator", arguments: { expression: "1+1" } }).answers("It is 2.");
  const { page, api } = await signIn(server, person, "#/tools");
  await page.getByText("You have no grants.").waitFor();
  await page.getByText("No agent uses tools of an MCP server.").waitFor();
  await accessibleEverywhere(page, "no grants");
  await turn(api, "Calculate", "waiting");
  const [{ id }] = (await api.get("interactions")).data;
  await api.post(`interactions/${id}`, { decision: "approve_session" });
  await until(() => api.get("grants"), (grants) => grants.data?.length === 1);
  await page.getByRole("link", { name: "Providers" }).click();
  await heading(page, "Providers").waitFor();
  await page.getByRole("link", { name: "Tools" }).click();
  await page.getByRole("table", { name: "Grants" }).getByText("One session").waitFor();
  await accessibleEverywhere(page, "grants");
  await page.getByRole("button", { name: "Revoke calculator" }).click();
  const dialog = page.getByRole("dialog", { name: "Revoke the grant for calculator?" });
  await accessible(page, "a question");
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("You have no grants.").waitFor();
  assert.equal((await api.get("grants")).data.length, 0);
});

scene("an MCP server shows its state, its changed and quarantined tools, and is reconnected", {
  configuration: '[[mcp]]\nname = "absent"\ncommand = ["turnkit-test-no-such-program"]\n\n[[agents]]\nname = "assistant"\ntools = ["absent__*"]\n',
  keyed: true,
}, async ({ server, person }) => {
  const { page } = await signIn(server, person, "#/tools");
  const absent = page.getByRole("article", { name: "absent" });
  await absent.getByRole("button", { name: "Reconnect absent" }).click();
  await absent.getByText("Failing").waitFor();
  await absent.locator(".error").filter({ hasText: "That did not work" }).waitFor();
  await accessibleEverywhere(page, "a failing server");
  const tools = [
    { name: "tickets__find", state: "pinned" },
    {
      name: "tickets__close", state: "changed", reason: "approvals of its earlier definition do not cover it",
      changed_at: "2026-01-01T12:00:00.000Z", fingerprint: "00",
      description: "Closes a ticket.\u202e\u{e0041}",
      input_schema: { type: "object", properties: { "i\u200bd": { type: "integer" } } },
      effects: { read_only: false, idempotent: true, destructive: true, open_world: true },
    },
    { name: "list", state: "quarantined", reason: "its schema does not describe an object" },
  ];
  const shown = { name: "tickets", transport: "http", url: "https://tickets.example.com/mcp", state: "ready", connections: 2, protocol: "2025-11-25", server: "ticketing 1.4.0", tools_read_at: "2026-01-01T12:00:00.000Z", tools };
  await page.route("**/api/v1/mcp?*", (route) => route.fulfill({ json: { data: [shown], next: null } }));
  const policies = { allow: "allowed", notify: "allowed, with a notice", ask: "asks", deny: "denied" };
  await page.route("**/api/v1/tools?*", (route) => {
    const tool = (policy) => ({ name: `tool_${policy}`, description: "Calculates.", source: "built-in", policy, agents: ["assistant"] });
    return route.fulfill({ json: { data: Object.keys(policies).map(tool), next: null } });
  });
  await page.getByRole("link", { name: "Providers" }).click();
  await heading(page, "Providers").waitFor();
  await page.getByRole("link", { name: "Tools" }).click();
  const tickets = page.getByRole("article", { name: "tickets" });
  await tickets.getByText("its schema does not describe an object").waitFor();
  await tickets.getByText("approvals of its earlier definition do not cover it").waitFor();
  await tickets.getByText("1 unchanged tool").click();
  await tickets.getByText("tickets__find").waitFor();
  const all = page.getByRole("table", { name: "All tools" });
  for (const [policy, shown] of Object.entries(policies)) {
    const row = all.getByRole("row").filter({ hasText: `tool_${policy}` });
    for (const text of ["Calculates.", "built in", shown]) await row.getByText(text, { exact: true }).waitFor();
  }
  await accessibleEverywhere(page, "a ready server");
  await tickets.getByRole("button", { name: "Accept changes tickets" }).click();
  const definition = page.getByRole("dialog").getByRole("region", { name: "tickets__close" });
  await definition.getByText("Closes a ticket.⟨U+202E⟩⟨U+E0041⟩", { exact: true }).waitFor();
  await definition.getByText('"i⟨U+200B⟩d"').waitFor();
  await definition.getByText("A call may destroy data, can be repeated and reaches other systems.").waitFor();
});

test("of the changed tools of an MCP server, those definitions are accepted that were shown", async () => {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-changing-"));
  const description = join(folder, "description");
  await writeFile(description, "Closes a ticket.");
  const command = JSON.stringify([process.execPath, fileURLToPath(new URL("./mcp-changing.mjs", import.meta.url)), description]);
  const configuration = `${KEYS}[[mcp]]\nname = "tickets"\ncommand = ${command}\n\n[[agents]]\nname = "assistant"\ntools = ["tickets__*"]\n`;
  const model = await new Model().start();
  model.answers("Hello.");
  const server = await Server.start({ model, configuration });
  const person = await Person.at(`${server.url}/`, { allowed: REFUSED });
  try {
    const { page, api } = await signIn(server, person, "#/tools");
    const tickets = page.getByRole("article", { name: "tickets" });
    await turn(api, "Say hello");
    await writeFile(description, "Closes a ticket, and all others.");
    await tickets.getByRole("button", { name: "Reconnect tickets" }).click();
    await tickets.getByText("Changed", { exact: true }).waitFor();
    await accessibleEverywhere(page, "a changed tool");
    await tickets.getByRole("button", { name: "Accept changes tickets" }).click();
    const dialog = page.getByRole("dialog", { name: "Accept the changed tools of tickets?" });
    const accept = dialog.getByRole("button", { name: "Accept changes" });
    const definition = dialog.getByRole("region", { name: "tickets__close" });
    await definition.getByText("Closes a ticket, and all others.", { exact: true }).waitFor();
    await definition.getByText('"description": "The number of the ticket."').waitFor();
    await definition.getByText("A call may destroy data and reaches other systems.").waitFor();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await accessible(page, `a question about a changed tool, ${size.width} px`);
    }
    const change = async (text) => {
      await writeFile(description, text);
      assert.equal((await api.post("mcp/tickets/reconnect")).state, "ready");
    };
    await change("Closes all tickets, and sends them to Eve.");
    await accept.click();
    const warning = dialog.getByRole("alert").filter({ hasText: "The server changed its tools again, so nothing was accepted." });
    await warning.waitFor();
    assert.ok((await warning.boundingBox()).y > (await dialog.boundingBox()).y, "the warning is not above what is seen");
    await definition.getByText("Closes all tickets, and sends them to Eve.", { exact: true }).waitFor();
    await accessible(page, "definitions that changed again");
    assert.deepEqual((await api.get("mcp")).data[0].tools.map(({ state }) => state), ["changed"]);
    await change("Closes a ticket.");
    await accept.click();
    await dialog.getByRole("alert").getByText("Now none of them differs").waitFor();
    assert.equal(await accept.count(), 0);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await tickets.getByText("1 unchanged tool").waitFor();
    await change("Closes a ticket, and all others.");
    await tickets.getByRole("button", { name: "Reconnect tickets" }).click();
    await tickets.getByRole("button", { name: "Accept changes tickets" }).click();
    await accept.click();
    await dialog.waitFor({ state: "detached" });
    await tickets.getByText("1 unchanged tool").waitFor();
    assert.equal(await tickets.getByRole("button", { name: "Accept changes tickets" }).count(), 0);
    assert.deepEqual((await api.get("mcp")).data[0].tools.map(({ state }) => state), ["pinned"]);
    await person.leave();
  } finally {
    await server.stop();
    model.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

scene("a key is created, shown once, and revoked after a question", { offline: true, keyed: true }, async ({ server, person }) => {
  const { page } = await signIn(server, person, "#/keys");
  const table = page.getByRole("table", { name: "Keys" });
  await table.getByRole("rowheader", { name: "page" }).waitFor();
  await accessibleEverywhere(page, "keys");
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("laptop");
  await dialog.getByLabel(/^User/).fill("bob");
  await dialog.getByLabel("metrics").check();
  await accessible(page, "a form");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("alert").filter({ hasText: "the new key would permit more than its creator" }).waitFor();
  await dialog.getByLabel("metrics").uncheck();
  await dialog.getByLabel(/^Only these agents/).fill("assistant, support");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByText("This is the only time that the key is shown.").waitFor();
  const secret = await dialog.getByLabel("The new key").textContent();
  assert.match(secret, /^tk_/);
  assert.equal((await apiOf(server, secret).get("sessions")).data.length, 0, "the key is valid");
  await accessible(page, "a new key");
  await dialog.getByRole("button", { name: "Copy" }).waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  const row = table.getByRole("row").filter({ hasText: "laptop" });
  for (const text of ["bob", "chat", "agent:assistant", "agent:support"]) await row.getByText(text, { exact: true }).waitFor();
  assert.equal(await page.getByText(secret).count(), 0);
  await row.getByRole("button", { name: "Revoke laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await row.waitFor({ state: "detached" });
  await page.getByLabel("Show 1 revoked key").check();
  await row.getByText("revoked").waitFor();
  assert.equal((await apiOf(server, secret).get("sessions")).error.code, "unauthenticated");
});

scene("the state of providers is asked for again while it is seen", {}, async ({ person }) => {
  const page = await person.open();
  await page.clock.install();
  await page.getByRole("link", { name: "Providers" }).click();
  const panel = page.getByRole("article", { name: "scripted" });
  await panel.getByText("Ready").waitFor();
  const until = "2126-01-01T00:00:00Z";
  const frozen = { code: "provider_rate_limited", message: "too many", since: "2026-01-01T00:00:00Z", until, failures: 1 };
  const load = { running: 1, waiting: 2, max_concurrency: 4, calls: 3, failures: 1 };
  const status = { id: "scripted", models: ["one"], tags: ["fast"], state: "frozen", ...load, frozen, missing: [{ model: "two", until }] };
  await page.route("**/api/v1/providers?*", (route) => route.fulfill({ json: { data: [status], next: null } }));
  await page.clock.fastForward(10_000);
  await panel.getByText("too many").waitFor();
  await panel.getByText("1 / 4").waitFor();
  await panel.getByText("two").waitFor();
});

scene("without keys the screen says how to require them", { offline: true }, async ({ person }) => {
  const page = await person.open("#/keys");
  await page.getByText("This server needs no keys").waitFor();
  await page.getByText('mode = "api_key"').waitFor();
  await accessibleEverywhere(page, "no keys needed");
  await page.getByRole("link", { name: "Tools" }).click();
  await page.getByText("This is shown to the operator").waitFor();
  await accessible(page, "no rights");
});

scene("a user without the scope admin sees what is theirs, and plain words elsewhere", { offline: true, keyed: true }, async ({ server, person }) => {
  const { page, api } = await signIn(server, person, "#/keys", ["chat", "read"]);
  await page.getByText("Keys are managed by the operator").waitFor();
  await accessibleEverywhere(page, "no right to keys");
  await turn(api, "Say hello");
  await page.getByRole("link", { name: "Turns" }).click();
  await page.getByRole("table", { name: "Turns" }).getByText("Say hello").waitFor();
  await page.evaluate(() => { location.hash = "#/turns?user=bob"; });
  await page.getByText("Turns of other users are shown to operators").waitFor();
});

scene("the rail has the screens that the server says are the user's", { offline: true, keyed: true }, async ({ server, person }) => {
  for (const [scope, expected] of [
    ["chat", ["Turns", "Usage"]],
    ["admin", ["Turns", "Usage", "Providers", "Tools", "Keys", "Recordings"]],
  ]) {
    const page = await person.open("#/settings");
    const scopes = ["--scope", "read", "--scope", "decide", "--scope", scope];
    await page.getByLabel("API key").fill(await server.command("keys", "create", "page", ...scopes));
    await page.getByRole("button", { name: "Sign in" }).click();
    await until(() => page.locator(".operator-links a").allTextContents(), (names) => names.join() === expected.join());
    await page.close();
  }
});

scene("the screens are in German where the browser is", { offline: true, person: { locale: "de-DE" } }, async ({ person, api }) => {
  const { turn_id } = await turn(api, "Sag Hallo");
  const page = await person.open("#/turns");
  await heading(page, "Durchläufe").waitFor();
  await page.getByRole("table").getByText("Fertig").waitFor();
  await accessible(page, "turns in German");
  await page.evaluate((id) => { location.hash = `#/turns/${id}`; }, turn_id);
  await heading(page, "Durchlauf 1 von „Sag Hallo“").waitFor();
  await page.evaluate(() => { location.hash = "#/usage"; });
  await page.getByText("Gesamter Zeitraum").waitFor();
  await accessible(page, "usage in German");
});
