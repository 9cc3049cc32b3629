import { signal } from "@preact/signals";
import { client, messageOf, newKey } from "../../shared";
import type { Upload, Uploads } from "../../state/uploads";
import { words } from "../strings";
import { type FileKind, recognise, type Refusal } from "./kind";
import { safeName } from "./name";
import { dropFile, type StoredFile, storedFiles, storeFile } from "./store";

/** The most files that a message may have. */
const MOST = 20;

/** The server removes a file that no message named a day after its upload. */
const UPLOAD_LASTS_MS = 20 * 60 * 60 * 1000;

/** The time after which the browser's database counts as broken: a message must not wait for it. */
const PATIENCE_MS = 3_000;

/** The files beside the next message of a session: checked, uploaded, and kept for the next visit. */
export class MessageFiles implements Uploads {
  readonly list = signal<Upload[]>([]);
  readonly isRestored = signal(false);
  readonly restored: Promise<void>;
  readonly #session: string;
  readonly #kept = new Map<string, StoredFile>();
  readonly #running = new Map<string, AbortController>();
  #isClosed = false;

  constructor(session: string | undefined) {
    this.#session = session ?? "new";
    this.restored = this.#restore();
  }

  add(files: readonly File[]): void {
    for (const file of files) {
      const id = newKey();
      const name = safeName(file.name);
      this.list.value = [...this.list.value, { id, name, bytes: file.size, state: "uploading" }];
      if (this.list.value.filter(({ state }) => state !== "refused").length > MOST) {
        this.#change(id, { state: "refused", problem: words.peek().files.tooMany(MOST) });
        continue;
      }
      void this.#check(id, file, { id, name, session: this.#session, added: Date.now(), content: file });
    }
  }

  retry(id: string): void {
    const stored = this.#kept.get(id);
    if (stored) void this.#upload(stored);
  }

  remove(id: string): void {
    this.#running.get(id)?.abort();
    this.#forget(id);
    this.list.value = this.list.value.filter((upload) => upload.id !== id);
  }

  renew(): void {
    for (const stored of this.#kept.values()) void this.#upload(stored);
  }

  clear(): void {
    for (const { id } of this.list.value) this.#forget(id);
    this.list.value = [];
  }

  close(): void {
    this.#isClosed = true;
    for (const { preview } of this.list.value) if (preview) URL.revokeObjectURL(preview);
  }

  async #restore(): Promise<void> {
    const stored = await Promise.race([storedFiles(this.#session), nothingAfter(PATIENCE_MS)]);
    if (this.#isClosed) return;
    const restored = stored.map(
      ({ id, name, content }): Upload => ({ id, name, bytes: content.size, state: "uploading" }),
    );
    this.list.value = [...restored, ...this.list.value];
    await Promise.all(stored.map((file) => this.#resume(file)));
    this.isRestored.value = true;
  }

  async #resume(stored: StoredFile): Promise<void> {
    this.#kept.set(stored.id, stored);
    const kind = await recognise(new File([stored.content], stored.name)).catch(() => "other" as const);
    this.#preview(stored, kind);
    const isThere = stored.file !== undefined && Date.now() - (stored.uploaded ?? 0) < UPLOAD_LASTS_MS;
    if (isThere) this.#change(stored.id, { state: "ready", file: stored.file });
    else void this.#upload(stored);
  }

  async #check(id: string, file: File, stored: StoredFile): Promise<void> {
    const kind = await recognise(file).catch(() => "other" as const);
    if (!this.#has(id)) return;
    const isKnown = kind === "image" || kind === "document" || kind === "text";
    if (!isKnown) return this.#change(id, { state: "refused", problem: words.peek().files.refused(kind) });
    this.#kept.set(id, stored);
    this.#preview(stored, kind);
    void storeFile(stored);
    await this.#upload(stored);
  }

  async #upload(stored: StoredFile): Promise<void> {
    const { id } = stored;
    const cancelling = new AbortController();
    this.#running.set(id, cancelling);
    this.#change(id, { state: "uploading", problem: undefined, file: undefined });
    try {
      const uploaded = await client.upload(stored.name, stored.content, cancelling.signal);
      if (!this.#has(id)) return;
      const renewed = { ...stored, file: uploaded.id, uploaded: Date.now() };
      this.#kept.set(id, renewed);
      this.#change(id, { state: "ready", file: uploaded.id });
      await storeFile(renewed);
    } catch (error) {
      this.#change(id, { state: "failed", problem: words.peek().files.failed(messageOf(error)) });
    } finally {
      this.#running.delete(id);
    }
  }

  #preview({ id, content }: StoredFile, kind: FileKind | Refusal): void {
    if (kind === "image" && !this.#isClosed) this.#change(id, { preview: URL.createObjectURL(content) });
  }

  #forget(id: string): void {
    this.#kept.delete(id);
    const preview = this.list.peek().find((upload) => upload.id === id)?.preview;
    if (preview) URL.revokeObjectURL(preview);
    void dropFile(id);
  }

  #has(id: string): boolean {
    return this.list.peek().some((upload) => upload.id === id);
  }

  #change(id: string, changed: { [K in keyof Upload]?: Upload[K] | undefined }): void {
    this.list.value = this.list.value.map((upload) =>
      upload.id === id ? ({ ...upload, ...changed } as Upload) : upload,
    );
  }
}

function nothingAfter(milliseconds: number): Promise<StoredFile[]> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, []));
}
