// Pictures of the other screens, in the order in which they are taken.

import { ended, say } from "../tests/browser.mjs";
import { OLD } from "./texts.mjs";
import { begin, button, choose, ready, show, showTable } from "./ways.mjs";

/** Opens the row of a table that has these words. */
async function openRow(page, words) {
  await page.getByRole("row").filter({ hasText: words }).getByRole("link").first().click();
}

export const SCREENS = {
  needs: (page) => show(page, "#/needs", ready(page, "Approve once")),
  sessions: (page) => show(page, "#/sessions", page.getByRole("main").getByRole("link").first()),
  switcher: async (page) => {
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog", { name: "Sessions" });
    await dialog.getByRole("searchbox").fill("orders");
    await dialog.locator("mark").first().waitFor();
  },
  shortcuts: async (page) => {
    await show(page, "#/settings", page.getByLabel("Language"));
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  },
  settings: (page) => show(page, "#/settings", page.getByLabel("Language")),
  turns: (page) => showTable(page, "#/turns"),
  turn: async (page) => {
    await showTable(page, "#/turns");
    await openRow(page, "Which cities have a shop?");
    await page.locator(".waterfall-row").first().waitFor();
  },
  usage: (page) => show(page, "#/usage", page.locator(".screen:has(meter) .plot").first()),
  providers: (page) => show(page, "#/providers", page.getByText("scripted").first()),
  tools: async (page, { model }) => {
    model.answers({ name: "clock", arguments: {} }).answers("It is noon.");
    await begin(page, "What time is it?");
    await ready(page, "Always approve").click();
    await ended(page);
    await show(page, "#/tools", page.getByRole("table").getByRole("row").nth(1));
  },
  recordings: (page) => showTable(page, "#/recordings"),
  recording: async (page, { model }) => {
    // An agent without tools of MCP servers, which are not asked for in a replay.
    await button(page, "Options").click();
    await page.getByRole("dialog", { name: "Options" }).getByLabel("Agent").selectOption("writer");
    await page.keyboard.press("Escape");
    model.answers("Thank you for your patience: your order is on its way.");
    await say(page, "Write a line to customers who wait");
    await ended(page);
    await showTable(page, "#/recordings");
    await openRow(page, "Write a line");
    await button(page, "Replay the turn").click();
    await page.getByText("The replay is the same as the stored turn").waitFor();
  },
  keys: (page) => showTable(page, "#/keys"),
  "new-key": async (page) => {
    await showTable(page, "#/keys");
    await button(page, "New key").click();
    await page.getByRole("dialog").getByLabel("Name").fill("phone");
  },
  archive: async (page, { model }) => {
    for (const [question, answer] of OLD) {
      model.answers(answer);
      await show(page, "#/", page.getByRole("heading", { name: "What can I do for you?" }));
      await say(page, question);
      await page.getByText(answer).waitFor();
      await ended(page);
      await choose(page, "Archive");
      await page.getByRole("status").filter({ hasText: `“${question}” was archived.` }).waitFor();
    }
    await show(page, "#/sessions", page.getByRole("main").getByRole("link").first());
    await page.reload();
    await button(page, "Archive").click();
    await page.getByRole("main").getByRole("link", { name: OLD[0][0] }).waitFor();
  },
  deleted: async (page) => {
    await show(page, "#/sessions", page.getByRole("main").getByRole("link").first());
    await page.getByRole("main").getByRole("button", { name: /^Delete: Which cities/ }).click();
    await page.locator(".toasts").getByRole("button", { name: "Undo" }).focus();
  },
  away: async (page, { server }) => {
    await show(page, "#/sessions", page.getByRole("main").getByRole("link").first());
    await server.kill();
    await page.getByRole("status").filter({ hasText: "The connection to the server is lost." }).waitFor();
  },
};

/** The screen of a server without a model. */
export async function offline(page) {
  await page.getByRole("region", { name: "No model is configured" }).getByLabel("Vendor").waitFor();
}
