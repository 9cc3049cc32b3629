import { useRef, useState } from "preact/hooks";
import { CopyButton } from "../later/CopyButton";
import { formatNumber, messageOf } from "../shared";
import { reveal } from "./reveal";
import { words } from "./strings";
import { type JsonNode, parseContainer } from "./tree/parse";
import { Tree } from "./tree/Tree";

/** How many characters are shown without being asked for. */
const SHOWN = 20_000;

interface ContentProps {
  title: string;
  text: string;
  /** Loads the whole text and returns it, if the server left out anything. */
  load?: (() => Promise<string>) | undefined;
}

/** A text of a call: a tree if it is an object or array, and else as it is. */
export function Content({ title, text, load }: ContentProps) {
  const [isWhole, setWhole] = useState(false);
  const [problem, setProblem] = useState("");
  const root = useContainer(text);
  const limit = isWhole ? Number.POSITIVE_INFINITY : SHOWN;
  const tool = words.value.tool;
  const fail = (error: unknown) => setProblem(tool.loadFailed(messageOf(error)));
  const showAll = async () => {
    setProblem("");
    try {
      await load?.();
      setWhole(true);
    } catch (error) {
      fail(error);
    }
  };
  const loadToCopy = load && (() => {
    setProblem("");
    return load();
  });
  const cut = () => (
    <p class="remark">
      {load ? tool.shortenedByServer : tool.shortened(formatNumber(SHOWN), formatNumber(text.length))}{" "}
      <button type="button" class="quiet" onClick={() => void showAll()}>
        {tool.showAll}
      </button>
    </p>
  );
  const isCut = load !== undefined || text.length > limit;
  return (
    <section>
      <header class="content-header">
        <p class="label">{title}</p>
        <CopyButton text={loadToCopy ?? text} failed={fail} />
      </header>
      {root?.children?.length ? (
        <Tree root={root} label={title} limit={limit} cut={cut} />
      ) : (
        <pre tabIndex={0} dir="auto">
          {reveal(text.length > limit ? text.slice(0, limit) : text)}
        </pre>
      )}
      {!root?.children?.length && isCut && cut()}
      {problem && (
        <p class="remark error" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

/** Returns the object or array that a text holds. It is read again only when the text changes. */
function useContainer(text: string): JsonNode | undefined {
  const read = useRef<{ text: string; root: JsonNode | undefined } | undefined>(undefined);
  if (read.current?.text !== text) read.current = { text, root: parseContainer(text) };
  return read.current.root;
}
