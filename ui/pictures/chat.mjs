// Pictures of conversations, in the order in which they are taken: each shows what the ones before it left.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ended, say } from "../tests/browser.mjs";
import { gate } from "../tests/server.mjs";
import { ANSWER, HOTEL, NOTICE, ORDERS, QUESTION } from "./texts.mjs";
import { begin, button, choose, openAnswer, ready } from "./ways.mjs";

const call = (name, given) => ({ name, arguments: given });

/** Those that leave sessions, which other pictures show. */
export const BEGINNING = {
  answer: async (page, { model }) => {
    model.answers({ reasoning: "The table has both columns." }, ANSWER);
    await say(page, QUESTION);
    await ended(page);
    await page.locator("math").first().waitFor();
    await page.locator("pre code span").first().waitFor();
  },
  versions: async (page, { model }) => {
    model.answers("Answer the simple questions before noon.").answers("A page that shows the status of an order.");
    await say(page, "In one sentence, what should we do first?");
    await ended(page);
    await button(page, "Retry").last().click();
    await page.getByText("A page that shows").waitFor();
    await ended(page);
  },
  call: async (page, { model }) => {
    model.answers(call("cards__structured", {})).answers("They are in Lisbon and in Porto.");
    await say(page, "Which cities have a shop?");
    await ended(page);
    await page.locator("details.call > summary").first().click();
    await page.getByRole("tree", { name: "Data" }).waitFor();
  },
  question: async (page, { model }) => {
    model.answers(call("ask_user", { question: "Which hotel should I book?", schema: HOTEL }));
    await say(page, "Book me a hotel");
    await page.getByRole("group", { name: "Question from ask_user" }).waitFor();
    await ready(page, "Answer").waitFor();
  },
  approval: async (page, { model }) => {
    model.answers(call("calculator", { expression: "12.5% of 840" }));
    await say(page, "What is 12.5% of 840?");
    await ready(page, "Approve once").waitFor();
    await page.getByRole("navigation").getByText("Needs you").first().waitFor();
  },
};

/** Those of sessions that they begin themselves, or that were begun before. */
export const STATES = {
  difference: async (page, { model, server }) => {
    await writeFile(join(server.folder, "notice.txt"), NOTICE.before);
    model.answers(call("edit_file", { path: "notice.txt", old: "9 am to 5 pm", new: "8 am to 6 pm" }));
    await begin(page, "Put the new opening hours into notice.txt");
    await page.locator(".added").first().waitFor();
    await ready(page, "Approve once").waitFor();
  },
  files: async (page, { model }) => {
    const picture = await page.screenshot();
    const chooser = page.waitForEvent("filechooser");
    await button(page, "Attach files").click();
    await (await chooser).setFiles([
      { name: "page.png", mimeType: "image/png", buffer: picture },
      { name: "orders.csv", mimeType: "text/csv", buffer: Buffer.from(ORDERS) },
    ]);
    await page.locator('.file[aria-busy="false"]').nth(1).waitFor();
    model.answers("One of the three orders waits: number 2, for $12.50.");
    await say(page, "Which of these orders wait?");
    await ended(page);
    await page.getByRole("log").locator("img").waitFor();
  },
  running: async (page, { model }) => {
    const end = gate();
    model.answers("The orders of this week are up by **12.5%**, most of them on Monday", end.opened);
    await begin(page, "Write a report on this week's orders");
    await page.getByText("most of them on Monday").waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("And name the three best products");
    await page.getByRole("textbox", { name: "Message" }).press("Enter");
    await page.getByRole("list", { name: "Waiting messages" }).waitFor();
    return end.open;
  },
  failed: async (page, { model }) => {
    const error = { message: "the answer was flagged", code: "content_filter" };
    model.answers("The best", { breaks: true }).answers("The best", { error });
    await begin(page, "Name the three best products");
    await page.locator(".remark.error").waitFor();
  },
  edit: async (page) => {
    await openAnswer(page);
    await button(page, "Edit").first().click();
    await page.getByRole("textbox", { name: "Edited text" }).waitFor();
  },
  search: async (page) => {
    await openAnswer(page);
    await choose(page, "Search this session");
    await page.getByRole("searchbox", { name: "Search this session" }).fill("orders");
    await page.getByRole("search").locator("mark").first().waitFor();
  },
  menu: async (page) => {
    await openAnswer(page);
    await button(page, "Actions for this session").click();
    await page.getByRole("menuitem").first().waitFor();
  },
  context: async (page) => {
    await openAnswer(page);
    await choose(page, "Context…");
    await page.getByRole("meter", { name: "Context" }).waitFor();
  },
  options: async (page) => {
    await button(page, "Options").click();
    const options = page.getByRole("dialog", { name: "Options" });
    await options.getByLabel("Model").waitFor();
    await options.getByLabel("Thinking").selectOption("high");
  },
  phone: async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openAnswer(page);
    // The table is above the end of the answer.
    await page.locator(".markdown table").first().evaluate((table) => table.scrollIntoView({ block: "center" }));
  },
};
