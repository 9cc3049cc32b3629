// What one can do with a turn: answer its message again, edit the message, and switch between the versions.

import assert from "node:assert/strict";
import { after } from "node:test";
import { accessible, close, ended, Person, say } from "./browser.mjs";
import { LOOKS, read, requestedTurns, scene } from "./scene.mjs";
import { gate } from "./server.mjs";

after(close);

/** The address and the id of the session that a page shows. */
const addressOf = (page) => new URL(page.url()).hash;
const sessionOf = (page) => addressOf(page).split("/")[2];

const turn = (page, text) => page.getByRole("article").filter({ hasText: text });

const button = (article, name) => article.getByRole("button", { name, exact: true });

/** Waits until a turn is on the screen as a certain version. */
async function isVersion(page, text, version) {
  await turn(page, text).getByRole("status").filter({ hasText: version }).waitFor();
}

/** Sends a message, and waits for its answer. */
async function ask(page, text, answer) {
  await say(page, text);
  await page.getByText(answer, { exact: true }).waitFor();
  await ended(page);
}

scene("a turn is answered again, and both versions stay", {}, async ({ model, server, person }) => {
  model.answers("Red.").answers("Blue.").answers("Tomorrow.");
  const page = await person.open();
  await ask(page, "Which colour?", "Red.");
  await button(turn(page, "Red."), "Retry").click();
  await page.getByText("Blue.", { exact: true }).waitFor();
  await ended(page);
  await isVersion(page, "Blue.", "2 of 2");
  assert.equal(await page.getByText("Red.", { exact: true }).count(), 0);
  assert.ok(await button(turn(page, "Blue."), "Next version").isDisabled());

  await button(turn(page, "Blue."), "Previous version").click();
  await isVersion(page, "Red.", "1 of 2");
  assert.equal(await page.getByText("Blue.", { exact: true }).count(), 0);
  await page.reload();
  await isVersion(page, "Red.", "1 of 2");

  const requests = requestedTurns(page);
  await ask(page, "When?", "Tomorrow.");
  const { data } = await read(server, `sessions/${sessionOf(page)}/turns`);
  const [red, blue, tomorrow] = data;
  assert.equal(tomorrow.after, red.turn_id, "the message continues the version that was shown");
  assert.equal(requests[0].after, red.turn_id);
  assert.equal(blue.after, null);

  await button(turn(page, "Red."), "Next version").click();
  await isVersion(page, "Blue.", "2 of 2");
  assert.equal(await page.getByText("Tomorrow.", { exact: true }).count(), 0);
  await button(turn(page, "Blue."), "Previous version").click();
  await page.getByText("Tomorrow.", { exact: true }).waitFor();
  const session = await read(server, `sessions/${sessionOf(page)}`);
  assert.equal(session.head, tomorrow.turn_id, "the whole branch is there again");
});

scene("an edited message begins a branch beside the message", {}, async ({ model, server, person }) => {
  model.answers("Hello.").answers("A cat.").answers("A dog.").answers("Four.");
  const page = await person.open();
  await ask(page, "Hi", "Hello.");
  await ask(page, "Name an animal with fur", "A cat.");
  const old = turn(page, "A cat.");
  await button(old, "Edit").click();
  const field = old.getByRole("textbox", { name: "Edited text" });
  assert.equal(await field.inputValue(), "Name an animal with fur");
  await field.fill("Name an animal that barks");
  await button(old, "Cancel").click();
  await page.getByText("Name an animal with fur").waitFor();
  await button(old, "Edit").click();
  assert.equal(await field.inputValue(), "Name an animal with fur", "what was cancelled is gone");
  await field.fill("Name an animal that barks");
  await button(old, "Send").click();
  await page.getByText("A dog.", { exact: true }).waitFor();
  await ended(page);
  await isVersion(page, "A dog.", "2 of 2");
  await page.getByText("Hello.", { exact: true }).waitFor();
  await ask(page, "How many legs?", "Four.");
  const { data } = await read(server, `sessions/${sessionOf(page)}/turns`);
  assert.deepEqual(
    data.map(({ after }) => after && data.findIndex((turn) => turn.turn_id === after)),
    [null, 0, 0, 2],
  );
});

