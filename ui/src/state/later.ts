import { signal } from "@preact/signals";

type Part = typeof import("../more/index");

/** The part of the page with what is not needed at once, as soon as it is loaded. */
export const more = signal<Part | undefined>(undefined);

let loading: Promise<Part> | undefined;

/** Loads that part of the page. A failed attempt may be repeated. */
export function loadMore(): Promise<Part> {
  loading ??= import("../more/index").then((part) => {
    more.value = part;
    return part;
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** Loads it when the browser has nothing else to do, so that it is there when it is needed. */
export function loadMoreSoon(): void {
  const begin = () => void loadMore().catch(() => {});
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === "function") requestIdleCallback(begin, { timeout: 2_000 });
  else setTimeout(begin, 500);
}
