// What the next request of a session would hold, and the button that has earlier messages summarised.

import assert from "node:assert/strict";
import { after } from "node:test";
import { accessible, close, ended, say } from "./browser.mjs";
import { LOOKS, scene } from "./scene.mjs";
import { gate, Server } from "./server.mjs";

after(close);

const CONFIGURATION = `[[agents]]
name = "assistant"
instructions = "Be brief."
bootstrap = ["missing.md"]
tools = ["calculator", "clock"]
context = { budget = 20_000, precompact_at = 0, keep_messages = 2 }
`;

/** The texts of the page on which these tests rely, in both languages. */
const WORDS = {
  "en-GB": { menu: "Actions for this session", open: "Context…", title: "Context of the next request", compact: "Summarise earlier messages", kinds: ["Instructions", "Tools (2)", "Messages (6)", "Room for the answer", "Free"] },
  "de-DE": { menu: "Aktionen für diese Unterhaltung", open: "Kontext…", title: "Kontext der nächsten Anfrage", compact: "Frühere Nachrichten zusammenfassen", kinds: ["Anweisungen", "Werkzeuge (2)", "Nachrichten (6)", "Platz für die Antwort", "Frei"] },
};

const panel = (page) => page.getByRole("dialog", { name: "Context of the next request" });

async function open(page, words = WORDS["en-GB"]) {
  await page.getByRole("button", { name: words.menu }).click();
  await page.getByRole("menuitem", { name: words.open }).click();
  await page.getByRole("dialog", { name: words.title }).getByRole("table").waitFor();
}

/** Has a conversation that is long enough for a summary. */
async function converse(page, model) {
  for (const subject of ["bread", "cheese", "wine"]) {
    model.answers(`About ${subject}: ${"many words ".repeat(200)}`);
    await page.locator("#message").fill(`Tell me about ${subject}`);
    await page.keyboard.press("Enter");
    await page.getByText(`About ${subject}:`).waitFor();
    await page.getByRole("status").filter({ hasText: /^(Complete|Fertig)/ }).waitFor();
  }
}

scene("the context shows its parts, and follows what happens", { configuration: CONFIGURATION }, async ({ model, person }) => {
  const page = await person.open();
  const asked = [];
  page.on("request", (request) => request.url().endsWith("/context") && asked.push(request.url()));
  await converse(page, model);
  assert.equal(asked.length, 0, "it costs nothing until it is opened");
  await open(page);
  const rows = panel(page).getByRole("table", { name: "Parts of the next request" }).getByRole("row");
  const names = await rows.getByRole("rowheader").allTextContents();
  assert.deepEqual(names, WORDS["en-GB"].kinds);
  const meter = panel(page).getByRole("meter", { name: "Context" });
  assert.match(await meter.getAttribute("aria-valuetext"), /^[\d,]+ of 20,000 tokens$/);
  const before = Number(await meter.getAttribute("aria-valuenow"));
  const filled = await meter.evaluate((bar) => {
    const free = bar.querySelector(".context-free").getBoundingClientRect().width;
    return 1 - free / bar.getBoundingClientRect().width;
  });
  assert.ok(Math.abs(filled - before / 20_000) < 0.03, `${filled} of the bar is filled by ${before} tokens`);
  await panel(page).getByRole("heading", { name: "Shortened or left out" }).waitFor();
  await panel(page).getByRole("listitem").filter({ hasText: "missing.md" }).waitFor();
  await panel(page).locator("summary").click();
  await panel(page).getByRole("rowheader", { name: "calculator Tools" }).waitFor();

  const middle = gate();
  model.answers(middle.opened, "They spoke about food.");
  const compact = panel(page).getByRole("button", { name: "Summarise earlier messages" });
  await compact.click();
  await panel(page).getByRole("status").filter({ hasText: "being summarised" }).waitFor();
  assert.equal(await compact.getAttribute("aria-disabled"), "true");
  middle.open();
  await panel(page).getByRole("status").filter({ hasText: "A summary takes the place of earlier messages." }).waitFor();
  await page.waitForFunction((before) => Number(document.querySelector("[role=meter]").ariaValueNow) < before, before);
  assert.equal(await panel(page).getByText("A summary takes the place of earlier messages.").count(), 2);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.activeElement?.matches(".chat-header button"));
});

scene("a summary that fails says why", { configuration: CONFIGURATION }, async ({ model, person }) => {
  const page = await person.open();
  await converse(page, model);
  await open(page);
  model.answers({ error: { message: "no such model", code: "model_not_found" } });
  await panel(page).getByRole("button", { name: "Summarise earlier messages" }).click();
  await panel(page).getByRole("status").filter({ hasText: "Earlier messages could not be summarised." }).waitFor();
});

scene("a model without a known limit has a bar without an end", {}, async ({ model, person }) => {
  const page = await person.open();
  model.answers("Hello.");
  await say(page, "Hello");
  await ended(page);
  await open(page);
  await panel(page).getByText("The context window of this model is not known.").waitFor();
  assert.equal(await panel(page).getByRole("meter").count(), 0);
});

