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

/** How long a test waits for what has to come, in milliseconds: a machine may do other things, too. */
const TIMEOUT = 60_000;

let running;

export function launch() {
  // Callers at the same time share one browser: the promise is kept.
  running ??= chromium.launch({ executablePath: process.env.TURNKIT_BROWSER, args: ARGUMENTS, timeout: PATIENCE });
  return running;
}

export async function close() {
  await (await running)?.close();
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

  /** Runs a function in each tab before the page does. */
  prepare(script) {
    return this.#context.addInitScript(script);
  }

  /** Opens a tab. `prepare` gets it before it has loaded anything. */
  async open(address = "", prepare = undefined) {
    const page = await this.#context.newPage();
    page.setDefaultTimeout(TIMEOUT);
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
    await prepare?.(page);
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

/** Returns what the log shows, without ids. Footers and calls are drawn when their parts of the page are loaded. */
export async function drawn(page) {
  await page.waitForFunction(() => document.querySelector(".turn-footer:empty, p.call") === null);
  return page.getByRole("log").evaluate((log) => {
    const copy = log.cloneNode(true);
    for (const element of copy.querySelectorAll("[id]")) element.removeAttribute("id");
    return copy.innerHTML;
  });
}

/** Asks again until the answer is right, and returns it. */
export async function until(ask, isRight = Boolean) {
  for (const end = Date.now() + TIMEOUT; ; ) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    assert.ok(Date.now() < end, `the last answer was ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until two things that change are the same. */
export async function same(actual, expected, what) {
  let now = [];
  try {
    await until(async () => {
      now = [await actual(), await expected()];
      return now[0] === now[1];
    });
  } catch {
    assert.equal(...now, what);
  }
}

/** Checks that people with assistive technology can use what is shown. */
export async function accessible(page, what) {
  assert.deepEqual(await violations(page), [], what);
}

/** Returns what keeps people with assistive technology from using what is shown: by all rules of axe, or by some. */
export async function violations(page, rules = undefined) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (rules) => {
    const { violations } = await window.axe.run({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
  }, rules);
}

/** Waits until the page takes files that are dropped: then it forbids the browser to open them in its place. */
export function takesFiles(page) {
  return until(() =>
    page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x"], "x.txt"));
      return !document.body.dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer }));
    }),
  );
}

/** Hides or shows the tab for its own scripts, as another tab in front of it does. */
export function hide(page, hidden) {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}
