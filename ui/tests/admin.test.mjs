// The screens of operators against the real server: turns, usage, providers, tools, keys.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import http from "node:http";
import { after, test } from "node:test";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { accessible, close, Person } from "./browser.mjs";
import { gate, Model, Server } from "./server.mjs";

after(close);

/** What the browser reports about requests that the tests want to be refused, and about routes of later servers. */
const REFUSED = /status of (401|403|404|410|422|503)/;

const KEYS = '[auth]\nmode = "api_key"\n';
const ASKING = '[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n';
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

/** Asks again until the answer is what is waited for. */
async function until(ask, isRight) {
  for (const end = Date.now() + 20_000; ; ) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    assert.ok(Date.now() < end, `the last answer was ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
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

test("the spans of a turn follow from its view, and exactly from its events", async () => {
  const { spansOf } = await load("admin/turns/spans.ts");
  const at = (seconds) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
  const view = {
    turn_id: "T", number: 1, seq: 9, agent: "assistant", input: [], parts: [], remarks: [], state: "completed", after: null,
    accepted_at: at(0), ended_at: at(20),
    steps: [
      { step: 1, model: "m", began_at: at(3), first_ms: 2_000, ms: 1_000, since: 2 },
      { step: 2, model: "m", began_at: at(18), first_ms: 1_000, ms: 2_000, since: 8 },
    ],
    tools: [{ call_id: "T.1.0", name: "write", arguments: "{}", ok: false, ms: 1_000, since: 6 }],
    waits: [{ id: "T.1.0.0", call_id: "T.1.0", kind: "approval", name: "write", decided: { decision: "approved" } }],
  };
  const seconds = (time) => (time - Date.UTC(2026, 0, 1)) / 1_000;
  const shown = (events) => spansOf(view, events, 0).map(({ kind, from, to, hasFailed }) => [kind, seconds(from), seconds(to), hasFailed ?? false]);
  assert.deepEqual(shown([]), [
    ["queue", 0, 1, false],
    ["model", 1, 3, false],
    ["answer", 3, 4, false],
    ["wait", 4, 16, false],
    ["tool", 16, 17, true],
    ["model", 17, 18, false],
    ["answer", 18, 20, false],
  ]);
  const event = (name, time, data = {}) => ({ name, data: { turn_id: "T", seq: 1, at: at(time), ...data }, raw: "" });
  assert.deepEqual(shown([
    event("turn.started", 0),
    event("notice", 2, { code: "failed_over", text: "another answers" }),
    event("step.started", 3),
    event("step.ended", 4),
    event("interaction.requested", 4, { id: "T.1.0.0" }),
    event("interaction.resolved", 14, { id: "T.1.0.0" }),
    event("tool.started", 14, { call_id: "T.1.0" }),
    event("tool.finished", 15, { call_id: "T.1.0" }),
    event("compacted", 17, { ms: 1_500, model: "m" }),
    event("step.started", 18),
  ]), [
    ["attempt", 0, 2, true],
    ["queue", 0, 1, false],
    ["model", 1, 3, false],
    ["answer", 3, 4, false],
    ["wait", 4, 14, false],
    ["tool", 14, 15, true],
    ["compaction", 15.5, 17, false],
    ["model", 17, 18, false],
    ["answer", 18, 20, false],
  ]);
});

test("a long wait for a person leaves space for the rest of a turn", async () => {
  const { scaleOf } = await load("admin/turns/scale.ts");
  const span = (kind, from, to) => ({ kind, row: kind, name: "", from, to });
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
  assert.match(csv, /^\ufeffTime,Session,Agent,State,Tokens,Cost,Duration\r\n/);
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

scene("turns of another user are listed for those who may read them", { offline: true }, async ({ person, api }) => {
  await turn(api, "Say hello");
  const page = await person.open("#/turns");
  const rows = page.getByRole("table", { name: "Turns" }).getByRole("row");
  await rows.filter({ hasText: "Say hello" }).waitFor();
  for (const [user, shown] of [["bob", "No turn matches these filters."], ["local", "Say hello"]]) {
    await page.getByLabel("User").fill(user);
    await page.getByLabel("User").press("Enter");
    await page.waitForURL((url) => url.hash === `#/turns?user=${user}`);
    await page.getByText(shown).first().waitFor();
  }
});

scene("a long list is continued, and sorted only when it is complete", { offline: true }, async ({ person, api }) => {
  await turn(api, "First");
  const page = await person.open();
  const [row] = (await api.get("turns")).data;
  await page.route("**/api/v1/turns?*", (route) => {
    const isSecond = new URL(route.request().url()).searchParams.get("cursor") === "one";
    return route.fulfill({ json: { data: [{ ...row, id: isSecond ? "two" : "one" }], next: isSecond ? null : "one" } });
  });
  await page.getByRole("link", { name: "Turns" }).click();
  const table = page.getByRole("table", { name: "Turns" });
  await table.getByText("assistant").first().waitFor();
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
  const table = page.getByRole("table", { name: "Time line" });
  const kinds = ["Until the first output", "Answer", "Waiting for a decision", "Tool"];
  for (const kind of kinds) await table.getByRole("cell", { name: kind, exact: true }).first().waitFor();
  for (const name of ["Step 1: scripted", "Decision on calculator", "calculator", "Step 2: scripted"]) {
    assert.equal(await drawn.filter({ has: page.getByText(name, { exact: true }) }).locator(".bar").count() > 0, true, name);
  }
  await page.getByText(/^\d+ events$/).click();
  await page.getByText("turn.ended").click();
  await page.getByText('"status": "completed"').waitFor();
  await accessibleEverywhere(page, "a turn");
  await page.getByRole("link", { name: "Open the session" }).click();
  await page.getByRole("log").getByText("It is 42.").waitFor();
  assert.equal(new URL(page.url()).hash, `#/s/${session_id}/t/${turn_id}`);
});

