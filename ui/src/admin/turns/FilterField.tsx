import { useEffect, useState } from "preact/hooks";

interface FilterFieldProps {
  label: string;
  type: "text" | "datetime-local";
  /** The list of names that are suggested. */
  list?: string | undefined;
  value: string;
  choose(value: string): void;
}

/** A field whose text counts once it is complete. What is being typed outlives what is drawn meanwhile. */
export function FilterField({ label, type, list, value, choose }: FilterFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <label class="field">
      {label}
      <input
        type={type}
        dir={type === "text" ? "auto" : undefined}
        spellcheck={false}
        list={list}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    </label>
  );
}
