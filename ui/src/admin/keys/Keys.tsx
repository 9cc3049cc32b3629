import { useState } from "preact/hooks";
import { formatNumber, summary } from "../../shared";
import { type ApiKey, getAll, remove } from "../api";
import { Confirm } from "../elements/Confirm";
import { Problem } from "../elements/Problem";
import { Screen } from "../elements/Screen";
import { type Column, Table } from "../elements/Table";
import { When } from "../elements/When";
import { useLoaded } from "../load";
import { words } from "../strings";
import { CREATE } from "./command";
import { NewKeyDialog } from "./NewKeyDialog";

const REQUIRE = '[auth]\nmode = "api_key"';

/** The keys with which programs and people send requests. */
export function Keys() {
  const texts = words.value.keys;
  const mode = summary.value?.auth;
  if (mode === "none" || mode === "jwt") {
    return (
      <Screen title={texts.title}>
        <p>{mode === "none" ? texts.notNeeded : texts.tokensOnly}</p>
        {mode === "none" && (
          <>
            <pre>{REQUIRE}</pre>
            <p>{texts.create}</p>
            <pre>{CREATE}</pre>
          </>
        )}
      </Screen>
    );
  }
  return <KeyList />;
}

function KeyList() {
  const texts = words.value.keys;
  const { data, error, isLoading, reload } = useLoaded(() => getAll<ApiKey>("keys"));
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  const [showsRevoked, setShowsRevoked] = useState(false);
  const rows = (data ?? []).filter((key) => showsRevoked || !key.revoked_at);
  const former = (data ?? []).filter((key) => key.revoked_at).length;
  const actions = data && (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      {texts.new}
    </button>
  );
  return (
    <Screen title={texts.title} lead={texts.lead} actions={actions}>
      <Problem error={error} forbidden={texts.forbidden} retry={() => void reload()} />
      {isLoading && !data && <p role="status">{words.value.loading}</p>}
      {data && rows.length === 0 && <p class="nothing">{texts.none}</p>}
      {rows.length > 0 && (
        <Table caption={texts.title} columns={columnsOf(setRevoked)} rows={rows} keyOf={(key) => key.id} isComplete />
      )}
      {former > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={showsRevoked}
            onChange={(event) => setShowsRevoked(event.currentTarget.checked)}
          />
          {texts.showRevoked(former, formatNumber(former))}
        </label>
      )}
      {isCreating && <NewKeyDialog created={reload} close={() => setCreating(false)} />}
      {revoked && (
        <Confirm
          title={texts.revokeTitle(revoked.name)}
          text={texts.revokeText}
          action={texts.revoke}
          run={() => remove(`keys/${revoked.id}`).then(reload)}
          close={() => setRevoked(undefined)}
        />
      )}
    </Screen>
  );
}

function columnsOf(revoke: (key: ApiKey) => void): Column<ApiKey>[] {
  const texts = words.value.keys;
  return [
    { key: "name", label: texts.name, cell: (key) => <bdi>{key.name}</bdi>, value: (key) => key.name },
    { key: "user", label: texts.user, cell: (key) => <bdi>{key.user}</bdi>, value: (key) => key.user },
    {
      key: "scopes",
      label: texts.scopes,
      cell: (key) => (
        <span class="chips">
          {key.scopes.map((scope) => (
            <span key={scope} class="chip">
              {scope}
            </span>
          ))}
        </span>
      ),
      value: (key) => key.scopes.join(" "),
    },
    {
      key: "created",
      label: texts.created,
      cell: (key) => <When time={key.created_at} />,
      value: (key) => key.created_at,
    },
    {
      key: "revoke",
      label: texts.action,
      cell: (key) =>
        key.revoked_at ? (
          <span class="remark">
            {texts.revoked} <When time={key.revoked_at} />
          </span>
        ) : (
          <button type="button" class="quiet" onClick={() => revoke(key)}>
            {texts.revoke}
            <span class="unseen"> {key.name}</span>
          </button>
        ),
    },
  ];
}
