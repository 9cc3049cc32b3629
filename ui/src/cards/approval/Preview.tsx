import { reveal } from "../reveal";
import { words } from "../strings";

/** The tools whose previews are differences. */
const EDITS = new Set(["edit_file", "write_file"]);

/** The effect of a call: the difference to a file, line by line, or a text of the tool. */
export function Preview({ tool, text }: { tool: string; text: string }) {
  const texts = words.value.interaction;
  const [heading = "", ...lines] = text.split("\n");
  const isDifference = EDITS.has(tool) && lines.some((line) => /^[-+]/.test(line));
  return (
    <div class="preview">
      <p class="label">{isDifference ? texts.changes : texts.effect}</p>
      {isDifference && (
        <p class="tool-name" dir="auto">
          {reveal(heading)}
        </p>
      )}
      <pre class={isDifference ? "difference" : undefined} tabIndex={0} dir="ltr">
        {isDifference
          ? lines.map((line, index) => (
              <span key={index} class={classOf(line)}>
                {`${reveal(line)}\n`}
              </span>
            ))
          : reveal(text)}
      </pre>
    </div>
  );
}

function classOf(line: string): string | undefined {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("@@") ? "place" : undefined;
}
