import { signal } from "@preact/signals";
import { load, save } from "../shared";

export const THEMES = ["auto", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** `theme.js` reads the same key before the page is drawn. */
const KEY = "turnkit.theme";

export const theme = signal<Theme>(THEMES.find((theme) => theme === load(KEY)) ?? "auto");

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  document.documentElement.dataset.theme = chosen;
  save(KEY, chosen === "auto" ? undefined : chosen);
}
