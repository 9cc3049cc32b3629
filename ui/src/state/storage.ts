// The browser's storage. It may be full or forbidden: then the page works, and forgets.

export function load(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether everything was removed. The page is about to load again, and stores nothing until then. */
let isForgotten = false;

/** Stores a text under a key, or removes the key. */
export function save(key: string, text: string | undefined): void {
  if (isForgotten) return;
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Nothing depends on it.
  }
}

/** The database in which files wait for their message. */
export const FILES_DATABASE = "turnkit";

/** Removes everything that the page has stored. */
export function forgetAll(): void {
  isForgotten = true;
  try {
    indexedDB.deleteDatabase(FILES_DATABASE);
  } catch {
    // There is no database.
  }
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith("turnkit.")) localStorage.removeItem(key);
    }
  } catch {
    // There is nothing to remove.
  }
}
