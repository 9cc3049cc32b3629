// What breaks in the middle of an answer, what is typed with an input method, and what thumbs can hit.

import assert from "node:assert/strict";
import { after } from "node:test";
import { accessible, close, drawn, ended, say } from "./browser.mjs";
import { requestedTurns, scene } from "./scene.mjs";

after(close);

const field = (page) => page.getByRole("textbox", { name: "Message" });

const BREAKS = [
  { what: "that ends without saying so", says: /stream ended before the answer was complete/, piece: { breaks: true } },
  { what: "that the provider limits in the middle", says: /limits the rate of requests/, piece: { error: { message: "Rate limit reached", type: "tokens", code: "rate_limit_exceeded" } } },
];

for (const { what, says, piece } of BREAKS) {
  scene(`an answer ${what} keeps its text, says so, and can be asked for again`, {}, async ({ model, person }) => {
    model.answers("The beginning ", piece).answers("The beginning and the end.");
    const page = await person.open();
    await say(page, "Go");
    await page.getByText("The beginning").waitFor();
    await field(page).fill("a draft");
    await page.getByRole("status").filter({ hasText: /^Failed/ }).waitFor();
    const article = page.getByRole("article");
    assert.equal(await page.getByText("The beginning").count(), 1);
    assert.match(await article.locator(".remark.error").innerText(), says);
    assert.equal(await field(page).inputValue(), "a draft");
    await accessible(page, "an answer that broke off");
    const live = await drawn(page);
    await page.reload();
    await page.getByText("The beginning").waitFor();
    await ended(page);
    assert.equal(await drawn(page), live);
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("The beginning and the end.", { exact: true }).waitFor();
    assert.equal(await field(page).inputValue(), "a draft");
  });
}

scene("Enter that ends a composition sends nothing, and the next one sends", {}, async ({ model, person }) => {
  model.answers("はい。");
  const page = await person.open();
  const turns = requestedTurns(page);
  await field(page).focus();
  const session = await page.context().newCDPSession(page);
  await session.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  // What browsers report of the Enter with which an input method takes a word.
  const enter = { key: "Process", code: "Enter", windowsVirtualKeyCode: 229 };
  await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
  await field(page).evaluate((field) => {
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }));
  });
  await session.send("Input.insertText", { text: "日本" });
  await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...enter });
  assert.equal(await field(page).inputValue(), "日本");
  assert.equal(turns.length, 0);
  await page.keyboard.press("Enter");
  await page.getByText("はい。").waitFor();
  assert.equal(turns.length, 1);
  assert.equal(await field(page).inputValue(), "");
});
