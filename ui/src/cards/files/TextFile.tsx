import { useState } from "preact/hooks";
import { isCut, loadWhole } from "../../later/wholeText";
import type { Part, TurnView } from "../../shared";
import { Content } from "../Content";
import { SaveButton } from "../data/FileLink";
import { reveal } from "../reveal";

interface TextFileProps {
  view: TurnView;
  part: Part & { type: "context" };
}

/** A text that belongs to a message: its name, and the text when it is opened. */
export function TextFile({ view, part }: TextFileProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="call" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary dir="auto">{reveal(part.source)}</summary>
      {isOpen && <Body view={view} part={part} />}
    </details>
  );
}

function Body({ view, part }: TextFileProps) {
  const [loaded, setLoaded] = useState<string>();
  const lacksRest = loaded === undefined && isCut(view, part);
  const load = async () => {
    const whole = lacksRest ? await loadWhole(view, part) : (loaded ?? part.text);
    if (lacksRest) setLoaded(whole);
    return whole;
  };
  return (
    <div class="tool-body">
      <Content title={reveal(part.source)} text={loaded ?? part.text} load={lacksRest ? load : undefined} />
      <SaveButton name={part.source} load={async () => new Blob([await load()])} />
    </div>
  );
}
