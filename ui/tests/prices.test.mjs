// Costs of calls whose model has no known price.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after } from "node:test";
import { accessible, close } from "./browser.mjs";
import { scene } from "./scene.mjs";

after(close);

const TODAY = new Date().toISOString().slice(0, 10);

/** Models with a price, with one for a part of their calls, with none, and one that costs nothing. */
const COSTS = { priced: [2e9, 0], partly: [1e9, 1], unpriced: [0, 2], free: [0, 0] };

const SHOWN = { priced: "$2.00", partly: "≥ $1.00", unpriced: "–", free: "$0.00" };

function report() {
  const row = (model, [nano_usd, unpriced_calls]) => ({
    day: TODAY, model, calls: 2, cost: { nano_usd, unpriced_calls },
    usage: { fresh: 10, cache_read: 0, cache_write: 0, output: 0, reasoning: 0 },
  });
  return { from: TODAY, to: TODAY, data: Object.entries(COSTS).map(([model, cost]) => row(model, cost)), total: row("", [3e9, 3]) };
}

/** Returns a text without the space that parts no line. */
const plain = (text) => text.replaceAll("\u00a0", " ");

scene("a cost that is unknown is not zero, neither on the screen nor as CSV", { offline: true }, async ({ person }) => {
  const page = await person.open("", (page) => page.route("**/api/v1/usage?from*", (route) => route.fulfill({ json: report() })));
  await page.evaluate(() => {
    location.hash = "#/usage?days=7&by=model&show=cost";
  });
  const table = page.getByRole("table", { name: "Totals by model" });
  await table.waitFor();
  await page.getByText("“–” stands for a cost that is unknown").waitFor();
  await page.getByText("3 calls are not part of the cost").waitFor();
  for (const [model, cost] of Object.entries(SHOWN)) {
    const row = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: model, exact: true }) });
    assert.equal(plain(await row.locator('[data-label="Cost"]').textContent()), cost, model);
  }
  assert.equal(plain(await page.locator(".facts dd").last().textContent()), "≥ $3.00");
  const chart = page.getByRole("slider", { name: "Consumption by day" });
  const described = plain(await chart.getAttribute("aria-valuetext"));
  assert.match(described, /: ≥ \$3\.00; priced \$2\.00; partly ≥ \$1\.00; unpriced –$/);
  await page.locator("summary").filter({ hasText: "Day by day" }).click();
  const day = page.getByRole("table", { name: "Day by day" }).getByRole("row").last();
  assert.match(plain(await day.textContent()), /≥ \$3\.00\$2\.00≥ \$1\.00\$0\.00–$/);
  await accessible(page, "costs that are unknown");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download CSV" }).click()]);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n").slice(1);
  assert.deepEqual(lines, [
    `${TODAY},priced,2,10,0,0,0,0,2,0`,
    `${TODAY},partly,2,10,0,0,0,0,1,1`,
    `${TODAY},unpriced,2,10,0,0,0,0,,2`,
    `${TODAY},free,2,10,0,0,0,0,0,0`,
  ]);
});
