import { hasCredential, signOut } from "../state/server";
import { chooseTheme, THEMES, theme } from "../state/theme";
import { chooseLanguage, LANGUAGES, language, nameOf, strings } from "../strings";

/** What the user may choose about the page. */
export function Settings() {
  const words = strings.value.settings;
  return (
    <div class="screen">
      <h1>{words.title}</h1>
      <label class="note">
        {words.theme}
        <select value={theme.value} onChange={(event) => chooseTheme(find(THEMES, event.currentTarget.value))}>
          {THEMES.map((one) => (
            <option key={one} value={one}>
              {words[one]}
            </option>
          ))}
        </select>
      </label>
      <label class="note">
        {words.language}
        <select value={language.value} onChange={(event) => chooseLanguage(find(LANGUAGES, event.currentTarget.value))}>
          {LANGUAGES.map((one) => (
            <option key={one} value={one} lang={one}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      </label>
      <h2>{words.page}</h2>
      <p class="remark">
        {words.build(__BUILD__)} ·{" "}
        <a href="LICENSES.txt" target="_blank" rel="noopener">
          {words.licences}
        </a>
      </p>
      {hasCredential.value && (
        <button type="button" onClick={signOut}>
          {strings.value.signIn.signOut}
        </button>
      )}
    </div>
  );
}

/** Returns the value of the list that an element of the page names. */
function find<T extends string>(list: readonly T[], name: string): T {
  return list.find((one) => one === name) ?? list[0]!;
}
