// Recorded exchanges with providers, and replays: drawn from given answers of the server, and with the real one.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { accessible, close, ended, Person, say, until } from "./browser.mjs";
import { gate, Model, Server } from "./server.mjs";

after(close);

/** What the browser reports about requests that the tests want to be refused. */
const REFUSED = /status of (401|403|404|503)/;
const KEYS = '[auth]\nmode = "api_key"\n';
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

const TURN = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a00";
const OTHER = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b79ff";
const models = [{ provider: "main", model: "small" }];
const OWN_ROW = { turn_id: TURN, exchanges: 2, models, began_at: "2026-01-01T12:00:00.000Z", title: "Arithmetic", state: "completed", agent: "assistant" };
const OTHER_ROW = { turn_id: OTHER, exchanges: 1, models };

const REQUEST = JSON.stringify({ model: "small", messages: [{ role: "user", content: "6 times 7?" }] });
const EXCHANGE = {
  number: 1, step: 1, attempt: 1, provider: "main", model: "small", api: "openai-chat", url: "https://llm.example/v1/chat/completions",
  began_at: "2026-01-01T12:00:00.000Z", ended_at: "2026-01-01T12:00:01.500Z", status: 200,
  headers: { "content-type": "text/event-stream", "x-request-id": "r1" }, ended: "whole", masked: 8,
  request: { text: REQUEST, bytes: REQUEST.length },
  response: { text: 'data: {"text":"It is', bytes: 100_000, more: true },
};
const FAILED = {
  ...EXCHANGE, number: 2, attempt: 2, headers: {}, ended: "failed", failure: { code: "provider_timeout", message: "no answer in 30 s" },
  status: undefined, response: undefined,
};

const json = (body, status = 200) => ({ status, json: body });
const error = (status, code, message) => json({ error: { code, message } }, status);

/** Opens an address as an operator, with answers of the server to requests for recordings. */
async function opened(address, answer, play, options = {}) {
  const server = await Server.start({ configuration: KEYS });
  try {
    const person = await Person.at(`${server.url}/`, { allowed: REFUSED, ...options });
    const page = await signedIn(server, person, address, (page) =>
      page.route("**/api/v1/recordings**", async (route) => {
        const url = new URL(route.request().url());
        await route.fulfill(await answer(url.pathname.replace(/.*recordings/, ""), url.searchParams, route.request()));
      }),
    );
    await play(page, server);
    await person.leave();
  } finally {
    await server.stop();
  }
}

async function signedIn(server, person, address, prepare = () => {}, scopes = ["chat", "read", "decide", "admin"]) {
  const key = await server.command("keys", "create", "page", "--user", "ada", ...scopes.flatMap((scope) => ["--scope", scope]));
  const page = await person.open(address);
  await prepare(page);
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  return page;
}

/** Checks a screen in both sizes and both themes. */
async function accessibleEverywhere(page, what) {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await accessible(page, `${what}, ${size.width} px, ${colorScheme}`);
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${what}-${size.width}-${colorScheme}.png` });
    }
    const isWide = await page.evaluate(() => document.querySelector(".screen").scrollWidth > document.querySelector(".screen").clientWidth);
    assert.equal(isWide, false, `${what}: the screen is no wider than ${size.width} px`);
  }
  await page.setViewportSize(SIZES[0]);
}

const heading = (page, name) => page.getByRole("heading", { level: 1, name });

test("recordings are listed with titles of the user that is named, page by page", async () => {
  const asked = [];
  const answer = (path, query) => {
    asked.push(query.toString());
    if (query.get("cursor")) return json({ data: [OTHER_ROW], next: null });
    const row = query.get("user") === "bob" ? { ...OWN_ROW, title: "Geography" } : OWN_ROW;
    return json({ data: [row], next: TURN });
  };
  await opened("#/recordings", answer, async (page) => {
    const rows = page.getByRole("table", { name: "Recordings" }).getByRole("row");
    await rows.filter({ hasText: "Arithmetic" }).getByText("main: small").waitFor();
    await page.getByRole("button", { name: "Show more" }).click();
    await rows.filter({ hasText: "Another user’s or a deleted turn, …2f8f4c1b79ff" }).waitFor();
    assert.equal(await rows.count(), 3, "a head and two turns");
    await accessibleEverywhere(page, "recordings");
    await page.getByLabel("Show titles of this user’s turns").fill("bob");
    await page.keyboard.press("Enter");
    await rows.filter({ hasText: "Geography" }).waitFor();
    assert.equal(new URL(page.url()).hash, "#/recordings?user=bob");
    assert.equal(await rows.getByRole("link").first().getAttribute("href"), `#/recordings/${TURN}?user=bob`);
    assert.deepEqual(asked, ["limit=50", `limit=50&cursor=${TURN}`, "user=bob&limit=50"]);
  });
});

test("a server that records nothing tells how to turn recording on", async () => {
  await opened("#/recordings", () => error(404, "not_found", "exchanges with providers are not recorded"), async (page) => {
    await page.getByText("TURNKIT_RECORD=recordings turnkit serve").waitFor();
    await accessibleEverywhere(page, "off");
  });
});

