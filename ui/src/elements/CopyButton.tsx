import { useEffect, useState } from "preact/hooks";
import { copy } from "../markdown/copy";
import { strings } from "../strings";

const SAID_MS = 2_000;

/** A button that copies a text. */
export function CopyButton({ text }: { text: string }) {
  const [hasCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!hasCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [hasCopied]);
  return (
    <button type="button" class="quiet" onClick={() => void copy(text).then(setCopied)}>
      {hasCopied ? strings.value.chat.copied : strings.value.chat.copy}
    </button>
  );
}
