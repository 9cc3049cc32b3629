import { words } from "../strings";
import type { CommandChoice } from "./CommandChoice";

/** The commands for what is written. The field keeps the focus, and names the list and the selected command. */
export function CommandList({ commands }: { commands: CommandChoice }) {
  const list = commands.list.value;
  if (list.length === 0) return null;
  return (
    <ul class="commands" id="commands" role="listbox" aria-label={words.value.composer.commands}>
      {list.map((command, index) => (
        <li
          key={command.name}
          id={optionId(index)}
          role="option"
          aria-selected={index === commands.selected.value}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => commands.run(command)}
        >
          <code>/{command.name}</code>
          <span>{command.description}</span>
        </li>
      ))}
    </ul>
  );
}

export function optionId(index: number): string {
  return `command-${index}`;
}
