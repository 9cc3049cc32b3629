import { type ApiError, type Client, type Connection, type FeedEvent, type Following, follow, isChange } from "../net";
import { isSessionId, MOST_SESSIONS } from "../net/feed";
import type { ToTab } from "./messages";

/** A tab, to which messages are sent. */
export interface Tab {
  send(message: ToTab): void;
}

/** A session as one tab follows it. */
interface Subscription {
  tab: Tab;
  number: number;
  session: string;
  /** Whether the tab has the state that the next event is applied to. */
  hasBegun: boolean;
}

/**
 * Follows the sessions of all tabs that have the same credential, over one connection.
 *
 * It keeps a cursor for each session and nothing else. The tabs that follow the same session share its events. If one
 * more tab begins to follow it, the session begins anew: its feed is opened without a cursor, and sends a `resync`. All
 * tabs get that and every event after it, so none is missed. The new tab gets nothing before. In the others the
 * `resync` replaces what they have, which may be newer; then they get the events in between again, and none counts
 * twice.
 *
 * Of more sessions than one feed may have, those that were looked at last are followed. The others continue after their
 * cursors when they are looked at.
 */
export class Hub {
  readonly #client: Client;
  readonly #tabs = new Set<Tab>();
  /** The subscriptions of each session. The session that was looked at last comes last. */
  readonly #sessions = new Map<string, Subscription[]>();
  /** How far the sessions were followed that are not followed now. */
  readonly #resting = new Map<string, string | undefined>();
  #following: Following | undefined;
  #connection: ToTab = { type: "connection", state: "connecting", failures: 0 };

  constructor(client: Client) {
    this.#client = client;
  }

  get isEmpty(): boolean {
    return this.#tabs.size === 0;
  }

  join(tab: Tab): void {
    this.#tabs.add(tab);
    if (this.#following) tab.send(this.#connection);
    else this.wake(tab);
  }

  leave(tab: Tab): void {
    this.#tabs.delete(tab);
    for (const { number } of this.#of(tab)) this.unfollow(tab, number);
    if (this.isEmpty) this.sleep();
  }

  follow(tab: Tab, number: number, session: string, after: string | undefined): void {
    if (!isSessionId(session)) return tab.send({ type: "removed", subscription: number });
    const others = this.#sessions.get(session) ?? [];
    const isShared = others.length > 0;
    this.#sessions.delete(session);
    this.#sessions.set(session, [...others, { tab, number, session, hasBegun: !isShared && after !== undefined }]);
    if (!isShared || this.#resting.has(session)) this.#resting.set(session, isShared ? undefined : after);
    else this.#following?.add(session);
    this.#adjust();
  }

  unfollow(tab: Tab, number: number): void {
    for (const { session } of this.#of(tab).filter((subscription) => subscription.number === number)) {
      const others = this.#sessions.get(session)?.filter((other) => other.tab !== tab || other.number !== number) ?? [];
      if (others.length > 0) this.#sessions.set(session, others);
      else this.#forget(session);
    }
    this.#adjust();
  }

  /** Continues, and connects at once if the connection is lost. The user looks at the tab. */
  wake(tab: Tab): void {
    for (const { session } of this.#of(tab)) {
      const subscriptions = this.#sessions.get(session) ?? [];
      this.#sessions.delete(session);
      this.#sessions.set(session, subscriptions);
    }
    this.#following ??= follow(this.#client, this.#follower, { me: true });
    this.#following.reconnect();
    this.#adjust();
  }

  /** Closes the connection until a tab wakes it. */
  sleep(): void {
    for (const { id, after } of this.#following?.sessions ?? []) {
      if (this.#sessions.has(id)) this.#resting.set(id, after);
    }
    this.#following?.stop();
    this.#following = undefined;
  }

  readonly #follower = {
    events: (events: FeedEvent[]) => this.#pass(events),
    connection: (state: Connection, failures: number) => {
      this.#connection = { type: "connection", state, failures };
      this.#sendAll(this.#connection);
    },
    ended: ({ status, code, message }: ApiError) => {
      this.sleep();
      this.#sendAll({ type: "refused", status, code, message });
    },
  };

  #of(tab: Tab): Subscription[] {
    return [...this.#sessions.values()].flat().filter((subscription) => subscription.tab === tab);
  }

  #forget(session: string): void {
    this.#sessions.delete(session);
    this.#resting.delete(session);
  }

  /** Follows the sessions that were looked at last. */
  #adjust(): void {
    const following = this.#following;
    if (!following) return;
    const wanted = [...this.#sessions.keys()].slice(-MOST_SESSIONS);
    const present = following.sessions;
    for (const { id, after } of present.filter(({ id }) => !wanted.includes(id))) {
      following.remove(id);
      if (this.#sessions.has(id)) this.#resting.set(id, after);
    }
    for (const id of wanted.filter((id) => !present.some((known) => known.id === id))) {
      following.add(id, this.#resting.get(id));
      this.#resting.delete(id);
    }
  }

  #pass(events: FeedEvent[]): void {
    const changes = events.filter(isChange);
    if (changes.length > 0) this.#sendAll({ type: "changes", events: changes });
    const ofSessions = events.filter((event) => !isChange(event));
    for (const session of new Set(ofSessions.map((event) => event.session))) {
      const mine = ofSessions.filter((event) => event.session === session);
      for (const subscription of this.#sessions.get(session ?? "") ?? []) deliver(subscription, mine);
    }
    for (const { event, session = "" } of changes) if (event === "session.removed") this.#remove(session);
  }

  #remove(session: string): void {
    const subscriptions = this.#sessions.get(session) ?? [];
    this.#forget(session);
    for (const { tab, number } of subscriptions) tab.send({ type: "removed", subscription: number });
    this.#adjust();
  }

  #sendAll(message: ToTab): void {
    for (const tab of this.#tabs) tab.send(message);
  }
}

function deliver(subscription: Subscription, events: FeedEvent[]): void {
  if (!subscription.hasBegun) {
    const beginning = events.findIndex(({ event }) => event === "resync");
    if (beginning < 0) return;
    events = events.slice(beginning);
    subscription.hasBegun = true;
  }
  subscription.tab.send({ type: "events", subscription: subscription.number, events });
}
