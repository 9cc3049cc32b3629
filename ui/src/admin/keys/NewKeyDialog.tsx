import { useEffect, useRef, useState } from "preact/hooks";
import { CopyButton } from "../../later/CopyButton";
import { Dialog, strings } from "../../shared";
import { type CreatedKey, type NewKey, post } from "../api";
import { Problem } from "../elements/Problem";
import { words } from "../strings";

const SCOPES = ["chat", "read", "decide", "admin", "metrics"] as const;

/** The scopes of a key that names none. */
const USUAL: readonly string[] = ["chat", "read", "decide"];

interface NewKeyProps {
  created(): Promise<void>;
  close(): void;
}

/** Asks for the properties of a new key, and shows it once. */
export function NewKeyDialog({ created, close }: NewKeyProps) {
  const texts = words.value.keys;
  const [made, setMade] = useState<CreatedKey>();
  const finish = (key: CreatedKey) => {
    setMade(key);
    void created();
  };
  return (
    <Dialog title={made ? texts.createdTitle(made.name) : texts.new} close={close}>
      {made ? <Shown made={made} close={close} /> : <Form finish={finish} close={close} />}
    </Dialog>
  );
}

function Form({ finish, close }: { finish(key: CreatedKey): void; close(): void }) {
  const texts = words.value.keys;
  const [name, setName] = useState("");
  const [user, setUser] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>(USUAL);
  const [agents, setAgents] = useState("");
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const create = (event: Event) => {
    event.preventDefault();
    setRunning(true);
    const named = agents
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((agent) => `agent:${agent}`);
    const key: NewKey = { name: name.trim(), scopes: [...scopes, ...named] };
    if (user.trim()) key.user = user.trim();
    post<CreatedKey>("keys", key).then(finish, (error: unknown) => {
      setError(error);
      setRunning(false);
    });
  };
  const toggle = (scope: string, isChosen: boolean) => {
    setScopes(isChosen ? [...scopes, scope] : scopes.filter((one) => one !== scope));
  };
  return (
    <form onSubmit={create}>
      <label class="note">
        {texts.name}
        <input
          type="text"
          dir="auto"
          required
          maxLength={128}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label class="note">
        {texts.userField}
        <input
          type="text"
          dir="auto"
          maxLength={128}
          value={user}
          onInput={(event) => setUser(event.currentTarget.value)}
        />
      </label>
      <fieldset>
        <legend>{texts.scopes}</legend>
        {SCOPES.map((scope) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={(event) => toggle(scope, event.currentTarget.checked)}
            />
            <span>
              <code>{scope}</code> <span class="remark">{texts.permits[scope]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label class="note">
        {texts.agentsField}
        <input
          type="text"
          spellcheck={false}
          value={agents}
          onInput={(event) => setAgents(event.currentTarget.value)}
        />
      </label>
      <Problem error={error} />
      <p class="buttons">
        <button class="primary" disabled={isRunning || name.trim() === "" || scopes.length === 0}>
          {texts.createIt}
        </button>
        <button type="button" onClick={close}>
          {strings.value.page.cancel}
        </button>
      </p>
    </form>
  );
}

function Shown({ made, close }: { made: CreatedKey; close(): void }) {
  const texts = words.value.keys;
  const secret = useRef<HTMLPreElement>(null);
  // The form that had the focus is gone.
  useEffect(() => secret.current?.focus(), []);
  return (
    <>
      <p>{texts.once}</p>
      <pre ref={secret} class="secret" tabIndex={0} aria-label={texts.key}>
        {made.key}
      </pre>
      <p class="buttons">
        <CopyButton text={made.key} />
        <button type="button" class="primary" onClick={close}>
          {texts.done}
        </button>
      </p>
    </>
  );
}
