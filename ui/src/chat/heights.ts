/** The height of a turn before any was measured, with the space below it. */
const FIRST_GUESS = 180;

/** The heights of the turns of a session in pixels, each with the space below it. */
export class Heights {
  readonly #measured = new Map<string, number>();
  #sum = 0;

  set(turn: string, height: number): void {
    this.#sum += height - (this.#measured.get(turn) ?? 0);
    this.#measured.set(turn, height);
  }

  /** Returns the height of a turn. One that was never measured is as high as the others are on average. */
  of(turn: string): number {
    return this.#measured.get(turn) ?? (this.#measured.size > 0 ? this.#sum / this.#measured.size : FIRST_GUESS);
  }

  /** Returns the height of several turns together. */
  sum(turns: string[]): number {
    return turns.reduce((sum, turn) => sum + this.of(turn), 0);
  }

  /** Returns the index of the turn that is so many pixels below the start of the first. */
  at(turns: string[], distance: number): number {
    return turns.length === 0 ? 0 : this.away(turns, -1, 1, Math.max(1, distance));
  }

  /**
   * Returns the first index from `from` on, in steps of `step`, that is at least so many pixels away, or the last one.
   */
  away(turns: string[], from: number, step: 1 | -1, distance: number): number {
    let index = from;
    for (let rest = distance; rest > 0; index += step) {
      const turn = turns[index + step];
      if (turn === undefined) break;
      rest -= this.of(turn);
    }
    return index;
  }

  /** Forgets the turns that are not held any more. */
  keep(turns: string[]): void {
    const held = new Set(turns);
    for (const [turn, height] of this.#measured) {
      if (held.has(turn)) continue;
      this.#measured.delete(turn);
      this.#sum -= height;
    }
  }
}
