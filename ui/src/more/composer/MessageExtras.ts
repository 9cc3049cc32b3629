import { computed, effect, signal } from "@preact/signals";
import type { NextMessage } from "../../composer/NextMessage";
import type { StartedTurn, TurnOptions } from "../../shared";
import { uploadedFiles } from "../../state/uploads";
import { MessageFiles } from "../files/MessageFiles";
import { noteRunning } from "../running";
import { words } from "../strings";
import { editLast } from "../turns/edits";
import { continued } from "../turns/versions";
import { CommandChoice } from "./CommandChoice";
import { optionId } from "./CommandList";
import { grow } from "./grow";
import { fieldsOf, loadOptions, type Options, saveOptions } from "./options";

/** A longer text is refused: the server takes it as a file or not at all, and a field with it would be slow. */
const LONGEST_PASTE = 256 * 1024;

/** The files of the next message, what was chosen for its turn, and the commands that its text may name. */
export class MessageExtras {
  readonly grow: typeof grow = grow;
  readonly uploads: MessageFiles;
  readonly options = signal<Options>({});
  readonly commands: CommandChoice;
  readonly #message: NextMessage;
  readonly #closing: (() => void)[];

  /** The id of the selected command, if they are listed. */
  readonly activeOption = computed(() => {
    return this.commands.list.value.length > 0 ? optionId(this.commands.selected.value) : undefined;
  });

  /** What an empty field asks for, if it is something particular. */
  readonly placeholder = computed(() => (this.#files.value?.length ? words.value.composer.aboutFiles : undefined));

  /** Whether no file keeps the message back. */
  readonly isWhole = computed(() => {
    const isRestored = this.uploads.isRestored.value || !this.#message.draft.value.hasFiles;
    return isRestored && this.#files.value !== undefined;
  });

  readonly #files = computed(() => uploadedFiles(this.uploads.list.value));

  constructor(message: NextMessage) {
    this.#message = message;
    this.uploads = new MessageFiles(message.session);
    this.options.value = loadOptions(message.session);
    this.commands = new CommandChoice(message);
    const { conversation } = message;
    this.#closing = [
      effect(() => this.#noteFiles()),
      effect(() => conversation && noteRunning(conversation.id, conversation.running.value !== undefined)),
    ];
  }

  /** Returns the fields of the request. */
  fields(): TurnOptions {
    const files = this.#files.value ?? [];
    const { conversation } = this.#message;
    const after = conversation && continued(conversation);
    return { ...fieldsOf(this.options.value), ...(files.length > 0 && { files }), ...(after && { after }) };
  }

  /** Takes what was pasted or dropped. Returns whether it took care of it. */
  receive(data: DataTransfer | null): boolean {
    const text = data?.getData("text/plain") ?? "";
    const files = [...(data?.files ?? [])];
    if (text.length > LONGEST_PASTE) {
      this.#message.problem.value = words.peek().composer.tooLong;
      return true;
    }
    // Programs for tables and texts add a picture of what was copied.
    if (files.length === 0 || text !== "") return false;
    this.uploads.add(files);
    return true;
  }

  /** Handles a key of the field. Returns whether it was meant for the list of commands, or for an earlier message. */
  press(event: KeyboardEvent): boolean {
    return this.commands.press(event) || this.#editLast(event);
  }

  choose(options: Options): void {
    this.options.value = options;
    saveOptions(this.#message.session, options);
  }

  /** Prepares for the next message, after the server has this one. */
  sent(turn: StartedTurn): void {
    this.uploads.clear();
    if (this.#message.session) return;
    saveOptions(turn.session_id, this.options.peek());
    saveOptions(undefined, {});
  }

  close(): void {
    for (const close of this.#closing) close();
    this.uploads.close();
  }

  /** Edits the last message if the user presses the upward arrow in an empty field. */
  #editLast(event: KeyboardEvent): boolean {
    const { conversation, draft } = this.#message;
    const isMeant = event.key === "ArrowUp" && !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    if (!conversation || !isMeant || draft.peek().text !== "" || !editLast(conversation.history)) return false;
    event.preventDefault();
    return true;
  }

  /** Keeps in the draft whether files belong to it, for the next visit. */
  #noteFiles(): void {
    if (!this.uploads.isRestored.value) return;
    const hasFiles = this.uploads.list.value.some(({ state }) => state !== "refused");
    const { hasFiles: had = false, ...draft } = this.#message.draft.peek();
    if (hasFiles !== had) this.#message.keep({ ...draft, ...(hasFiles && { hasFiles }) });
  }
}
