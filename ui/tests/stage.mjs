// Every screen and state of the page at once: a server that has them, and the ways to them.

import { fileURLToPath } from "node:url";
import { Person, until } from "./browser.mjs";
import { Proxy } from "./proxy.mjs";
import { gate, Model, Server } from "./server.mjs";

/** A server of tools whose results have cards. */
export const CARDS = `[[mcp]]
name = "cards"
command = ["${process.execPath}", "${fileURLToPath(new URL("./mcp-tools.mjs", import.meta.url))}"]
trust = "annotations"
`;

const CONFIGURATION = `[auth]
mode = "api_key"

[permissions]
rules = [{ tool = "calculator", decision = "ask" }]

[budgets]
day = { tokens = 1_000_000, usd = 5 }

[[agents]]
name = "assistant"
tools = ["calculator", "ask_user", "cards__*"]
on_stream_failure = "redo"

${CARDS}`;

const SCOPES = ["chat", "read", "decide", "admin"];

/** What the browser reports about requests that are refused, and while the server is away. */
const REPORTED = /status of (401|403|404)|ERR_/;

/** A picture of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

/** The files of a message. */
const FILES = {
  "picture.png": Buffer.from(PIXEL, "base64"),
  "notes.txt": "remember the milk",
  "report.pdf": "%PDF-1.4\n%%EOF\n",
};

/** A text of which pages of turns have the beginning only. */
const LONG = "A sentence like others. ".repeat(3_000);

const ANSWER = `# Heading

Words with [a link](https://example.com), \`code\` and a formula: $\\frac{a}{b}$.

\`\`\`ts
export class A<T> { b = "${"long ".repeat(30)}" }
\`\`\`

| ${"a column | ".repeat(8)}
|${"---|".repeat(8)}
| ${"1 | ".repeat(8)}

$$\\sum_{i=0}^n i^2 = \\frac{n(n+1)(2n+1)}{6} + \\text{${"a long remark ".repeat(8)}}$$

- [x] done
- [ ] ${"word ".repeat(20)}

> quoted
`;

/**
 * An answer that goes on for as long as it is wanted: the server would give up one that is silent. `begin` is called
 * when it is asked for.
 */
function* endless(isWanted, begin) {
  begin();
  yield "It begins";
  while (isWanted()) {
    yield new Promise((resolve) => setTimeout(resolve, 2_000).unref());
    yield " ";
  }
}

/** A server with a session in each state. */
export class Stage {
  #isOver = false;
  #model;
  #server;
  /** Before the server, which can be away. */
  #proxy;
  #key;
  /** The ids of the turns and their sessions, by their states. */
  started;

  static async set() {
    const stage = new Stage();
    stage.#model = await new Model().start();
    const environment = { TURNKIT_RECORD: "rec" };
    stage.#server = await Server.start({ model: stage.#model, configuration: CONFIGURATION, environment });
    stage.#proxy = await Proxy.before(stage.#server);
    const scopes = SCOPES.flatMap((scope) => ["--scope", scope]);
    stage.#key = await stage.#server.command("keys", "create", "page", "--user", "ada", ...scopes);
    await stage.#play();
    return stage;
  }

  async #play() {
    const call = (name, given = {}) => ({ name, arguments: given });
    this.#model.answers({ reasoning: "Let me see." }, call("cards__structured"), call("cards__nested")).answers(ANSWER);
    await this.ask("POST", "mcp/cards/reconnect");
    await until(() => this.ask("GET", "mcp"), ({ data: [cards] }) => cards.state === "ready");
    const finished = await this.#begin("Say what you know", "completed");
    const begun = gate();
    this.#model.answersWith(endless(() => !this.#isOver, begun.open));
    const running = await this.#begin("Begin", "running");
    // The turn runs before the model is asked, and the answers go to requests in their order.
    await begun.opened;
    this.#model.answers(call("calculator", { expression: "6 * 7" }));
    const approval = await this.#begin("Calculate", "waiting");
    this.#model.answers(call("ask_user", { question: "Which colour?", choices: ["red", "blue"] }));
    const question = await this.#begin("Paint", "waiting");
    const files = await Promise.all(Object.entries(FILES).map((file) => this.#upload(...file)));
    this.#model.answers("Here it is.", { image: `data:image/png;base64,${PIXEL}` });
    const illustrated = await this.#begin("Look at it", "completed", { files });
    this.#model.answers(LONG).answers("Done.");
    const long = await this.#begin("Write a lot", "completed");
    // The last turn of a session is not cut.
    await this.#begin("Stop", "completed", { session_id: long.session_id });
    const error = { message: "No such model", code: "model_not_found" };
    this.#model.answers("It", { breaks: true }).answers("It begins", { error });
    const failed = await this.#begin("Try it", "failed");
    this.started = { finished, running, approval, question, illustrated, long, failed };
  }

  async #begin(message, state, fields = {}) {
    const started = await this.ask("POST", "turns", { message, interact: true, ...fields });
    await until(() => this.ask("GET", `turns/${started.turn_id}`), (turn) => turn.state === state);
    return started;
  }

