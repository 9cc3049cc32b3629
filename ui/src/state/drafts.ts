import type { NewMessage, TurnOptions } from "../net";
import { load, save } from "./storage";

/** A request that was sent, and whose response did not arrive. */
export interface SentRequest {
  /** The idempotency key: the same request with the same key starts no second turn. */
  key: string;
  request: NewMessage & TurnOptions;
}

/** A message that the server does not have yet, as far as the page knows. */
export interface Draft {
  text: string;
  /** Whether files belong to it, which are kept apart from its text. */
  hasFiles?: boolean;
  sent?: SentRequest;
}

/** Returns the draft of a session, or of the next new session. */
export function loadDraft(session: string | undefined): Draft {
  const text = load(nameOf(session));
  try {
    const draft: unknown = text && JSON.parse(text);
    if (typeof draft === "object" && draft !== null && "text" in draft && typeof draft.text === "string") {
      const { text, hasFiles, sent } = draft as Draft;
      const isWhole = typeof sent?.key === "string" && typeof sent.request?.message === "string";
      return { text, ...(hasFiles === true && { hasFiles }), ...(isWhole && { sent }) };
    }
  } catch {
    // Another version of the page has written it.
  }
  return { text: "" };
}

export function saveDraft(session: string | undefined, draft: Draft): void {
  save(nameOf(session), draft.text === "" && !draft.hasFiles ? undefined : JSON.stringify(draft));
}

/**
 * Returns the request to send: the one that was sent before, byte for byte, if it has the same message, files and
 * choices. What it asked for if the session is busy, and the turn that it continues, stay as they were: two wishes for
 * one message would be two messages.
 */
export function prepare(draft: Draft, request: SentRequest["request"]): SentRequest {
  const identify = ({ on_busy: _, after: __, ...rest }: SentRequest["request"]) => JSON.stringify(rest);
  const { sent } = draft;
  return sent && identify(sent.request) === identify(request) ? sent : { key: newKey(), request };
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