scene("a message that is edited keeps the images that another client sent with it", {}, async ({ model, server, person }) => {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
  const linked = { type: "image", media_type: "image/png", url: "https://example.com/a.png" };
  const inside = { type: "image", media_type: "image/png", url: `data:image/png;base64,${pixel}` };
  model.answers("A cat.").answers("A dog.").answers("A cow.");
  const started = await fetch(`${server.url}/api/v1/turns`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ parts: [linked, { type: "text", text: "Which animal?" }, inside] }),
  });
  const { session_id } = await started.json();
  const page = await person.open(`#/s/${session_id}`);
  // The files of the second message were uploaded.
  for (const [before, after] of [["A cat.", "A dog."], ["A dog.", "A cow."]]) {
    await ended(page);
    await button(turn(page, before), "Edit").click();
    await turn(page, before).getByRole("textbox", { name: "Edited text" }).fill(`Which one but ${before}`);
    await button(turn(page, before), "Send").click();
    await page.getByText(after, { exact: true }).waitFor();
  }
  const { data } = await read(server, `sessions/${session_id}/turns`);
  for (const [index, text] of [[1, "Which one but A cat."], [2, "Which one but A dog."]]) {
    const [uploaded, ...rest] = data[index].input;
    assert.deepEqual(rest, [linked, { type: "text", text }]);
    assert.equal(uploaded.media_type, "image/png");
    const blob = await fetch(`${server.url}/api/v1/blobs/${uploaded.url.replace("blob:", "")}`);
    assert.equal(Buffer.from(await blob.arrayBuffer()).toString("base64"), pixel);
  }
});

scene("an edit that could not be sent keeps its text, and makes one turn in the end", {
  person: { allowed: /Failed to load resource: net::ERR_FAILED/ },
}, async ({ model, server, person }) => {
  model.answers("One.").answers("Two.");
  const page = await person.open();
  await ask(page, "First", "One.");
  const old = turn(page, "One.");
  await button(old, "Edit").click();
  const field = old.getByRole("textbox", { name: "Edited text" });
  await field.fill("Second");
  const keys = [];
  await page.route("**/api/v1/turns", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    // The first request is lost. The server has the second, and its response is lost.
    if (keys.length === 2) await route.fetch();
    if (keys.length <= 2) await route.abort();
    else await route.continue();
  });
  await field.press("Enter");
  await page.getByRole("alert").filter({ hasText: "That did not work" }).waitFor();
  assert.equal(await field.inputValue(), "Second");
  await field.press("Enter");
  await page.getByText("Two.", { exact: true }).waitFor();
  await ended(page);
  await isVersion(page, "Two.", "2 of 2");
  await button(turn(page, "Two."), "Previous version").click();
  assert.equal(await field.inputValue(), "Second");
  // The answer may be there before the page has lost the response.
  await old.getByRole("alert").filter({ hasText: "That did not work" }).waitFor();
  await field.press("Enter");
  await isVersion(page, "Two.", "2 of 2");
  assert.deepEqual(keys, [keys[0], keys[0], keys[0]]);
  const { data } = await read(server, `sessions/${sessionOf(page)}/turns`);
  assert.equal(data.length, 2);
});

