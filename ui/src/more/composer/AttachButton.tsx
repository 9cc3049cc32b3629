import { useRef } from "preact/hooks";
import { MoreIcon } from "../MoreIcon";
import { words } from "../strings";

/** A button that asks for files. */
export function AttachButton({ attach }: { attach(files: readonly File[]): void }) {
  const input = useRef<HTMLInputElement>(null);
  const name = words.value.composer.attach;
  return (
    <>
      <button
        type="button"
        class="tool icon-button"
        aria-label={name}
        title={name}
        onClick={() => input.current?.click()}
      >
        <MoreIcon name="attach" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          attach([...(currentTarget.files ?? [])]);
          // The same file may be chosen again.
          currentTarget.value = "";
        }}
      />
    </>
  );
}
