import { reveal } from "../../cards/reveal";
import { locale } from "../../shared";
import type { ChangedTool } from "../api";
import { words } from "../strings";

/** What a server now says about a tool, as far as it counts, with every character that is not seen by itself. */
export function Definition({ tool: { name, description, input_schema, effects } }: { tool: ChangedTool }) {
  const texts = words.value.tools;
  return (
    <section class="definition" aria-label={name}>
      <h3>
        <code>{name}</code>
      </h3>
      {description ? (
        <p class="written" dir="auto" tabIndex={0}>
          {reveal(description)}
        </p>
      ) : (
        <p class="remark">{texts.noDescription}</p>
      )}
      <p class="remark">{texts.effects(namesOf(effects))}</p>
      <p class="label">{texts.arguments}</p>
      <pre dir="ltr" tabIndex={0}>
        {reveal(JSON.stringify(input_schema, null, 2))}
      </pre>
    </section>
  );
}

/** Returns in words what a call does, or may do. */
function namesOf({ read_only, idempotent, destructive, open_world }: ChangedTool["effects"]): string {
  const texts = words.value.tools.effectNames;
  const names = [read_only ? texts.none : destructive ? texts.destructive : texts.change];
  if (idempotent && !read_only) names.push(texts.idempotent);
  if (open_world) names.push(texts.open);
  return new Intl.ListFormat(locale.value).format(names);
}
