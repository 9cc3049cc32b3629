import { once } from "../state/later";

const loadCode = once(() => import("./code"));

/** The names of the languages in code.ts. They are here so that it is loaded for these alone. */
const LANGUAGES = new Set(
  ("bash c c# c++ cc cjs console cpp cs csharp css diff docker dockerfile go h hpp html ini java javascript js json " +
    "jsonc jsx kotlin kt less lua make makefile markdown md mjs patch php py python rs rust scss sh shell sql svg " +
    "toml ts tsx typescript xml yaml yml zsh").split(" "),
);

/**
 * Colours complete code whose language is known, as soon as the part of the page that does so is loaded. Without that
 * part, the code stays as it is.
 */
export function colour(code: HTMLElement, language: string): void {
  const known = language.toLowerCase();
  if (!LANGUAGES.has(known)) return;
  void loadCode().then(
    (part) => part.colourSoon(code, known),
    () => {},
  );
}
