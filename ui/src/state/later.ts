import { signal } from "@preact/signals";

type Part = typeof import("../more/index");
type Cards = typeof import("../cards/index");

/** The part of the page with what is not needed at once, as soon as it is loaded. */
export const more = signal<Part | undefined>(undefined);

/** Loads that part of the page. */
export const loadMore = once(async () => {
  more.value = await import("../more/index");
  return more.value;
});

/** The part of the page with calls and decisions, as soon as it is loaded. */
export const cards = signal<Cards | undefined>(undefined);

/** Loads that part of the page. */
export const loadCards = once(async () => {
  cards.value = await import("../cards/index");
});

/** Loads the part for later when the browser has nothing else to do, so that it is there when it is needed. */
export function loadMoreSoon(): void {
  const begin = () => void loadMore().catch(() => {});
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === "function") requestIdleCallback(begin, { timeout: 2_000 });
  else setTimeout(begin, 500);
}

/** Returns a function that loads something at its first call. A failed attempt may be repeated. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load();
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
}
