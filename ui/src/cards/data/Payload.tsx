import type { ToolData } from "../../shared";
import { Content } from "../Content";
import { words } from "../strings";
import { FileLink } from "./FileLink";
import { BlobImage } from "./Images";
import { isShown } from "./blob";
import { readPayload } from "./read";
import { Sources } from "./Sources";
import { Table } from "./Table";

/** The data of a result: drawn if its type is known and its form right, and else as JSON. */
export function Payload({ data }: { data: ToolData }) {
  const { tool } = words.value;
  const known = readPayload(data);
  switch (known?.kind) {
    case "table":
      return <Table table={known} />;
    case "sources":
      return <Sources sources={known.sources} />;
    case "image":
    case "file": {
      const { url, media_type, name = tool.file } = known;
      const isImage = known.kind === "image" && isShown(media_type);
      return (
        <section>
          <p class="label">{tool.data}</p>
          {isImage ? <BlobImage url={url} mediaType={media_type} name={name} /> : <FileLink url={url} name={name} />}
        </section>
      );
    }
    case undefined:
      return <Content title={tool.data} text={JSON.stringify(data.payload)} />;
  }
}
