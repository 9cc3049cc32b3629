import { batch, computed, type Signal, signal } from "@preact/signals";
import {
  type ApiError,
  type Connection,
  emptyTurn,
  type Following,
  type Frame,
  follow,
  foldTurn,
  type Interaction,
  type PagedTurn,
  type QueuedTurn,
  type Resync,
  type Session,
  type TurnEventData,
  type TurnView,
} from "../net";
import { Pace } from "./pace";
import { checkBuild, client } from "./server";
import { loadNeeds, loadSessions, noteSession } from "./sessions";

/** The time after which a page that is not seen closes its feed: a browser has six connections for a server. */
const HIDDEN_MS = 30_000;

/** A session on the screen: its turns as they are stored, and as they happen. */
export class Conversation {
  readonly session = signal<Session | undefined>(undefined);
  /** The turns of the branch that the next turn continues, in order. */
  readonly order = signal<string[]>([]);
  /** The number of the turn before which earlier turns can be loaded. */
  readonly before = signal<number | null>(null);
  readonly queue = signal<QueuedTurn[]>([]);
  readonly progress = signal<ReadonlyMap<string, string>>(new Map());
  readonly connection = signal<Connection>("connecting");
  readonly failures = signal(0);
  /** Why the session cannot be shown. */
  readonly refusal = signal<ApiError | undefined>(undefined);
  /** Whether the first snapshot has arrived. */
  readonly isLoaded = signal(false);
  /** The turn that the user asked to stop, until it has ended. */
  readonly stopping = signal<string | undefined>(undefined);

  readonly #pending = signal<ReadonlyMap<string, Interaction[]>>(new Map());
  readonly #turns = new Map<string, Signal<TurnView>>();
  /** The turn that each turn continues. */
  readonly #after = new Map<string, string | null>();
  /** The turns that this page started. They continue the last turn. */
  readonly #own = new Set<string>();
  #head: string | undefined;
  #following: Following | undefined;
  #cursor: string | undefined;
  #hidden: ReturnType<typeof setTimeout> | undefined;
  readonly #pace = new Pace((frames) => this.#applyAll(frames));
  readonly #listening = new AbortController();

  /** All calls of the session and of its sub-agents that wait for the user. */
  readonly pending = computed(() => {
    const all = [...this.#pending.value.values()].flat().filter((interaction) => interaction.kind !== "child");
    return [...new Map(all.map((interaction) => [interaction.id, interaction])).values()];
  });

  /** The turn that has not ended. */
  readonly running = computed(() => {
    const last = this.order.value.at(-1);
    const view = last && this.turn(last).value;
    return view && !view.status ? view : undefined;
  });

  constructor(readonly id: string) {
    const { signal } = this.#listening;
    addEventListener("online", () => this.#following?.reconnect(), { signal });
    addEventListener("pageshow", () => this.#following?.reconnect(), { signal });
    document.addEventListener("visibilitychange", () => this.#seen(), { signal });
    this.#follow();
  }

  /** Stops following the session. */
  close(): void {
    this.#listening.abort();
    this.#following?.stop();
    this.#pace.stop();
    clearTimeout(this.#hidden);
  }

  /** Returns a turn, which changes as its events arrive. */
  turn(id: string): Signal<TurnView> {
    let turn = this.#turns.get(id);
    if (!turn) {
      turn = signal(emptyTurn(id, 0));
      this.#turns.set(id, turn);
    }
    return turn;
  }

  /** Loads the turns before those that are shown. */
  async loadEarlier(): Promise<void> {
    if (this.before.value === null) return;
    const page = await client.turns(this.id, { before: this.before.value });
    batch(() => {
      this.#add(page.data);
      this.before.value = page.before;
      this.#arrange();
    });
  }

  async stop(): Promise<void> {
    const running = this.running.value;
    if (!running) return;
    this.stopping.value = running.turn_id;
    await client.cancel(running.turn_id).catch((error: unknown) => {
      this.stopping.value = undefined;
      throw error;
    });
  }

  /** Notes that the user started this turn. */
  noteStarted(turn: string): void {
    this.#own.add(turn);
  }

  /** Removes an interaction that was decided, before the feed reports it. */
  noteDecided(id: string): void {
    const without = [...this.#pending.value].map(
      ([turn, list]) => [turn, list.filter((interaction) => interaction.id !== id)] as const,
    );
    this.#pending.value = new Map(without);
  }

  #follow(): void {
    this.#following = follow(
      client,
      this.id,
      {
        events: (frames) => this.#pace.push(frames),
        connection: (state, failures) => this.#connected(state, failures),
        ended: (error) => {
          if (error.status !== 401) this.refusal.value = error;
        },
      },
      this.#cursor,
    );
  }

  #connected(state: Connection, failures: number): void {
    // After an update the server offers another page.
    if (state === "open" && this.connection.value === "lost") void checkBuild();
    batch(() => {
      this.connection.value = state;
      this.failures.value = failures;
    });
  }

  /** Closes the feed of a page that is not seen for some time, and continues when it is seen again. */
  #seen(): void {
    clearTimeout(this.#hidden);
    if (!document.hidden) {
      if (this.#following) return this.#following.reconnect();
      void checkBuild();
      return this.#follow();
    }
    this.#hidden = setTimeout(() => {
      this.#following?.stop();
      this.#cursor = this.#following?.cursor;
      this.#following = undefined;
    }, HIDDEN_MS);
  }

  #applyAll(frames: Frame[]): void {
    batch(() => {
      for (const frame of frames) this.#apply(frame.event, JSON.parse(frame.data));
    });
  }

