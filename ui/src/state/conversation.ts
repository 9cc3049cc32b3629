import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import {
  type ApiError,
  type FeedEvent,
  foldTurn,
  type Interaction,
  type PagedTurn,
  type QueuedTurn,
  type Resync,
  type Session,
  type TurnEventData,
  type TurnView,
} from "../net";
import { connection, followSession } from "./feed";
import { History } from "./history";
import { Pace } from "./pace";
import { client } from "./server";
import { changed, noteSession } from "./sessions";
import { isStopping, noteStopping } from "./stopping";

/** A session on the screen: its turns as they are stored, and as they happen. */
export class Conversation {
  readonly session = signal<Session | undefined>(undefined);
  /** The turns that are held. */
  readonly history: History;
  /** How many messages the user has sent from this page. */
  readonly sent = signal(0);
  readonly queue = signal<QueuedTurn[]>([]);
  readonly progress = signal<ReadonlyMap<string, string>>(new Map());
  readonly connection = connection;
  /** Opens the search, as long as the turns are on the screen. */
  search = () => {};
  /** Why the session cannot be shown. */
  readonly refusal = signal<ApiError | undefined>(undefined);

  readonly #pending = signal<ReadonlyMap<string, Interaction[]>>(new Map());
  /** The turns that this page started. They continue the last turn. */
  readonly #own = new Set<string>();
  readonly #pace = new Pace((events) => this.#applyAll(events));
  readonly #unfollow: () => void;
  readonly #unwatch: () => void;

  /** All calls of the session and of its sub-agents that wait for the user. */
  readonly pending = computed(() => {
    const all = [...this.#pending.value.values()].flat().filter((interaction) => interaction.kind !== "child");
    return [...new Map(all.map((interaction) => [interaction.id, interaction])).values()];
  });

  /** The turn that has not ended. */
  readonly running = computed(() => {
    const last = this.history.last.value;
    return last && !last.status ? last : undefined;
  });

  /** Whether a turn has not ended. */
  readonly isRunning = computed(() => this.running.value !== undefined);

  /** Whether that turn was asked to stop: in this browser, or as the server said when the page was loaded. */
  readonly isStopping = computed(() => {
    const running: (TurnView & Partial<PagedTurn>) | undefined = this.running.value;
    return running !== undefined && (running.state === "cancelling" || isStopping(running.turn_id));
  });

  constructor(readonly id: string) {
    this.history = new History(id);
    this.#unwatch = effect(() => {
      if (changed.value?.id === id) this.session.value = changed.value;
    });
    this.#unfollow = followSession(id, {
      events: (events) => this.#pace.push(events),
      ended: (error) => {
        this.history.isClosed = true;
        this.refusal.value = error;
      },
    });
  }

  /** Stops following the session. */
  close(): void {
    this.history.isClosed = true;
    this.#unfollow();
    this.#unwatch();
    this.#pace.stop();
  }

  /** Whether the first turns have arrived. */
  get isLoaded(): ReadonlySignal<boolean> {
    return this.history.isLoaded;
  }

  /** Returns a turn, which changes as its events arrive. */
  turn(id: string): Signal<TurnView> {
    return this.history.turn(id);
  }

  async stop(): Promise<void> {
    const running = this.running.value;
    if (!running) return;
    noteStopping(running.turn_id, true);
    await client.cancel(running.turn_id).catch((error: unknown) => {
      noteStopping(running.turn_id, false);
      throw error;
    });
  }

  /** Notes that the user started this turn, and the turn that it continues, if that is not the last one. */
  noteStarted(turn: string, after?: string | null): void {
    if (after === undefined) this.#own.add(turn);
    else this.history.place(turn, after);
    this.sent.value += 1;
  }

  /** Removes an interaction that was decided, before the feed reports it. */
  noteDecided(id: string): void {
    const without = [...this.#pending.value].map(
      ([turn, list]) => [turn, list.filter((interaction) => interaction.id !== id)] as const,
    );
    this.#pending.value = new Map(without);
  }

  #applyAll(events: FeedEvent[]): void {
    batch(() => {
      for (const { event, data } of events) this.#apply(event, data);
    });
  }

  #apply(name: string, data: unknown): void {
    switch (name) {
      case "resync":
        return this.#restart(data as Resync);
      case "queue":
        this.queue.value = (data as { queue: QueuedTurn[] }).queue;
        return this.history.expect(this.queue.peek());
      case "pending": {
        const { turn_id, interactions } = data as { turn_id: string; interactions: Interaction[] };
        this.#pending.value = new Map(this.#pending.value).set(turn_id, interactions);
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
    this.history.start(turn);
    // Another client may have continued an earlier turn.
    if (!this.#own.has(turn) && this.history.isLive.peek()) void this.history.refresh().catch(() => {});
  }

  #end(turn: string): void {
    if (this.#pending.peek().get(turn)?.length) this.#pending.value = new Map(this.#pending.peek()).set(turn, []);
    if (this.progress.peek().size > 0) this.progress.value = new Map();
  }

  /** Begins with a snapshot of the session. */
  #restart({ session, turns, queue }: Resync): void {
    this.session.value = session;
    this.queue.value = queue;
    this.#pending.value = new Map();
    noteSession(session);
    void this.history.restart(session.head, turns).catch(() => {});
    this.history.expect(queue);
  }
}
