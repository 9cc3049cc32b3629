import { computed, effect, signal } from "@preact/signals";
import type { MessageExtras } from "../more/composer/MessageExtras";
import { ApiError, messageOf, type StartedTurn } from "../net";
import type { Conversation } from "../state/conversation";
import { type Draft, loadDraft, prepare, saveDraft } from "../state/drafts";
import { loadMore, more } from "../state/later";
import { client } from "../state/server";
import { strings } from "../strings";

/** What happens to a message if a turn runs: it waits until the turn has ended, or the turn takes it. */
export type WhileBusy = "enqueue" | "steer";

/** The message that the user writes in a session. */
export class NextMessage {
  readonly draft = signal<Draft>({ text: "" });
  /** What belongs to it besides its text, as soon as that part of the page is loaded. */
  readonly extras = signal<MessageExtras | undefined>(undefined);
  readonly isSending = signal(false);
  readonly problem = signal("");
  readonly session: string | undefined;
  readonly #stop: () => void;

  /** Whether the message may be sent: it has words, and all of its files are with the server. */
  readonly canSend = computed(() => {
    const { text, hasFiles } = this.draft.value;
    const extras = this.extras.value;
    const isWhole = extras ? extras.isWhole.value : !hasFiles;
    return !this.isSending.value && text.trim() !== "" && isWhole;
  });

  constructor(readonly conversation: Conversation | undefined) {
    this.session = conversation?.id;
    this.draft.value = loadDraft(this.session);
    this.#stop = effect(() => {
      if (more.value) this.extras.value = new more.value.MessageExtras(this);
    });
  }

  /** Ends the work on the message, which stays stored. */
  close(): void {
    this.#stop();
    this.extras.peek()?.close();
  }

  write(text: string): void {
    this.keep({ ...this.draft.peek(), text });
  }

  /** Sends the message. Returns the turn that it started, if it did. */
  async send(busy: WhileBusy): Promise<StartedTurn | undefined> {
    if (!this.canSend.peek()) return undefined;
    this.isSending.value = true;
    this.problem.value = "";
    try {
      // Files and choices may be stored. Without that part of the page, there are none.
      await loadMore().catch(() => {});
      await this.extras.peek()?.uploads.restored;
      if (this.extras.peek()?.isWhole.peek() === false) return undefined;
      const draft = this.draft.peek();
      const sent = prepare(draft, {
        message: draft.text.trim(),
        ...(this.session && { session_id: this.session }),
        ...this.extras.peek()?.fields(),
        ...(this.conversation?.running.peek() && { on_busy: busy }),
      });
      this.keep({ ...draft, sent });
      const turn = await client.start({ ...sent.request, key: sent.key });
      this.extras.peek()?.sent(turn);
      this.keep({ text: "" });
      this.conversation?.noteStarted(turn.turn_id);
      return turn;
    } catch (error) {
      this.#failed(error);
      return undefined;
    } finally {
      this.isSending.value = false;
    }
  }

  fail(error: unknown): void {
    this.problem.value = strings.peek().page.failed(messageOf(error));
  }

  keep(draft: Draft): void {
    this.draft.value = draft;
    saveDraft(this.session, draft);
  }

  #failed(error: unknown): void {
    this.fail(error);
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return;
    // The server has no such turn, so the next attempt is another request.
    const { sent: _, ...draft } = this.draft.peek();
    this.keep(draft);
    if (error.field?.startsWith("files")) this.extras.peek()?.uploads.renew();
  }
}
