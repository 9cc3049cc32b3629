import { useLayoutEffect, useRef } from "preact/hooks";
import { MarkdownStream } from "./stream";

/** A text of a model, in markdown. */
export function Markdown({ text, ended }: { text: string; ended: boolean }) {
  const root = useRef<HTMLDivElement>(null);
  const stream = useRef<MarkdownStream | null>(null);
  useLayoutEffect(() => {
    if (!root.current) return;
    stream.current ??= new MarkdownStream(root.current);
    stream.current.update(text, ended);
  }, [text, ended]);
  return <div class="markdown" dir="auto" ref={root} />;
}
