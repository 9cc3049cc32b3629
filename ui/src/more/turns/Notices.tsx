import { type RemarkView, visible } from "../../shared";
import { words } from "../strings";

/** What the user should know about a turn, as notes at its end: notices and errors, in the order in which they came. */
export function Notices({ remarks }: { remarks: RemarkView[] }) {
  return (
    <>
      {remarks.map((remark, index) => (
        <p key={index} role="note" class={remark.error ? "remark error" : "remark"} dir="auto">
          <Sentence {...remark} />
        </p>
      ))}
    </>
  );
}

/** The page's sentence for a code, with what only the server knows, or the server's sentence for a code of its own. */
function Sentence({ code, text }: RemarkView) {
  const { plain, detailed } = words.value.notices;
  const sentence = known(plain, code);
  if (sentence) return <>{sentence}</>;
  const beginning = known(detailed, code);
  if (!beginning) return <>{visible(text)}</>;
  return (
    <>
      {beginning} <span lang="en">({visible(text)})</span>
    </>
  );
}

/** Returns the sentence of a code. A code may be any word, such as `constructor`. */
function known(table: Record<string, string>, code: string): string | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined;
}