scene("two tabs that edit the same message make two branches", {}, async ({ model, server, person }) => {
  const [first, second] = [gate(), gate()];
  model.answers("One.").answers(first.opened, "Two.").answers(second.opened, "Three.");
  const page = await person.open();
  await ask(page, "Count to one", "One.");
  const other = await person.open(addressOf(page));
  for (const tab of [page, other]) await button(turn(tab, "One."), "Edit").click();
  for (const [tab, text] of [[page, "Count to two"], [other, "Count to three"]]) {
    await tab.getByRole("textbox", { name: "Edited text" }).fill(text);
  }
  await page.getByRole("textbox", { name: "Edited text" }).press("Enter");
  await page.getByRole("article").filter({ hasText: "Count to two" }).waitFor();
  // The other tab follows, and what was written there is still there.
  await other.getByRole("article").filter({ hasText: "Count to two" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  first.open();
  for (const tab of [page, other]) {
    await tab.getByText("Two.", { exact: true }).waitFor();
    await isVersion(tab, "Two.", "2 of 2");
    await ended(tab);
  }
  await button(turn(other, "Two."), "Previous version").click();
  const field = other.getByRole("textbox", { name: "Edited text" });
  assert.equal(await field.inputValue(), "Count to three");
  await field.press("Enter");
  second.open();
  for (const tab of [page, other]) {
    await tab.getByText("Three.", { exact: true }).waitFor();
    await isVersion(tab, "Three.", "3 of 3");
  }
  const { data } = await read(server, `sessions/${sessionOf(page)}/turns`);
  assert.deepEqual(data.map((turn) => [turn.input[0].text, turn.after]), [
    ["Count to one", null],
    ["Count to two", null],
    ["Count to three", null],
  ]);
});

scene("while an answer runs, another one is refused with a plain sentence, and an edit waits", {}, async ({ model, person }) => {
  const middle = gate();
  model.answers("One.").answers("Two ", middle.opened, "three.").answers("Four.");
  const page = await person.open();
  await ask(page, "First", "One.");
  await say(page, "Second");
  await page.getByText("Two", { exact: true }).waitFor();
  const old = turn(page, "One.");
  await button(old, "Retry").click();
  await old.getByRole("alert").filter({ hasText: "An answer is in progress. Wait until it ends, or stop it." }).waitFor();
  await button(old, "Edit").click();
  await old.getByRole("textbox", { name: "Edited text" }).fill("Fourth");
  await button(old, "Send").click();
  await page.getByRole("list", { name: "Waiting messages" }).getByText("Fourth").waitFor();
  middle.open();
  await page.getByText("Four.", { exact: true }).waitFor();
  await isVersion(page, "Four.", "2 of 2");
  assert.equal(await page.getByText("Two three.").count(), 0);
});

scene("the time line of a turn is a link away", {}, async ({ model, person }) => {
  model.answers("Well.");
  const page = await person.open();
  await ask(page, "Go", "Well.");
  const id = (await turn(page, "Well.").getAttribute("id")).replace("t-", "");
  await turn(page, "Well.").getByRole("link", { name: "Timeline" }).click();
  await page.waitForURL((url) => url.hash === `#/turns/${id}`);
  await page.locator(".admin").first().waitFor();
});

scene("all of it works with the keyboard", {}, async ({ model, person }) => {
  model.answers("One.").answers("Two.").answers("Three.");
  const page = await person.open();
  await ask(page, "First", "One.");
  await button(turn(page, "One."), "Edit").waitFor();
  await page.getByRole("textbox", { name: "Message" }).press("ArrowUp");
  const field = page.getByRole("textbox", { name: "Edited text" });
  await page.waitForFunction(() => document.activeElement?.ariaLabel === "Edited text");
  await field.press("Escape");
  await page.waitForFunction(() => document.activeElement?.ariaLabel === "Edit");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.ariaLabel === "Edited text");
  await page.keyboard.type(" again");
  await page.keyboard.press("Enter");
  await page.getByText("Two.", { exact: true }).waitFor();
  await ended(page);
  await page.waitForFunction(() => document.activeElement?.id === "message");
  await page.getByText("First again", { exact: true }).waitFor();
  await button(turn(page, "Two."), "Retry").press("Enter");
  await page.getByText("Three.", { exact: true }).waitFor();
  await ended(page);
  await button(turn(page, "Three."), "Previous version").press("Enter");
  await isVersion(page, "Two.", "2 of 3");
  await page.waitForFunction(() => document.activeElement?.ariaLabel === "Previous version");
  await page.keyboard.press("Enter");
  await isVersion(page, "One.", "1 of 3");
  await page.waitForFunction(() => document.activeElement?.ariaLabel === "Next version");
});

scene("a version takes the place of another one on the screen", {}, async ({ model, person }) => {
  const long = "Some words of an answer.\n\n".repeat(30);
  model.answers(`${long}One.`).answers(`${long}Two.`).answers(`${long}Three.`).answers(`${long}Four.`).answers(`${long}Five.`);
  const page = await person.open();
  for (const [text, answer] of [["First", "One."], ["Second", "Two."], ["Third", "Three."]]) await ask(page, text, answer);
  const second = turn(page, "Two.");
  await button(second, "Retry").click();
  await page.getByText("Four.", { exact: true }).waitFor();
  await ended(page);
  await ask(page, "Another third", "Five.");
  const top = (article) => article.evaluate((article) => article.getBoundingClientRect().top);
  const four = turn(page, "Four.");
  // Scrolling is noticed in the next frame.
  await button(four, "Previous version").evaluate(async (button) => {
    button.scrollIntoView({ block: "center" });
    for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
  });
  const before = await top(four);
  await button(four, "Previous version").click();
  await isVersion(page, "Two.", "1 of 2");
  await page.waitForFunction(() => document.activeElement?.ariaLabel === "Next version");
  const moved = (await top(turn(page, "Two."))) - before;
  assert.ok(Math.abs(moved) < 2, `the turn moved by ${moved} pixels`);
  await page.getByText("Three.", { exact: true }).waitFor();
});

scene("versions, edits and refusals are accessible in both themes and sizes", {}, async ({ model, person }) => {
  model.answers("The capital of Portugal is **Lisbon**.").answers("It is Lisbon, on the Tagus.");
  const page = await person.open();
  await say(page, "What is the capital of Portugal?");
  await ended(page);
  await button(turn(page, "Portugal"), "Retry").click();
  await page.getByText("on the Tagus").waitFor();
  await ended(page);
  for (const { colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await isVersion(page, "Tagus", "2 of 2");
    await accessible(page, `versions, ${colorScheme}, ${viewport.width}`);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/v-${colorScheme}-${viewport.width}.png` });
    await button(turn(page, "Tagus"), "Edit").click();
    await accessible(page, `an edit, ${colorScheme}, ${viewport.width}`);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/e-${colorScheme}-${viewport.width}.png` });
    await button(turn(page, "Tagus"), "Cancel").click();
  }
});
