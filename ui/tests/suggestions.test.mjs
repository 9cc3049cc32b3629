// What the page suggests, without a model.

import assert from "node:assert/strict";
import { after } from "node:test";
import { close, until } from "./browser.mjs";
import { read, scene } from "./scene.mjs";

after(close);

for (const locale of ["en-GB", "de-DE"]) {
  scene(`without a model, each suggestion has a tool called: ${locale}`, { offline: true, person: { locale } }, async ({ server, person }) => {
    const page = await person.open();
    const suggestions = page.locator(".welcome-text > .buttons button");
    await page.locator(".offline").waitFor();
    const texts = await suggestions.allTextContents();
    assert.equal(texts.length, 3);
    for (const text of texts) {
      await page.evaluate(() => (location.hash = "#/"));
      await suggestions.filter({ hasText: text }).click();
      await page.locator("#message").press("Enter");
      await page.waitForURL(/#\/s\//);
      const session = page.url().split("/s/")[1];
      const turns = await until(() => read(server, `sessions/${session}/turns`), ({ data }) => data[0]?.state === "completed");
      assert.match(JSON.stringify(turns), /"name":"(calculator|clock)"/, text);
    }
  });
}

scene("a model gets suggestions in the language of the page", { person: { locale: "de-DE" } }, async ({ person }) => {
  const page = await person.open();
  await page.getByRole("button", { name: "Optionen" }).waitFor();
  await page.getByRole("button", { name: "Welcher Tag ist heute?" }).waitFor();
});
