import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { sendKey } from "../state/sendKey";
import { strings } from "../strings";
import type { NextMessage, WhileBusy } from "./NextMessage";

interface FieldProps {
  message: NextMessage;
  send(busy: WhileBusy): void;
  stop(): void;
}

/** The text of the message, with its keys. */
export function Field({ message, send, stop }: FieldProps) {
  const { chat } = strings.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const { text } = message.draft.value;
  const extras = message.extras.value;
  const option = extras?.activeOption.value;
  // A draft is one line high until that part of the page is loaded.
  useLayoutEffect(() => extras?.grow(field.current), [text, extras]);
  useEffect(() => {
    // On a touch screen the keyboard would cover the page.
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, []);
  const press = (event: KeyboardEvent) => {
    // While a word is composed, Enter accepts it.
    if (event.isComposing || extras?.press(event)) return;
    const wish = event.key === "Enter" ? wishOf(event) : undefined;
    if (wish) {
      event.preventDefault();
      send(wish);
    } else if (event.key === "Escape") stop();
  };
  return (
    <textarea
      ref={field}
      id="message"
      rows={1}
      dir="auto"
      aria-label={chat.message}
      aria-autocomplete={option ? "list" : undefined}
      aria-controls={option ? "commands" : undefined}
      aria-activedescendant={option}
      placeholder={extras?.placeholder.value ?? chat.placeholder}
      value={text}
      readOnly={message.isSending.value}
      onInput={(event) => message.write(event.currentTarget.value)}
      onKeyDown={press}
      onPaste={(event) => {
        if (extras?.receive(event.clipboardData)) event.preventDefault();
      }}
    />
  );
}

/** Returns what Enter with these keys asks for; `undefined` if it begins a line. */
function wishOf(event: KeyboardEvent): WhileBusy | undefined {
  const isControlled = event.ctrlKey || event.metaKey;
  if (sendKey.value === "enter") {
    if (isControlled) return "steer";
    return event.shiftKey ? undefined : "enqueue";
  }
  if (!isControlled) return undefined;
  return event.shiftKey ? "steer" : "enqueue";
}
