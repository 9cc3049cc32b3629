import { computed } from "@preact/signals";
import { language } from "../../shared";
import { de } from "./de";
import { type AdminStrings, en } from "./en";

const TABLES = { en, de };

/** The texts of these screens in the language of the page. */
export const words = computed<AdminStrings>(() => TABLES[language.value]);

/** Returns the name of a state, or the state itself if a newer server has one that is not known here. */
export function nameOfState(state: string): string {
  return (words.value.states as Record<string, string>)[state] ?? state;
}
