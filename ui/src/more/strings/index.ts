import { computed } from "@preact/signals";
import { language } from "../../shared";
import { de } from "./de";
import { en, type MoreStrings } from "./en";

const TABLES = { en, de };

/** The texts of this part of the page, in the language of the page. */
export const words = computed<MoreStrings>(() => TABLES[language.value]);
