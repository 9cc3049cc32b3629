export * from "./shared";
import { render } from "preact";
import { Shell } from "./screens/Shell";
import { SignIn } from "./screens/SignIn";
import { access, connect } from "./state/server";
import { strings } from "./strings";

function App() {
  switch (access.value) {
    case "starting":
      return null;
    case "unreachable":
      return (
        <main class="empty">
          <p>{strings.value.page.unreachable}</p>
          <button type="button" onClick={() => void connect()}>
            {strings.value.page.tryAgain}
          </button>
        </main>
      );
    case "signed_out":
      return <SignIn />;
    case "open":
      return <Shell />;
  }
}

const root = document.getElementById("app");
if (root) render(<App />, root);
void connect();
