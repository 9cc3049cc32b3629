import { useState } from "preact/hooks";
import { addressOf } from "../../shared";
import { getAll, type Grant, remove } from "../api";
import { Confirm } from "../elements/Confirm";
import { Problem } from "../elements/Problem";
import { type Column, Table } from "../elements/Table";
import { When } from "../elements/When";
import { useLoaded } from "../load";
import { words } from "../strings";

/** The permissions that the user gave when they approved a call, which they can revoke. */
export function Grants() {
  const texts = words.value.grants;
  const { data, error, isLoading, reload } = useLoaded(() => getAll<Grant>("grants"));
  const [revoked, setRevoked] = useState<Grant>();
  const columns: Column<Grant>[] = [
    { key: "tool", label: texts.tool, cell: (grant) => <code>{grant.tool}</code>, value: (grant) => grant.tool },
    { key: "covers", label: texts.covers, cell: (grant) => <Covers grant={grant} />, value: subjectOf },
    {
      key: "untrusted",
      label: texts.untrusted,
      cell: (grant) => (grant.untrusted ? texts.yes : texts.no),
      value: (grant) => String(grant.untrusted),
    },
    {
      key: "created",
      label: texts.created,
      cell: (grant) => <When time={grant.created_at} />,
      value: (grant) => grant.created_at,
    },
    {
      key: "revoke",
      label: texts.action,
      cell: (grant) => (
        <button type="button" class="quiet" onClick={() => setRevoked(grant)}>
          {texts.revoke}
          <span class="unseen"> {grant.tool}</span>
        </button>
      ),
    },
  ];
  return (
    <section>
      <h2>{texts.title}</h2>
      <p class="remark">{texts.lead}</p>
      <Problem error={error} retry={() => void reload()} />
      {isLoading && !data && <p role="status">{words.value.loading}</p>}
      {data?.length === 0 && <p class="nothing">{texts.none}</p>}
      {data && data.length > 0 && (
        <Table caption={texts.title} columns={columns} rows={data} keyOf={(grant) => grant.id} isComplete />
      )}
      {revoked && (
        <Confirm
          title={texts.revokeTitle(revoked.tool)}
          text={texts.revokeText}
          action={texts.revoke}
          run={() => remove(`grants/${revoked.id}`).then(reload)}
          close={() => setRevoked(undefined)}
        />
      )}
    </section>
  );
}

function Covers({ grant }: { grant: Grant }) {
  const texts = words.value.grants;
  if (grant.session_id) return <a href={addressOf(grant.session_id)}>{texts.session}</a>;
  return grant.subject ? <code>{subjectOf(grant)}</code> : <>{texts.all}</>;
}

/** Returns what calls may touch, such as `path: notes/today.md`. */
function subjectOf({ session_id, subject }: Grant): string {
  if (!subject) return session_id ?? "";
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return Object.entries(subject)
    .map(([kind, value]) => `${kind}: ${text(value)}`)
    .join(", ");
}
