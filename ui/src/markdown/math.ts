import parse from "temml/src/parseTree.js";
import build from "temml/src/buildMathML.js";
import Settings from "temml/src/Settings.js";
import Style from "temml/src/Style.js";
import css from "../css/math.css";
import { addStyles } from "../later/styles";
import { type Language, language } from "../shared";
import { elementOf } from "./mathml";

// Formulas. Loaded with the first of them.

addStyles(css);

/** The longest formula that is drawn, in characters. */
const LONGEST = 10_000;

const WRONG: Record<Language, string> = {
  de: "Diese Formel lässt sich nicht darstellen",
  en: "This formula cannot be drawn",
};

/** The most uses of macros in a formula. */
const MOST_MACROS = 1_000;

/** The most characters that macros which a formula itself defines may make of it. */
const MOST_EXPANDED = 50_000;

/** The largest space, in em and in points. */
const LARGEST_SPACE: [number, number] = [50, 600];

/** The library's numbers of the sizes of formulas. */
const LEVELS = { displayed: 0, inLine: 1 };

/** The formulas that were read last. An open paragraph draws its formulas with each addition. */
const known = new Map<string, () => unknown>();
const MOST_KNOWN = 200;

/** Draws a formula in the place of its source. The source of a wrong one stays. */
export function drawFormula(whole: HTMLElement, source: string, isDisplayed: boolean): void {
  if (source.length > LONGEST) return;
  const written = whole.textContent ?? "";
  try {
    const drawn = elementOf(remember(source, isDisplayed)());
    whole.className = isDisplayed ? "formula displayed" : "formula";
    // What is wider than the screen is scrolled with the keyboard, too.
    if (isDisplayed) whole.tabIndex = 0;
    // Seen when it is pointed at.
    whole.title = written;
    whole.replaceChildren(drawn);
  } catch (error) {
    const code = document.createElement("code");
    code.textContent = written;
    code.title = `${WRONG[language.peek()]}: ${error instanceof Error ? error.message : ""}`;
    whole.replaceChildren(code);
  }
}

/** Returns what gives the tree of a formula, or throws what is wrong with it. */
function remember(source: string, isDisplayed: boolean): () => unknown {
  const key = `${isDisplayed}${source}`;
  const found = known.get(key);
  if (found) return found;
  let result: () => unknown;
  try {
    const tree = read(source, isDisplayed);
    result = () => tree;
  } catch (error) {
    result = () => {
      throw error;
    };
  }
  if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value ?? "");
  known.set(key, result);
  return result;
}

function read(source: string, isDisplayed: boolean): unknown {
  const definesMacros = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![a-zA-Z])/.test(source);
  const settings = new Settings({
    displayMode: isDisplayed,
    maxExpand: definesMacros ? Math.min(MOST_MACROS, MOST_EXPANDED / source.length) : MOST_MACROS,
    maxSize: LARGEST_SPACE,
    throwOnError: true,
    trust: false,
    wrap: "tex",
  });
  const style = new Style({ level: isDisplayed ? LEVELS.displayed : LEVELS.inLine, maxSize: LARGEST_SPACE });
  return build(parse(source, settings), source, style, settings);
}
