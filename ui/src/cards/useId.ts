import { useState } from "preact/hooks";

let last = 0;

/** Returns an id that no other element of the page has. */
export function useId(): string {
  const [id] = useState(() => {
    last += 1;
    return `cards-${last}`;
  });
  return id;
}