  #apply(name: string, data: unknown): void {
    switch (name) {
      case "resync":
        return this.#restart(data as Resync);
      case "queue":
        this.queue.value = (data as { queue: QueuedTurn[] }).queue;
        return;
      case "pending": {
        const { turn_id, interactions } = data as { turn_id: string; interactions: Interaction[] };
        this.#pending.value = new Map(this.#pending.value).set(turn_id, interactions);
        void loadNeeds().catch(() => {});
        return;
      }
      case "tool.progress": {
        const { call_id, text } = data as { call_id: string; text: string };
        this.progress.value = new Map(this.progress.value).set(call_id, text);
        return;
      }
      default:
        // Clients ignore events that they do not know.
        if (typeof (data as TurnEventData).turn_id === "string") this.#applyToTurn(name, data as TurnEventData);
    }
  }

  #applyToTurn(name: string, event: TurnEventData): void {
    const turn = this.turn(event.turn_id);
    const isNew = turn.peek().seq === 0;
    turn.value = foldTurn(turn.peek(), name, event);
    if (name === "turn.started" && isNew) this.#begin(event.turn_id);
    if (name === "turn.ended") this.#end(event.turn_id);
  }

  #begin(turn: string): void {
    if (!this.#after.has(turn)) this.#after.set(turn, this.#head ?? null);
    this.#head = turn;
    this.#arrange();
    // Another client may have continued an earlier turn.
    if (!this.#own.has(turn)) void this.#load().catch(() => {});
  }

  #end(turn: string): void {
    if (this.stopping.peek() === turn) this.stopping.value = undefined;
    if (this.#pending.peek().get(turn)?.length) {
      this.#pending.value = new Map(this.#pending.peek()).set(turn, []);
      void loadNeeds().catch(() => {});
    }
    if (this.progress.peek().size > 0) this.progress.value = new Map();
    void loadSessions().catch(() => {});
  }

  /** Begins with a snapshot of the session. */
  #restart({ session, turn, queue }: Resync): void {
    this.session.value = session;
    this.queue.value = queue;
    this.#pending.value = new Map();
    this.#head = session.head ?? turn?.turn_id;
    noteSession(session);
    if (turn) {
      this.turn(turn.turn_id).value = turn;
      if (turn.status && this.stopping.peek() === turn.turn_id) this.stopping.value = undefined;
    }
    this.#arrange();
    void this.#load().catch(() => {});
  }

  /** Loads the last turns. */
  async #load(): Promise<void> {
    const page = await client.turns(this.id);
    batch(() => {
      this.#add(page.data);
      if (!this.isLoaded.peek()) this.before.value = page.before;
      this.isLoaded.value = true;
      this.#arrange();
    });
  }

  #add(turns: PagedTurn[]): void {
    for (const turn of turns) {
      this.#after.set(turn.turn_id, turn.after);
      const shown = this.turn(turn.turn_id);
      // Events may have arrived after the server wrote the page.
      const isNewer = shown.peek().seq > turn.seq || (shown.peek().seq === turn.seq && shown.peek().seq > 0);
      if (!isNewer && turn.state !== "queued") shown.value = turn;
    }
  }

  /** Follows the branch back from its last turn. */
  #arrange(): void {
    const order: string[] = [];
    let turn: string | null | undefined = this.#head;
    while (turn && this.#turns.has(turn) && !order.includes(turn)) {
      order.unshift(turn);
      turn = this.#after.get(turn);
    }
    const current = this.order.peek();
    const isSame = order.length === current.length && order.every((id, index) => id === current[index]);
    if (!isSame) this.order.value = order;
  }
}
