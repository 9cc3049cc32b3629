import { signal } from "@preact/signals";

/** The turn whose message the user edits. */
export const editing = signal<string | undefined>(undefined);
