// The rail beside the screen folds, and lies over the screen where there is no room for it.

import assert from "node:assert/strict";
import { after } from "node:test";
import { accessible, close } from "./browser.mjs";
import { scene } from "./scene.mjs";

after(close);

const rail = (page) => page.getByRole("navigation");
const button = (page) => page.getByRole("button", { name: "Sessions", exact: true });
const hasFocus = (page, selector) => page.waitForFunction((selector) => document.activeElement?.matches(selector), selector);
const isExpanded = (page, expanded) => page.locator(`.rail-button[aria-expanded=${expanded}]`).waitFor();

for (const colorScheme of ["light", "dark"]) {
  scene(`the rail folds with its button and with a key, which the browser remembers: ${colorScheme}`, { offline: true, person: { colorScheme } }, async ({ person }) => {
    const page = await person.open();
    await page.getByRole("button", { name: "Options" }).waitFor();
    await isExpanded(page, true);
    const { x } = await page.getByRole("main").boundingBox();
    await accessible(page, "with the rail");
    await button(page).click();
    await rail(page).waitFor({ state: "hidden" });
    await isExpanded(page, false);
    await hasFocus(page, ".rail-button");
    assert.ok((await page.getByRole("main").boundingBox()).x < x / 4, "the screen has the room");
    await accessible(page, "without the rail");
    if (process.env.SHOTS) await page.screenshot({ path: `/tmp/rail-folded-${colorScheme}.png` });
    await page.reload();
    await page.getByRole("button", { name: "Options" }).waitFor();
    assert.ok(await rail(page).isHidden());

    await page.getByRole("textbox", { name: "Message" }).focus();
    await page.keyboard.press("Control+b");
    await rail(page).waitFor();
    await hasFocus(page, "#message");
    if (process.env.SHOTS) await page.screenshot({ path: `/tmp/rail-open-${colorScheme}.png` });
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("main").getByRole("heading", { name: "Settings" }).waitFor();
    assert.ok(await rail(page).isVisible());
    await page.getByRole("searchbox", { name: "Search sessions" }).focus();
    await page.keyboard.press("Control+b");
    await rail(page).waitFor({ state: "hidden" });
    await hasFocus(page, ".rail-button");
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByRole("row", { name: /Ctrl B/ }).waitFor();
  });
}

scene(
  "the rail is a sheet on a phone, whatever is remembered",
  { offline: true, person: { viewport: { width: 390, height: 844 } } },
  async ({ person }) => {
    const page = await person.open();
    await page.getByRole("button", { name: "Options" }).waitFor();
    await isExpanded(page, false);
    assert.ok(await rail(page).isHidden());
    await button(page).click();
    await rail(page).waitFor();
    await isExpanded(page, true);
    await accessible(page, "the rail of a phone");
    if (process.env.SHOTS) await page.screenshot({ path: "/tmp/rail-phone.png" });
    await page.keyboard.press("Control+b");
    await rail(page).waitFor({ state: "hidden" });
    await button(page).click();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("main").getByRole("heading", { name: "Settings" }).waitFor();
    // What was chosen in it is not covered.
    await rail(page).waitFor({ state: "hidden" });
    assert.equal(await page.evaluate(() => localStorage.getItem("turnkit.rail")), null);

    await page.setViewportSize({ width: 1280, height: 800 });
    await rail(page).waitFor();
    await button(page).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await button(page).click();
    await rail(page).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await rail(page).waitFor({ state: "hidden" });
    await isExpanded(page, false);
  },
);
