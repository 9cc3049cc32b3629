import { safeAddress } from "../../shared";
import { reveal } from "../reveal";
import { words } from "../strings";
import type { SourceData } from "./read";

/** The sources of a result, with numbers. */
export function Sources({ sources }: { sources: SourceData[] }) {
  return (
    <section>
      <p class="label">{words.value.tool.sources}</p>
      <ol class="sources">
        {sources.map((source, index) => (
          <Source key={index} source={source} />
        ))}
      </ol>
    </section>
  );
}

function Source({ source: { title, url, text } }: { source: SourceData }) {
  const address = url && safeAddress(url);
  return (
    <li dir="auto">
      {address ? (
        <a href={address} rel="noopener noreferrer nofollow" target="_blank" title={address}>
          {reveal(title)}
        </a>
      ) : (
        reveal(title)
      )}
      {text && <p class="remark">{reveal(text)}</p>}
    </li>
  );
}
