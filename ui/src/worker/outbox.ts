import type { ToTab } from "./messages";

/** The shortest time between two messages with events of sessions. Each wakes the tab, and it draws less often. */
const PAUSE_MS = 25;

/**
 * Sends messages to a tab, in their order. Events of sessions that follow each other closely are sent together: the
 * first one at once, the others after a pause.
 */
export class Outbox {
  readonly #post: (message: ToTab) => void;
  #waiting: ToTab[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(post: (message: ToTab) => void) {
    this.#post = post;
  }

  send(message: ToTab): void {
    this.#add(message);
    if (message.type !== "events") this.#flush();
    else this.#timer ??= this.#begin();
  }

  #add(message: ToTab): void {
    const last = this.#waiting.at(-1);
    const isMore = message.type === "events" && last?.type === "events" && last.subscription === message.subscription;
    if (isMore) this.#waiting.splice(-1, 1, { ...last, events: [...last.events, ...message.events] });
    else this.#waiting.push(message);
  }

  /** Sends the first events, and begins a pause. What arrives in it is sent at its end, and begins another one. */
  #begin(): ReturnType<typeof setTimeout> {
    this.#flush();
    return setTimeout(() => {
      this.#timer = this.#waiting.length > 0 ? this.#begin() : undefined;
    }, PAUSE_MS);
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) this.#post(message);
  }
}
