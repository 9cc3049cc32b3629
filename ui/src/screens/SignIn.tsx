import { useState } from "preact/hooks";
import { problem, signIn, summary } from "../state/server";
import { strings } from "../strings";
import { Problem } from "./Problem";

/** Asks for the credential that requests need. */
export function SignIn() {
  const words = strings.value.signIn;
  const [entered, setEntered] = useState("");
  const [stays, setStays] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const mode = summary.value?.auth;
  const label = mode === "jwt" ? words.token : mode === "api_key_or_jwt" ? words.keyOrToken : words.key;
  const submit = (event: Event) => {
    event.preventDefault();
    setAsking(true);
    void signIn(entered, stays).finally(() => setAsking(false));
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1>{words.title}</h1>
        <label class="note">
          {label}
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={entered}
            aria-invalid={problem.value !== undefined}
            onInput={(event) => setEntered(event.currentTarget.value)}
          />
        </label>
        <Problem />
        <label class="check">
          <input type="checkbox" checked={stays} onChange={(event) => setStays(event.currentTarget.checked)} />
          {words.stay}
        </label>
        <button class="primary" disabled={isAsking || entered.trim() === ""}>
          {words.submit}
        </button>
        {mode !== "jwt" && (
          <p class="remark">
            {words.explanation} <code>turnkit keys create NAME</code>
          </p>
        )}
      </form>
    </main>
  );
}
