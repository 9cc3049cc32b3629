// The header of a session: its menu, and what the next request would hold.

import assert from "node:assert/strict";
import { after } from "node:test";
import { accessible, close, ended, say, until } from "./browser.mjs";
import { LOOKS, read, scene } from "./scene.mjs";

after(close);

const menuOf = (page) => page.getByRole("button", { name: "Actions for this session" });
const rail = (page) => page.getByRole("navigation");
const field = (page) => page.getByRole("textbox", { name: "Message" });

/** Begins a session whose title is its first message. */
async function begin(page, title) {
  await say(page, title);
  await page.getByRole("heading", { name: title }).waitFor();
  await ended(page);
}

async function choose(page, name) {
  await menuOf(page).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

scene("the session on the screen is renamed, pinned and saved from its header", { offline: true }, async ({ server, person }) => {
  const page = await person.open();
  await begin(page, "Say apple");
  await choose(page, "Rename");
  const dialog = page.getByRole("dialog", { name: "Rename session" });
  await dialog.getByLabel("Title").fill("Fruit");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Fruit", exact: true }).waitFor();
  await page.waitForFunction(() => document.activeElement?.matches(".chat-header button"));
  await choose(page, "Pin");
  await rail(page).getByRole("list", { name: "Pinned" }).getByRole("link", { name: /^Fruit/ }).waitFor();
  await choose(page, "Unpin");
  await rail(page).getByRole("list", { name: "Pinned" }).waitFor({ state: "detached" });
  const download = page.waitForEvent("download");
  await choose(page, "Save as Markdown");
  assert.equal((await download).suggestedFilename(), "Fruit.md");

  const [{ id }] = (await read(server, "sessions")).data;
  await fetch(`${server.url}/api/v1/sessions/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title: "Renamed elsewhere" }),
  });
  await page.getByRole("heading", { name: "Renamed elsewhere" }).waitFor();
});

for (const { action, said, status } of [
  { action: "Delete", said: "“Say apple” was deleted.", status: 404 },
  { action: "Archive", said: "“Say apple” was archived.", status: 200 },
]) {
  scene(`the session on the screen makes room for a new one, and can be brought back: ${action}`, { offline: true }, async ({ server, person }) => {
    const page = await person.open();
    await begin(page, "Say apple");
    const address = page.url();
    await choose(page, action);
    const toast = page.getByRole("status").filter({ hasText: said });
    await toast.waitFor();
    await page.getByRole("heading", { name: "What can I do for you?" }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === "message");
    assert.equal(await rail(page).getByRole("link", { name: /^Say apple/ }).count(), 0);
    await toast.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Say apple" }).waitFor();
    assert.equal(page.url(), address);
    await rail(page).getByRole("link", { name: /^Say apple/ }).waitFor();

    await choose(page, action);
    await page.getByRole("heading", { name: "What can I do for you?" }).waitFor();
    await page.goto("about:blank");
    const kept = async () => (await fetch(`${server.url}/api/v1/sessions/${address.split("/").at(-1)}`)).status;
    await until(kept, (answer) => answer === status);
    assert.deepEqual((await read(server, "sessions")).data, []);
  });
}

scene(
  "what the server refuses is told, and the session stays on the screen",
  { offline: true, person: { allowed: /Failed to load resource/ } },
  async ({ person }) => {
    const page = await person.open();
    await begin(page, "Say apple");
    await page.route("**/api/v1/sessions/*", (route) =>
      route.request().method() === "PATCH" ? route.fulfill({ status: 503, json: { error: { message: "later" } } }) : route.fallback(),
    );
    for (const action of ["Pin", "Archive"]) {
      await choose(page, action);
      await page.getByRole("status").filter({ hasText: "That did not work: later" }).waitFor();
      await page.getByRole("heading", { name: "Say apple" }).waitFor();
      await page.reload();
    }
  },
);

scene("the search of a session is offered where there is one", { offline: true }, async ({ person }) => {
  const page = await person.open();
  await page.getByRole("button", { name: "Options" }).waitFor();
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const rows = async () => {
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await sheet.getByRole("row", { name: /Ctrl K/ }).waitFor();
    const names = await sheet.getByRole("row").allTextContents();
    await page.keyboard.press("Escape");
    // By then the focus is back where it was.
    await sheet.waitFor({ state: "detached" });
    return names.filter((name) => /Search|Next turn/.test(name));
  };
  assert.deepEqual(await rows(), []);
  await page.keyboard.press("Control+Shift+F");
  assert.equal(await page.getByRole("search").count(), 0);
  await begin(page, "Say apple");
  assert.deepEqual(await rows(), ["JKNext turn, previous turn", "CtrlShiftFSearch the session"]);
  await choose(page, "Search this session");
  const search = page.getByRole("searchbox", { name: "Search this session" });
  await search.fill("apple");
  await page.getByRole("list", { name: "Turns found" }).getByRole("button").waitFor();
  await search.press("Escape");
  await search.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.matches(".chat-header button"));
  await page.keyboard.press("Control+Shift+F");
  await search.waitFor();
});

for (const { colorScheme, viewport } of LOOKS) {
  scene(`the menu of the header is accessible: ${colorScheme}, ${viewport.width} pixels`, { offline: true, person: { colorScheme, viewport } }, async ({ person }) => {
    const page = await person.open();
    await say(page, "A title that is much longer than what the header of a session on a phone has room for");
    await ended(page);
    await menuOf(page).click();
    await page.getByRole("menu").waitFor();
    await accessible(page, "the menu");
    if (process.env.SHOTS) await page.screenshot({ path: `/tmp/header-menu-${colorScheme}-${viewport.width}.png` });
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.matches(".chat-header button"));
    await field(page).waitFor();
  });
}
