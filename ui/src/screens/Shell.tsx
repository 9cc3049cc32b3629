import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../elements/Dialog";
import { Icon } from "../elements/Icon";
import { openDialog } from "../state/dialogs";
import { connection, failures } from "../state/feed";
import { loadMoreSoon, more } from "../state/later";
import { route } from "../state/route";
import { isOutdated } from "../state/server";
import { needs, searchFor } from "../state/sessions";
import { strings } from "../strings";
import { Chat } from "./Chat";
import { More } from "./More";
import { Needs } from "./Needs";
import { NewSession } from "./NewSession";
import { Operator } from "./Operator";
import { SessionList } from "./SessionList";
import { useLists } from "./useLists";
import { useRail, wide } from "./useRail";
import { useShortcuts } from "./useShortcuts";

/** The page of a user who may send requests: the rail, and the screen that the address names. */
export function Shell() {
  const { page, sessions } = strings.value;
  const [isSwitching, setSwitching] = useState(false);
  const [isRailOpen, toggleRail] = useRail();
  const Overlays = more.value?.Overlays;
  useLists();
  // An attempt fails while the server is away.
  useEffect(loadMoreSoon, [connection.value === "open"]);
  const closeSwitcher = () => {
    setSwitching(false);
    searchFor("");
  };
  useShortcuts(() => setSwitching(true), toggleRail);
  return (
    <div class={isRailOpen ? "shell rail-open" : "shell"}>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          // The hash of the address names the screen.
          event.preventDefault();
          (document.getElementById("message") ?? document.getElementById("content"))?.focus();
        }}
      >
        {page.skip}
      </a>
      <button
        type="button"
        class="icon-button rail-button"
        aria-label={sessions.title}
        aria-expanded={isRailOpen}
        onClick={toggleRail}
      >
        <Icon name={isRailOpen && !wide.matches ? "close" : "menu"} />
      </button>
      <Rail />
      <main id="content" tabIndex={-1}>
        {isOutdated.value && (
          <p class="banner" role="alert">
            {page.newBuild}{" "}
            <button type="button" onClick={() => location.reload()}>
              {page.reload}
            </button>
          </p>
        )}
        {failures.value > 2 && (
          <p class="banner" role="status">
            {page.lost}
          </p>
        )}
        <Screen />
      </main>
      {isSwitching && (
        <Dialog title={sessions.title} close={closeSwitcher}>
          <SessionList chosen={closeSwitcher} />
        </Dialog>
      )}
      {Overlays && <Overlays />}
    </div>
  );
}

function Screen() {
  const shown = route.value;
  switch (shown.screen) {
    case "new":
      return <NewSession />;
    case "chat":
      return <Chat session={shown.session} turn={shown.turn} />;
    case "sessions":
      return <More screen="Sessions" title={strings.value.sessions.title} />;
    case "needs":
      return <Needs />;
    case "settings":
      return <More screen="Settings" title={strings.value.settings.title} />;
    default:
      return <Operator shown={shown} />;
  }
}

function Rail() {
  const { sessions, needs: words, settings, page, rail } = strings.value;
  const Links = more.value?.OperatorLinks;
  const count = needs.value.length;
  const link = (screen: "sessions" | "needs" | "settings") => ({
    href: `#/${screen}`,
    "aria-current": route.value.screen === screen ? ("page" as const) : undefined,
  });
  return (
    <nav class="rail" aria-label={page.title}>
      <button type="button" class="primary new" onClick={() => (location.hash = "#/")}>
        <Icon name="plus" />
        {sessions.new}
      </button>
      <SessionList />
      <div class="rail-links">
        <a {...link("needs")}>
          <Icon name="bell" />
          {words.title}
          {count > 0 && (
            <span class="badge" aria-label={words.count(count)}>
              {count}
            </span>
          )}
        </a>
        <a {...link("sessions")}>
          <Icon name="menu" />
          {sessions.list}
        </a>
        <a {...link("settings")}>
          <Icon name="settings" />
          {settings.title}
        </a>
        <button type="button" onClick={() => openDialog({ kind: "shortcuts" })}>
          <Icon name="keyboard" />
          {rail.shortcuts}
        </button>
      </div>
      {Links && <Links />}
    </nav>
  );
}
