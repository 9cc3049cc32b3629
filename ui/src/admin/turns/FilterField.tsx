import { useEffect, useState } from "preact/hooks";

interface FilterFieldProps {
  label: string;
  /** The list of names that are suggested. */
  list: string;
  value: string;
  choose(value: string): void;
}

/** A field whose text counts once it is complete. What is being typed outlives what is drawn meanwhile. */
export function FilterField({ label, list, value, choose }: FilterFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <label class="field">
      {label}
      <input
        type="text"
        dir="auto"
        spellcheck={false}
        list={list}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    </label>
  );
}
