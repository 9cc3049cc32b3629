import { useState } from "preact/hooks";
import { Composer } from "../chat/Composer";
import { loadDraft, saveDraft } from "../state/drafts";
import { more } from "../state/later";
import { replaceWith } from "../state/route";
import { loadSessions } from "../state/sessions";
import { strings } from "../strings";

/** What is shown before a session begins. */
export function NewSession() {
  const words = strings.value.chat;
  const Offline = more.value?.Offline;
  // Taking up a suggestion fills the field in.
  const [edition, setEdition] = useState(0);
  const open = ({ session_id }: { session_id: string }) => {
    replaceWith(session_id);
    void loadSessions().catch(() => {});
  };
  const suggest = (text: string) => {
    saveDraft(undefined, { ...loadDraft(undefined), text });
    setEdition(edition + 1);
  };
  return (
    <div class="welcome">
      <div class="welcome-text">
        <h1>{words.welcome}</h1>
        <p class="buttons">
          {(more.value?.offlineSuggestions.value ?? words.suggestions).map((text) => (
            <button key={text} type="button" onClick={() => suggest(text)}>
              {text}
            </button>
          ))}
        </p>
        {Offline && <Offline />}
      </div>
      <Composer key={edition} conversation={undefined} started={open} />
    </div>
  );
}
