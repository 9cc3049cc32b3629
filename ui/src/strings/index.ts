import { computed, effect, signal } from "@preact/signals";
import { load, save } from "../state/storage";
import { de } from "./de";
import { en, type Strings } from "./en";

const TABLES = { en, de };

export type Language = keyof typeof TABLES;

export const LANGUAGES = Object.keys(TABLES) as Language[];

const KEY = "turnkit.language";

/** The language of the page: the user's choice, or the first of the browser's languages that the page has. */
export const language = signal<Language>(known(load(KEY)) ?? fromBrowser());

/** The texts in the language of the page. */
export const strings = computed<Strings>(() => TABLES[language.value]);

/** The form of times and numbers: that of the browser, if it is one of the page's language. */
export const locale = computed(() => {
  return navigator.languages.find((tag) => tag.split("-")[0] === language.value) ?? language.value;
});

effect(() => {
  document.documentElement.lang = language.value;
});

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  save(KEY, chosen);
}

export function nameOf(one: Language): string {
  return TABLES[one].language;
}

/** Formats a time of another day with its date. */
export function formatTime(iso: string | undefined): string {
  if (!iso) return "";
  const date = new Date(iso);
  const isToday = date.toDateString() === new Date().toDateString();
  const options: Intl.DateTimeFormatOptions = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(locale.value, options).format(date);
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale.value).format(value);
}

export function formatDuration(milliseconds: number): string {
  const isShort = milliseconds < 1_000;
  const digits = milliseconds < 10_000 && !isShort ? 1 : 0;
  const options = { style: "unit", unit: isShort ? "millisecond" : "second", maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(locale.value, options).format(isShort ? milliseconds : milliseconds / 1_000);
}

export function formatDollars(nano: number): string {
  const options = { style: "currency", currency: "USD", maximumSignificantDigits: 2 } as const;
  return new Intl.NumberFormat(locale.value, options).format(nano / 1e9);
}

function known(text: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === text);
}

function fromBrowser(): Language {
  const found = navigator.languages.map((tag) => known(tag.split("-")[0])).find((language) => language !== undefined);
  return found ?? "en";
}
