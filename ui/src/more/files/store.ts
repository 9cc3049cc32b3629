// The files of messages that were not sent yet, in the browser's database. It may be full or forbidden: then the page
// works, and a reload loses them.

import { FILES_DATABASE } from "../../shared";

const STORE = "files";

export interface StoredFile {
  id: string;
  /** The session of the message; `new` if it begins one. */
  session: string;
  /** The time at which the user added the file, in milliseconds. */
  added: number;
  name: string;
  content: Blob;
  /** The id that the server gave to the file, and when. */
  file?: string;
  uploaded?: number;
}

/** Returns the files of a session, in the order in which they were added. */
export async function storedFiles(session: string): Promise<StoredFile[]> {
  const all = await request<StoredFile[]>("readonly", (store) => store.getAll());
  return (all ?? []).filter((stored) => stored.session === session).sort((a, b) => a.added - b.added);
}

export async function storeFile(stored: StoredFile): Promise<void> {
  await request("readwrite", (store) => store.put(stored));
}

export async function dropFile(id: string): Promise<void> {
  await request("readwrite", (store) => store.delete(id));
}

/** Removes the files of a session. */
export async function dropFiles(session: string): Promise<void> {
  for (const { id } of await storedFiles(session)) await dropFile(id);
}

async function request<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest,
): Promise<T | undefined> {
  try {
    const database = await open();
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const asked = ask(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(asked.result as T);
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
  } catch {
    return undefined;
  }
}

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const asked = indexedDB.open(FILES_DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onerror = () => reject(asked.error ?? new Error("refused"));
    asked.onblocked = () => reject(new Error("blocked"));
    asked.onsuccess = () => {
      const database = asked.result;
      // Another tab signs out, and removes the database.
      database.onversionchange = () => database.close();
      database.onclose = () => {
        opened = undefined;
      };
      resolve(database);
    };
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}
