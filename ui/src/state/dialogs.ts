import { signal } from "@preact/signals";
import type { Session } from "../net";
import type { Conversation } from "./conversation";
import { loadMore } from "./later";

/** A dialog that may be opened from anywhere in the page. */
export type OpenDialog =
  | { kind: "shortcuts" }
  | { kind: "rename"; session: Session }
  | { kind: "context"; conversation: Conversation };

export const dialog = signal<OpenDialog | undefined>(undefined);

export function openDialog(opened: OpenDialog): void {
  void loadMore()
    .then(() => {
      dialog.value = opened;
    })
    .catch(() => {});
}
