import { effect, signal } from "@preact/signals";
import { access, addressOf, client, loadSessions, messageOf, removing, route, type Session } from "../../shared";
import { changeSession } from "./change";
import { forgetMessage } from "./forget";

/** The time for which a notice is shown. A deletion can be taken back until then. */
const SHOWN_MS = 8_000;

/** A session that was put away, which can be taken back. */
export interface PutAway {
  kind: "removed" | "archived";
  session: Session;
}

/** Something that the user is told for some time. */
class Notice<T> {
  readonly shown = signal<T | undefined>(undefined);
  readonly #ended: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ended: () => void) {
    this.#ended = ended;
  }

  show(shown: T): void {
    this.shown.value = shown;
    this.resume();
  }

  /** Stops the time while the user looks at the notice. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  resume(): void {
    this.pause();
    this.#timer = setTimeout(this.#ended, SHOWN_MS);
  }

  /** Ends the notice, and returns what it showed. */
  take(): T | undefined {
    this.pause();
    const shown = this.shown.peek();
    this.shown.value = undefined;
    return shown;
  }
}

/** The session that was put away last. */
export const putAway: Notice<PutAway> = new Notice(() => finish());

/** Why something failed. It may be shown while a session can be taken back. */
export const failure: Notice<string> = new Notice(() => failure.take());

/** The session that was on the screen when it was put away. */
let left: string | undefined;

/**
 * Takes a session out of all lists, and deletes it after some time. It is deleted at once when the page is hidden or
 * closed, and when another session is put away.
 */
export function removeSession(session: Session): void {
  finish();
  putAway.show({ kind: "removed", session });
  leave(session);
  removing.value = [...removing.peek(), session.id];
}

/** Puts the session on the screen into the archive, and shows a new one. */
export function archiveSession(session: Session): void {
  changeSession(session, { archived: true }).then(() => {
    finish();
    putAway.show({ kind: "archived", session });
    leave(session);
  }, reportFailure);
}

/** Tells the user why something could not be done. */
export function reportFailure(error: unknown): void {
  failure.show(messageOf(error));
}

/** Shows a new session if this one is on the screen. */
function leave(session: Session): void {
  const isShown = route.value.screen === "chat" && route.value.session === session.id;
  left = isShown ? session.id : undefined;
  if (!isShown) return;
  location.hash = "#/";
  // The event of the address comes later.
  route.value = { screen: "new" };
}

/** Takes back what was put away last, and shows the session again unless the user went on. */
export function undo(): void {
  const taken = putAway.take();
  if (!taken) return;
  const { id } = taken.session;
  if (taken.kind === "archived") changeSession(taken.session, { archived: false }).catch(reportFailure);
  else forget(taken.session);
  if (left === id && route.peek().screen === "new") location.hash = addressOf(id);
}

/** Ends the time for taking back. A page that is left may be gone before the server answers to a deletion. */
function finish(isLeaving = false): void {
  const ended = putAway.take();
  if (ended?.kind !== "removed") return;
  const { session } = ended;
  if (isLeaving) forgetMessage(session.id);
  client.remove(session.id, { keepalive: true }).then(
    () => {
      forgetMessage(session.id);
      void loadSessions()
        .catch(() => {})
        .then(() => forget(session));
    },
    (error: unknown) => {
      forget(session);
      reportFailure(error);
    },
  );
}

function forget(session: Session): void {
  removing.value = removing.peek().filter((id) => id !== session.id);
}

addEventListener("pagehide", () => finish(true));
// After signing out, no request could be sent.
effect(() => {
  if (access.value === "signed_out") finish(true);
});
document.addEventListener("visibilitychange", () => document.hidden && finish());

// An address of a session that is about to be deleted shows it again.
effect(() => {
  const shown = route.value;
  const { kind, session } = putAway.shown.peek() ?? {};
  if (kind === "removed" && shown.screen === "chat" && shown.session === session?.id) undo();
});
