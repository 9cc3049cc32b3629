// What the user should know about a turn: notices at its end, in the language of the page.

import assert from "node:assert/strict";
import { after } from "node:test";
import { accessible, close, ended, Person, say } from "./browser.mjs";
import { Proxy } from "./proxy.mjs";
import { scene } from "./scene.mjs";

after(close);

/** A source of tools that does not start. */
const GONE = `[[agents]]\nname = "assistant"\ntools = ["gone__*"]\n[[mcp]]\nname = "gone"\ncommand = ["false"]\n`;

const notes = (page) => page.getByRole("article").first().getByRole("note");

for (const [locale, beginning] of [["en-GB", "Tools were missing. ("], ["de-DE", "Es fehlten Werkzeuge. ("]]) {
  scene(`a notice is at the end of its turn, live and later: ${locale}`, {
    configuration: GONE,
    person: { locale },
  }, async ({ model, person }) => {
    model.answers("Without tools.");
    const page = await person.open();
    await page.locator("#message").fill("Look");
    await page.keyboard.press("Enter");
    await page.getByText("Without tools.").waitFor();
    await page.locator(".turn-footer .buttons").waitFor();
    const check = async () => {
      await notes(page).filter({ hasText: beginning }).waitFor();
      const order = await page.locator("article > .markdown, article > [role=note]").evaluateAll((all) => all.map(({ className }) => className));
      assert.deepEqual(order, ["markdown", "remark"]);
    };
    await check();
    await page.reload();
    await check();
    await accessible(page, "a notice");
  });
}

/** Gives the first turn of a session these notices and errors. */
function withRemarks(frame, remarks) {
  const [event, line] = frame.split("\ndata: ");
  if (event !== "event: resync") return frame;
  const data = JSON.parse(line);
  data.turns.data[0].remarks = remarks.map((remark) => ({ ...remark, since: 0 }));
  return `${event}\ndata: ${JSON.stringify(data)}`;
}

scene("a notice of a code that the page does not know has the words of the server", {}, async ({ model, server, person }) => {
  model.answers("Well.");
  const page = await person.open();
  await say(page, "Go");
  await page.getByText("Well.").waitFor();
  await ended(page);
  const proxy = await Proxy.before(server);
  const remarks = [
    { code: "redone", text: "the answer broke off" },
    { code: "constructor", text: "a code like any other" },
    { code: "context_failed", text: "clock\u202e failed" },
    { code: "provider_overloaded", text: "no provider answers", error: true },
  ];
  proxy.change = (frame) => withRemarks(frame, remarks);
  const reader = await Person.at(`${proxy.url}/`, { locale: "de-DE" });
  const shown = await reader.open(new URL(page.url()).hash);
  await notes(shown).nth(3).waitFor();
  assert.deepEqual(await notes(shown).allTextContents(), [
    "Eine abgebrochene Antwort wurde neu geschrieben.",
    "a code like any other",
    "Eine Quelle von Anweisungen ist ausgefallen. Die Antwort kommt ohne sie aus. (clock⟨U+202E⟩ failed)",
    "no provider answers",
  ]);
  assert.equal(await shown.locator(".remark.error").count(), 1);
  await reader.leave();
  proxy.stop();
});
