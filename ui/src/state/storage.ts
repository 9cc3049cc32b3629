// The browser's storage. It may be full or forbidden: then the page works, and forgets.

/** The browser's storage: for as long as the user wants, or for the tab. */
type Area = "localStorage" | "sessionStorage";

export function load(key: string, area: Area = "localStorage"): string | undefined {
  try {
    return globalThis[area].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether everything was removed. The page is about to load again, and stores nothing until then. */
let isForgotten = false;

/** Stores a text under a key, or removes the key. */
export function save(key: string, text: string | undefined, area: Area = "localStorage"): void {
  if (isForgotten) return;
  try {
    if (text === undefined) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, text);
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
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (key.startsWith("turnkit.")) storage.removeItem(key);
    }
  } catch {
    // There is nothing to remove.
  }
}