scene("a turn says that its events are gone, or that there is no such turn", { offline: true }, async ({ person, api }) => {
  const { turn_id } = await turn(api, "Say hello");
  const page = await person.open();
  await page.route("**/events", (route) => route.fulfill({ status: 410, json: { error: { code: "stream_expired", message: "gone" } } }));
  await page.evaluate((id) => { location.hash = `#/turns/${id}`; }, turn_id);
  await page.getByText("The events of this turn are not kept any more.").waitFor();
  // Without its events, a turn still has its time line.
  await page.locator(".waterfall-row").filter({ hasText: "Step 1" }).waitFor();
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
  await until(() => chart.getAttribute("aria-valuetext"), (text) => /: \$3\.00; ada \$2\.00/.test(text));
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
    await page.getByLabel("API key").waitFor();
    const again = await signIn(server, person, "#/providers");
    const frozen = again.page.getByRole("article", { name: "refusing" });
    await frozen.getByText("Frozen", { exact: true }).waitFor();
    await frozen.getByText("provider_key_invalid").waitFor();
    await frozen.getByText("stays frozen until it is thawed").waitFor();
    await again.page.getByRole("article", { name: "limited" }).getByText(/asked again in/).waitFor();
    await accessibleEverywhere(again.page, "frozen providers");
    await frozen.getByRole("button", { name: "Thaw refusing" }).click();
    await frozen.getByText("It is still frozen.").waitFor();
    refusing.told.status = 200;
    await frozen.getByRole("button", { name: "Thaw refusing" }).click();
    await frozen.getByText("The provider answers again.").waitFor();
    await frozen.getByText("Ready", { exact: true }).waitFor();
    await accessibleEverywhere(again.page, "a thawed provider");
    await person.leave();
  } finally {
    await server.stop();
    refusing.stop();
    limited.stop();
  }
});

test("a failed turn shows its failed attempts", async () => {
  const refusing = await provider();
  const server = await Server.start({ configuration: providerAt("refusing", refusing.url) });
  const person = await Person.at(`${server.url}/`);
  try {
    const { turn_id } = await turn(apiOf(server), "Say hello", "failed");
    const page = await person.open(`#/turns/${turn_id}`);
    await page.locator(".waterfall-row").filter({ hasText: "Failed attempt" }).waitFor();
    await page.getByText("provider_key_invalid").first().waitFor();
    await accessible(page, "a failed turn");
    await person.leave();
  } finally {
    await server.stop();
    refusing.stop();
  }
});

scene("grants are listed, and revoked after a question", { configuration: ASKING, keyed: true }, async ({ model, server, person }) => {
  model.answers({ name: "calculator", arguments: { expression: "1+1" } }).answers("It is 2.");
  const { page, api } = await signIn(server, person, "#/tools");
  await page.getByText("You have given no lasting permission.").waitFor();
  await page.getByText("No agent uses tools of an MCP server.").waitFor();
  await accessibleEverywhere(page, "no grants");
  await turn(api, "Calculate", "waiting");
  const [{ id }] = (await api.get("interactions")).data;
  await api.post(`interactions/${id}`, { decision: "approve_session" });
  await until(() => api.get("grants"), (grants) => grants.data?.length === 1);
  await page.getByRole("link", { name: "Providers" }).click();
  await page.getByRole("link", { name: "Tools" }).click();
  await page.getByRole("table", { name: "Grants" }).getByText("One session").waitFor();
  await accessibleEverywhere(page, "grants");
  await page.getByRole("button", { name: "Revoke calculator" }).click();
  const dialog = page.getByRole("dialog", { name: "Revoke the grant for calculator?" });
  await accessible(page, "a question");
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("You have given no lasting permission.").waitFor();
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
    { name: "tickets__close", state: "changed", reason: "approvals of its earlier definition do not cover it", changed_at: "2026-01-01T12:00:00.000Z" },
    { name: "list", state: "quarantined", reason: "its schema does not describe an object" },
  ];
  const shown = { name: "tickets", transport: "http", url: "https://tickets.example.com/mcp", state: "ready", connections: 2, protocol: "2025-11-25", server: "ticketing 1.4.0", tools_read_at: "2026-01-01T12:00:00.000Z", tools };
  await page.route("**/api/v1/mcp?*", (route) => route.fulfill({ json: { data: [shown], next: null } }));
  await page.route("**/api/v1/tools?*", (route) => {
    const tool = { name: "calculator", description: "Calculates.", source: "built_in", policy: "ask", agents: ["assistant"] };
    return route.fulfill({ json: { data: [tool], next: null } });
  });
  await page.getByRole("link", { name: "Providers" }).click();
  await page.getByRole("link", { name: "Tools" }).click();
  const tickets = page.getByRole("article", { name: "tickets" });
  await tickets.getByText("its schema does not describe an object").waitFor();
  await tickets.getByText("approvals of its earlier definition do not cover it").waitFor();
  await tickets.getByText("1 unchanged tool").click();
  await tickets.getByText("tickets__find").waitFor();
  await page.getByRole("table", { name: "All tools" }).getByText("Calculates.").waitFor();
  await accessibleEverywhere(page, "a ready server");
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
    ["admin", ["Turns", "Usage", "Providers", "Tools", "Keys"]],
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
