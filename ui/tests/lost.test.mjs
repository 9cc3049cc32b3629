// What every screen says while the server is away.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { accessible, close, Person, until } from "./browser.mjs";
import { Proxy } from "./proxy.mjs";
import { Server } from "./server.mjs";

after(close);

/** The browser reports requests that are cut. */
const LOST = { allowed: /net::ERR_|Failed to load resource/ };

test("after three attempts to connect, every screen says that the server is away, until it is back", async () => {
  const server = await Server.start();
  const proxy = await Proxy.before(server);
  const person = await Person.at(`${proxy.url}/`, LOST);
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
