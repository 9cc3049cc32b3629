// Texts that pages of turns cut: the whole of them is shown and copied.

import assert from "node:assert/strict";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { accessible, close, ended, say, until } from "./browser.mjs";
import { read, scene } from "./scene.mjs";

after(close);

const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

/** Longer than a text in a page of turns may be, which ends within one of the paragraphs. */
const PARAGRAPHS = Array.from({ length: 400 }, (_, index) => `Paragraph ${index} has words. ${"More words. ".repeat(20).trim()}`);
const LONG = PARAGRAPHS.join("\n\n");
const ANSWER = `${LONG}\n\nThis is the end.`;

/** Has an answer written, and another one: the last turn of a session is not cut. */
async function written(page) {
  for (const message of ["Write", "Next"]) {
    await say(page, message);
    await page.getByText(message === "Write" ? "This is the end." : "Later.").waitFor();
    await ended(page);
  }
  await page.reload();
}

const copied = (page) => page.evaluate(() => navigator.clipboard.readText());

scene("a long answer is copied and shown whole after a reload", { person: CLIPBOARD }, async ({ model, person }) => {
  model.answers(ANSWER).answers("Later.");
  const page = await person.open();
  await written(page);
  const log = page.getByRole("log");
  const copy = page.locator(".turn-footer").first().getByRole("button", { name: "Copy", exact: true });
  const showAll = log.getByRole("button", { name: "Show all" });
  const paragraphs = log.locator(".markdown").first().locator("p");
  await showAll.waitFor();
  await accessible(page, "a cut answer");
  assert.equal(await page.getByText("This is the end.").count(), 0);
  await copy.click();
  await until(() => copied(page), (text) => text === ANSWER);
  // What was loaded for the copy is shown.
  await page.getByText("This is the end.").waitFor();
  assert.equal(await paragraphs.count(), PARAGRAPHS.length + 1);

  await page.reload();
  await showAll.waitFor();
  const before = await log.evaluate(async (log) => {
    // The log follows its end when the frame is laid out in which the other parts of the page have come.
    for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
    return log.scrollTop;
  });
  await showAll.click();
  await page.getByText("This is the end.").waitFor();
  assert.equal(await showAll.count(), 0);
  assert.equal(await paragraphs.count(), PARAGRAPHS.length + 1, "the paragraph that was cut is one");
  assert.ok(await log.evaluate((log) => log === document.activeElement));
  await page.getByRole("button", { name: "Jump to the latest" }).waitFor();
  assert.ok((await log.evaluate((log) => log.scrollTop)) <= before, "the reader is where the text was cut");
});

scene("a rest that cannot be loaded is asked for again", {
  person: { allowed: /Failed to load resource/ },
}, async ({ model, person }) => {
  model.answers(ANSWER).answers("Later.");
  const page = await person.open();
  await written(page);
  const log = page.getByRole("log");
  await page.route("**/parts/*", (route) => route.abort(), { times: 1 });
  await log.getByRole("button", { name: "Show all" }).click();
  await log.getByRole("alert").filter({ hasText: "The rest could not be loaded" }).waitFor();
  await log.getByRole("button", { name: "Show all" }).click();
  await page.getByText("This is the end.").waitFor();
});

/** Sends a request to the server's API, and returns the answer. */
async function post(server, path, body) {
  const response = await fetch(`${server.url}/api/v1/${path}`, {
    method: "POST",
    body,
    headers: typeof body === "string" ? { "content-type": "application/json" } : {},
  });
  assert.ok(response.ok, path);
  return response.json();
}

scene("long thoughts, a long message and a long file are shown whole", {}, async ({ model, server, person }) => {
  model.answers({ reasoning: `${LONG}\nI know.` }, "Yes.").answers("Later.");
  const file = await post(server, "files?name=long.txt", Buffer.from(`${LONG}\nthe end of the file`));
  const message = `${LONG}\nthe end of the message`;
  const { session_id } = await post(server, "turns", JSON.stringify({ message, files: [file.id] }));
  const page = await person.open(`#/s/${session_id}`);
  await page.getByText("Yes.").waitFor();
  await ended(page);
  await say(page, "Next");
  await page.getByText("Later.").waitFor();
  await ended(page);
  await page.reload();
  const shown = page.getByRole("group", { name: "You" }).first();
  // Until the cards are loaded, its name alone is there.
  await shown.locator("summary").filter({ hasText: "long.txt" }).click();
  const body = shown.locator(".tool-body");
  await body.getByRole("button", { name: "Show all" }).click();
  await body.getByText("the end of the file").waitFor();
  await shown.locator("> .remark").getByRole("button", { name: "Show all" }).click();
  await shown.locator("> .plain").filter({ hasText: "the end of the message" }).waitFor();
  const thoughts = page.locator(".reasoning");
  await thoughts.locator("summary").click();
  await thoughts.getByRole("button", { name: "Show all" }).click();
  await thoughts.getByText("I know.").waitFor();
});

