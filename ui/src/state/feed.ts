// The connection of this tab to the worker that follows the sessions of all tabs of the browser.

import { signal } from "@preact/signals";
import { ApiError, type Connection, type FeedEvent } from "../net";
import type { FromTab, ToTab } from "../worker/messages";
import { newKey } from "./drafts";
import { checkBuild, currentCredential, isOutdated, refuse } from "./server";

/** The time after which a tab that is not seen closes a connection of its own: a browser has six for a server. */
const HIDDEN_MS = 30_000;

/** The pause before another worker is started in place of one that has crashed, or was not there. */
const CRASHED_MS = 1_000;

export interface Subscriber {
  events(events: FeedEvent[]): void;
  /** Called when the session cannot be followed: it does not exist, or the server refuses it. */
  ended(error: ApiError): void;
}

/** The state of the connection to the server. */
export const connection = signal<Connection>("connecting");

/** How many attempts to connect have failed since the connection was open. */
export const failures = signal(0);

const subscriptions = new Map<number, Subscriber & { session: string; cursor?: string | undefined }>();
let last = 0;
let port: MessagePort | undefined;
/** The next attempt to join a worker. */
let rejoining: ReturnType<typeof setTimeout> | undefined;
/** Whether the worker runs in this tab, and serves no other. */
let isAlone = false;
let wasOpen = false;
let passChanges: (events: FeedEvent[]) => void;

/** Follows a session. Returns the function that stops that. */
export function followSession(session: string, subscriber: Subscriber): () => void {
  const subscription = ++last;
  subscriptions.set(subscription, { ...subscriber, session });
  subscribe(subscription);
  return () => {
    subscriptions.delete(subscription);
    send({ type: "unfollow", subscription });
  };
}

/**
 * Connects, and calls `changes` with the changes among all sessions and interactions of the user. Returns the function
 * that disconnects.
 */
export function openFeed(changes: (events: FeedEvent[]) => void): () => void {
  const closing = new AbortController();
  const { signal } = closing;
  let timer: ReturnType<typeof setTimeout> | undefined;
  passChanges = changes;
  const lock = hold(signal);
  void join(signal, lock);
  addEventListener("online", wake, { signal });
  addEventListener("pagehide", leave, { signal });
  // The browser may show a page again that it has kept.
  addEventListener("pageshow", ({ persisted }) => (persisted ? void join(signal, lock) : wake()), { signal });
  const look = () => {
    clearTimeout(timer);
    if (!document.hidden) wake();
    else if (isAlone) timer = setTimeout(sleep, HIDDEN_MS);
  };
  document.addEventListener("visibilitychange", look, { signal });
  return () => {
    closing.abort();
    clearTimeout(timer);
    leave();
  };
}

function wake(): void {
  send({ type: "wake" });
}

/** Closes the connection of this tab alone until it is seen. */
function sleep(): void {
  connection.value = "connecting";
  send({ type: "sleep" });
}

function leave(): void {
  connection.value = "connecting";
  send({ type: "leave" });
  port?.close();
  port = undefined;
}

function send(message: FromTab): void {
  port?.postMessage(message);
}

function subscribe(subscription: number): void {
  const { session, cursor: after } = subscriptions.get(subscription)!;
  send({ type: "follow", subscription, session, after });
}

/** Connects with the worker, and follows there what the tab follows. */
async function join(signal: AbortSignal, held: Promise<string | undefined>): Promise<void> {
  clearTimeout(rejoining);
  const lock = await held;
  const again = (pause: number) => {
    clearTimeout(rejoining);
    rejoining = setTimeout(() => signal.aborted || void join(signal, held), pause);
  };
  const joined = (isAlone ? undefined : shared(() => again(0))) ?? (await alone().catch(() => undefined));
  if (signal.aborted) return;
  if (!joined) {
    // The server is away. The next attempt may find the shared worker.
    isAlone = false;
    failures.value += 1;
    return again(CRASHED_MS);
  }
  port = joined;
  port.onmessage = ({ data }: MessageEvent<ToTab>) => receive(data);
  port.addEventListener("close", () => port === joined && again(CRASHED_MS));
  send({ type: "join", build: __BUILD__, credential: currentCredential(), lock });
  for (const subscription of subscriptions.keys()) subscribe(subscription);
}

/** Returns a port of the shared worker, if the browser has such workers. `failed` is called if it cannot be loaded. */
function shared(failed: () => void): MessagePort | undefined {
  try {
    // A worker of another build may speak otherwise.
    const worker = new SharedWorker(workerAddress, `turnkit ${__BUILD__}`);
    worker.onerror = () => {
      isAlone = true;
      if (port === worker.port) port = undefined;
      failed();
    };
    return worker.port;
  } catch {
    return undefined;
  }
}

/** Runs the worker in the tab, and returns a port of it. */
async function alone(): Promise<MessagePort> {
  isAlone = true;
  const { port1, port2 } = new MessageChannel();
  await import("../worker/index");
  dispatchEvent(new MessageEvent("connect", { ports: [port2] }));
  return port1;
}

/**
 * Takes a lock, which the browser releases when the tab is gone. Returns its name; none where locks are unavailable.
 */
function hold(signal: AbortSignal): Promise<string | undefined> {
  const name = `turnkit ${newKey()}`;
  return new Promise((held) => {
    if (!navigator.locks) return held(undefined);
    const until = new Promise((released) => signal.addEventListener("abort", released));
    navigator.locks
      .request(name, () => {
        held(name);
        return until;
      })
      .catch(() => held(undefined));
  });
}

function receive(message: ToTab): void {
  const subscription = "subscription" in message ? subscriptions.get(message.subscription) : undefined;
  switch (message.type) {
    case "connection":
      // While there was no connection, the server may have been updated, and offer another page.
      if (message.state === "open" && connection.peek() !== "open" && wasOpen) void checkBuild();
      wasOpen ||= message.state === "open";
      connection.value = message.state;
      failures.value = message.failures;
      return;
    case "changes":
      return passChanges(message.events);
    case "events":
      if (!subscription) return;
      subscription.cursor = message.events.findLast(({ cursor }) => cursor)?.cursor ?? subscription.cursor;
      return subscription.events(message.events);
    case "removed":
      return subscription?.ended(new ApiError(404, "not_found", ""));
    case "refused": {
      const error = new ApiError(message.status, message.code, message.message);
      if (error.status === 401) refuse(error);
      else for (const each of subscriptions.values()) each.ended(error);
      return;
    }
    case "outdated":
      isOutdated.value = true;
  }
}
