import { effect } from "@preact/signals";
import { access, addressOf, badge, connection, loadNeeds, needs, removing, sessions, strings } from "../shared";
import { notifies } from "./preferences";
import { loadRunning, running } from "./running";
import { words } from "./strings";

/** How often a page that is not seen, and has no connection for this reason, asks for what it is to report. */
const ASKING_MS = 30_000;

/** Counts in the title what happens while the page is hidden, and reports it if the user wants that. */
export function watchAttention(): void {
  let ran: ReadonlySet<string> = new Set();
  let asked: ReadonlySet<string> = new Set();
  effect(() => {
    const now = running.value;
    for (const session of ran) {
      if (!now.has(session) && !removing.peek().includes(session)) report(session, words.peek().notifications.ended);
    }
    ran = now;
  });
  effect(() => {
    const now = needs.value;
    for (const { id, session_id } of now) {
      if (!asked.has(id)) report(session_id, words.peek().notifications.needsYou);
    }
    asked = new Set(now.map(({ id }) => id));
  });
  const look = () => void loadRunning().catch(() => {});
  effect(() => {
    // What changed before was not reported to this page.
    if (connection.value === "open") look();
  });
  setInterval(() => {
    if (!document.hidden || !notifies.peek() || connection.peek() === "open" || access.peek() !== "open") return;
    look();
    void loadNeeds().catch(() => {});
  }, ASKING_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) badge.value = 0;
  });
}

function report(session: string, text: string): void {
  if (!document.hidden) return;
  badge.value = badge.peek() + 1;
  if (!notifies.peek() || typeof Notification === "undefined" || Notification.permission !== "granted") return;
  const title = sessions.peek().find(({ id }) => id === session)?.title || strings.peek().sessions.untitled;
  try {
    const notification = new Notification(title, { body: text, tag: session });
    notification.onclick = () => {
      window.focus();
      location.hash = addressOf(session);
      notification.close();
    };
  } catch {
    // Browsers of phones permit it to service workers alone.
  }
}
