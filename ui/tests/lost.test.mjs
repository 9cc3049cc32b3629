// What every screen says while the server is away, and what goes on when it is back.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { accessible, close, ended, Person, say, until } from "./browser.mjs";
import { Proxy } from "./proxy.mjs";
import { LOST, read, scene } from "./scene.mjs";
import { Server } from "./server.mjs";

after(close);

test("after three attempts to connect, every screen says that the server is away, until it is back", async () => {
  const server = await Server.start();
  const proxy = await Proxy.before(server);
  const person = await Person.at(`${proxy.url}/`, { allowed: LOST });
  try {
    const screens = ["#/settings", "#/sessions", "#/needs", "#/usage", "#/"];
    const pages = [];
    for (const screen of screens) pages.push(await person.open(screen));
    const banner = (page) => page.getByRole("status").filter({ hasText: "The connection to the server is lost." });
    for (const page of pages) {
      await page.getByRole("link", { name: "Settings" }).waitFor();
      assert.equal(await banner(page).count(), 0);
    }
    await until(() => proxy.open > 0);
    const before = proxy.feeds.length;
    await server.kill();
    for (const page of pages) await banner(page).waitFor();
    assert.ok(proxy.feeds.length >= before + 2, `${proxy.feeds.length - before} attempts were made`);
    await pages[0].setViewportSize({ width: 390, height: 844 });
    await accessible(pages[0], "a lost connection");
    await server.run();
    for (const page of pages) await banner(page).waitFor({ state: "detached" });
    await person.leave();
  } finally {
    proxy.stop();
    await server.stop();
  }
});

scene("a call that waits when the server is killed waits when it is back, and its turn goes on after the decision", {
  configuration: `[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n`,
  person: { allowed: LOST },
}, async ({ model, server, person }) => {
  model.answers({ name: "calculator", arguments: { expression: "6 * 7" } }).answers("It is 42.");
  const page = await person.open();
  const approval = page.getByRole("group", { name: "May calculator run?" });
  const status = page.getByRole("status");
  await say(page, "What is 6 x 7?");
  await approval.waitFor();
  await server.kill();
  await status.filter({ hasText: "Connection lost" }).waitFor();
  await server.run();
  await status.filter({ hasText: "Waiting for your decision" }).waitFor();
  const { data: waiting } = await read(server, "interactions");
  assert.equal(waiting.length, 1);
  await approval.getByRole("button", { name: "Approve once" }).click();
  await page.getByText("It is 42.").waitFor();
  await ended(page);
  assert.equal(await approval.count(), 0);
  const { data } = await read(server, `sessions/${new URL(page.url()).hash.split("/")[2]}/turns`);
  const calls = data.flatMap(({ tools }) => tools.map(({ ok, content }) => [ok, content]));
  assert.deepEqual(calls, [[true, "42"]], "the call ran once");
});
