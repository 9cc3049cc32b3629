// How the page is reached: with a key, and through a proxy.

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { after, test } from "node:test";
import { close, ended, Person, say } from "./browser.mjs";
import { Proxy } from "./proxy.mjs";
import { Server } from "./server.mjs";

after(close);

const field = (page) => page.getByRole("textbox", { name: "Message" });

/** The browser reports each refused request. */
const REFUSED = /status of 401/;

test("the page asks for a key, and keeps it for the tab, or for longer if the person wants that", async () => {
  const server = await Server.start({ configuration: '[auth]\nmode = "api_key"\n' });
  try {
    const key = await server.command("keys", "create", "page");
    const person = await Person.at(`${server.url}/`, { allowed: REFUSED });
    const page = await person.open();
    const enter = async (text, stay) => {
      await page.getByLabel("API key").fill(text);
      if (stay) await page.getByLabel("Stay signed in on this device").check();
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await enter("wrong");
    await page.getByText("The server does not accept it.").waitFor();
    await enter(key);
    await say(page, "What is 1 + 1?");
    await ended(page);
    const stored = () => page.evaluate(() => JSON.stringify(localStorage));
    await page.reload();
    await page.getByText("1 + 1 is 2.").waitFor();
    assert.ok(!(await stored()).includes(key), "the key is kept for the tab alone");
    const second = await person.open();
    await second.getByLabel("API key").waitFor();
    await second.close();
    await page.goto(`${person.url}#/settings`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await enter(key, true);
    await field(page).waitFor();
    assert.ok((await stored()).includes(key));
    const other = await person.open();
    await field(other).waitFor();
    await page.goto(`${person.url}#/settings`);
    await page.getByRole("button", { name: "Sign out" }).click();
    for (const tab of [page, other]) await tab.getByLabel("API key").waitFor();
    assert.equal(await stored(), "{}");
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
    await person.leave();
  } finally {
    await server.stop();
  }
});

test("the page works behind a proxy at which people sign in, which knows them by a cookie", async () => {
  const server = await Server.start();
  const proxy = await Proxy.before(server);
  proxy.cookie = "signed-in=ada";
  try {
    const person = await Person.at(`${proxy.url}/`);
    const page = await person.open();
    await say(page, "What is 1 + 1?");
    await page.getByText("1 + 1 is 2.").waitFor();
    await ended(page);
    assert.equal(proxy.feeds.length > 0, true, "the worker sends the cookie, too");
    await person.leave();
  } finally {
    proxy.stop();
    await server.stop();
  }
});

test("what the page asks for first is asked for once, also by people who stay signed in", async () => {
  const server = await Server.start({ configuration: '[auth]\nmode = "api_key"\n' });
  try {
    const key = await server.command("keys", "create", "page");
    const person = await Person.at(`${server.url}/`, { allowed: REFUSED });
    let asked = 0;
    const page = await person.open("", (page) => {
      page.on("request", (request) => {
        asked += Number(request.url().endsWith("/page.json"));
      });
    });
    await page.getByLabel("API key").fill(key);
    assert.equal(asked, 1);
    await page.getByLabel("Stay signed in on this device").check();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    asked = 0;
    await page.reload();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    assert.equal(asked, 1);
    await person.leave();
  } finally {
    await server.stop();
  }
});

test("who is not signed in is asked for what the server takes", async () => {
  const server = await Server.start({ configuration: '[auth]\nmode = "api_key"\n' });
  try {
    const person = await Person.at(`${server.url}/`, { allowed: REFUSED });
    for (const [auth, label] of [["api_key_or_jwt", "API key or access token"], ["jwt", "Access token"], ["api_key", "API key"]]) {
      const page = await person.open("", (page) =>
        page.route("**/page.json", async (route) => route.fulfill({ json: { ...(await (await route.fetch()).json()), auth } })),
      );
      await page.getByLabel(label, { exact: true }).waitFor();
      await page.close();
    }
    await person.leave();
  } finally {
    await server.stop();
  }
});

test("a page whose server is down says so, and opens when the server is back", async () => {
  const server = await Server.start();
  try {
    const person = await Person.at(`${server.url}/`, { allowed: /ERR_CONNECTION_(REFUSED|RESET)|Failed to load resource/ });
    const page = await person.open();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    // The page itself is there; what it asks for first is not.
    await page.route("**/page.json", (route) => route.abort());
    await page.reload();
    await page.getByText("The server cannot be reached.").waitFor();
    await page.unroute("**/page.json");
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    await person.leave();
  } finally {
    await server.stop();
  }
});

test("a tab of an older page offers to reload after the server was updated", async () => {
  const server = await Server.start();
  try {
    const person = await Person.at(`${server.url}/`, { allowed: /ERR_|Failed to load resource/ });
    const page = await person.open();
    await say(page, "Say hello");
    await ended(page);
    await server.kill();
    await page.route("**/page.json", (route) => route.fulfill({ json: { auth: "none", build: "newer" } }));
    await server.run();
    await page.getByRole("alert").getByText("A newer version of this page is available.").waitFor();
    await page.unroute("**/page.json");
    // The page that is left has an answer, too.
    const reloaded = page.waitForEvent("load");
    await page.getByRole("button", { name: "Reload" }).click();
    await reloaded;
    await ended(page);
    assert.equal(await page.getByRole("alert").count(), 0);
    await person.leave();
  } finally {
    await server.stop();
  }
});

test("a proxy may offer the page under any path", async () => {
  const server = await Server.start();
  const prefix = "/some/path";
  const proxy = http.createServer((request, response) => {
    if (!request.url.startsWith(`${prefix}/`)) return response.writeHead(404).end();
    const target = new URL(request.url.slice(prefix.length), server.url);
    const forwarded = http.request(target, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    request.pipe(forwarded);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  try {
    const person = await Person.at(`http://127.0.0.1:${proxy.address().port}${prefix}/`);
    const page = await person.open();
    await say(page, "What is 2 + 3?");
    await page.getByText("2 + 3 is 5.").waitFor();
    await page.reload();
    await page.getByText("2 + 3 is 5.").waitFor();
    await person.leave();
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await server.stop();
  }
});
