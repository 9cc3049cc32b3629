import { useEffect, useState } from "preact/hooks";
import { copy, strings } from "../shared";

const SAID_MS = 2_000;

interface CopyButtonProps {
  /** The text, or what loads it. */
  text: string | (() => Promise<string>);
  name?: string;
  /** Called when the text cannot be loaded. */
  failed?: (error: unknown) => void;
}

/** A button that copies a text. */
export function CopyButton({ text, name, failed }: CopyButtonProps) {
  const [hasCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!hasCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [hasCopied]);
  // A browser may permit no copy after a pause, so what is here is copied at once.
  const click = () => {
    const copied = typeof text === "string" ? copy(text) : text().then(copy);
    copied.then(setCopied, failed);
  };
  return (
    <button type="button" class="quiet" onClick={click}>
      {hasCopied ? strings.value.chat.copied : (name ?? strings.value.chat.copy)}
    </button>
  );
}
