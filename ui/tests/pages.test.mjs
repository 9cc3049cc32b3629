// Lists of which the server returns one page after the other.

import assert from "node:assert/strict";
import { after } from "node:test";
import { close, until } from "./browser.mjs";
import { read, scene } from "./scene.mjs";

after(close);

const ASKING = '[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n';

/** Has each list come in pages of one, since more than 200 of anything would take long. */
function onePerPage(page) {
  return page.route(/limit=200/, (route) => route.continue({ url: route.request().url().replace("limit=200", "limit=1") }));
}

async function waitingTurn(server, expression) {
  const body = JSON.stringify({ message: `What is ${expression}?`, interact: true });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${server.url}/api/v1/turns`, { method: "POST", headers, body });
  const { turn_id } = await response.json();
  await until(() => read(server, `turns/${turn_id}`), ({ state }) => state === "waiting");
}

scene("decisions and tools beyond the first page are shown, and a session that waits is not called running", { offline: true, configuration: ASKING }, async ({ server, person }) => {
  for (const expression of ["1 + 1", "2 + 2", "3 + 3"]) await waitingTurn(server, expression);
  const page = await person.open("#/needs", onePerPage);
  const rail = page.getByRole("navigation");
  await rail.getByLabel("3 decisions").waitFor();
  await rail.locator("li .badge", { hasText: "Needs you" }).nth(2).waitFor();
  await page.locator(".operator-links").waitFor();
  assert.equal(await rail.locator(".badge.running").count(), 0);
  const { data } = await read(server, "tools");
  assert.ok(data.length > 1);
  await page.getByRole("link", { name: "Tools" }).click();
  const rows = page.getByRole("table", { name: "Tools" }).getByRole("row");
  await until(() => rows.count(), (count) => count === data.length + 1);
});

scene("all sessions with a running turn are marked", {}, async ({ model, server, person }) => {
  let isOver = false;
  const endless = function* () {
    yield "It begins";
    while (!isOver) {
      yield new Promise((resolve) => setTimeout(resolve, 1_000).unref());
      yield " ";
    }
  };
  for (const message of ["one", "two", "three"]) {
    model.answersWith(endless());
    const headers = { "content-type": "application/json" };
    await fetch(`${server.url}/api/v1/turns`, { method: "POST", headers, body: JSON.stringify({ message }) });
  }
  await until(() => read(server, "turns?state=running"), ({ data }) => data.length === 3);
  const page = await person.open("", onePerPage);
  await page.locator(".rail .badge.running").nth(2).waitFor();
  isOver = true;
});
