import { effect, signal } from "@preact/signals";
import { client, loadSessions, messageOf, removing, route, type Session } from "../../shared";

/** The time in which a deletion can be taken back. */
const UNDO_MS = 8_000;

/** What the user is told about a deletion: that it can be taken back, or why it failed. */
export type Notice = { kind: "removed"; session: Session } | { kind: "failed"; reason: string };

export const notice = signal<Notice | undefined>(undefined);

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Takes a session out of all lists, and deletes it after some time. It is deleted at once when the page is hidden or
 * closed, and when another deletion follows.
 */
export function removeSession(session: Session): void {
  finish();
  notice.value = { kind: "removed", session };
  if (route.value.screen === "chat" && route.value.session === session.id) {
    location.hash = "#/";
    // The event of the address comes later.
    route.value = { screen: "new" };
  }
  removing.value = session.id;
  resume();
}

export function undo(): void {
  clearTimeout(timer);
  notice.value = undefined;
  removing.value = undefined;
}

/** Stops the time while the user looks at the notice. */
export function pause(): void {
  clearTimeout(timer);
}

export function resume(): void {
  clearTimeout(timer);
  timer = setTimeout(finish, UNDO_MS);
}

/** Deletes the session now, or ends the notice. */
function finish(): void {
  clearTimeout(timer);
  const removed = notice.peek();
  notice.value = undefined;
  if (removed?.kind !== "removed") return;
  client.remove(removed.session.id, { keepalive: true }).then(
    () =>
      void loadSessions().then(
        () => forget(removed.session),
        () => {},
      ),
    (error: unknown) => {
      forget(removed.session);
      notice.value = { kind: "failed", reason: messageOf(error) };
      resume();
    },
  );
}

function forget(session: Session): void {
  if (removing.peek() === session.id) removing.value = undefined;
}

addEventListener("pagehide", finish);
document.addEventListener("visibilitychange", () => document.hidden && finish());

// An address of a session that is about to be deleted shows it again.
effect(() => {
  const shown = route.value;
  if (shown.screen === "chat" && shown.session === removing.value) undo();
});
