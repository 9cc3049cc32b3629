import { strings } from "../strings";

/** What the model thought, folded. */
export function Reasoning({ text, ended }: { text: string; ended: boolean }) {
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
    </details>
  );
}