scene("what is shortened or too large is explained, and markup in names stays text", { configuration: CONFIGURATION }, async ({ model, person }) => {
  const page = await person.open();
  await converse(page, model);
  await page.route("**/context", async (route) => {
    const response = await route.fetch();
    const report = await response.json();
    const [first] = report.items;
    const cut = (source, tokens, why) => ({ ...first, source, tokens, cut: { from: 9_000, why } });
    report.items.unshift(cut("AGENTS.md", 8_000, "cap"), cut("<b>wiki</b>\u202e", 0, "budget"), cut("notes", 0, "a new reason"));
    report.items.push({ category: "constructor", source: "x", tokens: 3 });
    await route.fulfill({ response, json: { ...report, used: 30_000 } });
  });
  await open(page);
  await panel(page).getByText("AGENTS.md: shortened from 9,000 to 8,000 tokens. It is longer than its own limit.").waitFor();
  await panel(page).getByText("<b>wiki</b>⟨U+202E⟩: left out (9,000 tokens). Together, the parts of this kind exceed their limit.").waitFor();
  await panel(page).getByText("notes: left out (9,000 tokens).", { exact: true }).waitFor();
  await panel(page).getByRole("rowheader", { name: "constructor" }).first().waitFor();
  await panel(page).getByText(/^This is more than the model accepts\./).waitFor();
  assert.equal(await panel(page).getByRole("rowheader", { name: "Free" }).count(), 0);
});

scene(
  "what the server refuses is told",
  { offline: true, person: { allowed: /Failed to load resource/ } },
  async ({ person }) => {
    const page = await person.open();
    await say(page, "Hello");
    await ended(page);
    const refuse = (route) => route.fulfill({ status: 503, json: { error: { message: "later" } } });
    await page.route("**/compact", refuse);
    await open(page);
    await panel(page).getByRole("button", { name: "Summarise earlier messages" }).click();
    await panel(page).getByRole("alert").filter({ hasText: "That did not work: later" }).waitFor();
    await page.keyboard.press("Escape");
    // By then the focus is back where it was.
    await panel(page).waitFor({ state: "detached" });
    await page.route("**/context", refuse);
    await page.getByRole("textbox", { name: "Message" }).fill("/context");
    await page.keyboard.press("Enter");
    await panel(page).getByRole("alert").filter({ hasText: "That did not work: later" }).waitFor();
    assert.equal(await panel(page).getByRole("button", { name: "Summarise earlier messages" }).count(), 0);
  },
);

scene(
  "who may only read has no button that starts a turn",
  { configuration: '[auth]\nmode = "api_key"\n', offline: true, person: { allowed: /status of 401/ } },
  async ({ server, person }) => {
    assert.ok(server instanceof Server);
    const create = (name, ...scopes) => server.command("keys", "create", name, "--user", "ada", ...scopes.flatMap((scope) => ["--scope", scope]));
    const writer = await create("writer", "chat", "read");
    const reader = await create("reader", "read");
    const started = await fetch(`${server.url}/api/v1/turns`, {
      method: "POST",
      headers: { authorization: `Bearer ${writer}`, "content-type": "application/json" },
      body: JSON.stringify({ message: "Hello" }),
    });
    const { session_id } = await started.json();
    for (const [key, count] of [[writer, 1], [reader, 0]]) {
      const page = await person.open(`#/s/${session_id}`);
      await page.getByLabel("API key").fill(key);
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "Usage" }).waitFor();
      // It goes when the server has said what the key permits.
      await page.getByRole("link", { name: "Providers" }).waitFor({ state: "detached" });
      await open(page);
      assert.equal(await panel(page).getByRole("button", { name: "Summarise earlier messages" }).count(), count);
      await page.close();
    }
  },
);

for (const { locale, colorScheme, viewport } of [...LOOKS, { locale: "de-DE", ...LOOKS[1] }]) {
  const look = { colorScheme, viewport, ...(locale && { locale }) };
  scene(`the context is accessible: ${Object.values(look).map((one) => one.width ?? one)}`, { configuration: CONFIGURATION, person: look }, async ({ model, person }) => {
    const page = await person.open();
    const words = WORDS[locale ?? "en-GB"];
    await converse(page, model);
    await open(page, words);
    const names = await page.getByRole("dialog").getByRole("table").first().getByRole("rowheader").allTextContents();
    assert.deepEqual(names, words.kinds);
    await page.getByRole("button", { name: words.compact }).waitFor();
    if (process.env.SHOTS) await page.screenshot({ path: `/tmp/context-${colorScheme}-${viewport.width}-${locale}.png` });
    await page.locator(".context summary").click();
    await accessible(page, "the context");
    const { x, width } = await page.getByRole("dialog").boundingBox();
    assert.ok(x >= 0 && x + width <= viewport.width);
  });
}
