import { formatNumber, type Part, type PartView, strings, type TurnView } from "../../shared";
import { FileLink } from "../data/FileLink";
import { words } from "../strings";
import { AnswerImage } from "./AnswerImage";
import { Picture } from "./Picture";
import { TextFile } from "./TextFile";

interface AttachmentsProps {
  view: TurnView;
  /** The files of a message of the user, or an image of the model. */
  parts: (Part | PartView)[];
}

/** The files of a message, or an image of a model: shown as far as the page can, and to be saved. */
export function Attachments({ view, parts }: AttachmentsProps) {
  return (
    <div class="images">
      {parts.map((part, index) => (
        <Attachment key={index} view={view} parts={parts} part={part} />
      ))}
    </div>
  );
}

function Attachment({ view, parts, part }: AttachmentsProps & { part: Part | PartView }) {
  if ("part_id" in part) {
    return <AnswerImage view={view} part={part} name={imageName(view.parts, part)} />;
  }
  switch (part.type) {
    case "image":
      return <Picture url={part.url} mediaType={part.media_type} name={imageName(parts, part)} />;
    case "file":
      return <FileLink url={part.url} name={part.name || words.value.tool.file} />;
    case "context":
      return <TextFile view={view} part={part} />;
    default:
      return null;
  }
}

/** Returns a name of an image, which has none of its own. */
function imageName(parts: (Part | PartView)[], part: Part | PartView): string {
  const number = parts.filter(({ type }) => type === "image").indexOf(part) + 1;
  return `${strings.value.chat.image} ${formatNumber(number)}`;
}
