// Who is offered the screens about the server, and what the others are told.

import assert from "node:assert/strict";
import { after } from "node:test";
import { accessible, close, until } from "./browser.mjs";
import { scene } from "./scene.mjs";

after(close);

const KEYS = '[auth]\nmode = "api_key"\n';

/** The browser reports each refused request. */
const REFUSED = { allowed: /status of (401|403)/ };

/** Waits until the rail links to these screens alone. */
function links(page, expected) {
  const shown = () => page.locator(".operator-links a").allTextContents();
  return until(shown, (names) => names.join() === expected.join());
}

scene("without keys the page links to what every caller may use, and says how to become the operator", { offline: true, person: REFUSED }, async ({ person }) => {
  const page = await person.open("#/recordings");
  await links(page, ["Turns", "Usage", "Providers", "Tools", "Keys"]);
  const refusal = page.locator(".problem").filter({ hasText: "This server requires no keys" });
  await page.getByText("Recordings are shown to the operator").waitFor();
  await refusal.waitFor();
  await accessible(page, "no recordings");
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole("link", { name: "Tools" }).click();
  await page.getByRole("table", { name: "Tools" }).waitFor();
  await refusal.getByRole("link", { name: "Keys" }).waitFor();
  assert.ok(!asked.includes("/api/v1/mcp"), "what would be refused is not asked for");
  const frozen = { code: "auth_failed", message: "a bad key", since: new Date().toISOString(), failures: 1 };
  await page.route("**/api/v1/providers?*", (route) => route.fulfill({ json: { data: [{ id: "one", models: ["m"], state: "frozen", frozen }], next: null } }));
  await page.getByRole("link", { name: "Providers" }).click();
  await page.getByText("a bad key").waitFor();
  assert.equal(await page.getByRole("button", { name: "Thaw" }).count(), 0, "thawing would be refused");
  await page.getByRole("link", { name: "Tools" }).click();
  await refusal.getByRole("link", { name: "Keys" }).click();
  await page.getByText("To require keys, add these lines").waitFor();
});

scene("a key without the scope admin is told which key may see what is for operators", { offline: true, configuration: KEYS, person: REFUSED }, async ({ server, person }) => {
  const page = await person.open("#/recordings");
  await page.getByLabel("API key").fill(await server.command("keys", "create", "page"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await links(page, ["Turns", "Usage"]);
  await page.getByText("Recordings are shown to the operator").waitFor();
  await page.getByText("--scope chat --scope read --scope decide --scope admin").waitFor();
  await page.locator(".problem").getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
});
