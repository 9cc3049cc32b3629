import type { FeedEvent } from "../net";

/** At most so many times a second is what arrived drawn. */
const SHORTEST_MS = 1000 / 20;
const LONGEST_MS = 250;

/** The pause after a drawing is this many times as long, so that other work has most of the time. */
const REST = 8;

/**
 * Collects events, and passes them on together: often enough to look immediate, and rarely enough that a slow machine
 * has time left for the user's input.
 */
export class Pace {
  readonly #apply: (frames: FeedEvent[]) => void;
  #frames: FeedEvent[] = [];
  /** Whether a turn has ended. Little follows, so waiting would save no work. */
  #hasEnd = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether what was passed on last is not drawn yet. */
  #isDrawing = false;
  #last = 0;
  #pause = SHORTEST_MS;

  constructor(apply: (frames: FeedEvent[]) => void) {
    this.#apply = apply;
  }

  push(frames: FeedEvent[]): void {
    this.#frames.push(...frames);
    this.#hasEnd ||= frames.some(({ event }) => event === "turn.ended");
    if (!this.#isDrawing) this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#frames = [];
  }

  #schedule(): void {
    if (this.#hasEnd) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#last + this.#pause - performance.now()));
  }

  #flush(): void {
    const frames = this.#frames;
    const started = performance.now();
    clearTimeout(this.#timer);
    this.#frames = [];
    this.#hasEnd = false;
    this.#timer = undefined;
    this.#isDrawing = true;
    whenDrawn((cost) => {
      this.#isDrawing = false;
      this.#pause = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, cost * REST));
      // Drawing that is cheap does not delay the next one.
      this.#last = cost * REST > SHORTEST_MS ? performance.now() : started;
      if (this.#frames.length > 0) this.#schedule();
    });
    this.#apply(frames);
  }
}

/**
 * Calls `done` when the changes of the present task are drawn, with the time that they have taken: that of their
 * scripts, and that of the frame. A tab that is hidden draws no frames.
 */
function whenDrawn(done: (cost: number) => void): void {
  const started = performance.now();
  let scripts = 0;
  setTimeout(() => {
    scripts = performance.now() - started;
  });
  const end = (frame: number) => {
    clearTimeout(hidden);
    done(scripts + frame);
  };
  const hidden = setTimeout(() => {
    cancelAnimationFrame(request);
    end(0);
  }, LONGEST_MS);
  const request = requestAnimationFrame(() => {
    const began = performance.now();
    setTimeout(() => end(performance.now() - began));
  });
}
