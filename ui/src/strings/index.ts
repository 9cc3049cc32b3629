import { computed, effect, signal } from "@preact/signals";
import { load, save } from "../state/storage";
import { en, type Strings } from "./en";

/** The languages of the page, and what they call themselves. */
const NAMES = { en: "English", de: "Deutsch" };

export type Language = keyof typeof NAMES;

export const LANGUAGES = Object.keys(NAMES) as Language[];

const KEY = "turnkit.language";

/** The language of the page: the user's choice, or the first of the browser's languages that the page has. */
export const language = signal<Language>(known(load(KEY)) ?? fromBrowser());

/** The texts that are loaded. English is part of the page. */
const tables = signal<Partial<Record<Language, Strings>>>({ en });

/** The texts in the language of the page. */
export const strings = computed<Strings>(() => tables.value[language.value] ?? en);

/** The form of times and numbers: that of the browser, if it is one of the page's language. */
export const locale = computed(() => {
  return navigator.languages.find((tag) => tag.split("-")[0] === language.value) ?? language.value;
});

effect(() => {
  document.documentElement.lang = language.value;
  document.documentElement.dir = strings.value.page.direction;
});

/** Loads the texts of a language. If that fails, the page is in English. */
export async function loadTexts(wanted = language.value): Promise<void> {
  if (tables.value[wanted]) return;
  const { de } = await import("./de");
  tables.value = { ...tables.value, de };
}

/** Changes the language of the page as soon as its texts are there. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  await loadTexts(chosen);
  language.value = chosen;
  save(KEY, chosen);
}

export function nameOf(one: Language): string {
  return NAMES[one];
}

/** Formats a time of another day with its date. */
export function formatTime(iso: string | undefined): string {
  if (!iso) return "";
  const date = new Date(iso);
  const isToday = date.toDateString() === new Date().toDateString();
  const options: Intl.DateTimeFormatOptions = { timeStyle: "short", ...(!isToday && { dateStyle: "medium" }) };
  return new Intl.DateTimeFormat(locale.value, options).format(date);
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale.value).format(value);
}

function known(text: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === text);
}

function fromBrowser(): Language {
  const found = navigator.languages.map((tag) => known(tag.split("-")[0])).find((language) => language !== undefined);
  return found ?? "en";
}
