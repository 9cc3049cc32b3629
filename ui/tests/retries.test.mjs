// What fails once while the page loads, and is asked for again.

import assert from "node:assert/strict";
import { after } from "node:test";
import { close, ended, say, until } from "./browser.mjs";
import { BROWSERS, proxied, scene } from "./scene.mjs";
import { gate } from "./server.mjs";
import { imported, turnOf } from "./sessions.mjs";

after(close);

/** The browser reports requests that are refused and cut. */
const FAILING = { allowed: /Failed to load resource|ERR_/ };

const texts = (number) => [`Question ${number}.`, `Answer ${number}.`];

for (const { browser, prepare } of BROWSERS) {
  const name = `a page whose worker cannot be loaded at first connects as soon as it can: ${browser}`;
  proxied(name, { prepare, person: FAILING }, async ({ model, proxy, person }) => {
    model.answers("It works.");
    proxy.refuses = /worker\.js/;
    const page = await person.open();
    await page.getByRole("status").filter({ hasText: "The connection to the server is lost." }).waitFor();
    proxy.refuses = undefined;
    await say(page, "Hello");
    await page.getByText("It works.").waitFor();
    await ended(page);
    await until(() => proxy.open === 1);
  });
}

scene("the first turns of a session are asked for again, when their request is refused", { person: FAILING }, async ({ server, person }) => {
  const session = await imported(server, 300, { text: texts });
  let refused = 0;
  const page = await person.open(`#/s/${session}/t/${await turnOf(server, session, 20)}`, async (page) => {
    await page.route("**/turns?around=*", (route) => {
      refused += 1;
      return refused > 1 ? route.continue() : route.fulfill({ status: 503, json: { error: { message: "later" } } });
    });
  });
  await page.getByText("Question 20.", { exact: true }).waitFor();
  assert.ok(refused > 1);
});

scene("a long answer that runs stays whole when other turns are looked at meanwhile", {}, async ({ model, server, person }) => {
  const session = await imported(server, 300, { text: texts });
  const first = await turnOf(server, session, 1);
  const middle = gate();
  const words = "Some words of it. ".repeat(100);
  model.answers(...Array.from({ length: 60 }, () => words), "The middle. ", middle.opened, "The end.");
  const page = await person.open(`#/s/${session}`);
  await say(page, "Write a lot");
  await page.getByRole("log").filter({ hasText: "The middle." }).waitFor();
  await page.goto(`${person.url}#/s/${session}/t/${first}`);
  await page.getByText("Question 1.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Jump to the latest" }).click();
  await page.getByRole("log").filter({ hasText: "The middle." }).waitFor();
  middle.open();
  await ended(page);
  const shown = await page.getByRole("log").locator(".markdown").last().textContent();
  assert.equal(shown, `${words.repeat(60)}The middle. The end.`);
});

scene("lists that arrive out of order show what was asked for last", {}, async ({ person }) => {
  const page = await person.open("#/needs");
  await page.getByText("No decisions are waiting.").waitFor();
  const held = gate();
  let asked = 0;
  await page.route("**/interactions*", async (route) => {
    asked += 1;
    const response = await route.fetch();
    if (asked > 1) return route.fulfill({ response });
    await held.opened;
    await route.fulfill({ json: { data: [waitingCall()], next: null } });
  });
  const again = async (count) => {
    await page.evaluate(() => (location.hash = "#/settings"));
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.evaluate(() => (location.hash = "#/needs"));
    await until(() => asked >= count);
  };
  await again(1);
  const answered = page.waitForResponse((response) => response.url().includes("/interactions"));
  await again(2);
  await answered;
  held.open();
  await page.waitForResponse((response) => response.url().includes("/interactions"));
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  assert.equal(await page.getByText("No decisions are waiting.").count(), 1);
});

/** A decision that the server would list, if it had one. */
function waitingCall() {
  const turn = "019f0000-0000-7000-8000-000000000001";
  return { id: `${turn}.1.0.0`, kind: "approval", session_id: turn, turn_id: turn, name: "calculator", arguments: "{}", reason: "the tool is gone", created_at: "2026-01-01T12:00:00.000Z", decided: null };
}
