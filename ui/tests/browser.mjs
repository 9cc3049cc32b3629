// Opens the page in Chromium. Whatever a page must never do fails the test in which it does it.

import assert from "node:assert/strict";
import axe from "axe-core";
import { chromium } from "playwright-core";

/** What would reach for the network, and the sandbox, which needs rights that containers do not give. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** A browser that was never started on this machine is read from disk first. In milliseconds. */
const PATIENCE = 90_000;

let running;

export async function launch() {
  running ??= await chromium.launch({ executablePath: process.env.TURNKIT_BROWSER, args: ARGUMENTS, timeout: PATIENCE });
  return running;
}

export async function close() {
  await running?.close();
  running = undefined;
}

/** A person with a browser of their own. */
export class Person {
  #context;
  #problems = [];
  #allowed;

  /** `allowed` is a pattern of console errors that the test provokes. */
  static async at(url, { allowed, ...options } = {}) {
    const person = new Person();
    const browser = await launch();
    person.#allowed = allowed;
    person.url = url;
    person.#context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", ...options });
    await person.#context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    return person;
  }

  /** Opens a tab. */
  async open(address = "") {
    const page = await this.#context.newPage();
    page.setDefaultTimeout(10_000);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !this.#allowed?.test(message.text())) this.#problems.push(message.text());
    });
    page.on("pageerror", (error) => this.#problems.push(error.stack));
    page.on("dialog", (dialog) => {
      this.#problems.push(`a dialog opened: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (!["blob:", "data:"].includes(protocol) && origin !== new URL(this.url).origin) {
        this.#problems.push(`a request left for ${request.url()}`);
      }
    });
    await page.goto(this.url + address);
    return page;
  }

  /** Closes the browser, and fails if the page did what it must not. */
  async leave() {
    // An answer that a test was about to change belongs to no page any more.
    const targets = [this.#context, ...this.#context.pages()];
    await Promise.all(targets.map((target) => target.unrouteAll({ behavior: "ignoreErrors" })));
    await this.#context.close();
    assert.deepEqual(this.#problems, []);
  }
}

/** Sends a message with the keyboard. */
export async function say(page, text) {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

/** Waits until the last turn has ended. */
export async function ended(page) {
  await page.getByRole("status").filter({ hasText: /^(Complete|Failed|Stopped)/ }).waitFor();
}

/** Returns what the log shows, without ids. */
export function drawn(page) {
  return page.getByRole("log").evaluate((log) => {
    const copy = log.cloneNode(true);
    for (const element of copy.querySelectorAll("[id]")) element.removeAttribute("id");
    return copy.innerHTML;
  });
}

/** Checks that people with assistive technology can use what is shown. */
export async function accessible(page, what) {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { violations } = await window.axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
  });
  assert.deepEqual(violations, [], what);
}
