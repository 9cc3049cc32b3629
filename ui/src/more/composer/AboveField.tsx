import { FileList } from "../files/FileList";
import { words } from "../strings";
import { CommandList } from "./CommandList";
import type { MessageExtras } from "./MessageExtras";
import { useDrop } from "./useDrop";

/** What lies over the text of the message: its files, and the commands that it may name. */
export function AboveField({ extras }: { extras: MessageExtras }) {
  const isOver = useDrop(extras);
  return (
    <>
      <CommandList commands={extras.commands} />
      <FileList uploads={extras.uploads} />
      {isOver && <p class="drop">{words.value.composer.drop}</p>}
    </>
  );
}