scene("a text that is cut says so in German, too", { person: { locale: "de-DE" } }, async ({ model, server, person }) => {
  model.answers(ANSWER).answers("Later.");
  const { session_id } = await post(server, "turns", JSON.stringify({ message: "Write" }));
  await post(server, "turns", JSON.stringify({ message: "Next", session_id }));
  await until(async () => (await read(server, `sessions/${session_id}/turns`)).data[1]?.status);
  const page = await person.open(`#/s/${session_id}`);
  await page.getByText("Der Rest dieses Textes wurde weggelassen.").waitFor();
  await page.getByRole("button", { name: "Alles anzeigen" }).click();
  await page.getByText("This is the end.").waitFor();
});

scene("a long message is edited whole after a reload, and takes its long file along", {
  person: { allowed: /Failed to load resource/ },
}, async ({ model, server, person }) => {
  model.answers("Yes.").answers("Later.").answers("Again.");
  const content = `${LONG}\nthe end of the file`;
  const file = await post(server, "files?name=long.txt", Buffer.from(content));
  const message = `${LONG}\nthe end of the message`;
  const { session_id } = await post(server, "turns", JSON.stringify({ message, files: [file.id] }));
  const page = await person.open(`#/s/${session_id}`);
  await page.getByText("Yes.", { exact: true }).waitFor();
  await ended(page);
  await say(page, "Next");
  await page.getByText("Later.", { exact: true }).waitFor();
  await ended(page);
  await page.reload();
  await page.getByText("The rest of this text was left out.").waitFor();
  const turn = page.getByRole("article").first();
  const field = turn.getByRole("textbox", { name: "Edited text" });
  await page.route("**/input", (route) => route.abort(), { times: 1 });
  await turn.getByRole("button", { name: "Edit", exact: true }).click();
  await turn.getByRole("alert").filter({ hasText: "The rest could not be loaded" }).waitFor();
  assert.equal(await field.inputValue(), "", "what was cut cannot be sent");
  await accessible(page, "a message that could not be loaded");
  await turn.getByRole("button", { name: "Try again" }).click();
  await until(() => field.inputValue(), (text) => text === message);
  await field.evaluate((field) => {
    field.setRangeText(" of all", field.value.length, field.value.length, "end");
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await turn.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("Again.", { exact: true }).waitFor();
  await ended(page);
  const { data } = await read(server, `sessions/${session_id}/messages?limit=200`);
  const { parts } = data.findLast(({ role }) => role === "user");
  assert.equal(parts.find(({ type }) => type === "text").text, `${message} of all`);
  assert.equal(parts.find(({ type }) => type === "context").text, content);
  // The list of messages has those of the branch that is continued.
  await page.reload();
  await turn.getByRole("button", { name: "Previous version" }).click();
  await turn.getByRole("button", { name: "Show all" }).first().click();
  await turn.locator(".plain").filter({ hasText: /the end of the message$/ }).waitFor();
});

const TOOLS = fileURLToPath(new URL("./mcp-tools.mjs", import.meta.url));
const CALLS = `[[agents]]
name = "assistant"
tools = ["cards__*"]

[[mcp]]
name = "cards"
command = ["${process.execPath}", "${TOOLS}"]
trust = "annotations"
`;

scene("what a call was given is copied whole, and a failure says so", {
  configuration: CALLS,
  person: { ...CLIPBOARD, allowed: /Failed to load resource/ },
}, async ({ model, person }) => {
  const given = { lines: 1, note: "x".repeat(100_000) };
  model.answers({ name: "cards__long", arguments: given }).answers("Much.").answers("Later.");
  const page = await person.open();
  for (const [message, answer] of [["Write", "Much."], ["Next", "Later."]]) {
    await say(page, message);
    await page.getByText(answer, { exact: true }).waitFor();
    await ended(page);
  }
  await page.reload();
  const call = page.getByRole("log").locator("details.call");
  await call.locator("> summary").click();
  const shown = call.locator("section").filter({ hasText: "Arguments" });
  const copy = shown.getByRole("button", { name: "Copy", exact: true });
  await shown.getByText("The rest was left out.").waitFor();
  await page.route("**/parts/*", (route) => route.abort(), { times: 1 });
  await copy.click();
  await shown.getByRole("alert").filter({ hasText: "The rest could not be loaded" }).waitFor();
  await copy.click();
  await until(() => copied(page), (text) => text !== "" && text === JSON.stringify(given));
  assert.equal(await shown.getByRole("alert").count(), 0);
});
