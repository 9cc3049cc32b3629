import { useState } from "preact/hooks";
import { Problem, problem, signIn, strings, summary } from "../shared";
import { words } from "./strings";

/** Asks for the credential that requests need. */
export function SignIn() {
  const text = words.value.signIn;
  const [entered, setEntered] = useState("");
  const [stays, setStays] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const mode = summary.value?.auth;
  const label = mode === "jwt" ? text.token : mode === "api_key_or_jwt" ? text.keyOrToken : text.key;
  const submit = (event: Event) => {
    event.preventDefault();
    setAsking(true);
    void signIn(entered, stays).finally(() => setAsking(false));
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1>{strings.value.signIn.title}</h1>
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
          {text.stay}
        </label>
        <button class="primary" disabled={isAsking || entered.trim() === ""}>
          {text.submit}
        </button>
        {mode !== "jwt" && (
          <p class="remark">
            {text.explanation} <code>turnkit keys create NAME</code>
          </p>
        )}
      </form>
    </main>
  );
}
