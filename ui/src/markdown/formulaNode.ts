import { once } from "../state/later";
import type { FormulaToken } from "./formula";

const loadMath = once(() => import("./math"));

/** Returns the source of a formula, which is drawn as soon as the part of the page that does so is loaded. */
export function formula({ type, raw, text }: FormulaToken): HTMLElement {
  const whole = document.createElement("span");
  whole.textContent = raw.trim();
  void loadMath().then(
    (part) => part.drawFormula(whole, text, type === "displayed"),
    () => {},
  );
  return whole;
}
