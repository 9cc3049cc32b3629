// Texts of a size or a depth that no person writes: the page stays alive while they arrive, and shows all of them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, Person, say } from "./browser.mjs";
import { gate, Model, Server } from "./server.mjs";
import { busy } from "./trace.mjs";

/**
 * The longest that one task of the page may take, in milliseconds of the processor. Work that grows with the square of a
 * text takes many seconds. A task takes up to 260 ms on an idle machine, and several times that on one that is shared.
 */
const LONGEST_MS = 1_000;

/** The texts arrive in pieces of this many characters. */
const PIECE = 8 * 1024;

const repeated = (text, length) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const lines = (count, line) => Array.from({ length: count }, (_, number) => line(number)).join("\n");

const TEXTS = {
  "2,000 quotes": ">".repeat(2_000),
  "1,000 nested lists": lines(1_000, (depth) => `${"  ".repeat(depth)}- x`),
  "50,000 brackets": "[".repeat(50_000),
  "a table of 400 columns": `${"|a".repeat(400)}|\n${"|-".repeat(400)}|\n${`${"|b".repeat(400)}|\n`.repeat(50)}`,
  "5,000 footnotes": lines(5_000, (number) => `[^${number}]: note ${number}\n`),
  "20,000 paragraphs": "a\n\n".repeat(20_000),
  "20,000 entries": lines(20_000, (number) => `- ${number}`),
  "a fence of 1 MB that stays open": `\`\`\`js\n${repeated("let a = 1;\n\n", 1_000_000)}`,
  "a paragraph of 2 MB": repeated("word after word, ", 2_000_000),
  "a word of 1 MB": "x".repeat(1_000_000),
};

let model;
let server;
let person;

before(async () => {
  model = await new Model().start();
  server = await Server.start({ model });
  person = await Person.at(`${server.url}/`);
});
after(async () => {
  await person.leave();
  await close();
  await server?.stop();
  model?.stop();
});

/** Waits for the end of a turn that may take long. */
const over = (page) => page.getByRole("status").filter({ hasText: /^(Complete|Failed)/ }).waitFor({ timeout: 60_000 });

function assertShort({ longest, parts }, what) {
  if (process.env.TURNKIT_SHOW_TIMES) console.log(what, Math.round(longest), "ms");
  assert.ok(longest < LONGEST_MS, `${what}: a task took ${Math.round(longest)} ms: ${parts.join(", ")}`);
}

test("the trace notices a page that is busy with layout, and one that is busy with code", async () => {
  const page = await person.open();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  const layout = await busy(page, () =>
    page.evaluate(() => {
      const word = document.createElement("p");
      word.className = "plain";
      word.textContent = "word after word, ".repeat(400_000);
      document.body.append(word);
    }),
  );
  assert.throws(() => assertShort(layout, "layout"), /Layout/);
  const code = await busy(page, () =>
    page.evaluate(() => {
      for (let round = 0; round < 4_000_000_000; round += 1);
    }),
  );
  assert.throws(() => assertShort(code, "code"), /took/);
  await page.close();
});

/** How many letters and digits a text has: marks and white space may become elements. */
const letters = (text) => text.match(/[a-z0-9]/gi)?.length ?? 0;

for (const [what, text] of Object.entries(TEXTS)) {
  test(`${what}: the page stays alive, and shows all of it`, async () => {
    const last = gate();
    model.answers(...text.match(new RegExp(`[^]{1,${PIECE}}`, "g")), last.opened, "\n\nThe end.");
    const page = await person.open();
    const field = page.getByRole("textbox", { name: "Message" });
    const live = await busy(page, async () => {
      await say(page, "Write");
      await page.getByRole("button", { name: "Stop" }).waitFor();
      // The composer takes keys meanwhile.
      await field.pressSequentially("alive");
      last.open();
      await over(page);
    });
    assertShort(live, `${what}, live`);
    assert.equal(await field.inputValue(), "alive");
    await field.fill("");
    const again = await busy(page, async () => {
      await page.reload();
      await over(page);
    });
    assertShort(again, `${what}, after a reload`);
    const shown = letters(await page.locator(".markdown").evaluate((markdown) => markdown.textContent));
    // The server returns all of the last turn, also after a reload.
    const expected = `${text}The end.`;
    // The language of code may be missing.
    assert.ok(Math.abs(shown - letters(expected)) <= 2, `${shown} letters are shown of ${letters(expected)}`);
    await page.close();
  });
}

test("a long text that is selected is copied as it was written", async () => {
  const text = lines(2_000, (number) => `${">".repeat(40)} line ${number}`);
  model.answers(text);
  const page = await person.open();
  await say(page, "Write");
  await over(page);
  assert.ok((await page.locator(".pieces > *").count()) > 10);
  const copied = await page.evaluate(() => {
    getSelection().selectAllChildren(document.querySelector(".pieces"));
    return getSelection().toString();
  });
  assert.equal(copied.trimEnd(), text);
  await page.close();
});
