// How a text in markdown is drawn while it grows: in the end as if it had been there at once.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { close, launch } from "./browser.mjs";

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), "..", "src", "markdown", "stream.ts");

after(close);

/** Texts in the order in which they are drawn, and whether each has ended. */
const GROWTHS = {
  "word by word": [["One", false], ["One two", false], ["One two.", true]],
  "by whole blocks": [["One.\n\nTwo", false], ["One.\n\nTwo.\n\n- three\n- four", true]],
  "withdrawn, and written with other words": [["One two", false], ["Another", true]],
  "broken off, and written again with the same first words": [["The beginning ", true], ["The beginning and the end.", false], ["The beginning and the end.", true]],
  "cut, and shown whole": [["One.\n\nTwo is c", true], ["One.\n\nTwo is cut.\n\nThree.", true]],
  "with an address that is defined at its end": [["See [one].\n\nMore.", false], ["See [one].\n\nMore.\n\n[one]: https://one.example", true]],
};

/** Returns what is drawn after the last of the texts. */
function drawnOf(texts) {
  const root = document.createElement("div");
  const stream = new page.MarkdownStream(root);
  for (const [text, ended] of texts) stream.update(text, ended);
  return root.innerHTML;
}

test("a text is drawn the same however it grew", async () => {
  const options = { bundle: true, format: "iife", globalName: "page", write: false, logLevel: "silent", loader: { ".css": "text" } };
  const { outputFiles } = await build({ ...options, entryPoints: [SOURCE] });
  const page = await (await launch()).newPage();
  await page.addScriptTag({ content: outputFiles[0].text });
  for (const [name, texts] of Object.entries(GROWTHS)) {
    const atOnce = await page.evaluate(drawnOf, texts.slice(-1));
    assert.equal(await page.evaluate(drawnOf, texts), atOnce, name);
    assert.match(atOnce, /^<p/, name);
  }
  await page.close();
});
