import { useEffect, useState } from "preact/hooks";
import type { MessageExtras } from "./MessageExtras";

/**
 * Takes files that are dropped anywhere on the page, which the browser would open in its place. Returns whether files
 * are over the page.
 */
export function useDrop(extras: MessageExtras): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    addEventListener(
      "dragover",
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    addEventListener("dragleave", (event) => event.relatedTarget === null && setOver(false), { signal });
    addEventListener(
      "drop",
      (event) => {
        setOver(false);
        if (extras.receive(event.dataTransfer) || hasFiles(event)) event.preventDefault();
      },
      { signal },
    );
    return () => listening.abort();
  }, [extras]);
  return isOver;
}
