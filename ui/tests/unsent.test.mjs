// What a person writes in an edit of a message or for a decision is kept until it is sent, or not wanted any more.

import assert from "node:assert/strict";
import { after } from "node:test";
import { close, ended, say, until } from "./browser.mjs";
import { read, scene } from "./scene.mjs";

after(close);

const ASKING = `[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n`;
const ASKS = `[[agents]]\nname = "assistant"\ntools = ["ask_user"]\n`;
const SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string" },
    size: { enum: ["small", "large"] },
    extras: { type: "array", items: { enum: ["tea", "milk"] } },
    agree: { type: "boolean" },
  },
  required: ["name"],
};

const button = (within, name) => within.getByRole("button", { name, exact: true });
const textbox = (within, name) => within.getByRole("textbox", { name, exact: true });
const turn = (page, text) => page.getByRole("article").filter({ hasText: text });
const approval = (page) => page.getByRole("group", { name: "May calculator run?" });
const question = (page) => page.getByRole("group", { name: "Question from ask_user" });

/** Waits until a field has a text, as it has once the page was drawn. */
const has = (field, text) => until(() => field.inputValue(), (value) => value === text);

/** Returns what the browser keeps besides drafts. */
const kept = (page) =>
  page.evaluate(() => Object.entries(localStorage).filter(([name]) => /^turnkit\.(edit|decision)\./.test(name)));

/** Opens a new session, and the one that was open again. */
async function leaveAndReturn(page) {
  const { hash } = new URL(page.url());
  await page.evaluate(() => {
    location.hash = "#/";
  });
  await page.getByRole("heading", { name: "What can I do for you?" }).waitFor();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, hash);
}

scene("an edit of a message outlives a reload until it is sent or cancelled", {}, async ({ model, server, person }) => {
  model.answers("A cat.").answers("A dog.");
  const page = await person.open();
  await say(page, "Name an animal with fur");
  await ended(page);
  const old = turn(page, "A cat.");
  const field = textbox(old, "Edited text");
  await button(old, "Edit").click();
  await field.waitFor();
  await page.reload();
  await button(old, "Edit").click();
  await field.fill("Name an animal that purrs");
  await page.reload();
  await has(field, "Name an animal that purrs");
  assert.equal(await field.evaluate((field) => field === document.activeElement), false, "it takes no focus by itself");
  await button(old, "Cancel").click();
  assert.deepEqual(await kept(page), []);
  await page.reload();
  await button(old, "Edit").click();
  await has(field, "Name an animal with fur");
  await field.fill("Name an animal that barks");
  await leaveAndReturn(page);
  await has(field, "Name an animal that barks");
  await page.reload();
  await has(field, "Name an animal that barks");
  await button(old, "Send").click();
  await page.getByText("A dog.", { exact: true }).waitFor();
  await until(() => kept(page), (entries) => entries.length === 0);
  const { data } = await read(server, `sessions/${new URL(page.url()).hash.split("/")[2]}/turns`);
  assert.deepEqual(data.map(({ input }) => input[0].text), ["Name an animal with fur", "Name an animal that barks"]);
});

scene("an edit whose response was lost makes one turn, also after a reload", {
  person: { allowed: /Failed to load resource: net::ERR_FAILED/ },
}, async ({ model, server, person }) => {
  model.answers("One.").answers("Two.");
  const page = await person.open();
  const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("words") };
  const chooser = page.waitForEvent("filechooser");
  await button(page, "Attach files").click();
  await (await chooser).setFiles([file]);
  await page.locator('.file[aria-busy="false"]').waitFor();
  await say(page, "First");
  await ended(page);
  const old = turn(page, "One.");
  await button(old, "Edit").click();
  await textbox(old, "Edited text").fill("Second");
  await page.route("**/api/v1/turns", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button(old, "Send").click();
  await page.getByText("Two.", { exact: true }).waitFor();
  await ended(page);
  await page.unroute("**/api/v1/turns");
  await page.reload();
  await button(turn(page, "Two."), "Previous version").click();
  const field = textbox(turn(page, "One."), "Edited text");
  await has(field, "Second");
  await button(turn(page, "One."), "Send").click();
  await turn(page, "Two.").getByText("2 of 2").waitFor();
  assert.deepEqual(await kept(page), []);
  const { data } = await read(server, `sessions/${new URL(page.url()).hash.split("/")[2]}/turns`);
  assert.equal(data.length, 2);
});

scene("a note and changed arguments outlive a reload until the decision is made", { configuration: ASKING }, async ({ model, server, person }) => {
  model.answers({ name: "calculator", arguments: { expression: "1" } }).answers("Done.");
  const page = await person.open();
  await say(page, "Add");
  await textbox(approval(page), "Note").fill("not so many");
  await button(approval(page), "Edit").click();
  const editor = textbox(approval(page), "Arguments as JSON");
  await editor.fill('{"expression": "2 +');
  await page.reload();
  await has(textbox(approval(page), "Note"), "not so many");
  await has(editor, '{"expression": "2 +');
  assert.equal(await editor.evaluate((editor) => editor === document.activeElement), false, "it takes no focus by itself");
  await button(approval(page), "Discard changes").click();
  await page.reload();
  await has(textbox(approval(page), "Note"), "not so many");
  await button(approval(page), "Edit").click();
  await editor.fill('{"expression": "2 + 3"}');
  await leaveAndReturn(page);
  await has(editor, '{"expression": "2 + 3"}');
  await page.evaluate(() => {
    location.hash = "#/needs";
  });
  await page.getByRole("heading", { name: "Needs you" }).waitFor();
  await has(editor, '{"expression": "2 + 3"}');
  await has(textbox(approval(page), "Note"), "not so many");
  await button(approval(page), "Approve once").click();
  await until(() => kept(page), (entries) => entries.length === 0);
  const { data } = await read(server, "interactions?state=all");
  assert.deepEqual([data[0].decided.note, data[0].decided.arguments], ["not so many", '{"expression": "2 + 3"}']);
});

