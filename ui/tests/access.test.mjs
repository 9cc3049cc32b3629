// Every screen and state for people with assistive technology, large text, other colours, and a keyboard alone.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { close, ended, violations } from "./browser.mjs";
import { cutTexts, foreignTexts, speakPseudo } from "./pseudo.mjs";
import { Stage, walk } from "./stage.mjs";

let stage;

before(async () => {
  stage = await Stage.set();
});

after(async () => {
  await close();
  await stage?.clear();
});

const SCREEN = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

const LIGHT = { colorScheme: "light", forcedColors: "none" };
const DARK = { colorScheme: "dark", forcedColors: "none" };
/** The colours are those of the system. */
const FORCED = { colorScheme: "light", forcedColors: "active" };

const LOOKS = [
  { name: "on a screen, with forced colours too", viewport: SCREEN, colours: [LIGHT, DARK, FORCED] },
  { name: "on a phone, without motion", viewport: PHONE, reducedMotion: "reduce", colours: [LIGHT, DARK] },
  // A window of 1280 × 1024 pixels, enlarged to 400 %.
  { name: "enlarged to 400 %", viewport: { width: 320, height: 256 }, deviceScaleFactor: 4, colours: [LIGHT] },
];

/** The rules of axe that can find something else in other colours. */
const RULES_OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Returns the boxes that scroll sideways, though their content is meant to fit: only the named ones may. */
function sidewaysScrollers(page) {
  return page.evaluate(() => {
    const may = "pre, textarea, input, .table, .table-frame, .tree, .formula, .written";
    const scrolls = (element) => {
      const { overflowX } = getComputedStyle(element);
      const isRoot = element === document.documentElement;
      return (isRoot || overflowX === "auto" || overflowX === "scroll") && element.scrollWidth > element.clientWidth;
    };
    return [document.documentElement, ...document.querySelectorAll("body *")]
      .filter((element) => !element.closest(may) && scrolls(element))
      .map((element) => `<${element.localName} ${element.className}> scrolls sideways: ${element.scrollWidth} in ${element.clientWidth}`);
  });
}

/** Returns what reaches beyond the window and cannot be scrolled to. */
function beyondTheWindow(page) {
  return page.evaluate(() => {
    const may = "pre *, .table *, .table-frame *, .tree *, .formula *, .written *, svg *, .unseen, .skip";
    return [...document.querySelectorAll("body *")]
      .filter((element) => !element.closest(may) && element.checkVisibility())
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 0 && (left < -1 || right > innerWidth + 1);
      })
      .map((element) => `<${element.localName} ${element.className}> is partly beyond the window`);
  });
}

/**
 * Returns what is too small for a finger: what one decides and moves with is at least 36 pixels high, and everything else
 * outside of running text at least 24 in both directions.
 */
function smallTargets(page) {
  return page.evaluate(() => {
    const large = "button.primary, button.danger, .icon-button, .rail-links a, .composer button:not(.quiet), .approval button:not(.quiet)";
    const inText = ".markdown a, p a, .skip, .unseen, pre *";
    return [...document.querySelectorAll("button, a[href], summary, select, input:not([type=checkbox], [type=radio]), textarea")]
      .filter((element) => !element.matches(inText) && element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((element) => ({ element, box: element.getBoundingClientRect(), least: element.matches(large) ? 36 : 24 }))
      .filter(({ box }) => box.width > 1)
      .filter(({ box, least }) => box.height < least - 0.5 || box.width < 23.5)
      .map(({ element, box }) => {
        const name = element.getAttribute("aria-label") ?? element.textContent.slice(0, 30);
        return `<${element.localName} class="${element.className}"> ${name} has ${box.width.toFixed()} × ${box.height.toFixed()} pixels`;
      });
  });
}

/** Fails with all problems of all states, so that one run shows them. */
async function collect(page, check) {
  const problems = [];
  await walk(stage, page, async (state) => {
    for (const problem of await check(state)) problems.push(`${state.name}: ${problem}`);
  });
  assert.ok(problems.length === 0, problems.join("\n"));
}

/** Returns whether a person can bring an element into view and click it. */
async function reachable(page, selector) {
  if (!selector) return [];
  const target = page.locator(selector).first();
  return target.click({ trial: true, timeout: 5_000 }).then(() => [], (error) => [`${selector} cannot be reached: ${error.message}`]);
}

/** Returns what axe finds in the first of the colours, and what the others add. */
async function violationsIn(page, [first, ...others]) {
  await page.emulateMedia(first);
  const found = await violations(page);
  for (const colours of others) {
    await page.emulateMedia(colours);
    const added = await violations(page, RULES_OF_COLOURS);
    found.push(...added.map((violation) => `${JSON.stringify(colours)}: ${violation}`));
  }
  return found;
}

for (const { name, colours, ...look } of LOOKS) {
  test(`everybody can use every screen and state: ${name}`, async () => {
    const person = await stage.enter(look);
    const page = await person.open();
    await page.locator("input[type=password]").waitFor();
    assert.deepEqual([...(await violationsIn(page, colours)), ...(await sidewaysScrollers(page))], [], "sign-in");
    await stage.signIn(page);
    await collect(page, async ({ reach }) => [
      ...(await violationsIn(page, colours)),
      ...(await sidewaysScrollers(page)),
      ...(await beyondTheWindow(page)),
      ...(await reachable(page, reach)),
    ]);
    await person.leave();
  });
}

test("fingers hit everything on a phone", async () => {
  const person = await stage.enter({ viewport: PHONE, hasTouch: true, isMobile: true });
  const page = await person.open();
  await page.locator("input[type=password]").waitFor();
  assert.deepEqual(await smallTargets(page), [], "sign-in");
  await stage.signIn(page);
  await collect(page, () => smallTargets(page));
  await person.leave();
});

for (const viewport of [SCREEN, PHONE]) {
  test(`every text is in a table and has room, and the page is mirrored from right to left: ${viewport.width} pixels`, async () => {
    const person = await stage.enter({ viewport, locale: "de-DE" });
    const page = await person.open("", speakPseudo);
    await page.locator("html[dir=rtl]").waitFor();
    await page.locator("input[type=password]").waitFor();
    assert.deepEqual([...(await foreignTexts(page)), ...(await cutTexts(page))], [], "sign-in");
    await stage.signIn(page);
    if (viewport === SCREEN) {
      const { x, width } = await page.locator(".rail").boundingBox();
      assert.equal(x + width, viewport.width, "the rail is on the right");
    }
    await collect(page, async () => [
      ...(await foreignTexts(page)),
      ...(await cutTexts(page)),
      ...(await sidewaysScrollers(page)),
      ...(await beyondTheWindow(page)),
    ]);
    await person.leave();
  });
}

test("the style sheets leave left and right to the direction of the page", async () => {
  const folder = new URL("../src/css/", import.meta.url);
  const physical = /(?:^|[\s-])(?:left|right)(?:-width|-color|-style)?\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)|-(?:left|right)-radius/;
  const found = [];
  // Formulas are written from left to right in every language.
  for (const name of (await readdir(folder)).filter((name) => name !== "math.css")) {
    const lines = (await readFile(new URL(name, folder), "utf8")).split("\n");
    for (const [index, line] of lines.entries()) if (physical.test(line)) found.push(`${name}:${index + 1} has ${line.trim()}`);
  }
  assert.deepEqual(found, []);
});

