import { useEffect, useRef, useState } from "preact/hooks";

export interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  /** Loads again. What was loaded stays until then. */
  reload(): Promise<void>;
}

/**
 * Loads what a screen shows: at once, whenever `key` changes, and every `everyMs` milliseconds while the page is
 * visible. Only the last answer counts.
 */
export function useLoaded<T>(load: () => Promise<T>, key = "", everyMs?: number): Loaded<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: unknown; isLoading: boolean }>({
    key,
    isLoading: true,
  });
  const asked = useRef(0);
  const latest = useRef(load);
  latest.current = load;
  const reload = async () => {
    asked.current += 1;
    const mine = asked.current;
    const isStale = () => mine !== asked.current;
    setState((before) => ({ ...before, isLoading: true }));
    await latest.current().then(
      (data) => isStale() || setState({ key, data, isLoading: false }),
      (error: unknown) => isStale() || setState((before) => ({ key, ...keep(before, key), error, isLoading: false })),
    );
  };
  useEffect(() => {
    void reload();
    const again = () => !document.hidden && void reload();
    const timer = everyMs === undefined ? undefined : setInterval(again, everyMs);
    if (everyMs !== undefined) document.addEventListener("visibilitychange", again);
    return () => {
      asked.current += 1;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", again);
    };
  }, [key, everyMs]);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: state.isLoading,
    reload,
  };
}

function keep<T>(before: { key: string; data?: T }, key: string): { data?: T } {
  return before.key === key && before.data !== undefined ? { data: before.data } : {};
}