test("recordings without a turn, and those that cannot be read, are a sentence", async () => {
  let answer = json({ data: [], next: null });
  await opened("#/recordings", () => answer, async (page) => {
    await page.getByText("Nothing is recorded yet.").waitFor();
    await accessible(page, "no recordings");
    answer = error(503, "unavailable", "the recordings cannot be read: rec: permission denied");
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("alert").getByText("permission denied").waitFor();
  });
});

test("the exchanges of a turn show what was sent and received, and the rest of what was cut", async () => {
  const asked = [];
  const answer = (path, query) => {
    asked.push(`${path}?${query}`);
    const whole = { ...EXCHANGE, response: { text: 'data: {"text":"It is 42."}', bytes: 26 } };
    const data = query.get("whole") ? [whole] : [EXCHANGE, FAILED];
    return json({ turn_id: TURN, title: "Arithmetic", state: "completed", data, next: null, unreadable: [`${TURN}-003-1-1`] });
  };
  await opened(`#/recordings/${TURN}`, answer, async (page) => {
    await heading(page, "Recording of “Arithmetic”").waitFor();
    const first = page.getByRole("article", { name: "Exchange 1" });
    await first.getByText("https://llm.example/v1/chat/completions").waitFor();
    await first.getByText("2 headers of the response").click();
    await first.getByText("x-request-id: r1").waitFor();
    await first.getByText(/^Request/).first().click();
    const tree = first.getByRole("tree", { name: "Request" });
    await tree.getByText("messages").waitFor();
    await tree.getByText("6 times 7?").waitFor();
    await first.getByText(/^Response/).first().click();
    await first.getByText('data: {"text":"It is').waitFor();
    await page.getByText(`These cannot be read: ${TURN}-003-1-1`).waitFor();
    const second = page.getByRole("article", { name: "Exchange 2" });
    await second.getByText("no answer in 30 s").waitFor();
    await second.getByText("There was no response.").waitFor();
    await accessibleEverywhere(page, "exchanges");
    await first.getByRole("button", { name: "Show all" }).click();
    await first.getByText("It is 42.").waitFor();
    assert.deepEqual(asked, [`/${TURN}?`, `/${TURN}?whole=1`]);
    assert.equal(await page.getByRole("link", { name: "Open the turn" }).getAttribute("href"), `#/turns/${TURN}`);
  });
});

test("a replay is running, is the same, or shows the first difference side by side", async () => {
  const held = gate();
  const replay = { turn_id: TURN, same: true, events: { stored: 23, replayed: 23 }, difference: null, missing: [], requests: [] };
  const difference = { event: 17, kind: "part.delta", at: "/delta", stored: "It is 42.", replayed: "It is 43." };
  const replays = [
    replay,
    { ...replay, same: false, difference, requests: [{ step: 1, attempt: 1, at: "/model" }, { step: 2, attempt: 1, at: "" }] },
    { ...replay, same: false, missing: [{ step: 2, attempt: 1 }] },
    { ...replay, same: false, difference: { message: 1, at: "", stored: null, replayed: { role: "assistant" } } },
  ];
  const answer = async (path, _query, request) => {
    if (!path.endsWith("/replay")) return json({ turn_id: TURN, title: "Arithmetic", state: "completed", data: [EXCHANGE], next: null });
    assert.equal(request.method(), "POST");
    await held.opened;
    const next = replays.shift();
    return next ? json(next) : error(503, "unavailable", "the log of the turn is gone");
  };
  await opened(`#/recordings/${TURN}`, answer, async (page) => {
    const run = page.getByRole("button", { name: "Replay the turn" });
    await run.click();
    await page.getByRole("button", { name: "Replaying…" }).waitFor();
    held.open();
    await page.getByRole("status").getByText("the same as the stored turn: 23 events").waitFor();
    await accessible(page, "same");
    await run.click();
    await page.getByRole("status").getByText("This is the first difference").waitFor();
    await page.getByText("Event 17, part.delta").waitFor();
    await page.getByText("It is 42.").waitFor();
    await page.getByText("It is 43.").waitFor();
    assert.deepEqual(await page.locator(".remarks li").allTextContents(), [
      "Step 1, attempt 1: the request would now be different, at /model",
      "Step 2, attempt 1: the request would now be different.",
    ]);
    await accessibleEverywhere(page, "difference");
    await run.click();
    await page.getByText("Step 2, attempt 1: nothing is recorded.").waitFor();
    await run.click();
    await page.getByText("Message 2").waitFor();
    await page.getByRole("tree", { name: "Replayed" }).getByText("assistant").waitFor();
    await run.click();
    await page.getByRole("alert").getByText("the log of the turn is gone").waitFor();
    await accessible(page, "not replayable");
  });
});

