import { effect, signal } from "@preact/signals";

/** What the tab shows: the title of a session, or nothing in particular. */
export const pageTitle = signal("");

/** How many things have happened that the user has not seen. */
export const badge = signal(0);

effect(() => {
  const title = pageTitle.value || "turnkit";
  document.title = badge.value > 0 ? `(${badge.value}) ${title}` : title;
});