  /** Uploads a file, and returns its id. */
  async #upload(name, body) {
    const headers = { authorization: `Bearer ${this.#key}` };
    const response = await fetch(`${this.#server.url}/api/v1/files?name=${name}`, { method: "POST", headers, body });
    return (await response.json()).id;
  }

  /** Sends a request as a program would. */
  async ask(method, path, body) {
    const headers = { "content-type": "application/json", authorization: `Bearer ${this.#key}` };
    const response = await fetch(`${this.#server.url}/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    return text && JSON.parse(text);
  }

  /** Adds an answer of the model. */
  answers(...pieces) {
    this.#model.answers(...pieces);
    return this;
  }

  /** A person who has not signed in. */
  enter(options) {
    return Person.at(`${this.#proxy.url}/`, { allowed: REPORTED, ...options });
  }

  /** Signs in at the screen that asks for the key. */
  async signIn(page) {
    await page.locator("input[type=password]").fill(this.#key);
    await page.keyboard.press("Enter");
    await page.locator(".shell").waitFor();
  }

  /** Takes the server away, or brings it back. */
  setAway(isAway) {
    this.#proxy.isAway = isAway;
    if (isAway) this.#proxy.cut();
  }

  async clear() {
    this.#isOver = true;
    this.#proxy.stop();
    await this.#server.stop();
    this.#model.stop();
  }
}

/** Shows the screen of an address. The page has heard of the address by then, so that no other screen is left. */
async function show(page, address) {
  await page.evaluate((address) => {
    if (location.hash === address) return undefined;
    const heard = new Promise((resolve) => addEventListener("hashchange", () => resolve(), { once: true }));
    location.hash = address;
    return heard;
  }, address);
}

const toSession = (name) => ({ started }) => `#/s/${started[name].session_id}`;

/** Opens the calls of the finished turn, so that their arguments and results are there. */
async function openCalls(page) {
  await page.locator(".call-group").evaluate((group) => {
    for (const details of [group, ...group.querySelectorAll("details")]) details.open = true;
  });
  await page.locator(".tree").first().waitFor();
}

/** Refuses the list of keys, and asks for it. */
async function refuseKeys(page) {
  const error = { code: "forbidden", message: "the credential lacks the scope" };
  await page.route("**/api/v1/keys*", (route) => route.fulfill({ status: 403, json: { error } }));
  await show(page, "#/keys");
}

/** Lets the server of tools have changed one of them, and asks what it is now. */
async function changeTool(page) {
  const description = "A sentence like others. ".repeat(40);
  const input_schema = { type: "object", properties: { id: { type: "integer", description } } };
  const effects = { read_only: false, idempotent: true, destructive: true, open_world: true };
  const tool = { name: "cards__changed", state: "changed", description, input_schema, effects, fingerprint: "00" };
  const cards = { name: "cards", transport: "stdio", program: "node", state: "ready", connections: 1, tools: [tool] };
  await page.route("**/api/v1/mcp?*", (route) => route.fulfill({ json: { data: [cards], next: null } }));
  await show(page, "#/tools");
  await page.locator(".panel .buttons button").click();
}

async function changeToolBack(page) {
  await close(page);
  await page.unroute("**/api/v1/mcp?*");
}

const leaveServer = (_, stage) => stage.setAway(true);

async function returnServer(page, stage) {
  stage.setAway(false);
  await page.locator(".banner").waitFor({ state: "detached" });
}

/** Deletes a session. The time in which it can be taken back stands still while the button has the focus. */
async function deleteSession(page) {
  await page.locator("main .actions button:nth-child(2)[aria-label*='Try it']").click();
  await page.locator(".toast button").focus();
}

async function openContext(page) {
  await page.locator(".chat-header [aria-haspopup=menu]").click();
  await page.locator(".menu button").nth(6).click();
  await page.locator(".context summary").click();
}

const press = (key) => (page) => page.keyboard.press(key);
const click = (selector) => (page) => page.locator(selector).first().click();
const close = press("Escape");

/**
 * The screens and states. Of each: its address, what is done there, what is there when it is complete, what a person
 * must be able to reach, and how it is left, so that the next one is as if nothing had been done.
 */
export const STATES = [
  { name: "a new session", at: () => "#/", ready: ".welcome-text button", reach: "#message" },
  { name: "the choices of a message", at: () => "#/", act: click(".composer .tool[aria-haspopup=dialog]"), ready: ".options", reach: ".options select", leave: close },
  { name: "a finished turn", at: toSession("finished"), act: openCalls, ready: ".markdown:has(.code-keyword):has(.formula)", reach: "#message" },
  { name: "the menu of the session on the screen", at: toSession("finished"), act: click(".chat-header [aria-haspopup=menu]"), ready: ".menu", reach: ".menu button:last-child", leave: close },
  { name: "the context of a session", at: toSession("finished"), act: openContext, ready: ".context details[open] tr", reach: ".context-compaction button", leave: close },
  { name: "a running turn", at: toSession("running"), ready: ".stop", reach: ".stop" },
  { name: "an approval", at: toSession("approval"), ready: ".approval button.primary:enabled", reach: ".approval button.primary" },
  { name: "a question", at: toSession("question"), ready: ".approval button:enabled", reach: ".approval button" },
  { name: "a message that is edited", at: toSession("finished"), act: click(".edit-turn"), ready: ".user textarea", reach: ".user button.primary", leave: close },
  { name: "files of a message, and an image of an answer", at: toSession("illustrated"), ready: "article > :not(.user) img", reach: ".user button" },
  { name: "a text that was cut", at: toSession("long"), ready: ".markdown ~ .remark button", reach: ".markdown ~ .remark button" },
  { name: "notices of a turn", at: toSession("failed"), ready: ".remark.error", reach: ".turn-footer button" },
  { name: "a session that nobody has", at: () => "#/s/019f0000-0000-7000-8000-000000000000", ready: ".empty" },
  { name: "sessions", at: () => "#/sessions", ready: "main .actions", reach: "main .actions button" },
  { name: "the actions of a session", at: () => "#/sessions", act: click("main [aria-haspopup=menu]"), ready: ".menu", reach: ".menu button:last-child", leave: close },
  { name: "a new title", at: () => "#/sessions", act: click("main .actions button"), ready: "dialog[open]", reach: "dialog button.primary", leave: close },
  { name: "a session that was deleted", at: () => "#/sessions", act: deleteSession, ready: ".toast button:focus", reach: ".toast button", leave: click(".toast button") },
  { name: "needs", at: () => "#/needs", ready: ".approval button.primary:enabled", reach: ".approval button.primary" },
  { name: "settings", at: () => "#/settings", ready: ".addresses", reach: ".settings .addresses button" },
  { name: "turns", at: () => "#/turns", ready: ".table tbody tr", reach: ".admin button" },
  { name: "a turn", at: ({ started }) => `#/turns/${started.finished.turn_id}`, ready: ".waterfall-row", reach: ".back" },
  { name: "usage", at: () => "#/usage", ready: ".screen:has(meter):has(.plot svg)", reach: ".choices button" },
  { name: "providers", at: () => "#/providers", ready: ".panel", reach: ".panel" },
  { name: "tools", at: () => "#/tools", ready: ".panel", reach: ".panel" },
  { name: "a changed tool", at: () => "#/settings", act: changeTool, ready: "dialog .danger:enabled", reach: "dialog .danger", leave: changeToolBack },
  { name: "recordings", at: () => "#/recordings", ready: ".table tbody tr", reach: ".admin button" },
  { name: "a recording", at: ({ started }) => `#/recordings/${started.finished.turn_id}`, act: click("main .buttons button"), ready: ".replay-result:not(:empty)", reach: ".back" },
  { name: "keys", at: () => "#/keys", ready: ".table tbody tr", reach: ".admin button.primary" },
  { name: "a new key", at: () => "#/keys", act: click(".admin button.primary"), ready: "dialog[open]", reach: "dialog button.primary ~ button", leave: close },
  { name: "a screen that is refused", at: () => "#/settings", act: refuseKeys, ready: ".problem pre", reach: ".problem a", leave: (page) => page.unroute("**/api/v1/keys*") },
  { name: "the switcher", at: () => "#/settings", act: press("Control+k"), ready: "dialog[open] li", reach: "dialog input", leave: close },
  { name: "the shortcuts", at: () => "#/settings", act: press("?"), ready: "dialog[open] kbd", reach: "dialog header button", leave: close },
  { name: "a server that is away", at: () => "#/", act: leaveServer, ready: ".banner", reach: "#message", leave: returnServer },
];

/** Shows one state after the other, and calls `check` at each. */
export async function walk(stage, page, check) {
  for (const state of STATES) {
    try {
      await show(page, state.at(stage));
      await page.locator("main").waitFor();
      await state.act?.(page, stage);
      await page.locator(state.ready).first().waitFor();
      await check(state);
      await state.leave?.(page, stage);
    } catch (error) {
      throw new Error(`${state.name}: ${error.message}`, { cause: error });
    }
  }
}
