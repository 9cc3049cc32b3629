// The reasons why calls wait, which the server writes in English and the page shows in the language of its user.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { close } from "./browser.mjs";
import { scene } from "./scene.mjs";

after(close);

/** Returns a source of the engine, without the ends of lines within its texts. */
async function engine(path) {
  const source = await readFile(new URL(`../../crates/engine/src/${path}`, import.meta.url), "utf8");
  return source.replace(/\\\n\s*/g, "");
}

async function table() {
  const entryPoints = [fileURLToPath(new URL("../src/cards/strings/reasons.ts", import.meta.url))];
  const { outputFiles } = await build({ bundle: true, format: "esm", write: false, entryPoints });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

test("each reason that the server writes is in the German table, and no other", async () => {
  const { REASONS, WITH_ARGUMENTS, reasonInGerman } = await table();
  const judgement = await engine("permission/judgement.rs");
  const [, display] = judgement.split("impl fmt::Display for Reason {");
  const reasons = [...display.matchAll(/Self::\w+ => (?:\{\s*)?"([^"]+)"/g)].map(([, sentence]) => sentence);
  const variants = judgement.match(/pub enum Reason \{(.*?)\n\}/s)[1].match(/^ {4}\w+(?:\(\w+\))?,$/gm);
  assert.equal(reasons.length, variants.length - 1, "all but the rules have a fixed sentence");

  const waits = await engine("driver/waits.rs");
  const constant = (name) => waits.match(new RegExp(`const ${name}: &str = "([^"]+)"`))[1];
  const gone = (await engine("tools/toolbox/judging.rs")).match(/Self \{ reason: "([^"]+)"/)[1];
  const all = [...reasons, constant("OUTCOME_QUESTION"), constant("CLIENT_RUNS"), gone];
  assert.deepEqual(Object.keys(REASONS).toSorted(), all.toSorted());

  assert.match(judgement, /Decision::Ask => "asks for approval"/);
  assert.match(judgement, /"rule \{\} of the configuration \{decides\}"/);
  assert.equal(reasonInGerman("rule 12 of the configuration asks for approval"), "Regel 12 der Konfiguration verlangt eine Erlaubnis.");
  assert.ok(waits.includes(`{OUTCOME_QUESTION}${WITH_ARGUMENTS}{changed}`));
  const changed = reasonInGerman(`${constant("OUTCOME_QUESTION")}${WITH_ARGUMENTS}{"a":1}`);
  assert.equal(changed, `${REASONS[constant("OUTCOME_QUESTION")]} Der Aufruf lief mit den Argumenten {"a":1}`);
  assert.equal(reasonInGerman("something else"), "something else");
});

const ASKING = `[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n`;

for (const [locale, reason] of [
  ["en-GB", "rule 1 of the configuration asks for approval"],
  ["de-DE", "Regel 1 der Konfiguration verlangt eine Erlaubnis."],
]) {
  scene(`a person reads why a call waits in the language of the page: ${locale}`, { configuration: ASKING, person: { locale } }, async ({ model, person }) => {
    model.answers({ name: "calculator", arguments: { expression: "1" } });
    const page = await person.open();
    await page.locator("#message").fill("Add");
    await page.keyboard.press("Enter");
    await page.locator(".approval").getByText(reason, { exact: true }).waitFor();
  });
}
