import { useRef, useState } from "preact/hooks";
import { Icon } from "../../shared";
import { words } from "../strings";
import type { MessageExtras } from "./MessageExtras";
import { OptionsPanel } from "./OptionsPanel";
import { type Options, withOption } from "./options";

/** What was chosen for the turns of the session, and the button that opens all choices. */
export function Choices({ extras }: { extras: MessageExtras }) {
  const text = words.value.composer;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const options = extras.options.value;
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="tool"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="settings" />
        {text.options}
      </button>
      {namesOf(options).map(([key, name]) => (
        <button
          key={key}
          type="button"
          class="chip choice"
          aria-label={text.undo(name)}
          onClick={() => extras.choose(withOption(options, key, undefined))}
        >
          <span dir="auto">{name}</span>
          <Icon name="close" />
        </button>
      ))}
      {isOpen && <OptionsPanel options={options} choose={(chosen) => extras.choose(chosen)} close={close} />}
    </>
  );
}

function namesOf({ agent, model, thinking, tools }: Options): [keyof Options, string][] {
  const text = words.value.composer;
  const names: [keyof Options, string | undefined][] = [
    ["agent", agent],
    ["model", model],
    ["thinking", thinking && text.thinking(text.levels[thinking])],
    ["tools", tools && text.noTools],
  ];
  return names.filter((named): named is [keyof Options, string] => named[1] !== undefined);
}
