import { useEffect } from "preact/hooks";
import { openDialog } from "../state/dialogs";

/** Handles the keys that work everywhere in the page. */
export function useShortcuts(switchSession: () => void, toggleRail: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isControlled = event.ctrlKey || event.metaKey;
      if (isControlled && event.key === "k") {
        event.preventDefault();
        switchSession();
      } else if (isControlled && event.key === "b" && !document.querySelector("dialog[open]")) {
        event.preventDefault();
        toggleRail();
      } else if (isControlled && event.shiftKey && event.key.toLowerCase() === "o") {
        event.preventDefault();
        location.hash = "#/";
      } else if (event.key === "?" && !isControlled && !event.altKey && !isWriting(event.target)) {
        event.preventDefault();
        openDialog({ kind: "shortcuts" });
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}
