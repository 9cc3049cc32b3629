import { useEffect } from "preact/hooks";
import { loadNeeds, loadSessions } from "../state/sessions";

/** How often the open decisions are asked for. Those of the session on the screen come by themselves. */
const NEEDS_MS = 30_000;

/** Loads the sessions and the open decisions, again whenever the page is seen. */
export function useLists(): void {
  useEffect(() => {
    const all = () => {
      if (document.hidden) return;
      void loadSessions().catch(() => {});
      void loadNeeds().catch(() => {});
    };
    all();
    const timer = setInterval(() => {
      if (!document.hidden) void loadNeeds().catch(() => {});
    }, NEEDS_MS);
    document.addEventListener("visibilitychange", all);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", all);
    };
  }, []);
}
