import { useEffect, useState } from "preact/hooks";
import { Composer } from "../chat/Composer";
import { CopyButton } from "../elements/CopyButton";
import { saveDraft } from "../state/drafts";
import { replaceWith } from "../state/route";
import { client } from "../state/server";
import { loadSessions } from "../state/sessions";
import { strings } from "../strings";

/** The vendors that the form offers, with a model of each; docs/providers.md lists all. */
const VENDORS = [
  { vendor: "openai", key: "OPENAI_API_KEY", model: "gpt-5-mini" },
  { vendor: "anthropic", key: "ANTHROPIC_API_KEY", model: "claude-sonnet-4-5" },
  { vendor: "gemini", key: "GEMINI_API_KEY", model: "gemini-2.5-flash" },
  { vendor: "openrouter", key: "OPENROUTER_API_KEY", model: "openai/gpt-5-mini" },
  { vendor: "ollama", key: undefined, model: "qwen3" },
];

/** What is shown before a session begins. */
export function NewSession() {
  const words = strings.value.chat;
  // Taking up a suggestion fills the field in.
  const [edition, setEdition] = useState(0);
  const open = ({ session_id }: { session_id: string }) => {
    replaceWith(session_id);
    void loadSessions().catch(() => {});
  };
  const suggest = (text: string) => {
    saveDraft(undefined, { text });
    setEdition(edition + 1);
  };
  return (
    <div class="welcome">
      <div class="welcome-text">
        <h1>{words.welcome}</h1>
        <p class="buttons">
          {words.suggestions.map((text) => (
            <button key={text} type="button" onClick={() => suggest(text)}>
              {text}
            </button>
          ))}
        </p>
        <Offline />
      </div>
      <Composer key={edition} conversation={undefined} started={open} />
    </div>
  );
}

/** How to add a model, where there is none. */
function Offline() {
  const words = strings.value.chat;
  const [isOffline, setOffline] = useState(false);
  const [chosen, setChosen] = useState(0);
  const vendor = VENDORS[chosen] ?? VENDORS[0]!;
  const [model, setModel] = useState(vendor.model);
  useEffect(() => {
    const only = ({ data }: { data: { id: string }[] }) => data.length === 1 && data[0]?.id === "offline";
    client.providers().then(
      (providers) => setOffline(only(providers)),
      () => {},
    );
  }, []);
  if (!isOffline) return null;
  const lines = [
    "[[providers]]",
    'id = "main"',
    `vendor = "${vendor.vendor}"`,
    ...(vendor.key ? [`api_key = "\${${vendor.key}}"`] : []),
    `models = [${JSON.stringify(model)}]`,
  ].join("\n");
  return (
    <section class="offline" aria-label={words.offline}>
      <h2>{words.offline}</h2>
      <p>{words.offlineText}</p>
      <p class="fields">
        <label>
          {words.vendor}
          <select
            value={chosen}
            onChange={(event) => {
              const index = Number(event.currentTarget.value);
              setChosen(index);
              setModel(VENDORS[index]?.model ?? "");
            }}
          >
            {VENDORS.map(({ vendor }, index) => (
              <option key={vendor} value={index}>
                {vendor}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.model}
          <input type="text" value={model} spellcheck={false} onInput={(event) => setModel(event.currentTarget.value)} />
        </label>
      </p>
      <pre tabIndex={0}>{lines}</pre>
      <CopyButton text={lines} />
    </section>
  );
}
