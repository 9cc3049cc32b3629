// Deletions of sessions that follow each other, of which the server refuses one.

import assert from "node:assert/strict";
import { after } from "node:test";
import { accessible, close, hide, until } from "./browser.mjs";
import { read, scene } from "./scene.mjs";

after(close);

scene("a deletion that fails leaves the next one as it is", { offline: true, person: { allowed: /Failed to load resource/ } }, async ({ server, person }) => {
  for (const message of ["Say apple", "Say pear"]) {
    const headers = { "content-type": "application/json" };
    await fetch(`${server.url}/api/v1/turns`, { method: "POST", headers, body: JSON.stringify({ message }) });
  }
  const titles = async () => (await read(server, "sessions")).data.map(({ title }) => title);
  await until(titles, (all) => all.toSorted().join() === "Say apple,Say pear");
  const page = await person.open("#/sessions");
  const entry = (title) => page.getByRole("main").getByRole("link", { name: new RegExp(`^${title}`) });
  const notices = page.locator(".toasts");
  const undo = notices.getByRole("button", { name: "Undo" });
  const failed = notices.getByText("That did not work: later");
  /**
   * Deletes both sessions, and has the server refuse the first deletion while the second one can be taken back. The time
   * for that stands still while the button has the focus.
   */
  const removeBoth = async () => {
    let answer;
    const isAnswered = new Promise((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/v1/sessions/*", async (route) => {
      if (route.request().method() !== "DELETE") return route.fallback();
      await isAnswered;
      await route.fulfill({ status: 503, json: { error: { message: "later" } } });
    }, { times: 1 });
    await page.getByRole("button", { name: "Delete: Say apple" }).click();
    await undo.focus();
    const sent = page.waitForRequest((request) => request.method() === "DELETE");
    await page.getByRole("button", { name: "Delete: Say pear" }).click();
    await undo.focus();
    await sent;
    for (const title of ["Say apple", "Say pear"]) assert.equal(await entry(title).count(), 0, title);
    answer();
    await failed.waitFor();
    await entry("Say apple").waitFor();
    await notices.getByText("“Say pear” was deleted.").waitFor();
    assert.equal(await entry("Say pear").count(), 0);
  };
  await removeBoth();
  await accessible(page, "two notices");
  await undo.click();
  await entry("Say pear").waitFor();
  await failed.waitFor({ state: "detached" });
  await removeBoth();
  await hide(page, true);
  await until(titles, (all) => all.join() === "Say apple");
});

const KEYS = '[auth]\nmode = "api_key"\n';

scene("signing out deletes what is about to be deleted", { configuration: KEYS, offline: true, person: { allowed: /status of 401/ } }, async ({ server, person }) => {
  const key = await server.command("keys", "create", "page");
  const page = await person.open("#/");
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("What is 1 + 1?");
  await page.getByRole("textbox", { name: "Message" }).press("Enter");
  await page.getByText("1 + 1 is 2.").waitFor();
  await page.goto(`${person.url}#/sessions`);
  await page.getByRole("main").getByRole("button", { name: /^Delete: / }).click();
  await page.locator(".toasts").getByText("was deleted.").waitFor();
  await page.goto(`${person.url}#/settings`);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("API key").waitFor();
  const headers = { authorization: `Bearer ${key}` };
  await until(async () => (await (await fetch(`${server.url}/api/v1/sessions`, { headers })).json()).data.length === 0);
});
