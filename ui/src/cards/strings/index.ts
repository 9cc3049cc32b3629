import { computed } from "@preact/signals";
import { language } from "../../shared";
import { de } from "./de";
import { type CardsStrings, en } from "./en";

const TABLES = { en, de };

/** The texts of this part of the page, in the language of the page. */
export const words = computed<CardsStrings>(() => TABLES[language.value]);
