import { load, save } from "./storage";

/** A message that was not sent yet. */
export interface Draft {
  text: string;
  /** The idempotency key of the message, once it was sent: a second attempt starts no second turn. */
  key?: string;
}

/** Returns the draft of a session, or of the next new session. */
export function loadDraft(session: string | undefined): Draft {
  const text = load(nameOf(session));
  try {
    const draft: unknown = text && JSON.parse(text);
    if (typeof draft === "object" && draft !== null && "text" in draft && typeof draft.text === "string") {
      const key = "key" in draft && typeof draft.key === "string" ? draft.key : undefined;
      return key === undefined ? { text: draft.text } : { text: draft.text, key };
    }
  } catch {
    // Another version of the page has written it.
  }
  return { text: "" };
}

export function saveDraft(session: string | undefined, draft: Draft): void {
  save(nameOf(session), draft.text === "" ? undefined : JSON.stringify(draft));
}

/** Returns a new idempotency key. */
export function newKey(): string {
  // `crypto.randomUUID` exists only on secure origins.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function nameOf(session: string | undefined): string {
  return `turnkit.draft.${session ?? "new"}`;
}