test("a recording of another user's turn is read, and replayed once the user is named", async () => {
  const answer = (path, query) => {
    const own = query.get("user") === "bob" ? { title: "Geography", state: "completed" } : {};
    return json({ turn_id: OTHER, ...own, data: [EXCHANGE], next: null });
  };
  await opened(`#/recordings/${OTHER}`, answer, async (page) => {
    await heading(page, "Recording of turn …2f8f4c1b79ff").waitFor();
    await page.getByText("To replay it, name the user").waitFor();
    assert.equal(await page.getByRole("button", { name: "Replay the turn" }).count(), 0);
    await page.evaluate((turn) => (location.hash = `#/recordings/${turn}?user=bob`), OTHER);
    await heading(page, "Recording of “Geography”").waitFor();
    await page.getByRole("button", { name: "Replay the turn" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "All recordings" }).getAttribute("href"), "#/recordings?user=bob");
  });
});

test("a turn that is recorded has a link to its recording", async () => {
  const rows = [OWN_ROW];
  await opened("#/", (_path, query) => json({ data: query.get("turn") ? rows : [], next: null }), async (page) => {
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    await say(page, "Hello");
    await ended(page);
    await page.getByRole("link", { name: "Turns", exact: true }).click();
    await page.getByRole("table", { name: "Turns" }).getByRole("link").first().click();
    const link = page.getByRole("link", { name: "Recording", exact: true });
    await link.waitFor();
    const [, turn] = new URL(page.url()).hash.match(/turns\/(.+)/);
    assert.equal(await link.getAttribute("href"), `#/recordings/${turn}`);
    rows.pop();
    await page.getByRole("link", { name: "All turns" }).click();
    const answered = page.waitForResponse((response) => response.url().includes("recordings?turn="));
    await page.getByRole("table", { name: "Turns" }).getByRole("link").first().click();
    await answered;
    await page.getByRole("link", { name: "Open the session" }).waitFor();
    assert.equal(await link.count(), 0);
  });
});

test("the screen is in German, too", async () => {
  const answer = (path) => {
    if (path === "") return json({ data: [OWN_ROW, OTHER_ROW], next: null });
    return json({ turn_id: TURN, title: "Arithmetic", state: "completed", data: [EXCHANGE, FAILED], next: null });
  };
  const server = await Server.start({ configuration: KEYS });
  try {
    const person = await Person.at(`${server.url}/`, { allowed: REFUSED, locale: "de-DE" });
    const key = await server.command("keys", "create", "page", "--scope", "read", "--scope", "admin");
    const page = await person.open("#/recordings");
    await page.route("**/api/v1/recordings**", (route) => route.fulfill(answer(new URL(route.request().url()).pathname.replace(/.*recordings/, ""))));
    await page.getByLabel("API-Schlüssel").fill(key);
    await page.keyboard.press("Enter");
    await heading(page, "Aufzeichnungen").waitFor();
    await page.getByText("gelöschter Durchlauf").waitFor();
    await page.getByRole("table").getByRole("link").first().click();
    await heading(page, "Aufzeichnung aus „Arithmetic“").waitFor();
    await page.getByRole("button", { name: "Durchlauf wiederholen" }).waitFor();
    await accessibleEverywhere(page, "deutsch");
    await person.leave();
  } finally {
    await server.stop();
  }
});

test("a user without the scope admin is offered no recordings, and told who sees them", async () => {
  const server = await Server.start({ configuration: KEYS });
  try {
    const person = await Person.at(`${server.url}/`, { allowed: REFUSED });
    const refuse = (page) => page.route("**/api/v1/recordings**", (route) => route.fulfill(error(403, "forbidden", "no")));
    const page = await signedIn(server, person, "#/recordings", refuse, ["chat", "read"]);
    await page.getByText("Recordings are shown to the operator").waitFor();
    // All links are there until the server has said who the user is.
    const links = page.locator(".operator-links");
    await links.waitFor();
    await links.getByRole("link", { name: "Recordings" }).waitFor({ state: "detached" });
    await accessible(page, "forbidden");
    await person.leave();
  } finally {
    await server.stop();
  }
});

test("a recorded turn is read and replayed with the real server", async () => {
  const model = await new Model().start();
  const server = await Server.start({ model, configuration: KEYS, environment: { TURNKIT_RECORD: "rec" } });
  try {
    model.answers("It is 42.");
    const person = await Person.at(`${server.url}/`, { allowed: REFUSED });
    const page = await signedIn(server, person, "#/");
    await say(page, "6 times 7?");
    await ended(page);
    // The recorder writes beside the turn.
    const rows = page.getByRole("table", { name: "Recordings" }).getByRole("link");
    await page.getByRole("link", { name: "Recordings" }).click();
    await heading(page, "Recordings").waitFor();
    await until(async () => {
      const count = await rows.count();
      if (count === 0) await page.getByRole("button", { name: "Refresh" }).click();
      return count > 0;
    });
    await rows.first().click();
    const first = page.getByRole("article", { name: "Exchange 1" });
    await first.getByText(/^Request/).first().click();
    await first.getByRole("tree", { name: "Request" }).getByText("6 times 7?").waitFor();
    await first.getByText(/^Response/).first().click();
    await first.getByText("It is 42.").waitFor();
    await page.getByRole("button", { name: "Replay the turn" }).click();
    await page.getByText("The replay is the same as the stored turn").waitFor();
    await person.leave();
  } finally {
    await server.stop();
    model.stop();
  }
});
