import type { Frame } from "../net";

/** At most so many times a second is what arrived drawn. */
const SHORTEST_MS = 1000 / 20;
const LONGEST_MS = 250;

/** The part of the time that drawing may take: the pause after it is this many times as long. */
const REST = 1.5;

/**
 * Collects events, and passes them on together: often enough to look immediate, and rarely enough that a slow machine
 * has time left for the user's input.
 */
export class Pace {
  readonly #apply: (frames: Frame[]) => void;
  #frames: Frame[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  #pause = SHORTEST_MS;

  constructor(apply: (frames: Frame[]) => void) {
    this.#apply = apply;
  }

  push(frames: Frame[]): void {
    this.#frames.push(...frames);
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#last + this.#pause - performance.now()));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#frames = [];
  }

  #flush(): void {
    const started = performance.now();
    const frames = this.#frames;
    this.#frames = [];
    this.#timer = undefined;
    this.#last = started;
    this.#apply(frames);
    // What is drawn because of them is drawn before the next timer.
    setTimeout(() => {
      const cost = performance.now() - started;
      this.#pause = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, cost * REST));
      this.#last = performance.now();
    });
  }
}