/** Presses Tab until the focus is where it should be, and checks that people see each step. */
async function tabTo(page, target) {
  const seen = [];
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press("Tab");
    const { name, isSeen, isTarget } = await focused(page, target);
    assert.ok(isSeen, `the focus can be seen on ${name}`);
    if (isTarget) return;
    seen.push(name);
  }
  assert.fail(`Tab never came to ${target}, but to ${seen.join(", ")}`);
}

/** Returns what has the focus: its name, and whether an outline around it or its frame shows it. */
async function focused(page, target) {
  return page.evaluate((target) => {
    const element = document.activeElement;
    const isOutlined = (one) => one !== null && getComputedStyle(one).outlineStyle !== "none" && parseFloat(getComputedStyle(one).outlineWidth) > 0;
    const framed = [element, element.closest(".composer-box"), element.querySelector(":scope > .tree-row")];
    return {
      name: `${element.localName} ${element.className} ${element.getAttribute("aria-label") ?? element.textContent.slice(0, 30)}`,
      isSeen: element === document.body || framed.some(isOutlined),
      isTarget: element.matches(target),
    };
  }, target);
}

/** Waits until something has the focus, which must not be lost on the way. */
async function keepsFocus(page, where) {
  await page.waitForFunction((where) => document.activeElement?.matches(where), where);
}

test("everything can be done with the keyboard alone, and the focus is seen and kept", async () => {
  const person = await stage.enter({ viewport: SCREEN });
  const page = await person.open();
  await page.locator("input[type=password]").waitFor();
  await tabTo(page, "input[type=password]");
  await stage.signIn(page);
  await keepsFocus(page, "#message");

  stage.answers("Hello to you.");
  await page.keyboard.type("Hello");
  await page.keyboard.press("Enter");
  await page.getByText("Hello to you.").waitFor();
  await ended(page);
  await keepsFocus(page, "#message");

  stage.answers({ name: "calculator", arguments: { expression: "6 * 7" } }).answers("It is 42.");
  await page.keyboard.type("Calculate again");
  await page.keyboard.press("Enter");
  const approve = ".approval button.primary";
  await page.locator(`${approve}:enabled`).waitFor();
  await page.keyboard.press("Control+k");
  await keepsFocus(page, "dialog *");
  await page.keyboard.press("Escape");
  await keepsFocus(page, "#message");
  await tabTo(page, approve);
  await page.keyboard.press("Enter");
  await page.getByText("It is 42.").waitFor();
  await keepsFocus(page, "[role=log], main");

  await page.keyboard.press("Control+k");
  await keepsFocus(page, "dialog *");
  await tabTo(page, "dialog input");
  await page.keyboard.type("Say what");
  await page.locator("dialog li").nth(1).waitFor({ state: "detached" });
  await tabTo(page, "dialog li a");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Say what you know" }).waitFor();
  await keepsFocus(page, "#message");

  await tabTo(page, "a[href='#/settings']");
  await page.keyboard.press("Enter");
  await page.getByRole("main").getByRole("heading", { name: "Settings" }).waitFor();
  await keepsFocus(page, "a[href='#/settings'], main");
  await tabTo(page, ".settings select");
  await page.keyboard.press("ArrowDown");
  await page.locator("html[data-theme=light]").waitFor();
  await person.leave();
});
