// The sessions' screens, the settings, the shortcuts, and what the page says about sessions that are not on the screen.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after } from "node:test";
import { accessible, close, ended, say, until } from "./browser.mjs";
import { LOOKS, read, scene } from "./scene.mjs";
import { gate } from "./server.mjs";

after(close);

const MISSING = { allowed: /status of 404/ };

const field = (page) => page.getByRole("textbox", { name: "Message" });
const main = (page) => page.getByRole("main");
const rail = (page) => page.getByRole("navigation");

/** Begins sessions, and opens the list of them. Their titles are their first messages. */
async function begin(page, ...titles) {
  for (const title of titles) {
    await page.evaluate(() => {
      location.hash = "#/";
    });
    await page.getByRole("heading", { name: "What can I do for you?" }).waitFor();
    await say(page, title);
    await page.getByRole("heading", { name: title }).waitFor();
    await ended(page);
  }
}

async function openList(page) {
  await page.evaluate(() => {
    location.hash = "#/sessions";
  });
  await main(page).getByRole("heading", { name: "Sessions" }).waitFor();
}

async function titles(server) {
  const { data } = await read(server, "sessions");
  return data.map(({ title }) => title).sort();
}

/** Hides or shows the tab for its own scripts, as another tab in front of it does. */
function hide(page, hidden) {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

scene(
  "a deletion can be taken back, and another deletion makes it final",
  { offline: true },
  async ({ server, person }) => {
    const page = await person.open();
    await begin(page, "Say apple", "Say pear", "Say plum");
    await openList(page);
    await page.getByRole("button", { name: "Delete: Say apple" }).click();
    const toast = page.getByRole("status").filter({ hasText: "“Say apple” was deleted." });
    await toast.getByRole("button", { name: "Undo" }).click();
    await toast.getByRole("button").waitFor({ state: "detached" });
    await main(page)
      .getByRole("link", { name: /^Say apple/ })
      .waitFor();
    const undo = page.getByRole("status").getByRole("button", { name: "Undo" });
    await page.getByRole("button", { name: "Delete: Say pear" }).click();
    // The time for taking it back stands still while the button has the focus.
    await undo.focus();
    await main(page)
      .getByRole("link", { name: /^Say pear/ })
      .waitFor({ state: "detached" });
    assert.equal(
      await rail(page)
        .getByRole("link", { name: /^Say pear/ })
        .count(),
      0,
    );
    assert.deepEqual(await titles(server), ["Say apple", "Say pear", "Say plum"], "it can still be taken back");
    const deleted = page.waitForResponse((response) => response.request().method() === "DELETE");
    await page.getByRole("button", { name: "Delete: Say plum" }).click();
    await undo.focus();
    await deleted;
    assert.deepEqual(await titles(server), ["Say apple", "Say plum"]);
    await undo.click();
    await main(page)
      .getByRole("link", { name: /^Say plum/ })
      .waitFor();
    // The list learns of the deletion after the response to it.
    await main(page)
      .getByRole("link", { name: /^Say pear/ })
      .waitFor({ state: "detached" });
  },
);

scene("a deletion is final when the page is hidden or left", { offline: true }, async ({ server, person }) => {
  const page = await person.open();
  await begin(page, "Say apple", "Say pear");
  await openList(page);
  await page.getByRole("button", { name: "Delete: Say apple" }).click();
  const deleted = page.waitForResponse((response) => response.request().method() === "DELETE");
  await hide(page, true);
  await deleted;
  assert.deepEqual(await titles(server), ["Say pear"]);
  await hide(page, false);
  await page.getByRole("button", { name: "Delete: Say pear" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await page.goto("about:blank");
  await until(async () => (await titles(server)).length === 0);
});

scene(
  "a deletion that the server refuses is reported, and the session is there again",
  {
    offline: true,
    person: { allowed: /Failed to load resource/ },
  },
  async ({ person }) => {
    const page = await person.open();
    await begin(page, "Say apple");
    await openList(page);
    await page.route("**/api/v1/sessions/*", (route) =>
      route.request().method() === "DELETE"
        ? route.fulfill({ status: 503, json: { error: { message: "later" } } })
        : route.fallback(),
    );
    await page.getByRole("button", { name: "Delete: Say apple" }).click();
    await main(page)
      .getByRole("link", { name: /^Say apple/ })
      .waitFor({ state: "detached" });
    await hide(page, true);
    await hide(page, false);
    await page.getByRole("status").filter({ hasText: "That did not work: later" }).waitFor();
    await main(page)
      .getByRole("link", { name: /^Say apple/ })
      .waitFor();
  },
);

scene(
  "a draft outlives its session, which was deleted in another tab",
  { offline: true, person: MISSING },
  async ({ server, person }) => {
    const page = await person.open();
    await begin(page, "Say apple");
    await field(page).fill("unsent words");
    const [{ id }] = (await read(server, "sessions")).data;
    await fetch(`${server.url}/api/v1/sessions/${id}`, { method: "DELETE" });
    await field(page).press("Enter");
    await page.getByRole("alert").or(page.getByText("There is no such session")).first().waitFor();
    assert.match(await page.evaluate((id) => localStorage.getItem(`turnkit.draft.${id}`), id), /unsent words/);
  },
);

scene("a session is saved as a file, and a file becomes a session", { offline: true }, async ({ server, person }) => {
  const page = await person.open();
  await begin(page, "What is 6 x 7?");
  await openList(page);
  const save = async (name) => {
    await page.getByRole("button", { name: "More: What is 6 x 7?" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name }).click();
    return download;
  };
  const markdown = await save("Save as Markdown");
  assert.equal(markdown.suggestedFilename(), "What is 6 x 7.md");
  assert.match(await readFile(await markdown.path(), "utf8"), /What is 6 x 7/);
  const lines = await save(/^Save as JSON Lines/);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Import a session" }).click();
  await (await chooser).setFiles({ name: "trip.jsonl", mimeType: "", buffer: await readFile(await lines.path()) });
  await page.getByRole("heading", { name: "What is 6 x 7?" }).waitFor();
  await ended(page);
  await page.getByText("6 * 7 is 42.").waitFor();
  assert.equal((await read(server, "sessions")).data.length, 2);
});

scene(
  "a file that is no session is refused with the reason",
  { offline: true, person: { allowed: /status of 422/ } },
  async ({ person }) => {
    const page = await person.open("#/sessions");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Import a session" }).click();
    await (await chooser).setFiles({ name: "trip.jsonl", mimeType: "", buffer: Buffer.from("no session") });
    await page.getByRole("alert").filter({ hasText: "That did not work" }).waitFor();
  },
);

/** Adds what newer servers know of sessions to the answers of the one that these tests may run. */
async function addFields(page, known) {
  await page.route(
    ({ pathname }) => pathname === "/api/v1/sessions",
    async (route) => {
      const url = new URL(route.request().url());
      const wanted = url.searchParams.get("archived") === "true";
      url.searchParams.delete("archived");
      const response = await route.fetch({ url: url.href });
      const { data, next } = await response.json();
      const changed = data.map((session) => ({
        ...session,
        pinned: false,
        archived: false,
        ...known.get(session.title),
      }));
      const shown = changed.filter(({ archived }) => archived === wanted);
      shown.sort((a, b) => Number(b.pinned) - Number(a.pinned));
      await route.fulfill({ response, json: { data: shown, next } });
    },
  );
  await page.route("**/api/v1/sessions/*", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    const response = await route.fetch({ method: "GET", postData: null });
    const session = await response.json();
    known.set(session.title, { ...known.get(session.title), ...route.request().postDataJSON() });
    await route.fulfill({
      response,
      json: { pinned: false, archived: false, ...session, ...known.get(session.title) },
    });
  });
}

scene("sessions are pinned, put into the archive, and grouped by day", { offline: true }, async ({ person }) => {
  const page = await person.open();
  await begin(page, "Say apple", "Say pear", "Say plum");
  const ago = (days) => ({ last_active: new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString() });
  const known = new Map([
    ["Say pear", ago(1)],
    ["Say plum", ago(400)],
  ]);
  await addFields(page, known);
  await page.goto(`${person.url}#/sessions`);
  await page.reload();
  const group = (name) => main(page).getByRole("list", { name });
  await group("Today")
    .getByRole("link", { name: /^Say apple/ })
    .waitFor();
  await group("Yesterday")
    .getByRole("link", { name: /^Say pear/ })
    .waitFor();
  const choose = async (title, name) => {
    await page.getByRole("button", { name: `More: ${title}` }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  await choose("Say plum", "Pin");
  await group("Pinned")
    .getByRole("link", { name: /^Say plum/ })
    .waitFor();
  await rail(page)
    .getByRole("list", { name: "Pinned" })
    .getByRole("link", { name: /^Say plum/ })
    .waitFor();
  await choose("Say pear", "Archive");
  await main(page)
    .getByRole("link", { name: /^Say pear/ })
    .waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await main(page)
    .getByRole("link", { name: /^Say pear/ })
    .waitFor();
  assert.equal(await main(page).getByRole("link").count(), 1);
  await choose("Say pear", "Unarchive");
  await main(page).getByText("The archive is empty.").waitFor();
  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await group("Yesterday")
    .getByRole("link", { name: /^Say pear/ })
    .waitFor();
  await choose("Say plum", "Unpin");
  await group("Pinned").waitFor({ state: "detached" });
});

scene("a session is pinned and archived with the keyboard", { offline: true }, async ({ person }) => {
  const page = await person.open();
  await begin(page, "Say apple");
  await openList(page);
  await page.getByRole("button", { name: "More: Say apple" }).click();
  const menu = page.getByRole("menu");
  assert.equal(await menu.getByRole("menuitem").count(), 4);
  assert.ok(
    await menu
      .getByRole("menuitem")
      .first()
      .evaluate((item) => item === document.activeElement),
  );
  await page.keyboard.press("ArrowUp");
  assert.ok(
    await menu
      .getByRole("menuitem")
      .last()
      .evaluate((item) => item === document.activeElement),
  );
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  const button = page.getByRole("button", { name: "More: Say apple" });
  assert.ok(await button.evaluate((button) => button === document.activeElement), "the focus returns");

  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await main(page).getByRole("list", { name: "Pinned" }).getByRole("link", { name: /^Say apple/ }).waitFor();
  await page.reload();
  await main(page).getByRole("list", { name: "Pinned" }).getByRole("link", { name: /^Say apple/ }).waitFor();
  await button.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await main(page).getByRole("link", { name: /^Say apple/ }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await main(page).getByRole("link", { name: /^Say apple/ }).waitFor();
});

scene("the rail shows where a turn runs, and what is new since the user looked", {}, async ({ model, person }) => {
  const middle = gate();
  model.answers("First ", middle.opened, "answer.");
  const page = await person.open();
  await say(page, "Work in the background");
  const row = rail(page).getByRole("listitem").filter({ hasText: "Work in the background" });
  await row.getByText("running").waitFor();
  await page.getByRole("button", { name: "New session" }).click();
  await page.getByRole("heading", { name: "What can I do for you?" }).waitFor();
  await row.getByText("running").waitFor();
  middle.open();
  await row.getByRole("img", { name: "New since you looked" }).waitFor();
  await row.getByText("running").waitFor({ state: "detached" });
  await row.getByRole("link").click();
  await page.getByText("First answer.").waitFor();
  await row.getByRole("img").waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("button", { name: "Options" }).waitFor();
  assert.equal(await row.getByRole("img").count(), 0);
});

scene(
  "what happens while the page is hidden is counted in its title, and reported if the user wants that",
  {
    person: { permissions: ["notifications"] },
  },
  async ({ model, person }) => {
    const middle = gate();
    model.answers("First ", middle.opened, "answer.");
    const page = await person.open("#/settings");
    await page.evaluate(() => {
      window.reported = [];
      window.Notification = class {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title, { body }) {
          window.reported.push(`${title}: ${body}`);
        }
      };
    });
    await page.getByRole("checkbox", { name: /^Notify me/ }).check();
    await page.evaluate(() => {
      location.hash = "#/";
    });
    await say(page, "Take your time");
    await page.getByText("First", { exact: true }).waitFor();
    await hide(page, true);
    middle.open();
    await page.waitForFunction(() => document.title.startsWith("(1) "));
    assert.deepEqual(await page.evaluate(() => window.reported), ["Take your time: The answer has ended."]);
    await hide(page, false);
    await page.waitForFunction(() => document.title.startsWith("Take your time"));
  },
);

scene("a browser that forbids notifications is explained", { offline: true }, async ({ person }) => {
  const page = await person.open("#/settings");
  await page.evaluate(() => {
    Notification.requestPermission = async () => "denied";
  });
  const box = page.getByRole("checkbox", { name: /^Notify me/ });
  await box.click();
  await page.getByRole("alert").filter({ hasText: "does not permit" }).waitFor();
  assert.equal(await box.isChecked(), false);
});

scene("density, the key that sends, and the colours are kept", { offline: true }, async ({ person }) => {
  const page = await person.open("#/settings");
  await page.getByLabel("Density").selectOption("compact");
  await page.getByLabel("Theme").selectOption("dark");
  await page.getByLabel("Send messages with").selectOption("ctrl_enter");
  await page.reload();
  await page.getByLabel("Density").waitFor();
  const { density, theme } = await page.evaluate(() => ({ ...document.documentElement.dataset }));
  assert.deepEqual({ density, theme }, { density: "compact", theme: "dark" });
  await page.getByRole("button", { name: "New session" }).click();
  await field(page).fill("What is");
  await field(page).press("Enter");
  await page.keyboard.type("2 + 3?");
  assert.equal(await field(page).inputValue(), "What is\n2 + 3?");
  await field(page).press("Control+Enter");
  await page.getByText("2 + 3 is 5.").waitFor();
});

scene(
  "the settings show the addresses of the server, with a request that works",
  { offline: true },
  async ({ server, person }) => {
    const page = await person.open("#/settings");
    await page.getByText(`${server.url}/api/v1`, { exact: true }).waitFor();
    await page.getByText(`${server.url}/openapi.json`, { exact: true }).waitFor();
    const example = await page.locator("pre").textContent();
    const [, address] = /curl -s (\S+)/.exec(example);
    const [, body] = /-d '(.*)'/.exec(example);
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    assert.equal(response.status, 202);
  },
);

scene("all shortcuts are on a sheet, which a key and a button open", { offline: true }, async ({ person }) => {
  const page = await person.open();
  await page.getByRole("button", { name: "Options" }).waitFor();
  await field(page).pressSequentially("why?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  assert.equal(await sheet.count(), 0, "a question mark is a letter of a message");
  const button = page.getByRole("button", { name: "Keyboard shortcuts" });
  await button.click();
  await sheet.getByRole("row", { name: /Ctrl K/ }).waitFor();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  assert.ok(await button.evaluate((button) => button === document.activeElement), "the focus returns");
  await page.keyboard.press("?");
  await sheet.waitFor();
});

scene(
  "without a model the page shows the lines that add one, of a vendor or at an address",
  { offline: true },
  async ({ person }) => {
    const page = await person.open();
    const help = page.getByRole("region", { name: "No model is configured" });
    await help.getByLabel("Vendor").selectOption("ollama");
    assert.equal(
      await help.locator("pre").textContent(),
      '[[providers]]\nid = "main"\nvendor = "ollama"\nmodels = ["qwen3"]',
    );
    await help.getByLabel("Vendor").selectOption({ label: "Another address" });
    await help.getByRole("textbox", { name: "Address" }).fill('http://localhost:8000/v1"[evil]');
    await help.getByLabel("Model").fill("my model");
    await help.getByLabel("Variable with the API key").fill("MY_KEY");
    assert.equal(
      await help.locator("pre").textContent(),
      [
        "[[providers]]",
        'id = "main"',
        'api = "openai-chat"',
        'base_url = "http://localhost:8000/v1\\"[evil]"',
        'api_key = "${MY_KEY}"',
        'models = ["my model"]',
      ].join("\n"),
    );
  },
);

scene(
  "a part of the page that cannot be loaded says so",
  { offline: true, person: { allowed: /Failed to load/ } },
  async ({ person }) => {
    const page = await person.open("page.json");
    let isRefusing = true;
    await page.route("**/more.js", (route) => (isRefusing ? route.abort() : route.continue()));
    await page.goto(`${person.url}#/settings`);
    await page.getByRole("alert").filter({ hasText: "could not be loaded" }).waitFor();
    // Not before: the page tries again by itself when the connection opens and when it is idle.
    page.on("framenavigated", () => (isRefusing = false));
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByLabel("Density").waitFor();
  },
);

scene("what a search finds is shown without the marks of tables and emphasis", {}, async ({ model, person }) => {
  model.answers("| day | orders |\n|---|---:|\n| **Monday** | `840` |\n| Tuesday | -5 |");
  const page = await person.open();
  await say(page, "Count");
  await ended(page);
  await page.getByRole("searchbox", { name: "Search sessions" }).fill("orders");
  const found = page.getByRole("navigation").getByRole("link").filter({ has: page.locator("mark") });
  await found.waitFor();
  assert.match((await found.innerText()).replace(/\s+/g, " "), /day orders Monday 840 Tuesday -5/);
});

for (const look of LOOKS) {
  const name = `people with assistive technology can use sessions and settings: ${look.colorScheme}, ${look.viewport.width} pixels`;
  scene(name, { offline: true, person: look }, async ({ person }) => {
    const page = await person.open();
    await page.getByRole("region", { name: "No model is configured" }).getByLabel("Vendor").selectOption("");
    await accessible(page, "no model");
    await begin(page, "Say apple", "Say pear");
    await openList(page);
    await page.getByRole("button", { name: "More: Say apple" }).click();
    await accessible(page, "actions of a session");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Rename: Say apple" }).click();
    await page.getByRole("dialog").waitFor();
    await accessible(page, "rename");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Delete: Say pear" }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await accessible(page, "deleted");
    await page.goto(`${person.url}#/settings`);
    await page.getByRole("heading", { name: "Addresses of the server" }).waitFor();
    await accessible(page, "settings");
    const widest = await page.evaluate(() =>
      Math.max(...[...document.querySelectorAll("main *")].map((element) => element.getBoundingClientRect().right)),
    );
    assert.ok(widest <= look.viewport.width, `something reaches to ${widest}`);
    await main(page).getByRole("button", { name: "Keyboard shortcuts" }).click();
    await page.getByRole("dialog").waitFor();
    await accessible(page, "shortcuts");
  });
}

scene("what a deleted session had for its next message leaves the browser when the deletion is final", { offline: true, person: { allowed: /Failed to load resource/ } }, async ({ person }) => {
  const page = await person.open();
  await begin(page, "Say apple");
  const kept = () =>
    page.evaluate(async () => {
      const database = await new Promise((resolve, reject) => {
        const asked = indexedDB.open("turnkit");
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = reject;
      });
      const files = await new Promise((resolve) => {
        const asked = database.transaction("files").objectStore("files").getAllKeys();
        asked.onsuccess = () => resolve(asked.result.length);
      });
      database.close();
      const names = Object.keys(localStorage).filter((name) => /^turnkit\.(draft|options)\./.test(name));
      return names.length + files;
    });
  const write = async (title) => {
    await rail(page).getByRole("link", { name: new RegExp(`^${title}`) }).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach files" }).click();
    await (await chooser).setFiles([{ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("secret") }]);
    await page.locator('.file[aria-busy="false"]').waitFor();
    await page.getByRole("button", { name: "Options" }).click();
    await page.getByRole("dialog").getByLabel("Thinking").selectOption("max");
    await page.keyboard.press("Escape");
    await page.getByRole("textbox", { name: "Message" }).fill("a secret");
  };
  const remove = async (title) => {
    await openList(page);
    await page.getByRole("button", { name: `Delete: ${title}` }).click();
  };
  await write("Say apple");
  await until(kept, (count) => count === 3);
  await remove("Say apple");
  const undo = page.getByRole("status").getByRole("button", { name: "Undo" });
  // The time for taking it back stands still while the button has the focus.
  await undo.focus();
  assert.equal(await kept(), 3, "it can still be taken back");
  await undo.click();
  // The server has not deleted it yet.
  await page.route("**/api/v1/sessions/*", (route) => (route.request().method() === "DELETE" ? route.abort() : route.continue()));
  await remove("Say apple");
  await page.getByRole("status").filter({ hasText: "That did not work" }).waitFor();
  assert.equal(await kept(), 3, "the session is still there");
  await page.unroute("**/api/v1/sessions/*");
  await remove("Say apple");
  await hide(page, true);
  await until(kept, (count) => count === 0);
});

scene("the archive is searched like the other sessions", { offline: true }, async ({ server, person }) => {
  const page = await person.open();
  await begin(page, "Say apple", "Say pear", "Say plum");
  const { data } = await read(server, "sessions");
  for (const { id, title } of data.filter(({ title }) => title !== "Say plum")) {
    const headers = { "content-type": "application/json" };
    await fetch(`${server.url}/api/v1/sessions/${id}`, { method: "PATCH", headers, body: JSON.stringify({ archived: true }) });
    assert.match(title, /apple|pear/);
  }
  await openList(page);
  await page.getByRole("button", { name: "Archive", exact: true }).click();
  const found = main(page).locator(".session-list").getByRole("link");
  await until(() => found.count(), (count) => count === 2);
  const field = main(page).getByRole("searchbox", { name: "Search sessions" });
  await field.fill("pear");
  await until(() => found.locator(".session-title").allTextContents(), (titles) => titles.join() === "Say pear");
  assert.equal(await found.locator("mark").first().textContent(), "pear");
  await accessible(page, "the archive, searched");
  await field.fill("plum");
  await main(page).getByText("Nothing found").waitFor();
  await field.fill("");
  await until(() => found.count(), (count) => count === 2);
});
