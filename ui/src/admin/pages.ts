import { useState } from "preact/hooks";
import type { List } from "../shared";
import { type Loaded, useLoaded } from "./load";

interface Pages<P> extends Omit<Loaded<P>, "data"> {
  /** The pages so far; none until the first has arrived. */
  pages: P[];
  /** Loads the next page, if there is one. */
  loadMore: (() => void) | undefined;
  /** Why the next page could not be loaded. */
  problem: unknown;
}

/** Loads a list page by page: the first one as `useLoaded` does, the others when the user asks for more. */
export function usePages<P extends List<unknown>>(load: (cursor?: string) => Promise<P>, key: string): Pages<P> {
  const { data: first, ...state } = useLoaded(() => load(), key);
  const [more, setMore] = useState<{ first: P; others: P[] }>();
  const [problem, setProblem] = useState<unknown>();
  // What was added belongs to the list that it continued.
  const others = more && more.first === first ? more.others : [];
  const pages = first ? [first, ...others] : [];
  const next = pages.at(-1)?.next;
  const loadMore = () => {
    if (!first || !next) return;
    setProblem(undefined);
    load(next).then((page) => setMore({ first, others: [...others, page] }), setProblem);
  };
  return { ...state, pages, loadMore: next ? loadMore : undefined, problem };
}
