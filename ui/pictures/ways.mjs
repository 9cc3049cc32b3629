// The ways to screens and sessions, as a person goes them.

import { QUESTION } from "./texts.mjs";

export const button = (within, name) => within.getByRole("button", { name, exact: true });

/** A button that can be clicked: those of a card cannot at first. */
export const ready = (page, name) => button(page, name).and(page.locator(":enabled")).first();

/** Shows the screen of an address, and waits for something on it. */
export async function show(page, address, shown) {
  await page.evaluate((hash) => void (location.hash = hash), address);
  await shown.waitFor();
  // The links to the screens of operators come later than the rest.
  await page.getByRole("navigation").getByText("Operator").waitFor({ state: "attached" });
}

/** Shows a table of operators, and waits for its first row. */
export const showTable = (page, address) => show(page, address, page.getByRole("table").getByRole("row").nth(1));

/** Begins a session, and returns when the page has its first turn. */
export async function begin(page, message) {
  await show(page, "#/", page.getByRole("heading", { name: "What can I do for you?" }));
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill(message);
  await field.press("Enter");
  await page.getByRole("log").getByText(message, { exact: true }).waitFor();
}

/** Opens the session of the first picture. */
export async function openAnswer(page) {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Sessions" }).getByRole("link", { name: QUESTION }).click();
  await page.getByRole("heading", { name: QUESTION }).waitFor();
  await page.getByText("Three things would help most").waitFor();
}

/** Chooses an action of the session on the screen. */
export async function choose(page, name) {
  await button(page, "Actions for this session").click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}
