export * from "./shared";
import { render } from "preact";
import { More } from "./screens/More";
import { Problem } from "./screens/Problem";
import { Shell } from "./screens/Shell";
import { access, connect, currentCredential } from "./state/server";
import { loadTexts, strings } from "./strings";

function App() {
  switch (access.value) {
    case "starting":
      return null;
    case "unreachable":
      return (
        <main class="empty">
          <h1>{strings.value.page.title}</h1>
          <Problem />
          <button type="button" onClick={() => void connect()}>
            {strings.value.page.tryAgain}
          </button>
          {currentCredential() && (
            <button type="button" onClick={() => (access.value = "signed_out")}>
              {strings.value.signIn.title}
            </button>
          )}
        </main>
      );
    case "signed_out":
      return <More screen="SignIn" title={strings.value.signIn.title} />;
    case "open":
      return <Shell />;
  }
}

const root = document.getElementById("app");
void connect();
// Without its texts, the page is in English.
await loadTexts().catch(() => {});
if (root) render(<App />, root);
