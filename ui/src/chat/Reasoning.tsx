import type { ComponentChildren } from "preact";
import { strings } from "../strings";

interface ReasoningProps {
  text: string;
  ended: boolean;
  children?: ComponentChildren;
}

/** What the model thought, folded. */
export function Reasoning({ text, ended, children }: ReasoningProps) {
  if (text === "") return null;
  return (
    <details class="reasoning">
      <summary>
        {strings.value.chat.reasoning}
        {!ended && <span class="dots" aria-hidden="true" />}
      </summary>
      <p class="plain" dir="auto">
        {text}
      </p>
      {children}
    </details>
  );
}
