import { computed, signal } from "@preact/signals";
import type { NextMessage } from "../../composer/NextMessage";
import { type Command, commandsFor } from "./commands";

/** The commands that begin with what is written, and which of them is selected. */
export class CommandChoice {
  readonly #message: NextMessage;
  /** The text for which the user closed the list. */
  readonly #closed = signal("");
  readonly #selected = signal({ text: "", index: 0 });

  readonly list = computed(() => {
    const { text } = this.#message.draft.value;
    const isOpen = /^\/[a-z]*$/.test(text) && text !== this.#closed.value;
    return isOpen ? commandsFor(text.slice(1), this.#message.conversation) : [];
  });

  /** The place of the command that Enter runs. Another text has another list, which begins at its first one. */
  readonly selected = computed(() => {
    const { text, index } = this.#selected.value;
    return text === this.#message.draft.value.text ? index : 0;
  });

  constructor(message: NextMessage) {
    this.#message = message;
  }

  run(command: Command): void {
    this.#message.write("");
    void Promise.resolve(command.run()).catch((error: unknown) => this.#message.fail(error));
  }

  /** Handles a key of the field. Returns whether it was meant for the list. */
  press(event: KeyboardEvent): boolean {
    const list = this.list.value;
    const index = this.selected.value;
    const command = list[index];
    if (!command || event.ctrlKey || event.metaKey || event.shiftKey) return false;
    const { text } = this.#message.draft.value;
    if (event.key === "Enter" || event.key === "Tab") this.run(command);
    else if (event.key === "Escape") this.#closed.value = text;
    else if (event.key === "ArrowDown") this.#selected.value = { text, index: (index + 1) % list.length };
    else if (event.key === "ArrowUp") this.#selected.value = { text, index: (index + list.length - 1) % list.length };
    else return false;
    event.preventDefault();
    return true;
  }
}
