import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { CopyButton } from "../later/CopyButton";
import {
  chooseLanguage,
  chooseSendKey,
  hasCredential,
  LANGUAGES,
  language,
  nameOf,
  openDialog,
  SEND_KEYS,
  sendKey,
  signOut,
  strings,
  summary,
} from "../shared";
import { chooseDensity, chooseNotifications, DENSITIES, density, notifies } from "./preferences";
import { words } from "./strings";
import { chooseTheme, THEMES, theme } from "./theme";

/** What the user may choose about the page, and where its server is. */
export function Settings() {
  const text = words.value.settings;
  return (
    <div class="screen settings">
      <h1>{strings.value.settings.title}</h1>
      <Choice
        label={text.theme}
        list={THEMES}
        value={theme.value}
        choose={chooseTheme}
        name={(one) => text.themes[one]}
      />
      <Choice
        label={text.density}
        list={DENSITIES}
        value={density.value}
        choose={chooseDensity}
        name={(one) => text.densities[one]}
      />
      <Choice
        label={text.language}
        list={LANGUAGES}
        value={language.value}
        choose={(one) => void chooseLanguage(one).catch(() => {})}
        name={nameOf}
      />
      <Choice
        label={text.sendKey}
        list={SEND_KEYS}
        value={sendKey.value}
        choose={chooseSendKey}
        name={(one) => text.sendKeys[one]}
      />
      <Notifications />
      <button type="button" onClick={() => openDialog({ kind: "shortcuts" })}>
        {strings.value.rail.shortcuts}
      </button>
      <h2>{text.api}</h2>
      <Addresses />
      <h2>{text.page}</h2>
      <p class="remark">
        {text.build(__BUILD__)} ·{" "}
        <a href="LICENSES.txt" target="_blank" rel="noopener">
          {text.licences}
        </a>
      </p>
      {hasCredential.value && (
        <button type="button" onClick={signOut}>
          {text.signOut}
        </button>
      )}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  list: readonly T[];
  value: T;
  choose(value: T): void;
  name(value: T): string;
}

function Choice<T extends string>({ label, list, value, choose, name }: ChoiceProps<T>) {
  return (
    <label class="note">
      {label}
      <select
        value={value}
        onChange={({ currentTarget }) => choose(list.find((one) => one === currentTarget.value) ?? value)}
      >
        {list.map((one) => (
          <option key={one} value={one}>
            {name(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Asks the browser for its permission when the user wants notifications. */
function Notifications() {
  const text = words.value.settings;
  const [isForbidden, setForbidden] = useState(false);
  const choose = async (wanted: boolean) => {
    // Insecure origins have no notifications.
    const permission =
      wanted && typeof Notification !== "undefined" ? await Notification.requestPermission() : "denied";
    chooseNotifications(wanted && permission === "granted");
    setForbidden(wanted && permission !== "granted");
  };
  return (
    <div>
      <label class="check">
        <input
          type="checkbox"
          checked={notifies.value}
          onChange={({ currentTarget }) => {
            void choose(currentTarget.checked).then(() => {
              currentTarget.checked = notifies.peek();
            });
          }}
        />
        {text.notifications}
      </label>
      {isForbidden && (
        <p class="remark error" role="alert">
          {text.forbidden}
        </p>
      )}
    </div>
  );
}

/** Where programs reach the server, with a request to try. */
function Addresses() {
  const text = words.value.settings;
  const base = new URL(".", location.href).href;
  const key = summary.value && summary.value.auth !== "none" ? " \\\n  -H 'authorization: Bearer KEY'" : "";
  const example = [
    `curl -s ${base}api/v1/turns${key} \\`,
    "  -H 'content-type: application/json' \\",
    `  -d '{"message": "What is 12.5% of 840?"}'`,
  ].join("\n");
  return (
    <>
      <dl class="addresses">
        <Address name={text.native}>{`${base}api/v1`}</Address>
        <Address name="OpenAPI">{`${base}openapi.json`}</Address>
        <Address name="MCP">{`${base}mcp`}</Address>
      </dl>
      <pre tabIndex={0} aria-label={text.example}>
        {example}
      </pre>
      <CopyButton text={example} />
    </>
  );
}

function Address({ name, children }: { name: string; children: string & ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{children}</code>
        <CopyButton text={children} />
      </dd>
    </div>
  );
}
