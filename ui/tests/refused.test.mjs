// What the page says when the server refuses it, and the way out.

import assert from "node:assert/strict";
import { after } from "node:test";
import { accessible, close } from "./browser.mjs";
import { scene } from "./scene.mjs";
import { Server } from "./server.mjs";

after(close);

const KEYS = '[auth]\nmode = "api_key"\n';

/** The browser reports each refused request. */
const REFUSED = { allowed: /status of (401|403|429)/ };

const field = (page) => page.getByLabel("API key");

async function enter(page, key) {
  await field(page).fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
}

scene("a key without the scope read is told apart from a server that is down", { offline: true, configuration: KEYS, person: REFUSED }, async ({ server, person }) => {
  const page = await person.open();
  const lacks = page.getByRole("alert").filter({ hasText: "It lacks the scope “read”" });
  for (const scope of ["admin", "chat", "metrics"]) {
    await enter(page, await server.command("keys", "create", scope, "--scope", scope));
    await lacks.waitFor();
    await accessible(page, scope);
    await enter(page, "wrong");
    await page.getByText("The server does not accept it.").waitFor();
  }
  await enter(page, await server.command("keys", "create", "reader", "--scope", "read"));
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.reload();
  await field(page).waitFor();
  assert.equal(await page.getByRole("alert").count(), 0, "who has entered nothing is not refused");
});

scene("the first key that the page advises opens all of it", { offline: true }, async ({ person }) => {
  const page = await person.open("#/keys");
  const advice = page.locator("pre", { hasText: "turnkit keys create" });
  const [, ...words] = (await advice.textContent()).split(" ");
  const server = await Server.start({ configuration: KEYS });
  try {
    const headers = { authorization: `Bearer ${await server.command(...words)}` };
    const response = await fetch(`${server.url}/api/v1/me`, { headers });
    const me = await response.json();
    assert.deepEqual(me.scopes, ["chat", "read", "decide", "admin"]);
    assert.equal(me.operator, true);
  } finally {
    await server.stop();
  }
});

scene("a server that answers with an error is not called unreachable, and another key can be entered", { offline: true, configuration: KEYS, person: REFUSED }, async ({ server, person }) => {
  const key = await server.command("keys", "create", "page");
  const page = await person.open();
  await field(page).waitFor();
  // Real pauses of the server are over sooner than a slow test has looked.
  const error = { code: "rate_limited", message: "too many requests were refused" };
  await page.route("**/api/v1/sessions?*", (route) => route.fulfill({ status: 429, headers: { "retry-after": "60" }, json: { error } }));
  await enter(page, key);
  await page.getByRole("alert").filter({ hasText: "That did not work: too many requests were refused" }).waitFor();
  assert.equal(await page.getByText("The server cannot be reached.").count(), 0);
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await accessible(page, "an error of the server");
  await page.unroute("**/api/v1/sessions?*");
  await page.getByRole("button", { name: "Sign in" }).click();
  await enter(page, key);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
});
