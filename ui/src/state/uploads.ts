import type { ReadonlySignal } from "@preact/signals";

/** A file beside a message that was not sent yet. */
export interface Upload {
  /** The page's own id. */
  id: string;
  name: string;
  bytes: number;
  state: "uploading" | "ready" | "failed" | "refused";
  /** The id that the server gave to the file. */
  file?: string;
  /** Why the file is not with the server. */
  problem?: string;
  /** The `blob:` address of an image. */
  preview?: string;
}

/** The files beside the next message of a session. */
export interface Uploads {
  readonly list: ReadonlySignal<Upload[]>;
  /** Whether the files that an earlier page kept are in the list. */
  readonly isRestored: ReadonlySignal<boolean>;
  /** Resolves as soon as they are. */
  readonly restored: Promise<void>;
  add(files: readonly File[]): void;
  retry(id: string): void;
  remove(id: string): void;
  /** Uploads all files again: the server removes those that no message named within a day. */
  renew(): void;
  /** Forgets the files, which belong to a message now. */
  clear(): void;
  /** Frees the previews. The files stay stored. */
  close(): void;
}

/** Returns the ids of the files for a request; `undefined` if some of them are not with the server. */
export function uploadedFiles(list: readonly Upload[]): string[] | undefined {
  const wanted = list.filter((upload) => upload.state !== "refused");
  const files = wanted.flatMap(({ file }) => (file === undefined ? [] : [file]));
  return files.length === wanted.length ? files : undefined;
}
