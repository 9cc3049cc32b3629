import { batch, computed, type Signal, signal } from "@preact/signals";
import { ApiError, emptyTurn, type PagedTurn, type QueuedTurn, type TurnPage, type TurnView } from "../net";
import { client } from "./server";

/** The most turns that are held. */
const HELD = 400;

/** The number of turns around the one that is looked at which stay when others are dropped. */
const NEIGHBOURS = 100;

/** The number of turns that are loaded at once. */
const PAGE = 50;

/** The most pages that are passed over in search of a turn that continues the held ones. */
const SKIPPED = 8;

/** The pause before the first turns are asked for again. */
const PAUSE_MS = 3_000;

/** A turn with a message, as one of those that continue the same turn. */
export interface Version {
  number: number;
  /** The turn that it continues. */
  after: string | null;
  /** Whether it continues the turn that is stored before it, so that both are loaded together. */
  isNext: boolean;
}

/**
 * The turns of a session that are held: a stretch of one branch, without gaps. It ends with the newest turn, unless the
 * user looks at an earlier part of a long session.
 */
export class History {
  /** The turns that are held, in order. */
  readonly order = signal<string[]>([]);
  /** The last turn of the branch that the next turn continues, whether or not it is held. */
  readonly head = signal<string | undefined>(undefined);
  /** The number of the session's last turn. */
  readonly total = signal(0);
  /** Whether the first turns have arrived. */
  readonly isLoaded = signal(false);
  /** Whether the held turns end with the newest one. */
  readonly isLive = computed(() => this.order.value.length === 0 || this.order.value.at(-1) === this.head.value);
  /** Whether the first held turn continues another one. */
  readonly hasEarlier = computed(() => this.#parent(this.order.value[0]) !== undefined);
  /** The turns that have messages, as far as they are known: those that are held, and where other branches begin. */
  readonly versions = signal<ReadonlyMap<string, Version>>(new Map());
  /** The newest turn. */
  readonly last = computed(() => {
    // The view of a new turn is there before the turn is the newest.
    const view = this.head.value && this.order.value && this.#turns.get(this.head.value)?.value;
    return view && view.number > 0 ? view : undefined;
  });

  /** Whether the session is not shown any more, or cannot be. */
  isClosed = false;
  /** The turn with which the first load begins, in place of the newest. */
  begin: string | undefined;
  /** The turn that the user looks at; none if the view follows the newest. */
  viewed: string | undefined;

  readonly #turns = new Map<string, Signal<TurnView>>();
  /** The turn that each turn continues. */
  readonly #after = new Map<string, string | null>();
  /** The numbers of turns that have not begun. The event of the beginning has no number. */
  readonly #queued = new Map<string, number>();
  #isLoading = false;
  /** Whether no turn continues the last held one, although another branch goes on. */
  #isBranchEnd = false;
  /** Counts what replaced the held turns, so that pages which were asked for before are dropped. */
  #version = 0;

  constructor(readonly session: string) {}

  /** Returns a turn, which changes as its events arrive. */
  turn(id: string): Signal<TurnView> {
    let turn = this.#turns.get(id);
    if (!turn) {
      turn = signal(emptyTurn(id, 0));
      this.#turns.set(id, turn);
    }
    return turn;
  }

  /** Adds a turn that began. It continues the newest one, as far as this page knows. */
  start(turn: string): void {
    const previous = this.head.peek();
    if (!this.#after.has(turn)) this.#after.set(turn, previous ?? null);
    const isHeld = this.isLive.peek();
    const view = this.turn(turn);
    const number = view.peek().number || this.#queued.get(turn) || this.total.peek() + 1;
    const after = this.#after.get(turn) ?? null;
    batch(() => {
      view.value = { ...view.peek(), number };
      this.head.value = turn;
      this.total.value = Math.max(this.total.peek(), number);
      if (view.peek().input.length > 0) this.#note([[turn, { number, after, isNext: after === previous }]]);
      if (isHeld) this.#hold(this.#branch(turn));
    });
  }

  /** Notes that a turn continues another one than the newest. */
  place(turn: string, after: string | null): void {
    this.#after.set(turn, after);
    if (this.head.peek() === turn) this.#hold(this.#branch(turn));
  }

  /** Notes the turns that wait for the end of the running one. */
  expect(queue: QueuedTurn[]): void {
    for (const turn of queue) this.#queued.set(turn.turn_id, turn.number);
    this.total.value = Math.max(this.total.peek(), ...queue.map((turn) => turn.number));
  }

  /** Begins with the last turns of a snapshot, and loads what they are missing. */
  async restart(head: string | undefined, page: TurnPage): Promise<void> {
    const wasLive = this.isLive.peek();
    const known = this.total.peek();
    const old = this.head.peek();
    const number = head && this.#turns.get(head)?.peek().number;
    // A head that is not new is the end of another branch.
    const isSwitched = old !== undefined && head !== old && (!number || number <= known);
    const isLoaded = this.isLoaded.peek();
    const isComplete = hasTurn(page, head);
    const before = this.order.peek();
    batch(() => {
      this.head.value = head;
      this.#replace(page);
      if (isLoaded && isComplete && (wasLive || isSwitched)) return this.#show(before, isSwitched);
      if (wasLive && (isLoaded || !this.begin)) this.#hold(this.#branch(head));
      if (!isLoaded && !this.begin) this.isLoaded.value = isComplete;
    });
    if (!this.isLoaded.peek()) return this.#open();
    if (!isComplete && (wasLive || isSwitched)) await this.refresh(isSwitched);
  }

  /** Loads the newest turns again, because there may be others than this page knows of. */
  async refresh(isSwitched = false): Promise<void> {
    const version = this.#version;
    const before = this.order.peek();
    const page = await this.#newest();
    if (version !== this.#version) return;
    batch(() => {
      this.#add(page);
      this.#show(before, isSwitched);
    });
  }

  /** Holds the newest turns, after others were held. */
  #show(before: string[], isSwitched: boolean): void {
    const branch = this.#branch(this.head.peek());
    const viewed = this.viewed ?? "";
    // While the page was away, more turns were added than a page holds: what is looked at stays.
    const isLost = !isSwitched && before.includes(viewed) && !branch.includes(viewed);
    this.#hold(isLost ? before : branch);
  }

  /** Loads turns before the first held one. */
  async loadEarlier(): Promise<void> {
    const first = this.order.peek()[0];
    const parent = this.#parent(first);
    if (!first || !parent || this.#isLoading) return;
    await this.#load(async () => {
      const page = await client.turns(this.session, { before: first, limit: PAGE });
      if (page.data.some((turn) => turn.turn_id === parent)) return page;
      // The branch began at a much earlier turn.
      return client.turns(this.session, { around: parent, limit: PAGE });
    }, (page) => {
      this.#add(page);
      this.#hold(this.#branch(this.order.peek().at(-1)));
    });
  }

  /** Loads turns after the last held one. */
  async loadLater(): Promise<void> {
    const last = this.order.peek().at(-1);
    if (!last || this.isLive.peek() || this.#isBranchEnd || this.#isLoading) return;
    let from: string | number | null = last;
    for (let pages = 0; from !== null && pages < SKIPPED && this.order.peek().at(-1) === last; pages += 1) {
      const after: string | number = from;
      const page: TurnPage | undefined = await this.#load(
        () => client.turns(this.session, { after, limit: PAGE }),
        (page) => this.#append(page),
      );
      if (!page) return;
      from = page.after;
    }
    this.#isBranchEnd = this.order.peek().at(-1) === last;
  }

  /**
   * Holds the turns around one, which is given by its id or its number. `found` is called with its id, or with that of
   * the turn before it on the branch, before the held turns change. `head` is the new head, if that has moved.
   */
  async jump(to: string | number, found: (turn: string) => void, head?: string): Promise<void> {
    const held = this.order.peek().find((id) => id === to || this.turn(id).peek().number === to);
    if (held) return found(held);
    this.#version += 1;
    await this.#load(() => client.turns(this.session, { around: to, limit: PAGE }), (page) => {
      if (head) this.head.value = head;
      this.#add(page);
      const branch = this.#branchThrough(page.data, to);
      const number = typeof to === "number" ? to : this.turn(to).peek().number;
      const index = branch.findLastIndex((id) => this.turn(id).peek().number <= number);
      const turn = branch[Math.max(0, index)];
      this.viewed = turn;
      if (turn) found(turn);
      this.#hold(branch);
    });
  }

  /** Holds the newest turns. */
  async showNewest(): Promise<void> {
    this.viewed = undefined;
    if (this.isLive.peek()) return;
    this.#version += 1;
    await this.#load(() => this.#newest(), (page) => {
      this.#add(page);
      this.#hold(this.#branch(this.head.peek()));
    });
  }

  /** Loads the first turns that are shown, again after a pause if the server is away. */
  async #open(): Promise<void> {
    await this.#loadFirst().catch(() => setTimeout(() => this.isClosed || this.isLoaded.peek() || void this.#open(), PAUSE_MS));
  }

  async #loadFirst(): Promise<void> {
    const from = this.begin;
    if (from) {
      const isMissing = (error: unknown) => error instanceof ApiError && [404, 422].includes(error.status);
      const page = await client.turns(this.session, { around: from, limit: PAGE }).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
        return undefined;
      });
      if (page) {
        return batch(() => {
          this.#add(page);
          this.viewed = from;
          this.#hold(this.#branchThrough(page.data, from));
          this.isLoaded.value = true;
        });
      }
    }
    const page = await this.#newest();
    batch(() => {
      this.#add(page);
      this.#hold(this.#branch(this.head.peek()));
      this.isLoaded.value = true;
    });
  }

  /** Runs a request, one at a time, and applies its page unless other turns are held by then. */
  async #load(request: () => Promise<TurnPage>, apply: (page: TurnPage) => void): Promise<TurnPage | undefined> {
    const version = this.#version;
    this.#isLoading = true;
    try {
      const page = await request();
      if (version !== this.#version) return undefined;
      batch(() => apply(page));
      return page;
    } finally {
      if (version === this.#version) this.#isLoading = false;
    }
  }

  /** Returns the page that ends with the newest turn. The head may be an earlier turn, after a change of the branch. */
  async #newest(): Promise<TurnPage> {
    const page = await client.turns(this.session, { limit: PAGE });
    const head = this.head.peek();
    if (hasTurn(page, head)) return page;
    return client.turns(this.session, { around: head, limit: PAGE });
  }

  /** Takes the turns of a snapshot. The events after it are applied to them, so they replace even what is newer. */
  #replace(page: TurnPage): void {
    for (const turn of page.data) if (turn.state !== "queued") this.turn(turn.turn_id).value = turn;
    this.#add(page);
  }

  #add(page: TurnPage): void {
    this.total.value = Math.max(this.total.peek(), page.turns);
    const versions: [string, Version][] = [];
    for (const [index, turn] of page.data.entries()) {
      const { number, after } = turn;
      this.#after.set(turn.turn_id, after);
      const hasMessage = turn.state !== "queued" && !turn.kind && !turn.steered_into;
      if (hasMessage) versions.push([turn.turn_id, { number, after, isNext: page.data[index - 1]?.turn_id === after }]);
      const shown = this.turn(turn.turn_id);
      // Events may have arrived after the server wrote the page.
      const { seq, status } = shown.peek();
      // A turn that runs has all of its text here, and perhaps not in the page.
      const isNewer = seq > 0 && (seq >= turn.seq || !status);
      if (!isNewer && turn.state !== "queued") shown.value = turn;
      else if (isNewer && shown.peek().number !== number) shown.value = { ...shown.peek(), number };
    }
    this.#note(versions);
  }

  #note(versions: [string, Version][]): void {
    this.versions.value = new Map([...this.versions.peek(), ...versions]);
  }

  /**
   * Continues the held turns with those of a page that belong to their branch, the newest branch if there are several.
   */
  #append(page: TurnPage): void {
    this.#add(page);
    const held = this.order.peek();
    // A branch that leaves the held turns before what is looked at is another one.
    const joint = this.viewed ?? held.at(-1) ?? "";
    for (const tip of this.#tips(page.data)) {
      const branch = this.#branch(tip);
      if (!held.includes(tip) && branch.includes(joint)) return this.#hold(branch);
    }
    this.#forget();
  }

  /** Returns the branch in a page that has the turn; of several, the branch of the newest turn. */
  #branchThrough(page: PagedTurn[], turn: string | number): string[] {
    const branches = this.#tips(page).map((tip) => this.#branch(tip));
    return branches.find((branch) => branch.includes(String(turn))) ?? branches[0] ?? [];
  }

  /** Returns the turns of a page at which a branch may end: first the head, then the newest. */
  #tips(page: PagedTurn[]): string[] {
    const begun = page.filter((turn) => turn.state !== "queued").map((turn) => turn.turn_id);
    const head = this.head.peek();
    return [...begun.filter((turn) => turn === head), ...begun.reverse()];
  }

  /** Follows a branch back from its last turn, as far as its turns are known. */
  #branch(tip: string | undefined): string[] {
    const branch = new Set<string>();
    let turn: string | null | undefined = tip;
    while (turn && this.#turns.has(turn) && !branch.has(turn)) {
      branch.add(turn);
      turn = this.#after.get(turn);
    }
    return [...branch].reverse();
  }

  #parent(turn: string | undefined): string | undefined {
    return (turn && this.#after.get(turn)) || undefined;
  }

  /** Holds these turns, and drops all others. */
  #hold(branch: string[]): void {
    const order = this.#shorten(branch);
    const current = this.order.peek();
    const isSame = order.length === current.length && order.every((id, index) => id === current[index]);
    if (!isSame) {
      if (order.at(-1) !== current.at(-1)) this.#isBranchEnd = false;
      this.order.value = order;
    }
    this.#forget();
  }

  /** Leaves out the turns that are the farthest from the one that is looked at. */
  #shorten(branch: string[]): string[] {
    const excess = branch.length - HELD;
    if (excess <= 0) return branch;
    const viewed = branch.indexOf(this.viewed ?? "");
    const start = viewed < 0 ? excess : Math.min(excess, Math.max(0, viewed - NEIGHBOURS));
    return branch.slice(start, start + HELD);
  }

  /** Forgets the turns that are not held. The newest one is kept, because it may run. */
  #forget(): void {
    const kept = new Set([...this.order.peek(), this.head.peek()]);
    for (const [id, turn] of this.#turns) {
      if (kept.has(id) || (turn.peek().seq > 0 && !turn.peek().status)) continue;
      this.#turns.delete(id);
      this.#after.delete(id);
    }
    const versions = [...this.versions.peek()];
    const known = versions.filter(([id, { after, isNext }]) => !isNext || kept.has(id) || kept.has(after ?? ""));
    if (known.length < versions.length) this.versions.value = new Map(known);
  }
}

function hasTurn(page: TurnPage, turn: string | undefined): boolean {
  return !turn || page.data.some(({ turn_id }) => turn_id === turn);
}
