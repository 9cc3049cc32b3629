import { useEffect, useState } from "preact/hooks";
import { loadWhole } from "../../later/wholeText";
import { messageOf, type PartView, strings, type TurnView } from "../../shared";
import { words } from "../strings";
import { Picture } from "./Picture";

interface AnswerImageProps {
  view: TurnView;
  part: PartView;
  name: string;
}

/** An image of a model's answer. A page of turns cuts the address of almost every one, so the whole is loaded. */
export function AnswerImage({ view, part, name }: AnswerImageProps) {
  const [whole, setWhole] = useState<string>();
  const [problem, setProblem] = useState("");
  const { part_id, more } = part;
  useEffect(() => {
    if (!more) return;
    const stopped = new AbortController();
    loadWhole(view, part, stopped.signal).then(setWhole, (error: unknown) => {
      if (!stopped.signal.aborted) setProblem(messageOf(error));
    });
    return () => stopped.abort();
  }, [view.turn_id, part_id, more]);
  const url = more ? whole : part.text;
  if (problem) return <p class="remark error">{words.value.tool.imageFailed(problem)}</p>;
  if (url === undefined || !(part.ended || view.status)) return <p class="remark">{strings.value.page.loading}</p>;
  return <Picture url={url} mediaType="" name={name} />;
}
