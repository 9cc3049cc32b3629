import { batch, effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FeedEvent, SessionChanged } from "../net";
import { connection, openFeed } from "../state/feed";
import { more } from "../state/later";
import { forgetSession, loadNeeds, loadSessions, noteSession } from "../state/sessions";

/** Loads the sessions and the open decisions, again after each time without a connection, and keeps them up to date. */
export function useLists(): void {
  useEffect(() => {
    let areLoaded = false;
    const stopLoading = effect(() => {
      const state = connection.value;
      // The lists are worth a try where a feed cannot be opened.
      if (state === "connecting" || (state === "lost" && areLoaded)) return;
      areLoaded = true;
      void loadSessions().catch(() => {});
      void loadNeeds().catch(() => {});
    });
    const close = openFeed((changes) => changes.forEach(apply));
    return () => {
      stopLoading();
      close();
    };
  }, []);
}

function apply({ event, session: id, data }: FeedEvent): void {
  if (event === "interactions.changed") return void loadNeeds().catch(() => {});
  if (event === "session.removed") {
    more.peek()?.forgetUnsent(id ?? "");
    return forgetSession(id ?? "");
  }
  if (event !== "session.changed") return;
  const { session, running } = data as SessionChanged;
  batch(() => {
    noteSession(session);
    more.peek()?.noteRunning(session.id, running);
  });
}
