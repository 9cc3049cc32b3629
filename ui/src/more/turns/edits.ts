import { signal } from "@preact/signals";
import { loadUnsent, saveUnsent } from "../../later/unsent";
import { ApiError, client, messageOf, type Part, prepare, type SentRequest, strings, type TurnView } from "../../shared";
import type { Conversation } from "../../state/conversation";
import type { History } from "../../state/history";
import { fieldsOf, loadOptions } from "../composer/options";
import { words } from "../strings";
import { linkedImages, uploadAgain } from "./attached";
import { moveTo, reasonOf } from "./versions";
import { lacksRest, loadRest, textOfPart } from "./wholes";

/** The messages that are being edited, by their turns. They are here while their turns are not mounted. */
export const edits = signal<ReadonlyMap<string, Edit>>(new Map());

/** Whether the message of a turn can be edited: the turn has ended, and the message has a text. */
export function canEdit(view: TurnView): boolean {
  return view.status !== undefined && textsOf(view).some(({ text }) => text !== "");
}

function textsOf({ input }: TurnView): (Part & { type: "text" })[] {
  return input.filter((part) => part.type === "text");
}

/** Joins the texts of a message. */
function join(texts: string[]): string {
  return texts.join("\n\n");
}

/** Opens the field for the message of a turn. */
export function beginEdit(session: string, view: TurnView): void {
  if (!canEdit(view) || edits.peek().has(view.turn_id)) return;
  // What another tab has kept goes on here.
  open(new Edit(session, view, keptEdit(session, view.turn_id)));
}

/** Opens the field again if a text was written there before a reload. */
export function restoreEdit(session: string, view: TurnView): void {
  if (keptEdit(session, view.turn_id)) beginEdit(session, view);
}

function open(edit: Edit): void {
  edits.value = new Map(edits.peek()).set(edit.turn.turn_id, edit);
}

/** Opens the field for the last message on the screen. Returns whether there is one. */
export function editLast(history: History): boolean {
  const isMounted = (turn: string) => document.getElementById(`t-${turn}`) !== null;
  const last = history.order.peek().findLast((turn) => canEdit(history.turn(turn).peek()) && isMounted(turn));
  if (!last) return false;
  beginEdit(history.session, history.turn(last).peek());
  document.querySelector<HTMLElement>(`#t-${CSS.escape(last)} .user textarea`)?.focus();
  return true;
}

/** A new text for an earlier message. The message stays, and the new one begins a branch beside it. */
export class Edit {
  readonly text = signal("");
  /** Whether the text of the message is here. A page of turns cuts a long one, and the rest is loaded first. */
  readonly state = signal<"loading" | "failed" | "ready">("ready");
  readonly problem = signal("");
  readonly isSending = signal(false);
  /** Whether the field has not been focused yet. */
  isNew: boolean;
  /** The text of the message, as far as it is here. */
  #original: string;
  #files: string[] | undefined;
  #sent: SentRequest | undefined;

  constructor(
    readonly session: string,
    readonly turn: TurnView,
    kept?: KeptEdit,
  ) {
    this.isNew = kept === undefined;
    this.#original = join(textsOf(turn).map((part) => textOfPart(turn, part)));
    this.#files = kept?.files;
    this.#sent = kept?.sent;
    if (kept) this.text.value = kept.text;
    else if (textsOf(turn).some((part) => lacksRest(turn, part))) void this.load();
    else this.text.value = this.#original;
  }

  /** Loads the whole text of the message. */
  async load(): Promise<void> {
    this.state.value = "loading";
    this.problem.value = "";
    try {
      this.#original = join(await Promise.all(textsOf(this.turn).map((part) => loadRest(this.turn, part))));
      this.text.value = this.#original;
      this.state.value = "ready";
    } catch (error) {
      this.problem.value = words.peek().turns.restFailed(messageOf(error));
      this.state.value = "failed";
    }
  }

  write(text: string): void {
    this.text.value = text;
    this.#keep();
  }

  /** Closes the field, and forgets its text. */
  close(): void {
    saveUnsent("edit", this.session, this.turn.turn_id, {});
    edits.value = new Map([...edits.peek()].filter(([, edit]) => edit !== this));
  }

  /** Sends the message. Returns whether the server has it. */
  async send(conversation: Conversation): Promise<boolean> {
    const message = this.text.peek().trim();
    if (this.isSending.peek() || this.state.peek() !== "ready" || message === "") return false;
    this.isSending.value = true;
    this.problem.value = "";
    try {
      const path = `api/v1/turns/${this.turn.turn_id}`;
      const { after } = (await (await client.send("GET", path)).json()) as { after: string | null };
      this.#files ??= await uploadAgain(this.turn);
      const images = linkedImages(this.turn);
      const request = {
        ...(images.length > 0 ? { parts: [...images, { type: "text" as const, text: message }] } : { message }),
        session_id: conversation.id,
        ...fieldsOf(loadOptions(conversation.id)),
        ...(this.#files.length > 0 && { files: this.#files }),
        after,
        on_busy: "enqueue" as const,
      };
      this.#sent = prepare({ text: message, ...(this.#sent && { sent: this.#sent }) }, request);
      this.#keep();
      const started = await client.start({ ...this.#sent.request, key: this.#sent.key });
      this.close();
      conversation.noteStarted(started.turn_id, after);
      await showStarted(conversation, started.turn_id).catch(() => {});
      return true;
    } catch (error) {
      this.problem.value = reasonOf(error, strings.peek().page.failed);
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) this.#beginAnew();
      return false;
    } finally {
      this.isSending.value = false;
    }
  }

  /** Makes the next attempt another request: the server has no such turn, and may have removed the files. */
  #beginAnew(): void {
    this.#sent = undefined;
    this.#files = undefined;
    this.#keep();
  }

  /** Keeps the text, unless it is that of the message. */
  #keep(): void {
    const text = this.text.peek();
    const isKept = text !== this.#original || this.#sent !== undefined;
    const kept = isKept ? { text, files: this.#files, sent: this.#sent } : {};
    saveUnsent("edit", this.session, this.turn.turn_id, kept);
  }
}

/** What the browser keeps of an edit. */
interface KeptEdit {
  text: string;
  /** The files of the message that are uploaded again. */
  files?: string[];
  /** The request whose response did not arrive. */
  sent?: SentRequest;
}

/** Returns what is kept of the edit of a turn's message, if anything is. */
function keptEdit(session: string, turn: string): KeptEdit | undefined {
  const { text, files, sent } = loadUnsent("edit", session, turn) as Partial<KeptEdit>;
  if (typeof text !== "string") return undefined;
  const isWhole = Boolean(sent?.key && sent.request);
  return { text, ...(Array.isArray(files) && { files }), ...(isWhole && { sent }) };
}

/** Shows a turn that began before the response to a repeated request said so, and that the user left meanwhile. */
async function showStarted(conversation: Conversation, turn: string): Promise<void> {
  const { history } = conversation;
  if (!history.versions.peek().has(turn) || history.order.peek().includes(turn)) return;
  history.head.value = await moveTo(conversation, turn);
  await history.refresh(true);
}