scene("the answer to a question outlives a reload until it is sent", { configuration: ASKS }, async ({ model, server, person }) => {
  model.answers({ name: "ask_user", arguments: { question: "What else?" } });
  model.answers({ name: "ask_user", arguments: { question: "Where to?", schema: SCHEMA } }).answers("Thanks.");
  const page = await person.open();
  await say(page, "Ask");
  await textbox(question(page), "Answer").fill("A long story");
  await page.reload();
  await has(textbox(question(page), "Answer"), "A long story");
  await button(question(page), "Answer").click();
  await question(page).getByText("Where to?").waitFor();
  await until(() => kept(page), (entries) => entries.length === 0);
  await textbox(question(page), "name").fill("Porto");
  await question(page).getByRole("radio", { name: "large" }).check();
  await question(page).getByRole("checkbox", { name: "milk" }).check();
  await question(page).getByRole("checkbox", { name: /^agree/ }).check();
  await page.reload();
  await has(textbox(question(page), "name"), "Porto");
  for (const [role, name] of [["radio", "large"], ["checkbox", "milk"], ["checkbox", /^agree/]]) {
    assert.ok(await question(page).getByRole(role, { name }).isChecked(), String(name));
  }
  await button(question(page), "Answer").click();
  await page.getByText("Thanks.").waitFor();
  await until(() => kept(page), (entries) => entries.length === 0);
  const { data } = await read(server, "interactions?state=all");
  const answers = data.map(({ decided }) => decided.answer);
  assert.ok(answers.some((answer) => answer === "A long story"));
  assert.ok(answers.some(({ name, size, extras, agree }) => `${name} ${size} ${extras} ${agree}` === "Porto large milk true"));
});

scene("what was written for a decision is removed when another client decides", { configuration: ASKING }, async ({ model, server, person }) => {
  const decide = async () => {
    const { data } = await read(server, "interactions");
    const headers = { "content-type": "application/json" };
    await fetch(`${server.url}/api/v1/interactions/${data[0].id}`, { method: "POST", headers, body: '{"decision":"deny"}' });
  };
  for (const answer of ["Done.", "Done again."]) model.answers({ name: "calculator", arguments: { expression: "1" } }).answers(answer);
  const page = await person.open();
  await say(page, "Add");
  await textbox(approval(page), "Note").fill("too late");
  assert.equal((await kept(page)).length, 1);
  await decide();
  await page.getByText("Done.", { exact: true }).waitFor();
  await until(() => kept(page), (entries) => entries.length === 0);
  await ended(page);
  await say(page, "Add again");
  await textbox(approval(page), "Note").fill("too late again");
  const { hash } = new URL(page.url());
  await page.close();
  await decide();
  const later = await person.open(hash);
  await later.getByText("Done again.", { exact: true }).waitFor();
  await until(() => kept(later), (entries) => entries.length === 0);
});

// The page may ask for what is being deleted.
const DELETED = { allowed: /status of 404/ };

scene("what was written in a session that is deleted is removed", { configuration: ASKING, person: DELETED }, async ({ model, server, person }) => {
  model.answers("One.").answers({ name: "calculator", arguments: { expression: "1" } });
  const page = await person.open();
  await say(page, "Count");
  await ended(page);
  await button(turn(page, "One."), "Edit").click();
  await textbox(turn(page, "One."), "Edited text").fill("Count on");
  await say(page, "Add");
  await textbox(approval(page), "Note").fill("a secret");
  assert.equal((await kept(page)).length, 2);
  const [, , id] = new URL(page.url()).hash.split("/");
  await page.evaluate(() => {
    location.hash = "#/settings";
  });
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await fetch(`${server.url}/api/v1/sessions/${id}`, { method: "DELETE" });
  await until(() => kept(page), (entries) => entries.length === 0);
});

scene("without storage, edits and decisions work all the same", { configuration: ASKING }, async ({ model, server, person }) => {
  await person.prepare(() => {
    Object.defineProperty(window, "localStorage", { get: () => { throw new Error("forbidden"); } });
  });
  model.answers("One.").answers({ name: "calculator", arguments: { expression: "1" } }).answers("Three.");
  const page = await person.open();
  await say(page, "Count");
  await ended(page);
  await button(turn(page, "One."), "Edit").click();
  await textbox(turn(page, "One."), "Edited text").fill("Add");
  await button(turn(page, "One."), "Send").click();
  await textbox(approval(page), "Note").fill("well");
  await button(approval(page), "Edit").click();
  await textbox(approval(page), "Arguments as JSON").fill('{"expression": "2"}');
  await button(approval(page), "Approve once").click();
  await page.getByText("Three.").waitFor();
  const { data } = await read(server, "interactions?state=all");
  assert.equal(data[0].decided.note, "well");
});
