// src/elements/CopyButton.tsx
import { useEffect, useState } from "./vendor.js";

// src/strings/index.ts
import { computed, effect, signal } from "./vendor.js";

// src/state/storage.ts
function load(key) {
  try {
    return localStorage.getItem(key) ?? void 0;
  } catch {
    return void 0;
  }
}
function save(key, text2) {
  try {
    if (text2 === void 0) localStorage.removeItem(key);
    else localStorage.setItem(key, text2);
  } catch {
  }
}
var FILES_DATABASE = "turnkit";
function forgetAll() {
  try {
    indexedDB.deleteDatabase(FILES_DATABASE);
  } catch {
  }
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith("turnkit.")) localStorage.removeItem(key);
    }
  } catch {
  }
}

// src/strings/de.ts
var de = {
  language: "Deutsch",
  page: {
    title: "turnkit",
    skip: "Zum Inhalt springen",
    lost: "Die Verbindung zum Server ist unterbrochen. Neuer Versuch…",
    newBuild: "Der Server hat eine neuere Seite.",
    reload: "Neu laden",
    close: "Schließen",
    cancel: "Abbrechen",
    loading: "Wird geladen…",
    unreachable: "Der Server ist nicht erreichbar.",
    tryAgain: "Erneut versuchen",
    notLoaded: "Dieser Teil der Seite konnte nicht geladen werden. Vielleicht wurde der Server erneuert, oder er ist nicht erreichbar.",
    failed: (message) => `Das hat nicht geklappt: ${message}`,
    notFound: "Diese Unterhaltung gibt es nicht, oder sie gehört jemand anderem."
  },
  signIn: {
    title: "Anmelden",
    key: "API-Schlüssel",
    token: "Zugriffstoken",
    keyOrToken: "API-Schlüssel oder Zugriffstoken",
    stay: "Auf diesem Gerät angemeldet bleiben",
    submit: "Anmelden",
    refused: "Der Server nimmt ihn nicht an.",
    explanation: "Schlüssel erzeugt der Betreiber des Servers mit",
    signOut: "Abmelden"
  },
  sessions: {
    title: "Unterhaltungen",
    new: "Neue Unterhaltung",
    search: "Unterhaltungen durchsuchen",
    none: "Noch keine Unterhaltungen",
    noneFound: "Nichts gefunden",
    more: "Mehr anzeigen",
    untitled: "Ohne Titel",
    list: "Alle Unterhaltungen",
    running: "läuft"
  },
  needs: {
    title: "Braucht dich",
    count: (count) => count === 1 ? "1 Entscheidung" : `${count} Entscheidungen`,
    none: "Nichts wartet auf eine Entscheidung.",
    open: "Unterhaltung öffnen"
  },
  chat: {
    conversation: "Unterhaltung",
    message: "Nachricht",
    placeholder: "Nachricht schreiben",
    send: "Senden",
    stop: "Stoppen",
    stopping: "Wird gestoppt…",
    earlier: "Frühere Nachrichten anzeigen",
    latest: "Zum Neuesten springen",
    welcome: "Was kann ich für dich tun?",
    you: "Du",
    empty: "Es wurde nichts geschrieben.",
    copy: "Kopieren",
    copied: "Kopiert",
    reasoning: "Überlegung",
    withdraw: "Zurückziehen",
    queued: "Wartet, bis sie an der Reihe ist",
    steering: "Wird im nächsten Schritt gelesen",
    cut: "Der Rest dieses Textes wird nicht angezeigt.",
    image: "Bild",
    externalImage: (host) => `Bild von ${host}`,
    redone: "Eine abgebrochene Antwort wurde neu geschrieben.",
    suggestions: ["Wie viel ist 12.5% von 840?", "Welcher Tag ist heute?", "Sag Hallo"]
  },
  status: {
    ready: "Bereit",
    connecting: "Verbinde…",
    answering: "Antwortet…",
    thinking: "Wartet auf das Modell…",
    tool: (name) => `${name} läuft…`,
    decision: "Wartet auf deine Entscheidung",
    stopping: "Wird gestoppt…",
    lost: "Verbindung unterbrochen",
    ended: {
      completed: "Fertig",
      failed: "Fehlgeschlagen",
      cancelled: "Gestoppt",
      limit: "Durch eine Grenze gestoppt",
      interrupted: "Durch eine andere Nachricht unterbrochen",
      expired: "Abgelaufen"
    }
  },
  tool: {
    waiting: "wartet auf dich",
    writing: "wird vorbereitet",
    running: "läuft",
    done: "fertig",
    failed: "fehlgeschlagen",
    denied: "abgelehnt",
    arguments: "Argumente",
    result: "Ergebnis",
    progress: "Fortschritt",
    data: "Daten",
    shortened: (shown, all) => `Die ersten ${shown} von ${all} Zeichen`,
    showAll: "Alles anzeigen"
  },
  interaction: {
    approval: (tool) => `Darf ${tool} laufen?`,
    question: (tool) => `${tool} fragt`,
    outcome: (tool) => `Hat ${tool} gewirkt?`,
    outcomeText: "Der Server hielt an, während der Aufruf lief, und der Aufruf darf nicht zweimal laufen.",
    client: (tool) => `${tool} läuft in einem anderen Programm`,
    clientText: "Das Programm, das dieses Werkzeug anbietet, meldet das Ergebnis.",
    reason: "Grund",
    arguments: "Argumente",
    expires: (when) => `Läuft ab ${when}`,
    approve: "Einmal erlauben",
    approveSession: "In dieser Unterhaltung erlauben",
    approveAlways: "Immer erlauben",
    edit: "Bearbeiten",
    editArguments: "Argumente als JSON",
    notJson: "Das ist kein gültiges JSON.",
    deny: "Ablehnen",
    note: "Anmerkung",
    answer: "Antwort",
    submit: "Antworten",
    decline: "Nicht antworten",
    took: "Er hat gewirkt",
    tookNot: "Er hat nicht gewirkt",
    retry: "Erneut ausführen",
    unknown: "Ich weiß es nicht",
    decided: "Das wurde schon woanders entschieden, oder es ist zu spät."
  },
  turn: {
    firstToken: (seconds) => `erste Ausgabe nach ${seconds}`,
    tokens: (count) => `${count} Token`,
    cost: (dollars) => dollars,
    unpriced: "Preis unbekannt"
  },
  settings: {
    title: "Einstellungen"
  },
  composer: {
    steer: "Einwerfen",
    steerHint: "Die laufende Antwort liest die Nachricht im nächsten Schritt.",
    queueHint: "Die Nachricht wartet, bis die laufende Antwort fertig ist.",
    steering: "wird eingeworfen",
    queued: "wartet",
    waiting: "Wartende Nachrichten"
  },
  rail: {
    shortcuts: "Tastenkürzel"
  },
  operator: {
    title: "Betrieb",
    turns: "Durchläufe",
    usage: "Verbrauch",
    providers: "Anbieter",
    tools: "Werkzeuge",
    keys: "Schlüssel"
  }
};

// src/strings/en.ts
var en = {
  language: "English",
  page: {
    title: "turnkit",
    skip: "Skip to the content",
    lost: "The connection to the server is lost. Trying again…",
    newBuild: "The server has a newer page.",
    reload: "Reload",
    close: "Close",
    cancel: "Cancel",
    loading: "Loading…",
    unreachable: "The server cannot be reached.",
    tryAgain: "Try again",
    notLoaded: "This part of the page could not be loaded. The server may have been updated, or cannot be reached.",
    failed: (message) => `That did not work: ${message}`,
    notFound: "There is no such session, or it belongs to another user."
  },
  signIn: {
    title: "Sign in",
    key: "API key",
    token: "Access token",
    keyOrToken: "API key or access token",
    stay: "Stay signed in on this device",
    submit: "Sign in",
    refused: "The server does not accept it.",
    explanation: "The operator of the server creates keys with",
    signOut: "Sign out"
  },
  sessions: {
    title: "Sessions",
    new: "New session",
    search: "Search sessions",
    none: "No sessions yet",
    noneFound: "Nothing found",
    more: "Show more",
    untitled: "Untitled session",
    list: "All sessions",
    running: "running"
  },
  needs: {
    title: "Needs you",
    count: (count) => count === 1 ? "1 decision" : `${count} decisions`,
    none: "Nothing waits for a decision.",
    open: "Open the session"
  },
  chat: {
    conversation: "Conversation",
    message: "Message",
    placeholder: "Write a message",
    send: "Send",
    stop: "Stop",
    stopping: "Stopping…",
    earlier: "Show earlier messages",
    latest: "Jump to the latest",
    welcome: "What can I do for you?",
    you: "You",
    empty: "Nothing was written.",
    copy: "Copy",
    copied: "Copied",
    reasoning: "Reasoning",
    withdraw: "Withdraw",
    queued: "Waits for its turn",
    steering: "Will be read in the next step",
    cut: "The rest of this text is not shown.",
    image: "Image",
    externalImage: (host) => `Image from ${host}`,
    redone: "A broken answer was written again.",
    suggestions: ["What is 12.5% of 840?", "What day is it today?", "Say hello"]
  },
  status: {
    ready: "Ready",
    connecting: "Connecting…",
    answering: "Answering…",
    thinking: "Waiting for the model…",
    tool: (name) => `${name} is running…`,
    decision: "Waiting for your decision",
    stopping: "Stopping…",
    lost: "Connection lost",
    ended: {
      completed: "Complete",
      failed: "Failed",
      cancelled: "Stopped",
      limit: "Stopped by a limit",
      interrupted: "Interrupted by another message",
      expired: "Expired"
    }
  },
  tool: {
    waiting: "waits for you",
    writing: "is being prepared",
    running: "running",
    done: "done",
    failed: "failed",
    denied: "denied",
    arguments: "Arguments",
    result: "Result",
    progress: "Progress",
    data: "Data",
    shortened: (shown, all) => `The first ${shown} of ${all} characters`,
    showAll: "Show all"
  },
  interaction: {
    approval: (tool) => `May ${tool} run?`,
    question: (tool) => `${tool} asks`,
    outcome: (tool) => `Did ${tool} take effect?`,
    outcomeText: "The server stopped while the call ran, and it must not run twice.",
    client: (tool) => `${tool} runs in another program`,
    clientText: "The program that offered this tool reports its result.",
    reason: "Reason",
    arguments: "Arguments",
    expires: (when) => `Expires ${when}`,
    approve: "Approve once",
    approveSession: "Approve in this session",
    approveAlways: "Always approve",
    edit: "Edit",
    editArguments: "Arguments as JSON",
    notJson: "This is not valid JSON.",
    deny: "Deny",
    note: "Note",
    answer: "Answer",
    submit: "Answer",
    decline: "Do not answer",
    took: "It took effect",
    tookNot: "It did not",
    retry: "Run it again",
    unknown: "I do not know",
    decided: "This was decided elsewhere, or is too late."
  },
  turn: {
    firstToken: (seconds) => `first output after ${seconds}`,
    tokens: (count) => `${count} tokens`,
    cost: (dollars) => dollars,
    unpriced: "price unknown"
  },
  settings: {
    title: "Settings"
  },
  composer: {
    steer: "Steer",
    steerHint: "The running answer reads the message in its next step.",
    queueHint: "The message waits until the running answer has ended.",
    steering: "steers",
    queued: "queued",
    waiting: "Waiting messages"
  },
  rail: {
    shortcuts: "Keyboard shortcuts"
  },
  operator: {
    title: "Operator",
    turns: "Turns",
    usage: "Usage",
    providers: "Providers",
    tools: "Tools",
    keys: "Keys"
  }
};

// src/strings/index.ts
var TABLES = { en, de };
var LANGUAGES = Object.keys(TABLES);
var KEY = "turnkit.language";
var language = signal(known(load(KEY)) ?? fromBrowser());
var strings = computed(() => TABLES[language.value]);
var locale = computed(() => {
  return navigator.languages.find((tag) => tag.split("-")[0] === language.value) ?? language.value;
});
effect(() => {
  document.documentElement.lang = language.value;
});
function chooseLanguage(chosen) {
  language.value = chosen;
  save(KEY, chosen);
}
function nameOf(one) {
  return TABLES[one].language;
}
function formatTime(iso) {
  if (!iso) return "";
  const date = new Date(iso);
  const isToday = date.toDateString() === (/* @__PURE__ */ new Date()).toDateString();
  const options = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(locale.value, options).format(date);
}
function formatNumber(value) {
  return new Intl.NumberFormat(locale.value).format(value);
}
function formatDuration(milliseconds) {
  const isShort = milliseconds < 1e3;
  const digits = milliseconds < 1e4 && !isShort ? 1 : 0;
  const options = { style: "unit", unit: isShort ? "millisecond" : "second", maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale.value, options).format(isShort ? milliseconds : milliseconds / 1e3);
}
function formatDollars(nano) {
  const options = { style: "currency", currency: "USD", maximumSignificantDigits: 2 };
  return new Intl.NumberFormat(locale.value, options).format(nano / 1e9);
}
function known(text2) {
  return LANGUAGES.find((language2) => language2 === text2);
}
function fromBrowser() {
  const found = navigator.languages.map((tag) => known(tag.split("-")[0])).find((language2) => language2 !== void 0);
  return found ?? "en";
}

// src/markdown/copy.ts
var SAID_MS = 2e3;
async function copy(text2) {
  try {
    await navigator.clipboard.writeText(text2);
    return true;
  } catch {
    return copyBySelection(text2);
  }
}
function copyBySelection(text2) {
  const area = document.createElement("textarea");
  area.value = text2;
  area.className = "unseen";
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const hasCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return hasCopied;
}
function copyButton(text2) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = strings.peek().chat.copy;
  button.addEventListener("click", () => {
    void copy(text2()).then((hasCopied) => {
      if (!hasCopied) return;
      button.textContent = strings.peek().chat.copied;
      setTimeout(() => {
        button.textContent = strings.peek().chat.copy;
      }, SAID_MS);
    });
  });
  return button;
}

// src/elements/CopyButton.tsx
import { jsx } from "./vendor.js";
var SAID_MS2 = 2e3;
function CopyButton({ text: text2 }) {
  const [hasCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!hasCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS2);
    return () => clearTimeout(timer);
  }, [hasCopied]);
  return /* @__PURE__ */ jsx("button", { type: "button", class: "quiet", onClick: () => void copy(text2).then(setCopied), children: hasCopied ? strings.value.chat.copied : strings.value.chat.copy });
}

// src/elements/Dialog.tsx
import { useLayoutEffect, useRef } from "./vendor.js";

// src/elements/Icon.tsx
import { jsx as jsx2 } from "./vendor.js";
var PATHS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  plus: "M12 5v14M5 12h14",
  send: "M12 19V5m-6 6 6-6 6 6",
  stop: "M7 7h10v10H7z",
  close: "M6 6l12 12M18 6L6 18",
  down: "M12 5v14m-6-6 6 6 6-6",
  settings: "M4 7h10m4 0h2M4 17h2m4 0h10M14 4.5v5M10 14.5v5",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4",
  rename: "M4 20h4L19 9l-4-4L4 16z",
  turns: "M4 6h9M7 12h11M13 18h7",
  usage: "M5 20v-7M12 20V5M19 20v-11",
  providers: "M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01",
  tools: "M14 7a4 4 0 0 1 5-4l-2.5 2.5 2 2L21 5a4 4 0 0 1-5 5L8 18.5A2 2 0 0 1 5.5 15.5z",
  keys: "M15 9a4 4 0 1 1-4-4 4 4 0 0 1 4 4zM14 12l6 6v2h-3l-1.5-1.5",
  delete: "M5 7h14M10 7V5h4v2M7 7l1 13h8l1-13",
  attach: "M20 11.5 12.5 19a5 5 0 0 1-7-7L13 4.5a3.3 3.3 0 0 1 4.7 4.7l-7.5 7.5a1.7 1.7 0 0 1-2.4-2.4l6.7-6.7",
  document: "M6 3h8l4 4v14H6zM14 3v4h4",
  keyboard: "M3 7h18v10H3zM7 13.5h10M7 10.5h.01M10.3 10.5h.01M13.6 10.5h.01M17 10.5h.01",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  dots: "M4.5 12h1M11.5 12h1M18.5 12h1"
};
function Icon({ name }) {
  return /* @__PURE__ */ jsx2("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", children: /* @__PURE__ */ jsx2("path", { d: PATHS[name] }) });
}

// src/elements/Dialog.tsx
import { jsx as jsx3, jsxs } from "./vendor.js";
function Dialog({ title, close, children }) {
  const dialog2 = useRef(null);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    dialog2.current?.showModal();
    return () => {
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
    };
  }, []);
  const closeOutside = (event) => {
    if (event.target === dialog2.current) close();
  };
  return /* @__PURE__ */ jsx3("dialog", { ref: dialog2, "aria-label": title, onClose: close, onClick: closeOutside, children: /* @__PURE__ */ jsxs("div", { class: "dialog", children: [
    /* @__PURE__ */ jsxs("header", { children: [
      /* @__PURE__ */ jsx3("h2", { children: title }),
      /* @__PURE__ */ jsx3("button", { type: "button", class: "icon-button", "aria-label": strings.value.page.close, onClick: close, children: /* @__PURE__ */ jsx3(Icon, { name: "close" }) })
    ] }),
    children
  ] }) });
}

// src/elements/download.ts
var SAVED_MS = 6e4;
function download(name, content) {
  const address = URL.createObjectURL(content);
  const link2 = document.createElement("a");
  link2.href = address;
  link2.download = name;
  link2.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
}

// src/elements/json.ts
function indent(json) {
  try {
    JSON.parse(json);
  } catch {
    return json;
  }
  let lines = "";
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs)) {
    const line = () => `
${"  ".repeat(depth)}`;
    if (token === "{" || token === "[") {
      depth += 1;
      lines += token + line();
    } else if (token === "}" || token === "]") {
      depth -= 1;
      lines = /[{[]\s*$/.test(lines) && lines.trimEnd() !== "" ? lines.trimEnd() + token : lines + line() + token;
    } else if (token === ",") lines += token + line();
    else lines += token === ":" ? ": " : token;
  }
  return lines;
}

// src/markdown/links.ts
var UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
var PROTOCOLS = /* @__PURE__ */ new Set(["http:", "https:", "mailto:"]);
function safeAddress(address) {
  const seen = withoutUnseen(address).trim();
  try {
    const url = new URL(seen);
    return PROTOCOLS.has(url.protocol) ? url.href : void 0;
  } catch {
    return void 0;
  }
}
function safeImage(address) {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/i.test(address) ? address : void 0;
}
function withoutUnseen(text2) {
  return text2.replace(UNSEEN, "");
}
function visible(text2) {
  return text2.replace(UNSEEN, (character) => {
    if (character === "\n" || character === "	") return character;
    return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

// src/net/error.ts
var ApiError = class _ApiError extends Error {
  /** The status of the response; 0 if there was none. */
  status;
  code;
  field;
  /** The seconds after which the request may be sent again. */
  retryAfter;
  constructor(status, code2, message, field, retryAfter) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code2;
    this.field = field;
    this.retryAfter = retryAfter;
  }
  /** Creates the error of a request that got no response. */
  static unreachable(cause) {
    return new _ApiError(0, "unreachable", messageOf(cause));
  }
  /** Creates the error that a response describes. */
  static async of(response) {
    const body = await response.json().catch(() => void 0);
    const error = isRecord(body) && isRecord(body.error) ? body.error : {};
    const text2 = (value) => typeof value === "string" ? value : void 0;
    const seconds = Number(response.headers.get("retry-after") ?? NaN);
    return new _ApiError(
      response.status,
      text2(error.code) ?? "unknown",
      text2(error.message) ?? `${response.status} ${response.statusText}`.trim(),
      text2(error.param),
      Number.isFinite(seconds) ? seconds : void 0
    );
  }
};
function isRecord(value) {
  return typeof value === "object" && value !== null;
}
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

// src/net/sse.ts
var EventStream = class {
  #line = "";
  #endsInReturn = false;
  #event = "";
  #id;
  #data = [];
  /** Returns the events that this piece of the stream completes. */
  push(piece) {
    const frames = [];
    if (this.#endsInReturn && piece.startsWith("\n")) piece = piece.slice(1);
    this.#endsInReturn = piece.endsWith("\r");
    const lines = (this.#line + piece).split(/\r\n|\n|\r/);
    this.#line = lines.pop() ?? "";
    for (const line of lines) {
      const frame = this.#read(line);
      if (frame) frames.push(frame);
    }
    return frames;
  }
  #read(line) {
    if (line === "") return this.#finish();
    const colon = line.indexOf(":");
    if (colon === 0) return void 0;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id") this.#id = value;
    return void 0;
  }
  #finish() {
    const frame = { event: this.#event || "message", id: this.#id, data: this.#data.join("\n") };
    const isEmpty = this.#data.length === 0;
    this.#event = "";
    this.#id = void 0;
    this.#data = [];
    return isEmpty ? void 0 : frame;
  }
};

// src/net/client.ts
var SILENCE_MS = 35e3;
var Client = class {
  #options;
  constructor(options = {}) {
    this.#options = options;
  }
  page() {
    return this.#json("GET", "page.json");
  }
  sessions(options = {}) {
    const { query: q, cursor, limit, archived } = options;
    return this.#json("GET", `api/v1/sessions${query({ q, cursor, limit, archived: archived?.toString() })}`);
  }
  change(session, changed) {
    return this.#json("PATCH", `api/v1/sessions/${session}`, changed);
  }
  /** Deletes a session. With `keepalive`, the request is sent even if the page is closed meanwhile. */
  async remove(session, options = {}) {
    await this.#send("DELETE", `api/v1/sessions/${session}`, void 0, {}, void 0, options.keepalive);
  }
  /** Starts a turn that has earlier messages summarised. */
  compact(session) {
    return this.#json("POST", `api/v1/sessions/${session}/compact`);
  }
  async exportSession(session, format) {
    const response = await this.#send("GET", `api/v1/sessions/${session}/export?format=${format}`);
    return response.blob();
  }
  /** Creates a session from an exported one. */
  importSession(file) {
    return this.#json("POST", "api/v1/sessions/import", file);
  }
  /** Stores a file, which the next message may name. */
  async upload(name, content, signal13) {
    const response = await this.#send("POST", `api/v1/files${query({ name })}`, content, {}, signal13);
    return await response.json();
  }
  agents() {
    return this.#json("GET", "api/v1/agents");
  }
  models() {
    return this.#json("GET", "api/v1/models");
  }
  me() {
    return this.#json("GET", "api/v1/me");
  }
  /** Lists the turns that run now, in all sessions. */
  runningTurns() {
    return this.#json("GET", "api/v1/turns?state=running&limit=200");
  }
  turns(session, options = {}) {
    return this.#json("GET", `api/v1/sessions/${session}/turns${query(options)}`);
  }
  /** Starts a turn whose calls may wait for a person. */
  start({ key, ...turn }) {
    return this.#json("POST", "api/v1/turns", { ...turn, interact: true }, { "idempotency-key": key });
  }
  async cancel(turn) {
    await this.#send("POST", `api/v1/turns/${turn}/cancel`);
  }
  interactions() {
    return this.#json("GET", "api/v1/interactions?limit=200");
  }
  resolve(interaction, decision) {
    return this.#json("POST", `api/v1/interactions/${interaction}`, decision);
  }
  providers() {
    return this.#json("GET", "api/v1/providers");
  }
  /**
   * Yields the events of a session's feed until the connection ends. Each array has the events that arrived together.
   * After a cursor, the feed continues with the next event; without one, it begins with a `resync`.
   */
  async *feed(session, options) {
    const silence = new AbortController();
    const signal13 = AbortSignal.any([options.signal, silence.signal]);
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const headers = { accept: "text/event-stream" };
      if (options.after) headers["last-event-id"] = options.after;
      const response = await this.#send("GET", `api/v1/sessions/${session}/events`, void 0, headers, signal13);
      options.opened?.();
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      const events = new EventStream();
      while (reader) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        const frames = events.push(value);
        if (frames.length > 0) yield frames;
      }
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }
  /** Sends a request for which there is no method here, and returns the response. Errors are thrown. */
  send(method, path, body, signal13) {
    return this.#send(method, path, body, {}, signal13);
  }
  async #json(method, path, body, headers) {
    const response = await this.#send(method, path, body, headers);
    return await response.json();
  }
  async #send(method, path, body, headers = {}, signal13, keepalive) {
    const credential2 = this.#options.credential?.();
    const all = { ...headers };
    if (credential2) all.authorization = `Bearer ${credential2}`;
    const init = { method, headers: all, cache: "no-store", credentials: "omit" };
    if (signal13) init.signal = signal13;
    if (keepalive) init.keepalive = true;
    if (body instanceof Blob) {
      init.body = body;
    } else if (body !== void 0) {
      all["content-type"] = "application/json";
      init.body = JSON.stringify(body);
    }
    const response = await fetch((this.#options.base ?? "") + path, init).catch((error2) => {
      throw ApiError.unreachable(error2);
    });
    if (response.ok) return response;
    const error = await ApiError.of(response);
    if (error.status === 401) this.#options.refused?.();
    throw error;
  }
};
function query(values) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== void 0 && value !== "") parameters.set(name, String(value));
  }
  const text2 = parameters.toString();
  return text2 && `?${text2}`;
}

// src/net/fold.ts
function emptyTurn(turn, number) {
  return { turn_id: turn, number, seq: 0, agent: "", input: [], steps: [], parts: [], tools: [], remarks: [] };
}
function foldTurn(view, name, event) {
  if (name === "retracted") return retract({ ...view, seq: event.seq }, event);
  if (event.seq <= view.seq) return view;
  return apply({ ...view, seq: event.seq }, name, event);
}
function apply(view, name, event) {
  const since = event.seq;
  const at = event.at;
  switch (name) {
    case "turn.started":
      return { ...view, agent: event.agent ?? "", input: event.input ?? [], accepted_at: at, waiting_since: at };
    case "step.started": {
      const { waiting_since, ...rest } = view;
      const first_ms = between(waiting_since, at);
      const step = { step: event.step ?? 0, provider: event.provider, model: event.model, began_at: at, first_ms, since };
      return { ...rest, steps: [...view.steps, step] };
    }
    case "part.started": {
      const part = { part_id: event.part_id ?? "", type: event.type, text: "", ended: false, since };
      if (event.name !== void 0) part.name = event.name;
      return { ...view, parts: [...view.parts, part] };
    }
    case "part.delta":
      return withPart(view, event, (part) => ({ ...part, text: part.text + (event.delta ?? "") }));
    case "part.ended":
      return withPart(view, event, (part) => ({ ...part, ended: true }));
    case "step.ended": {
      const index = view.steps.findLastIndex((step2) => step2.step === event.step);
      const step = view.steps[index];
      if (!step) return { ...view, waiting_since: at };
      const { finish_reason, usage, cost } = event;
      const ended = { ...step, finish_reason, usage, cost, ms: between(step.began_at, at) };
      return { ...view, steps: view.steps.with(index, ended), waiting_since: at };
    }
    case "tool.started":
      return withTool(view, event, (tool) => ({ ...tool, name: event.name ?? "", arguments: event.arguments ?? "" }));
    case "tool.finished": {
      const error = event.error !== void 0 && { error: event.error };
      const result = { ok: event.ok, content: event.content, ms: event.ms, ...error };
      const changed = withTool(view, event, (tool) => ({ ...tool, name: event.name ?? "", ...result }));
      return { ...changed, waiting_since: at };
    }
    case "data": {
      const data = { kind: event.type ?? "", payload: event.payload };
      return withTool(view, event, (tool) => ({ ...tool, data }));
    }
    case "steered": {
      const after_step = view.steps.at(-1)?.step ?? 0;
      const steered = { steering_turn_id: event.steering_turn_id, input: event.input ?? [], after_step, since };
      return { ...view, steered: [...view.steered ?? [], steered] };
    }
    case "notice":
      return remark(view, event.code, event.text, false);
    case "error":
      return remark(view, event.code, event.message, true);
    case "compacted": {
      const waiting2 = { ...view, waiting_since: at };
      if (event.failure !== void 0) return waiting2;
      return remark(waiting2, "compacted", `a summary takes the place of ${event.messages} earlier messages`, false);
    }
    case "turn.ended": {
      const { waiting_since: _, ...rest } = view;
      const ended = { ...rest, ended_at: at, status: event.status ?? "completed" };
      if (event.steps) Object.assign(ended, { usage: event.usage, cost: event.cost });
      if (event.steered_into !== void 0) ended.steered_into = event.steered_into;
      return ended;
    }
    default:
      return view;
  }
}
function retract(view, event) {
  const from = event.from_seq ?? 0;
  const dead = view.steps.find((step) => step.since >= from);
  const kept = (list2) => list2.filter((item) => item.since < from);
  const retracted = { ...view, steps: kept(view.steps), parts: kept(view.parts), tools: kept(view.tools) };
  const remarks = kept(view.remarks);
  const waited = dead?.began_at && new Date(Date.parse(dead.began_at) - (dead.first_ms ?? 0)).toISOString();
  return {
    ...retracted,
    remarks,
    ...view.steered && { steered: kept(view.steered) },
    ...waited && { waiting_since: waited }
  };
}
function withPart(view, event, change) {
  const index = view.parts.findLastIndex((part2) => part2.part_id === event.part_id);
  const part = view.parts[index];
  return part ? { ...view, parts: view.parts.with(index, change(part)) } : view;
}
function withTool(view, event, change) {
  const call_id = event.call_id ?? "";
  const index = view.tools.findIndex((tool2) => tool2.call_id === call_id);
  const known2 = view.tools[index];
  if (known2) return { ...view, tools: view.tools.with(index, change(known2)) };
  const written = writtenArguments(view, call_id);
  const tool = change({ call_id, name: "", arguments: written, since: event.seq });
  const place = view.tools.findIndex((other) => isBefore(call_id, other.call_id));
  return { ...view, tools: view.tools.toSpliced(place < 0 ? view.tools.length : place, 0, tool) };
}
function writtenArguments(view, call) {
  const [step, ordinal] = position(call);
  const calls = view.parts.filter((part) => part.type === "tool_call" && part.part_id.startsWith(`${step}.`));
  return calls[ordinal]?.text ?? "";
}
function position(call) {
  const [step, ordinal] = call.split(".").slice(-2).map(Number);
  return [step ?? 0, ordinal ?? 0];
}
function isBefore(call, other) {
  const [step, ordinal] = position(call);
  const [otherStep, otherOrdinal] = position(other);
  return step < otherStep || step === otherStep && ordinal < otherOrdinal;
}
function remark(view, code2 = "", text2 = "", error) {
  const added = { code: code2, text: text2, since: view.seq, ...error && { error } };
  return { ...view, remarks: [...view.remarks, added] };
}
function between(from, to) {
  return from && to ? Math.max(0, Date.parse(to) - Date.parse(from)) : void 0;
}

// src/net/follow.ts
var FIRST_PAUSE_MS = 200;
var LONGEST_PAUSE_MS = 5e3;
function follow(client2, session, follower, after) {
  const stopped = new AbortController();
  let cursor = after;
  let wake;
  const pause = (milliseconds) => new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  const run = async () => {
    let failures = 0;
    while (!stopped.signal.aborted) {
      follower.connection(failures === 0 ? "connecting" : "lost", failures);
      try {
        const opened = () => {
          failures = 0;
          follower.connection("open", 0);
        };
        const options = { signal: stopped.signal, opened, ...cursor && { after: cursor } };
        for await (const frames of client2.feed(session, options)) {
          cursor = frames.findLast((frame) => frame.id)?.id ?? cursor;
          follower.events(frames);
        }
      } catch (error) {
        if (stopped.signal.aborted) return;
        if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return follower.ended(error);
        if (error instanceof ApiError && error.status === 410) cursor = void 0;
      }
      if (stopped.signal.aborted) return;
      failures += 1;
      follower.connection("lost", failures);
      const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
      await pause(longest * (0.5 + Math.random() / 2));
    }
  };
  void run();
  return {
    get cursor() {
      return cursor;
    },
    stop: () => {
      stopped.abort();
      wake?.();
    },
    reconnect: () => wake?.()
  };
}

// src/state/later.ts
import { signal as signal2 } from "./vendor.js";
var more = signal2(void 0);
var loadMore = once(async () => {
  more.value = await import("./more.js");
  return more.value;
});
function loadMoreSoon() {
  const begin = () => void loadMore().catch(() => {
  });
  if (typeof requestIdleCallback === "function") requestIdleCallback(begin, { timeout: 2e3 });
  else setTimeout(begin, 500);
}
function once(load3) {
  let loading;
  return () => {
    loading ??= load3();
    loading.catch(() => {
      loading = void 0;
    });
    return loading;
  };
}

// src/state/route.ts
import { signal as signal3 } from "./vendor.js";
var OPERATOR_SCREENS = ["turns", "usage", "providers", "tools", "keys"];
var route = signal3(read(location.hash));
addEventListener("hashchange", () => {
  route.value = read(location.hash);
});
function read(hash) {
  const [path = "", query2 = ""] = hash.replace(/^#?\/?/, "").split("?");
  const [first, session, second, turn] = path.split("/").map(decode);
  if (first === "s" && session) return { screen: "chat", session, ...second === "t" && turn && { turn } };
  if (first === "sessions" || first === "needs" || first === "settings") return { screen: first };
  const operators = OPERATOR_SCREENS.find((screen) => screen === first);
  if (operators) return { screen: operators, id: session ?? "", query: query2 };
  return { screen: "new" };
}
function addressOf(session) {
  return `#/s/${encodeURIComponent(session)}`;
}
function replaceWith(session) {
  history.replaceState(null, "", addressOf(session));
  route.value = read(location.hash);
}
function decode(text2) {
  try {
    return decodeURIComponent(text2);
  } catch {
    return text2;
  }
}

// src/state/sessions.ts
import { computed as computed2, signal as signal5 } from "./vendor.js";

// src/state/server.ts
import { batch, signal as signal4 } from "./vendor.js";
var KEY2 = "turnkit.credential";
var access = signal4("starting");
var wasRefused = signal4(false);
var summary = signal4(void 0);
var isOutdated = signal4(false);
var hasCredential = signal4(false);
var credential = load(KEY2);
var tabs = typeof BroadcastChannel === "undefined" ? void 0 : new BroadcastChannel("turnkit");
var client = new Client({
  credential: () => credential,
  refused: () => {
    access.value = "signed_out";
  }
});
var PAUSE_MS = 3e3;
async function connect() {
  try {
    const page = await client.page();
    await client.sessions({ limit: 1 });
    batch(() => {
      summary.value = page;
      hasCredential.value = credential !== void 0;
      access.value = "open";
    });
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 401;
    access.value = isRefused ? "signed_out" : "unreachable";
    if (!isRefused) setTimeout(() => access.value === "unreachable" && void connect(), PAUSE_MS);
    if (isRefused) summary.value ??= await client.page().catch(() => void 0);
  }
}
async function signIn(entered, stay) {
  credential = entered.trim();
  wasRefused.value = false;
  await connect();
  if (access.value === "open") save(KEY2, stay ? credential : void 0);
  else wasRefused.value = access.value === "signed_out";
}
function signOut() {
  tabs?.postMessage("signed out");
  leave();
}
function leave() {
  credential = void 0;
  forgetAll();
  location.hash = "";
  location.reload();
}
tabs?.addEventListener("message", leave);
async function checkBuild() {
  const page = await client.page().catch(() => void 0);
  if (page) isOutdated.value = page.build !== "2152c23a0b9b1846";
}

// src/state/sessions.ts
var sessions = signal5([]);
var next = signal5(null);
var search = signal5("");
var TYPING_MS = 200;
var needs = signal5([]);
var waiting = computed2(() => new Set(needs.value.map((interaction) => interaction.session_id)));
var removing = signal5(void 0);
var listed = computed2(() => {
  return sessions.value.filter((session) => !session.archived && session.id !== removing.value);
});
var asked = 0;
var typing;
function searchFor(words) {
  if (words === search.value) return;
  search.value = words;
  clearTimeout(typing);
  typing = setTimeout(() => void loadSessions().catch(() => {
  }), TYPING_MS);
}
async function loadSessions() {
  asked += 1;
  const mine = asked;
  const found = await client.sessions({ query: search.value });
  if (mine !== asked) return;
  sessions.value = found.data;
  next.value = found.next;
}
async function loadMore2() {
  if (next.value === null) return;
  const found = await client.sessions({ query: search.value, cursor: next.value });
  const known2 = new Set(sessions.value.map((session) => session.id));
  sessions.value = [...sessions.value, ...found.data.filter((session) => !known2.has(session.id))];
  next.value = found.next;
}
async function loadNeeds() {
  const found = await client.interactions();
  needs.value = found.data.filter((interaction) => interaction.kind !== "child");
}
function noteSession(session) {
  if (search.value) return;
  const others = sessions.value.filter((known2) => known2.id !== session.id);
  const isFirst = sessions.value[0]?.id === session.id;
  sessions.value = isFirst || others.length < sessions.value.length ? sessions.value.map((known2) => known2.id === session.id ? session : known2) : [session, ...others];
}

// src/screens/SessionList.tsx
import { Fragment, jsx as jsx4, jsxs as jsxs2 } from "./vendor.js";
function SessionList({ chosen, actions }) {
  const words = strings.value.sessions;
  const sessions2 = listed.value;
  const groups = !search.value && more.value?.groupsOf(sessions2) || [{ name: "", members: sessions2 }];
  return /* @__PURE__ */ jsxs2("div", { class: "session-list", children: [
    /* @__PURE__ */ jsx4(
      "input",
      {
        type: "search",
        "aria-label": words.search,
        placeholder: words.search,
        dir: "auto",
        value: search.value,
        onInput: (event) => searchFor(event.currentTarget.value)
      }
    ),
    sessions2.length === 0 && /* @__PURE__ */ jsx4("p", { class: "remark", children: search.value ? words.noneFound : words.none }),
    /* @__PURE__ */ jsx4("div", { class: "session-groups", children: groups.map(({ name, members }, index) => /* @__PURE__ */ jsx4(SessionGroup, { name, id: `${actions ? "all" : chosen ? "found" : "rail"}-${index}`, children: members.map((session) => /* @__PURE__ */ jsx4(SessionRow, { session, chosen, actions }, session.id)) }, name)) }),
    next.value !== null && /* @__PURE__ */ jsx4("button", { type: "button", class: "quiet", onClick: () => void loadMore2().catch(() => {
    }), children: words.more })
  ] });
}
function SessionGroup({ name, id, children }) {
  if (name === "") return /* @__PURE__ */ jsx4("ul", { children });
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    /* @__PURE__ */ jsx4("p", { class: "session-group", id, children: name }),
    /* @__PURE__ */ jsx4("ul", { "aria-labelledby": id, children })
  ] });
}
function SessionRow({ session, chosen, actions }) {
  const words = strings.value.sessions;
  const State = more.value?.SessionState;
  const isCurrent = route.value.screen === "chat" && route.value.session === session.id;
  return /* @__PURE__ */ jsxs2("li", { children: [
    /* @__PURE__ */ jsxs2(
      "a",
      {
        href: session.match ? `${addressOf(session.id)}/t/${session.match.turn_id}` : addressOf(session.id),
        "aria-current": isCurrent ? "page" : void 0,
        onClick: chosen,
        children: [
          /* @__PURE__ */ jsx4("span", { class: "session-title", dir: "auto", children: session.title || words.untitled }),
          /* @__PURE__ */ jsx4("span", { class: "session-detail", dir: "auto", children: session.match?.excerpt ?? formatTime(session.last_active) }),
          waiting.value.has(session.id) && /* @__PURE__ */ jsx4("span", { class: "badge", children: strings.value.needs.title }),
          State && /* @__PURE__ */ jsx4(State, { session, isCurrent })
        ]
      }
    ),
    actions?.(session)
  ] });
}

// src/state/dialogs.ts
import { signal as signal6 } from "./vendor.js";
var dialog = signal6(void 0);
function openDialog(opened) {
  void loadMore().then(() => {
    dialog.value = opened;
  }).catch(() => {
  });
}

// src/state/drafts.ts
function loadDraft(session) {
  const text2 = load(nameOf2(session));
  try {
    const draft = text2 && JSON.parse(text2);
    if (typeof draft === "object" && draft !== null && "text" in draft && typeof draft.text === "string") {
      const { text: text3, hasFiles, sent } = draft;
      const isWhole = typeof sent?.key === "string" && typeof sent.request?.message === "string";
      return { text: text3, ...hasFiles === true && { hasFiles }, ...isWhole && { sent } };
    }
  } catch {
  }
  return { text: "" };
}
function saveDraft(session, draft) {
  save(nameOf2(session), draft.text === "" && !draft.hasFiles ? void 0 : JSON.stringify(draft));
}
function prepare(draft, request) {
  const identify = ({ on_busy: _, ...rest }) => JSON.stringify(rest);
  const { sent } = draft;
  return sent && identify(sent.request) === identify(request) ? sent : { key: newKey(), request };
}
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
function nameOf2(session) {
  return `turnkit.draft.${session ?? "new"}`;
}

// src/state/me.ts
import { signal as signal7 } from "./vendor.js";
var me = signal7(void 0);
async function loadMe() {
  if (summary.value?.auth === "none") return;
  me.value = await client.me().catch(() => me.peek());
}
function maySee(screen) {
  const user = me.value;
  if (!user || screen === "turns" || screen === "usage") return true;
  return user.operator || screen === "keys" && user.scopes.includes("admin");
}

// src/state/sendKey.ts
import { signal as signal8 } from "./vendor.js";
var SEND_KEYS = ["enter", "ctrl_enter"];
var KEY3 = "turnkit.send_key";
var sendKey = signal8(load(KEY3) === "ctrl_enter" ? "ctrl_enter" : "enter");
function chooseSendKey(chosen) {
  sendKey.value = chosen;
  save(KEY3, chosen === "enter" ? void 0 : chosen);
}

// src/state/theme.ts
import { signal as signal9 } from "./vendor.js";
var THEMES = ["auto", "light", "dark"];
var KEY4 = "turnkit.theme";
var theme = signal9(THEMES.find((theme2) => theme2 === load(KEY4)) ?? "auto");
function chooseTheme(chosen) {
  theme.value = chosen;
  document.documentElement.dataset.theme = chosen;
  save(KEY4, chosen === "auto" ? void 0 : chosen);
}

// src/state/title.ts
import { effect as effect2, signal as signal10 } from "./vendor.js";
var pageTitle = signal10("");
var badge = signal10(0);
effect2(() => {
  const title = pageTitle.value || "turnkit";
  document.title = badge.value > 0 ? `(${badge.value}) ${title}` : title;
});

// src/main.tsx
import { render } from "./vendor.js";

// src/screens/Shell.tsx
import { useEffect as useEffect13, useState as useState11 } from "./vendor.js";

// src/screens/Chat.tsx
import { useEffect as useEffect6, useState as useState7 } from "./vendor.js";

// src/chat/Composer.tsx
import { useEffect as useEffect3, useState as useState2 } from "./vendor.js";

// src/composer/Field.tsx
import { useEffect as useEffect2, useLayoutEffect as useLayoutEffect2, useRef as useRef2 } from "./vendor.js";
import { jsx as jsx5 } from "./vendor.js";
var LONGEST_MEASURED = 2e4;
function Field({ message, send, stop }) {
  const { chat } = strings.value;
  const field = useRef2(null);
  const { text: text2 } = message.draft.value;
  const extras = message.extras.value;
  const option = extras?.activeOption.value;
  useLayoutEffect2(() => grow(field.current), [text2]);
  useEffect2(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, []);
  const press = (event) => {
    if (event.isComposing || extras?.press(event)) return;
    const wish = event.key === "Enter" ? wishOf(event) : void 0;
    if (wish) {
      event.preventDefault();
      send(wish);
    } else if (event.key === "Escape") stop();
  };
  return /* @__PURE__ */ jsx5(
    "textarea",
    {
      ref: field,
      id: "message",
      rows: 1,
      dir: "auto",
      "aria-label": chat.message,
      "aria-autocomplete": option ? "list" : void 0,
      "aria-controls": option ? "commands" : void 0,
      "aria-activedescendant": option,
      placeholder: extras?.placeholder.value ?? chat.placeholder,
      value: text2,
      readOnly: message.isSending.value,
      onInput: (event) => message.write(event.currentTarget.value),
      onKeyDown: press,
      onPaste: (event) => {
        if (extras?.receive(event.clipboardData)) event.preventDefault();
      }
    }
  );
}
function wishOf(event) {
  const isControlled = event.ctrlKey || event.metaKey;
  if (sendKey.value === "enter") {
    if (isControlled) return "steer";
    return event.shiftKey ? void 0 : "enqueue";
  }
  if (!isControlled) return void 0;
  return event.shiftKey ? "steer" : "enqueue";
}
function grow(field) {
  if (!field) return;
  const isLong = field.value.length > LONGEST_MEASURED;
  field.style.height = isLong ? "100vh" : "auto";
  if (!isLong) field.style.height = `${field.scrollHeight + 2}px`;
}

// src/composer/NextMessage.ts
import { computed as computed3, effect as effect3, signal as signal11 } from "./vendor.js";
var NextMessage = class {
  constructor(conversation) {
    this.conversation = conversation;
    this.session = conversation?.id;
    this.draft.value = loadDraft(this.session);
    this.#stop = effect3(() => {
      if (more.value) this.extras.value = new more.value.MessageExtras(this);
    });
  }
  conversation;
  draft = signal11({ text: "" });
  /** What belongs to it besides its text, as soon as that part of the page is loaded. */
  extras = signal11(void 0);
  isSending = signal11(false);
  problem = signal11("");
  session;
  #stop;
  /** Whether the message may be sent: it has words, and all of its files are with the server. */
  canSend = computed3(() => {
    const { text: text2, hasFiles } = this.draft.value;
    const extras = this.extras.value;
    const isWhole = extras ? extras.isWhole.value : !hasFiles;
    return !this.isSending.value && text2.trim() !== "" && isWhole;
  });
  /** Ends the work on the message, which stays stored. */
  close() {
    this.#stop();
    this.extras.peek()?.close();
  }
  write(text2) {
    this.keep({ ...this.draft.peek(), text: text2 });
  }
  /** Sends the message. Returns the turn that it started, if it did. */
  async send(busy) {
    if (!this.canSend.peek()) return void 0;
    this.isSending.value = true;
    this.problem.value = "";
    try {
      await loadMore().catch(() => {
      });
      await this.extras.peek()?.uploads.restored;
      if (this.extras.peek()?.isWhole.peek() === false) return void 0;
      const draft = this.draft.peek();
      const sent = prepare(draft, {
        message: draft.text.trim(),
        ...this.session && { session_id: this.session },
        ...this.extras.peek()?.fields(),
        ...this.conversation?.running.peek() && { on_busy: busy }
      });
      this.keep({ ...draft, sent });
      const turn = await client.start({ ...sent.request, key: sent.key });
      this.extras.peek()?.sent(turn);
      this.keep({ text: "" });
      this.conversation?.noteStarted(turn.turn_id);
      return turn;
    } catch (error) {
      this.#failed(error);
      return void 0;
    } finally {
      this.isSending.value = false;
    }
  }
  fail(error) {
    this.problem.value = strings.peek().page.failed(messageOf(error));
  }
  keep(draft) {
    this.draft.value = draft;
    saveDraft(this.session, draft);
  }
  #failed(error) {
    this.fail(error);
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return;
    const { sent: _, ...draft } = this.draft.peek();
    this.keep(draft);
    if (error.field?.startsWith("files")) this.extras.peek()?.uploads.renew();
  }
};

// src/composer/Queue.tsx
import { jsx as jsx6, jsxs as jsxs3 } from "./vendor.js";
function Queue({ conversation }) {
  const words = strings.value.chat;
  if (conversation.queue.value.length === 0) return null;
  return /* @__PURE__ */ jsx6("ul", { class: "queue", "aria-label": strings.value.composer.waiting, children: conversation.queue.value.map((queued) => /* @__PURE__ */ jsxs3("li", { children: [
    /* @__PURE__ */ jsx6(
      "span",
      {
        class: queued.steering ? "chip steering" : "chip",
        title: queued.steering ? words.steering : words.queued,
        children: queued.steering ? strings.value.composer.steering : strings.value.composer.queued
      }
    ),
    /* @__PURE__ */ jsx6("span", { class: "queue-text", dir: "auto", children: queued.input.map((part) => "text" in part ? part.text : "").join(" ") }),
    /* @__PURE__ */ jsx6("button", { type: "button", class: "quiet", onClick: () => void client.cancel(queued.turn_id).catch(() => {
    }), children: words.withdraw })
  ] }, queued.turn_id)) });
}

// src/chat/Composer.tsx
import { jsx as jsx7, jsxs as jsxs4 } from "./vendor.js";
function Composer({ conversation, started }) {
  const { chat, composer } = strings.value;
  const [message] = useState2(() => new NextMessage(conversation));
  useEffect3(() => () => message.close(), [message]);
  const Extras = more.value;
  const extras = message.extras.value;
  const running = conversation?.running.value;
  const isStopping = running !== void 0 && conversation?.stopping.value === running.turn_id;
  const canSend = message.canSend.value;
  const send = (busy) => void message.send(busy).then((turn) => turn && started(turn));
  const stop = () => {
    if (running && !isStopping) conversation?.stop().catch((error) => message.fail(error));
  };
  return /* @__PURE__ */ jsxs4(
    "form",
    {
      class: "composer",
      onSubmit: (event) => {
        event.preventDefault();
        send("enqueue");
      },
      children: [
        message.problem.value && /* @__PURE__ */ jsx7("p", { class: "remark error", role: "alert", children: message.problem.value }),
        conversation && /* @__PURE__ */ jsx7(Queue, { conversation }),
        /* @__PURE__ */ jsxs4("div", { class: "composer-box", children: [
          Extras && extras && /* @__PURE__ */ jsx7(Extras.AboveField, { extras }),
          /* @__PURE__ */ jsx7(Field, { message, send, stop }),
          /* @__PURE__ */ jsxs4("div", { class: "composer-tools", children: [
            Extras && extras && /* @__PURE__ */ jsx7(Extras.Tools, { extras }),
            /* @__PURE__ */ jsxs4("span", { class: "composer-buttons", children: [
              running && /* @__PURE__ */ jsxs4("button", { type: "button", class: "stop", disabled: isStopping, onClick: stop, children: [
                /* @__PURE__ */ jsx7(Icon, { name: "stop" }),
                isStopping ? chat.stopping : chat.stop
              ] }),
              running && canSend && /* @__PURE__ */ jsx7("button", { type: "button", title: composer.steerHint, onClick: () => send("steer"), children: composer.steer }),
              /* @__PURE__ */ jsx7("button", { class: "primary", disabled: !canSend, "aria-label": chat.send, title: running && composer.queueHint, children: /* @__PURE__ */ jsx7(Icon, { name: "send" }) })
            ] })
          ] })
        ] })
      ]
    }
  );
}

// src/chat/Log.tsx
import { useEffect as useEffect5, useLayoutEffect as useLayoutEffect4, useRef as useRef4, useState as useState6 } from "./vendor.js";

// src/chat/Approval.tsx
import { useEffect as useEffect4, useState as useState4 } from "./vendor.js";

// src/chat/QuestionForm.tsx
import { useState as useState3 } from "./vendor.js";
import { jsx as jsx8, jsxs as jsxs5 } from "./vendor.js";
function QuestionForm({ question, isDisabled, send }) {
  const words = strings.value.interaction;
  const [answer, setAnswer] = useState3("");
  const [isJson, setJson] = useState3(true);
  const wantsText = question?.schema === void 0 || question.schema === null;
  const submit = (event) => {
    event.preventDefault();
    try {
      void send({ answer: wantsText ? answer : JSON.parse(answer) });
    } catch {
      setJson(false);
    }
  };
  return /* @__PURE__ */ jsxs5("form", { onSubmit: submit, children: [
    question?.choices && question.choices.length > 0 && /* @__PURE__ */ jsx8("p", { class: "buttons", children: question.choices.map((choice) => /* @__PURE__ */ jsx8("button", { type: "button", disabled: isDisabled, onClick: () => void send({ answer: choice }), children: visible(choice) }, choice)) }),
    /* @__PURE__ */ jsxs5("label", { class: "note", children: [
      words.answer,
      /* @__PURE__ */ jsx8(
        "textarea",
        {
          rows: wantsText ? 2 : 5,
          dir: "auto",
          "aria-invalid": !isJson,
          value: answer,
          onInput: (event) => {
            setAnswer(event.currentTarget.value);
            setJson(true);
          }
        }
      ),
      !isJson && /* @__PURE__ */ jsx8("span", { class: "remark error", children: words.notJson })
    ] }),
    /* @__PURE__ */ jsxs5("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx8("button", { class: "primary", disabled: isDisabled || answer.trim() === "", children: words.submit }),
      /* @__PURE__ */ jsx8("button", { type: "button", disabled: isDisabled, onClick: () => void send({ decision: "deny" }), children: words.decline })
    ] })
  ] });
}

// src/chat/Approval.tsx
import { Fragment as Fragment2, jsx as jsx9, jsxs as jsxs6 } from "./vendor.js";
var GUARD_MS = 300;
function Approval({ interaction, decided }) {
  const words = strings.value.interaction;
  const isGuarded = useGuard();
  const [isSending, setSending] = useState4(false);
  const [problem, setProblem] = useState4("");
  const [note, setNote] = useState4("");
  const send = async (decision) => {
    setSending(true);
    setProblem("");
    try {
      await client.resolve(interaction.id, note.trim() ? { ...decision, note: note.trim() } : decision);
      decided();
      void loadNeeds().catch(() => {
      });
    } catch (error) {
      const isLate = error instanceof ApiError && (error.status === 409 || error.status === 410);
      setProblem(isLate ? words.decided : messageOf(error));
      setSending(false);
      void loadNeeds().catch(() => {
      });
    }
  };
  const isDisabled = isGuarded || isSending;
  const tool = visible(interaction.name);
  return /* @__PURE__ */ jsxs6("div", { class: "approval", role: "group", "aria-label": titleOf(interaction, tool), children: [
    /* @__PURE__ */ jsx9("h2", { children: titleOf(interaction, tool) }),
    /* @__PURE__ */ jsx9(Explanation, { interaction }),
    interaction.kind === "question" ? /* @__PURE__ */ jsx9(QuestionForm, { question: interaction.question, isDisabled, send }) : /* @__PURE__ */ jsx9(Buttons, { interaction, isDisabled, send }),
    interaction.kind !== "question" && /* @__PURE__ */ jsxs6("label", { class: "note", children: [
      words.note,
      /* @__PURE__ */ jsx9("input", { type: "text", value: note, maxLength: 4096, dir: "auto", onInput: (event) => setNote(event.currentTarget.value) })
    ] }),
    problem && /* @__PURE__ */ jsx9("p", { class: "remark error", role: "alert", children: problem })
  ] });
}
function useGuard() {
  const [isGuarded, setGuarded] = useState4(true);
  useEffect4(() => {
    const timer = setTimeout(() => setGuarded(false), GUARD_MS);
    return () => clearTimeout(timer);
  }, []);
  return isGuarded;
}
function titleOf({ kind }, tool) {
  const { approval, question, outcome, client: client2 } = strings.value.interaction;
  if (kind === "question") return question(tool);
  if (kind === "outcome") return outcome(tool);
  return kind === "client_tool" ? client2(tool) : approval(tool);
}
function Explanation({ interaction }) {
  const words = strings.value.interaction;
  const { kind } = interaction;
  return /* @__PURE__ */ jsxs6(Fragment2, { children: [
    kind === "outcome" && /* @__PURE__ */ jsx9("p", { children: words.outcomeText }),
    kind === "client_tool" && /* @__PURE__ */ jsx9("p", { children: words.clientText }),
    kind === "question" && /* @__PURE__ */ jsx9("p", { class: "plain", dir: "auto", children: visible(interaction.question?.text ?? "") }),
    interaction.reason && kind !== "question" && /* @__PURE__ */ jsxs6("p", { class: "remark", dir: "auto", children: [
      words.reason,
      ": ",
      visible(interaction.reason)
    ] }),
    interaction.preview && /* @__PURE__ */ jsx9("pre", { tabIndex: 0, dir: "auto", children: visible(interaction.preview) }),
    kind !== "question" && /* @__PURE__ */ jsxs6("details", { open: interaction.preview === void 0, children: [
      /* @__PURE__ */ jsx9("summary", { children: words.arguments }),
      /* @__PURE__ */ jsx9("pre", { tabIndex: 0, dir: "ltr", children: visible(indent(interaction.arguments)) })
    ] }),
    /* @__PURE__ */ jsx9("p", { class: "remark", children: words.expires(formatTime(interaction.expires_at)) })
  ] });
}
function Buttons({ interaction, isDisabled, send }) {
  const words = strings.value.interaction;
  const [edited, setEdited] = useState4();
  const [isJson, setJson] = useState4(true);
  const choose = (decision, label, style) => /* @__PURE__ */ jsx9("button", { type: "button", class: style, disabled: isDisabled, onClick: () => void send(decision), children: label });
  const approveEdited = () => {
    try {
      const decision = { decision: "approve", arguments: JSON.parse(edited ?? "") };
      void send(decision);
    } catch {
      setJson(false);
    }
  };
  if (interaction.kind === "client_tool") return /* @__PURE__ */ jsx9("p", { class: "buttons", children: choose({ decision: "deny" }, words.deny) });
  if (interaction.kind === "outcome") {
    return /* @__PURE__ */ jsxs6("p", { class: "buttons", children: [
      choose({ outcome: "done" }, words.took),
      choose({ outcome: "failed" }, words.tookNot),
      choose({ outcome: "retry" }, words.retry),
      choose({ decision: "deny" }, words.unknown)
    ] });
  }
  return /* @__PURE__ */ jsxs6(Fragment2, { children: [
    edited !== void 0 && /* @__PURE__ */ jsxs6("label", { class: "note", children: [
      words.editArguments,
      /* @__PURE__ */ jsx9(
        "textarea",
        {
          rows: 6,
          spellcheck: false,
          "aria-invalid": !isJson,
          value: edited,
          onInput: (event) => {
            setEdited(event.currentTarget.value);
            setJson(true);
          }
        }
      ),
      !isJson && /* @__PURE__ */ jsx9("span", { class: "remark error", children: words.notJson })
    ] }),
    /* @__PURE__ */ jsxs6("p", { class: "buttons", children: [
      edited === void 0 ? choose({ decision: "approve" }, words.approve, "primary") : /* @__PURE__ */ jsx9("button", { type: "button", class: "primary", disabled: isDisabled, onClick: approveEdited, children: words.approve }),
      edited === void 0 && choose({ decision: "approve_session" }, words.approveSession),
      edited === void 0 && choose({ decision: "approve_always" }, words.approveAlways),
      edited === void 0 && /* @__PURE__ */ jsx9("button", { type: "button", disabled: isDisabled, onClick: () => setEdited(indent(interaction.arguments)), children: words.edit }),
      choose({ decision: "deny" }, words.deny)
    ] })
  ] });
}

// src/markdown/Markdown.tsx
import { useLayoutEffect as useLayoutEffect3, useRef as useRef3 } from "./vendor.js";

// src/markdown/dom.ts
var ALIGNED = { left: "start", center: "center", right: "end" };
function draw(block, outline) {
  switch (block.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      outline.level = Math.min(6, block.depth + 1, outline.level + 1);
      return [element(`h${outline.level}`, inlines(block))];
    case "paragraph":
      return [element("p", inlines(block))];
    case "text":
      return "tokens" in block && block.tokens ? inlines(block) : [text(block)];
    case "code":
      return [code(block)];
    case "blockquote":
      return [element("blockquote", blocks(block.tokens, outline))];
    case "list":
      return [list(block, outline)];
    case "table":
      return [table(block)];
    case "hr":
      return [document.createElement("hr")];
    case "html":
      return [element("p", [document.createTextNode(block.raw.trimEnd())])];
    default:
      return [inline(block)];
  }
}
function blocks(all, outline) {
  return all.flatMap((block) => draw(block, outline));
}
function inlines(block) {
  const tokens = "tokens" in block ? block.tokens : void 0;
  return tokens ? tokens.map(inline) : [text(block)];
}
function inline(token) {
  switch (token.type) {
    case "strong":
    case "em":
    case "del":
      return element(token.type, inlines(token));
    case "codespan":
      return element("code", [document.createTextNode(token.text)]);
    case "br":
      return document.createElement("br");
    case "link":
      return link(token);
    case "image":
      return image(token);
    case "checkbox":
      return checkbox(token.checked);
    case "escape":
    case "text":
      return "tokens" in token && token.tokens ? fragment(inlines(token)) : text(token);
    case "html":
      return document.createTextNode(token.raw);
    default:
      return text(token);
  }
}
function link(token) {
  const address = safeAddress(token.href);
  const content = inlines(token);
  if (!address) return fragment(content);
  const anchor = element("a", content);
  anchor.href = address;
  anchor.title = address;
  anchor.rel = "noopener noreferrer nofollow";
  anchor.target = "_blank";
  return anchor;
}
function image(token) {
  const own = safeImage(token.href);
  if (own) {
    const image2 = document.createElement("img");
    image2.src = own;
    image2.alt = token.text;
    return image2;
  }
  const address = safeAddress(token.href);
  if (!address) return document.createTextNode(token.text || strings.peek().chat.image);
  const host = new URL(address).host;
  const label = [strings.peek().chat.externalImage(host), token.text].filter(Boolean).join(": ");
  const anchor = element("a", [document.createTextNode(label)]);
  anchor.className = "chip";
  anchor.href = address;
  anchor.title = address;
  anchor.rel = "noopener noreferrer nofollow";
  anchor.target = "_blank";
  return anchor;
}
function code({ text: content, lang }) {
  const figure = element("figure", []);
  figure.className = "code";
  const header = element("figcaption", [document.createTextNode(lang?.split(/\s/)[0] ?? ""), copyButton(() => content)]);
  const pre = element("pre", [element("code", [document.createTextNode(content)])]);
  pre.tabIndex = 0;
  figure.append(header, pre);
  return figure;
}
function list({ ordered, start, items }, outline) {
  const drawn = items.map((item) => element("li", blocks(item.tokens, outline)));
  const whole = element(ordered ? "ol" : "ul", drawn);
  if (whole instanceof HTMLOListElement && typeof start === "number") whole.start = start;
  return whole;
}
function checkbox(checked) {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = checked;
  box.disabled = true;
  return box;
}
function table({ header, rows, align }) {
  const row = (name, cells) => element("tr", cells.map((cell, column) => {
    const drawn = element(name, cell.tokens.map(inline));
    const side = align[column];
    if (side) drawn.style.textAlign = ALIGNED[side] ?? "";
    return drawn;
  }));
  const whole = element("table", [
    element("thead", [row("th", header)]),
    element("tbody", rows.map((cells) => row("td", cells)))
  ]);
  const scroller = element("div", [whole]);
  scroller.className = "table";
  scroller.tabIndex = 0;
  return scroller;
}
function text(token) {
  const content = "text" in token && typeof token.text === "string" ? token.text : token.raw;
  return document.createTextNode(entities(content));
}
var ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#39": "'", nbsp: " " };
function entities(content) {
  return content.replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (whole, name) => ENTITIES[name] ?? whole);
}
function element(name, content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}
function fragment(content) {
  const made = document.createDocumentFragment();
  made.append(...content);
  return made;
}

// src/markdown/lexer.ts
import { Lexer } from "./vendor.js";
var DEEPEST = 32;
var LONGEST = 64 * 1024;
var DENSEST = 4e3;
function read2(text2) {
  if (text2.length > LONGEST || isTooDeep(text2) || isTooDense(text2)) return void 0;
  try {
    return new Lexer({ gfm: true }).lex(text2);
  } catch {
    return void 0;
  }
}
function isTooDense(text2) {
  let marks = 0;
  let fence;
  for (const line of text2.split("\n")) {
    const found = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (found && (fence === void 0 || fence === found)) fence = fence ? void 0 : found;
    if (fence !== void 0 || line.trim() === "") {
      marks = 0;
      continue;
    }
    for (const character of line) if (MARKS.has(character)) marks += 1;
    if (marks > DENSEST) return true;
  }
  return false;
}
var MARKS = new Set("*_~`[]<!\\");
function isTooDeep(text2) {
  const beginning = /^[\t >*+\-\d.)]*/gm;
  for (const [line] of text2.matchAll(beginning)) {
    if (line.length <= DEEPEST) continue;
    const levels = line.match(/>|\t| {2}|[*+-](?= )|\d+[.)](?= )/g);
    if (levels && levels.length > DEEPEST && /[>*+\-\d]/.test(line)) return true;
  }
  return false;
}

// src/markdown/stream.ts
var PLAIN_FROM = 8 * 1024;
var MarkdownStream = class {
  /** Holds what is drawn of the text after `#done`. */
  #open;
  #root;
  /** The text that is drawn for good. */
  #done = "";
  /** The headings in it. */
  #outline = { level: 1 };
  /** The open block as plain text, if it is too long to be read again and again. */
  #plain;
  /** Whether a definition has been read, which may give links before it their addresses. */
  #hasDefinitions = false;
  constructor(root2) {
    this.#root = root2;
    this.#open = document.createElement("div");
    this.#open.className = "open";
    root2.replaceChildren(this.#open);
  }
  /** Draws the whole text, which begins with what was drawn before unless it was withdrawn. */
  update(written, ended) {
    const text2 = written.replace(/\r\n?/g, "\n");
    if (!text2.startsWith(this.#done)) this.#reset();
    const rest = text2.slice(this.#done.length);
    if (!ended && this.#grow(rest)) return;
    const blocks2 = read2(rest);
    if (!blocks2) return this.#drawPlain(rest);
    this.#hasDefinitions ||= blocks2.some((block) => block.type === "def");
    if (ended && this.#hasDefinitions && this.#done) {
      const all = read2(text2);
      if (all) {
        this.#reset();
        return this.#settle(all, all.length);
      }
    }
    this.#settle(blocks2, ended ? blocks2.length : complete(blocks2));
  }
  /** Appends to a long block. Returns `false` if there is none, or if the addition may complete it. */
  #grow(rest) {
    const shown = this.#plain?.data;
    if (shown === void 0 || !rest.startsWith(shown)) return false;
    const added = rest.slice(shown.length);
    if (/\n\s*\n|\n\s*(?:```|~~~)/.test(shown.slice(-4) + added)) return false;
    this.#plain?.appendData(added);
    return true;
  }
  /** Draws the first blocks for good, and the others as the open end. */
  #settle(blocks2, settled) {
    const done = blocks2.slice(0, settled);
    const open = blocks2.slice(settled);
    this.#open.before(...done.flatMap((block) => draw(block, this.#outline)));
    this.#done += rawOf(done);
    const rest = rawOf(open);
    if (rest.length >= PLAIN_FROM) return this.#drawPlain(rest);
    this.#plain = void 0;
    const outline = { ...this.#outline };
    this.#open.replaceChildren(...open.flatMap((block) => draw(block, outline)));
  }
  #drawPlain(rest) {
    const paragraph = document.createElement("p");
    paragraph.className = "plain";
    this.#plain = document.createTextNode(rest);
    paragraph.append(this.#plain);
    this.#open.replaceChildren(paragraph);
  }
  #reset() {
    this.#open.replaceChildren();
    this.#root.replaceChildren(this.#open);
    this.#done = "";
    this.#outline = { level: 1 };
    this.#plain = void 0;
    this.#hasDefinitions = false;
  }
};
function rawOf(blocks2) {
  return blocks2.map((block) => block.raw).join("");
}
function complete(blocks2) {
  const [last, before] = blocks2.flatMap(({ type }, index) => type === "space" ? [] : [index]).reverse();
  if (last === void 0) return 0;
  return blocks2[last]?.raw.includes("\n") ? last : before ?? 0;
}

// src/markdown/Markdown.tsx
import { jsx as jsx10 } from "./vendor.js";
function Markdown({ text: text2, ended }) {
  const root2 = useRef3(null);
  const stream = useRef3(null);
  useLayoutEffect3(() => {
    if (!root2.current) return;
    stream.current ??= new MarkdownStream(root2.current);
    stream.current.update(text2, ended);
  }, [text2, ended]);
  return /* @__PURE__ */ jsx10("div", { class: "markdown", dir: "auto", ref: root2 });
}

// src/chat/Reasoning.tsx
import { jsx as jsx11, jsxs as jsxs7 } from "./vendor.js";
function Reasoning({ text: text2, ended }) {
  if (text2 === "") return null;
  return /* @__PURE__ */ jsxs7("details", { class: "reasoning", children: [
    /* @__PURE__ */ jsxs7("summary", { children: [
      strings.value.chat.reasoning,
      !ended && /* @__PURE__ */ jsx11("span", { class: "dots", "aria-hidden": "true" })
    ] }),
    /* @__PURE__ */ jsx11("p", { class: "plain", dir: "auto", children: text2 })
  ] });
}

// src/chat/ToolCard.tsx
import { useState as useState5 } from "./vendor.js";
import { jsx as jsx12, jsxs as jsxs8 } from "./vendor.js";
var SHOWN = 2e4;
function ToolCard({ conversation, call, part, tool, isOver }) {
  const words = strings.value.tool;
  const isWaiting = conversation.pending.value.some(({ id }) => id.startsWith(`${call}.`));
  const state = stateOf(tool, isWaiting, isOver);
  const progress = state === "running" ? conversation.progress.value.get(call) : void 0;
  const written = tool?.arguments || part.text;
  return /* @__PURE__ */ jsxs8("details", { class: `tool ${state}`, children: [
    /* @__PURE__ */ jsxs8("summary", { children: [
      /* @__PURE__ */ jsx12("span", { class: "tool-name", children: visible(tool?.name || part.name || "") }),
      /* @__PURE__ */ jsx12("span", { class: "tool-state", children: words[state] }),
      progress && /* @__PURE__ */ jsx12("span", { class: "tool-progress", children: visible(progress) })
    ] }),
    /* @__PURE__ */ jsx12(Content, { title: words.arguments, text: indent(written) }),
    tool?.content !== void 0 && /* @__PURE__ */ jsx12(Content, { title: words.result, text: indent(tool.content) }),
    tool?.data && /* @__PURE__ */ jsx12(Content, { title: words.data, text: JSON.stringify(tool.data.payload, null, 2) }),
    tool?.more && /* @__PURE__ */ jsx12("p", { class: "remark", children: strings.value.chat.cut })
  ] });
}
function stateOf(tool, isWaiting, isOver) {
  if (tool?.ok === true) return "done";
  if (tool?.ok === false) return tool.error === "denied" ? "denied" : "failed";
  if (isOver) return "failed";
  if (isWaiting) return "waiting";
  return tool ? "running" : "writing";
}
function Content({ title, text: text2 }) {
  const [isWhole, setWhole] = useState5(false);
  const words = strings.value.tool;
  const isCut = text2.length > SHOWN && !isWhole;
  return /* @__PURE__ */ jsxs8("section", { children: [
    /* @__PURE__ */ jsx12("p", { class: "label", children: title }),
    /* @__PURE__ */ jsx12("pre", { tabIndex: 0, dir: "auto", children: visible(isCut ? text2.slice(0, SHOWN) : text2) }),
    isCut && /* @__PURE__ */ jsxs8("p", { class: "remark", children: [
      words.shortened(formatNumber(SHOWN), formatNumber(text2.length)),
      " ",
      /* @__PURE__ */ jsx12("button", { type: "button", class: "quiet", onClick: () => setWhole(true), children: words.showAll })
    ] })
  ] });
}

// src/chat/Turn.tsx
import { Fragment as Fragment3, jsx as jsx13, jsxs as jsxs9 } from "./vendor.js";
function Turn({ conversation, turn }) {
  const view = turn.value;
  if (view.steered_into || view.input.length === 0 && view.parts.length === 0 && view.remarks.length === 0) return null;
  return /* @__PURE__ */ jsxs9("article", { class: "turn", id: `t-${view.turn_id}`, "aria-label": formatTime(view.accepted_at), children: [
    /* @__PURE__ */ jsx13(UserMessage, { parts: view.input }),
    piecesOf(view).map(({ key, piece }) => /* @__PURE__ */ jsx13(Piece, { conversation, view, piece }, key)),
    view.status && /* @__PURE__ */ jsx13(Footer, { view })
  ] });
}
function piecesOf(view) {
  const ordinals = /* @__PURE__ */ new Map();
  const parts = view.parts.map((part) => {
    const step = part.part_id.split(".")[0] ?? "";
    const ordinal = ordinals.get(step) ?? 0;
    if (part.type === "tool_call") ordinals.set(step, ordinal + 1);
    const call = `${view.turn_id}.${step}.${ordinal}`;
    const tool = view.tools.find((tool2) => tool2.call_id === call);
    return { key: `part ${part.part_id}`, since: part.since, piece: { kind: "part", part, call, tool } };
  });
  const steered = (view.steered ?? []).map((steered2) => {
    return { key: `steered ${steered2.since}`, since: steered2.since, piece: { kind: "steered", steered: steered2 } };
  });
  const remarks = view.remarks.map((remark2, index) => {
    return { key: `remark ${index}`, since: remark2.since, piece: { kind: "remark", remark: remark2 } };
  });
  return [...parts, ...steered, ...remarks].sort((a, b) => a.since - b.since);
}
function Piece({ conversation, view, piece }) {
  if (piece.kind === "steered") return /* @__PURE__ */ jsx13(UserMessage, { parts: piece.steered.input });
  if (piece.kind === "remark") return /* @__PURE__ */ jsx13(Remark, { remark: piece.remark });
  const { part, call, tool } = piece;
  const isOver = part.ended || view.status !== void 0;
  switch (part.type) {
    case "text":
      return part.text === "" ? null : /* @__PURE__ */ jsxs9(Fragment3, { children: [
        /* @__PURE__ */ jsx13(Markdown, { text: part.text, ended: isOver }),
        part.more && /* @__PURE__ */ jsx13("p", { class: "remark", children: strings.value.chat.cut })
      ] });
    case "reasoning":
      return /* @__PURE__ */ jsx13(Reasoning, { text: part.text, ended: isOver });
    case "tool_call":
      return /* @__PURE__ */ jsx13(ToolCard, { conversation, call, part, tool, isOver: view.status !== void 0 });
    case "image":
      return /* @__PURE__ */ jsx13("p", { class: "remark", children: strings.value.chat.image });
    case "provider_tool":
      return /* @__PURE__ */ jsx13("p", { class: "remark", children: part.name });
  }
}
function UserMessage({ parts }) {
  if (parts.length === 0) return null;
  return /* @__PURE__ */ jsx13("div", { class: "user", role: "group", "aria-label": strings.value.chat.you, children: parts.map((part, index) => /* @__PURE__ */ jsx13(UserPart, { part }, index)) });
}
function UserPart({ part }) {
  switch (part.type) {
    case "text":
      return /* @__PURE__ */ jsx13("p", { class: "plain", dir: "auto", children: part.text });
    case "file":
      return /* @__PURE__ */ jsx13("span", { class: "chip", children: part.name });
    case "context":
      return /* @__PURE__ */ jsx13("span", { class: "chip", children: part.source });
    case "image":
      return /* @__PURE__ */ jsx13("span", { class: "chip", children: strings.value.chat.image });
    default:
      return null;
  }
}
function Remark({ remark: remark2 }) {
  return /* @__PURE__ */ jsx13("p", { class: remark2.error ? "remark error" : "remark", dir: "auto", children: remark2.code === "redone" ? strings.value.chat.redone : remark2.text });
}
function Footer({ view }) {
  const { turn, status } = strings.value;
  const answer = view.parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n\n");
  const step = view.steps.at(-1);
  const tokens = view.usage ? view.usage.fresh + view.usage.cache_read + view.usage.cache_write + view.usage.output : 0;
  const facts = [
    view.status && view.status !== "completed" && status.ended[view.status],
    view.agent,
    step?.model,
    view.steps[0]?.first_ms !== void 0 && turn.firstToken(formatDuration(view.steps[0].first_ms)),
    tokens > 0 && turn.tokens(formatNumber(tokens)),
    view.cost && view.cost.nano_usd > 0 && turn.cost(formatDollars(view.cost.nano_usd)),
    view.cost && view.cost.unpriced_calls > 0 && turn.unpriced
  ];
  return /* @__PURE__ */ jsxs9("footer", { class: "turn-footer", children: [
    /* @__PURE__ */ jsx13("span", { children: facts.filter(Boolean).join(" · ") }),
    answer && /* @__PURE__ */ jsx13(CopyButton, { text: answer })
  ] });
}

// src/chat/Log.tsx
import { jsx as jsx14, jsxs as jsxs10 } from "./vendor.js";
var NEAR = 48;
function Log({ conversation, at }) {
  const scroller = useRef4(null);
  const content = useRef4(null);
  const [isAtEnd, setAtEnd] = useState6(true);
  const follows = useRef4(true);
  const words = strings.value.chat;
  const isLoaded = conversation.isLoaded.value;
  const toEnd = () => {
    const element2 = scroller.current;
    if (element2) element2.scrollTop = element2.scrollHeight;
  };
  useEffect5(() => {
    if (!content.current || !scroller.current) return;
    const observer = new ResizeObserver(() => {
      if (follows.current) toEnd();
    });
    observer.observe(content.current);
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect4(() => {
    if (!isLoaded || !at) return;
    const turn = document.getElementById(`t-${at}`);
    if (!turn) return;
    follows.current = false;
    turn.scrollIntoView({ block: "start" });
  }, [isLoaded, at]);
  const scrolled = () => {
    const element2 = scroller.current;
    if (!element2) return;
    const isNear = element2.scrollHeight - element2.scrollTop - element2.clientHeight < NEAR;
    follows.current = isNear;
    setAtEnd(isNear);
  };
  const showEarlier = async () => {
    const element2 = scroller.current;
    if (!element2) return;
    const below = element2.scrollHeight - element2.scrollTop;
    await conversation.loadEarlier().catch(() => {
    });
    requestAnimationFrame(() => {
      element2.scrollTop = element2.scrollHeight - below;
    });
  };
  return /* @__PURE__ */ jsxs10("div", { class: "log-frame", children: [
    /* @__PURE__ */ jsx14(
      "div",
      {
        ref: scroller,
        class: "log",
        role: "log",
        "aria-label": words.conversation,
        "aria-live": "off",
        "aria-busy": conversation.running.value !== void 0,
        tabIndex: 0,
        onScroll: scrolled,
        children: /* @__PURE__ */ jsxs10("div", { ref: content, class: "log-content", children: [
          conversation.before.value !== null && /* @__PURE__ */ jsx14("button", { type: "button", class: "quiet", onClick: () => void showEarlier(), children: words.earlier }),
          conversation.order.value.map((id) => /* @__PURE__ */ jsx14(Turn, { conversation, turn: conversation.turn(id) }, id)),
          conversation.pending.value.map((interaction) => /* @__PURE__ */ jsx14(
            Approval,
            {
              interaction,
              decided: () => conversation.noteDecided(interaction.id)
            },
            interaction.id
          ))
        ] })
      }
    ),
    !isAtEnd && /* @__PURE__ */ jsx14(
      "button",
      {
        type: "button",
        class: "latest",
        "aria-label": words.latest,
        onClick: () => {
          follows.current = true;
          toEnd();
        },
        children: /* @__PURE__ */ jsx14(Icon, { name: "down" })
      }
    )
  ] });
}

// src/chat/Status.tsx
import { jsx as jsx15 } from "./vendor.js";
function Status({ conversation }) {
  return /* @__PURE__ */ jsx15("p", { class: "status", role: "status", children: sentence(conversation) });
}
function sentence(conversation) {
  const words = strings.value.status;
  if (conversation.connection.value === "lost") return words.lost;
  if (!conversation.isLoaded.value) return words.connecting;
  if (conversation.pending.value.length > 0) return words.decision;
  const running = conversation.running.value;
  if (!running) {
    const last = conversation.order.value.at(-1);
    const status = last && conversation.turn(last).value.status;
    return status ? words.ended[status] : words.ready;
  }
  if (conversation.stopping.value === running.turn_id) return words.stopping;
  const tool = running.tools.find((tool2) => tool2.ok === void 0);
  if (tool) return words.tool(tool.name);
  return running.waiting_since ? words.thinking : words.answering;
}

// src/state/conversation.ts
import { batch as batch2, computed as computed4, signal as signal12 } from "./vendor.js";

// src/state/pace.ts
var SHORTEST_MS = 1e3 / 20;
var LONGEST_MS = 250;
var REST = 1.5;
var Pace = class {
  #apply;
  #frames = [];
  #timer;
  #last = 0;
  #pause = SHORTEST_MS;
  constructor(apply2) {
    this.#apply = apply2;
  }
  push(frames) {
    this.#frames.push(...frames);
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#last + this.#pause - performance.now()));
  }
  stop() {
    clearTimeout(this.#timer);
    this.#frames = [];
  }
  #flush() {
    const started = performance.now();
    const frames = this.#frames;
    this.#frames = [];
    this.#timer = void 0;
    this.#last = started;
    this.#apply(frames);
    setTimeout(() => {
      const cost = performance.now() - started;
      this.#pause = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, cost * REST));
      this.#last = performance.now();
    });
  }
};

// src/state/conversation.ts
var HIDDEN_MS = 3e4;
var Conversation = class {
  constructor(id) {
    this.id = id;
    const { signal: signal13 } = this.#listening;
    addEventListener("online", () => this.#following?.reconnect(), { signal: signal13 });
    addEventListener("pageshow", () => this.#following?.reconnect(), { signal: signal13 });
    document.addEventListener("visibilitychange", () => this.#seen(), { signal: signal13 });
    this.#follow();
  }
  id;
  session = signal12(void 0);
  /** The turns of the branch that the next turn continues, in order. */
  order = signal12([]);
  /** The number of the turn before which earlier turns can be loaded. */
  before = signal12(null);
  queue = signal12([]);
  progress = signal12(/* @__PURE__ */ new Map());
  connection = signal12("connecting");
  failures = signal12(0);
  /** Why the session cannot be shown. */
  refusal = signal12(void 0);
  /** Whether the first snapshot has arrived. */
  isLoaded = signal12(false);
  /** The turn that the user asked to stop, until it has ended. */
  stopping = signal12(void 0);
  #pending = signal12(/* @__PURE__ */ new Map());
  #turns = /* @__PURE__ */ new Map();
  /** The turn that each turn continues. */
  #after = /* @__PURE__ */ new Map();
  /** The turns that this page started. They continue the last turn. */
  #own = /* @__PURE__ */ new Set();
  #head;
  #following;
  #cursor;
  #hidden;
  #pace = new Pace((frames) => this.#applyAll(frames));
  #listening = new AbortController();
  /** All calls of the session and of its sub-agents that wait for the user. */
  pending = computed4(() => {
    const all = [...this.#pending.value.values()].flat().filter((interaction) => interaction.kind !== "child");
    return [...new Map(all.map((interaction) => [interaction.id, interaction])).values()];
  });
  /** The turn that has not ended. */
  running = computed4(() => {
    const last = this.order.value.at(-1);
    const view = last && this.turn(last).value;
    return view && !view.status ? view : void 0;
  });
  /** Stops following the session. */
  close() {
    this.#listening.abort();
    this.#following?.stop();
    this.#pace.stop();
    clearTimeout(this.#hidden);
  }
  /** Returns a turn, which changes as its events arrive. */
  turn(id) {
    let turn = this.#turns.get(id);
    if (!turn) {
      turn = signal12(emptyTurn(id, 0));
      this.#turns.set(id, turn);
    }
    return turn;
  }
  /** Loads the turns before those that are shown. */
  async loadEarlier() {
    if (this.before.value === null) return;
    const page = await client.turns(this.id, { before: this.before.value });
    batch2(() => {
      this.#add(page.data);
      this.before.value = page.before;
      this.#arrange();
    });
  }
  async stop() {
    const running = this.running.value;
    if (!running) return;
    this.stopping.value = running.turn_id;
    await client.cancel(running.turn_id).catch((error) => {
      this.stopping.value = void 0;
      throw error;
    });
  }
  /** Notes that the user started this turn. */
  noteStarted(turn) {
    this.#own.add(turn);
  }
  /** Removes an interaction that was decided, before the feed reports it. */
  noteDecided(id) {
    const without = [...this.#pending.value].map(
      ([turn, list2]) => [turn, list2.filter((interaction) => interaction.id !== id)]
    );
    this.#pending.value = new Map(without);
  }
  #follow() {
    this.#following = follow(
      client,
      this.id,
      {
        events: (frames) => this.#pace.push(frames),
        connection: (state, failures) => this.#connected(state, failures),
        ended: (error) => {
          if (error.status !== 401) this.refusal.value = error;
        }
      },
      this.#cursor
    );
  }
  #connected(state, failures) {
    if (state === "open" && this.connection.value === "lost") void checkBuild();
    batch2(() => {
      this.connection.value = state;
      this.failures.value = failures;
    });
  }
  /** Closes the feed of a page that is not seen for some time, and continues when it is seen again. */
  #seen() {
    clearTimeout(this.#hidden);
    if (!document.hidden) {
      if (this.#following) return this.#following.reconnect();
      void checkBuild();
      return this.#follow();
    }
    this.#hidden = setTimeout(() => {
      this.#following?.stop();
      this.#cursor = this.#following?.cursor;
      this.#following = void 0;
    }, HIDDEN_MS);
  }
  #applyAll(frames) {
    batch2(() => {
      for (const frame of frames) this.#apply(frame.event, JSON.parse(frame.data));
    });
  }
  #apply(name, data) {
    switch (name) {
      case "resync":
        return this.#restart(data);
      case "queue":
        this.queue.value = data.queue;
        return;
      case "pending": {
        const { turn_id, interactions } = data;
        this.#pending.value = new Map(this.#pending.value).set(turn_id, interactions);
        void loadNeeds().catch(() => {
        });
        return;
      }
      case "tool.progress": {
        const { call_id, text: text2 } = data;
        this.progress.value = new Map(this.progress.value).set(call_id, text2);
        return;
      }
      default:
        if (typeof data.turn_id === "string") this.#applyToTurn(name, data);
    }
  }
  #applyToTurn(name, event) {
    const turn = this.turn(event.turn_id);
    const isNew = turn.peek().seq === 0;
    turn.value = foldTurn(turn.peek(), name, event);
    if (name === "turn.started" && isNew) this.#begin(event.turn_id);
    if (name === "turn.ended") this.#end(event.turn_id);
  }
  #begin(turn) {
    if (!this.#after.has(turn)) this.#after.set(turn, this.#head ?? null);
    this.#head = turn;
    this.#arrange();
    if (!this.#own.has(turn)) void this.#load().catch(() => {
    });
  }
  #end(turn) {
    if (this.stopping.peek() === turn) this.stopping.value = void 0;
    if (this.#pending.peek().get(turn)?.length) {
      this.#pending.value = new Map(this.#pending.peek()).set(turn, []);
      void loadNeeds().catch(() => {
      });
    }
    if (this.progress.peek().size > 0) this.progress.value = /* @__PURE__ */ new Map();
    void loadSessions().catch(() => {
    });
  }
  /** Begins with a snapshot of the session. */
  #restart({ session, turn, queue }) {
    this.session.value = session;
    this.queue.value = queue;
    this.#pending.value = /* @__PURE__ */ new Map();
    this.#head = session.head ?? turn?.turn_id;
    noteSession(session);
    if (turn) {
      this.turn(turn.turn_id).value = turn;
      if (turn.status && this.stopping.peek() === turn.turn_id) this.stopping.value = void 0;
    }
    this.#arrange();
    void this.#load().catch(() => {
    });
  }
  /** Loads the last turns. */
  async #load() {
    const page = await client.turns(this.id);
    batch2(() => {
      this.#add(page.data);
      if (!this.isLoaded.peek()) this.before.value = page.before;
      this.isLoaded.value = true;
      this.#arrange();
    });
  }
  #add(turns) {
    for (const turn of turns) {
      this.#after.set(turn.turn_id, turn.after);
      const shown = this.turn(turn.turn_id);
      const isNewer = shown.peek().seq > turn.seq || shown.peek().seq === turn.seq && shown.peek().seq > 0;
      if (!isNewer && turn.state !== "queued") shown.value = turn;
    }
  }
  /** Follows the branch back from its last turn. */
  #arrange() {
    const order = [];
    let turn = this.#head;
    while (turn && this.#turns.has(turn) && !order.includes(turn)) {
      order.unshift(turn);
      turn = this.#after.get(turn);
    }
    const current = this.order.peek();
    const isSame = order.length === current.length && order.every((id, index) => id === current[index]);
    if (!isSame) this.order.value = order;
  }
};

// src/screens/Chat.tsx
import { Fragment as Fragment4, jsx as jsx16, jsxs as jsxs11 } from "./vendor.js";
function Chat({ session, turn }) {
  const [conversation, setConversation] = useState7();
  useEffect6(() => {
    const opened = new Conversation(session);
    setConversation(opened);
    return () => opened.close();
  }, [session]);
  if (!conversation) return null;
  return /* @__PURE__ */ jsx16(Opened, { conversation, turn }, conversation.id);
}
function Opened({ conversation, turn }) {
  const { page, sessions: sessions2, status } = strings.value;
  const title = conversation.session.value?.title || sessions2.untitled;
  const needsUser = conversation.pending.value.length > 0;
  useEffect6(() => {
    pageTitle.value = `${needsUser ? `(${status.decision}) ` : ""}${title} – ${page.title}`;
    return () => {
      pageTitle.value = "";
    };
  }, [title, needsUser, page.title, status.decision]);
  const refusal = conversation.refusal.value;
  if (refusal) return /* @__PURE__ */ jsx16("p", { class: "empty", children: refusal.status === 404 ? page.notFound : page.failed(refusal.message) });
  return /* @__PURE__ */ jsxs11(Fragment4, { children: [
    /* @__PURE__ */ jsxs11("header", { class: "chat-header", children: [
      /* @__PURE__ */ jsx16("h1", { dir: "auto", children: title }),
      /* @__PURE__ */ jsx16(Status, { conversation })
    ] }),
    /* @__PURE__ */ jsx16(Log, { conversation, at: turn }),
    /* @__PURE__ */ jsx16(Composer, { conversation, started: () => {
    } })
  ] });
}

// src/screens/More.tsx
import { useEffect as useEffect7, useState as useState8 } from "./vendor.js";

// src/screens/Loading.tsx
import { jsx as jsx17, jsxs as jsxs12 } from "./vendor.js";
function Loading({ title, hasFailed }) {
  const { page } = strings.value;
  return /* @__PURE__ */ jsxs12("div", { class: "screen", children: [
    /* @__PURE__ */ jsx17("h1", { children: title }),
    hasFailed ? /* @__PURE__ */ jsx17("p", { role: "alert", children: page.notLoaded }) : /* @__PURE__ */ jsx17("p", { role: "status", children: page.loading }),
    hasFailed && /* @__PURE__ */ jsx17("button", { type: "button", onClick: () => location.reload(), children: page.reload })
  ] });
}

// src/screens/More.tsx
import { jsx as jsx18 } from "./vendor.js";
function More({ screen, title }) {
  const [hasFailed, setFailed] = useState8(false);
  useEffect7(() => void loadMore().catch(() => setFailed(true)), []);
  const Screen2 = more.value?.[screen];
  return Screen2 ? /* @__PURE__ */ jsx18(Screen2, {}) : /* @__PURE__ */ jsx18(Loading, { title, hasFailed });
}

// src/screens/Needs.tsx
import { useEffect as useEffect8 } from "./vendor.js";
import { jsx as jsx19, jsxs as jsxs13 } from "./vendor.js";
function Needs() {
  const words = strings.value.needs;
  useEffect8(() => {
    void loadNeeds().catch(() => {
    });
  }, []);
  return /* @__PURE__ */ jsxs13("div", { class: "screen", children: [
    /* @__PURE__ */ jsx19("h1", { children: words.title }),
    needs.value.length === 0 && /* @__PURE__ */ jsx19("p", { class: "remark", children: words.none }),
    needs.value.map((interaction) => /* @__PURE__ */ jsxs13("div", { children: [
      /* @__PURE__ */ jsx19(Approval, { interaction, decided: () => void loadNeeds().catch(() => {
      }) }),
      /* @__PURE__ */ jsx19("p", { children: /* @__PURE__ */ jsx19("a", { href: addressOf(interaction.session_id), children: words.open }) })
    ] }, interaction.id))
  ] });
}

// src/screens/NewSession.tsx
import { useState as useState9 } from "./vendor.js";
import { jsx as jsx20, jsxs as jsxs14 } from "./vendor.js";
function NewSession() {
  const words = strings.value.chat;
  const Offline = more.value?.Offline;
  const [edition, setEdition] = useState9(0);
  const open = ({ session_id }) => {
    replaceWith(session_id);
    void loadSessions().catch(() => {
    });
  };
  const suggest = (text2) => {
    saveDraft(void 0, { ...loadDraft(void 0), text: text2 });
    setEdition(edition + 1);
  };
  return /* @__PURE__ */ jsxs14("div", { class: "welcome", children: [
    /* @__PURE__ */ jsxs14("div", { class: "welcome-text", children: [
      /* @__PURE__ */ jsx20("h1", { children: words.welcome }),
      /* @__PURE__ */ jsx20("p", { class: "buttons", children: words.suggestions.map((text2) => /* @__PURE__ */ jsx20("button", { type: "button", onClick: () => suggest(text2), children: text2 }, text2)) }),
      Offline && /* @__PURE__ */ jsx20(Offline, {})
    ] }),
    /* @__PURE__ */ jsx20(Composer, { conversation: void 0, started: open }, edition)
  ] });
}

// src/screens/Operator.tsx
import { useEffect as useEffect9, useState as useState10 } from "./vendor.js";
import { jsx as jsx21 } from "./vendor.js";
function Operator({ shown }) {
  const [part, setPart] = useState10();
  const [hasFailed, setFailed] = useState10(false);
  useEffect9(() => {
    load2().then(setPart, () => setFailed(true));
  }, []);
  const Screen2 = part?.screens[shown.screen];
  const title = strings.value.operator[shown.screen];
  return Screen2 ? /* @__PURE__ */ jsx21(Screen2, { shown }) : /* @__PURE__ */ jsx21(Loading, { title, hasFailed });
}
var load2 = once(async () => {
  const [part] = await Promise.all([import("./admin.js"), loadStyles()]);
  return part;
});
function loadStyles() {
  return new Promise((resolve, reject) => {
    const link2 = document.createElement("link");
    link2.rel = "stylesheet";
    link2.href = "admin.css";
    link2.addEventListener("load", () => resolve());
    link2.addEventListener("error", () => {
      link2.remove();
      reject(new Error("admin.css could not be loaded"));
    });
    document.head.append(link2);
  });
}

// src/screens/OperatorLinks.tsx
import { useEffect as useEffect10 } from "./vendor.js";
import { jsx as jsx22, jsxs as jsxs15 } from "./vendor.js";
function OperatorLinks() {
  const words = strings.value.operator;
  useEffect10(() => void loadMe(), []);
  const screens = OPERATOR_SCREENS.filter(maySee);
  return /* @__PURE__ */ jsxs15("div", { class: "rail-links operator-links", children: [
    screens.length > 2 && /* @__PURE__ */ jsx22("h2", { children: words.title }),
    screens.map((screen) => /* @__PURE__ */ jsxs15("a", { href: `#/${screen}`, "aria-current": route.value.screen === screen ? "page" : void 0, children: [
      /* @__PURE__ */ jsx22(Icon, { name: screen }),
      words[screen]
    ] }, screen))
  ] });
}

// src/screens/useLists.ts
import { useEffect as useEffect11 } from "./vendor.js";
var NEEDS_MS = 3e4;
function useLists() {
  useEffect11(() => {
    const all = () => {
      if (document.hidden) return;
      void loadSessions().catch(() => {
      });
      void loadNeeds().catch(() => {
      });
    };
    all();
    const timer = setInterval(() => {
      if (!document.hidden) void loadNeeds().catch(() => {
      });
    }, NEEDS_MS);
    document.addEventListener("visibilitychange", all);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", all);
    };
  }, []);
}

// src/screens/useShortcuts.ts
import { useEffect as useEffect12 } from "./vendor.js";
function useShortcuts(switchSession) {
  useEffect12(() => {
    const press = (event) => {
      const isControlled = event.ctrlKey || event.metaKey;
      if (isControlled && event.key === "k") {
        event.preventDefault();
        switchSession();
      } else if (isControlled && event.shiftKey && event.key.toLowerCase() === "o") {
        event.preventDefault();
        location.hash = "#/";
      } else if (event.key === "?" && !isControlled && !event.altKey && !isWriting(event.target)) {
        event.preventDefault();
        openDialog({ kind: "shortcuts" });
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
function isWriting(target) {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

// src/screens/Shell.tsx
import { jsx as jsx23, jsxs as jsxs16 } from "./vendor.js";
function Shell() {
  const { page, sessions: sessions2 } = strings.value;
  const [isSwitching, setSwitching] = useState11(false);
  const [isRailOpen, setRailOpen] = useState11(false);
  const Overlays = more.value?.Overlays;
  useLists();
  useEffect13(loadMoreSoon, []);
  const closeSwitcher = () => {
    setSwitching(false);
    searchFor("");
  };
  useShortcuts(() => setSwitching(true));
  useEffect13(() => setRailOpen(false), [route.value]);
  return /* @__PURE__ */ jsxs16("div", { class: isRailOpen ? "shell rail-open" : "shell", children: [
    /* @__PURE__ */ jsx23(
      "a",
      {
        class: "skip",
        href: "#content",
        onClick: (event) => {
          event.preventDefault();
          (document.getElementById("message") ?? document.getElementById("content"))?.focus();
        },
        children: page.skip
      }
    ),
    /* @__PURE__ */ jsx23(
      "button",
      {
        type: "button",
        class: "icon-button rail-button",
        "aria-label": sessions2.title,
        "aria-expanded": isRailOpen,
        onClick: () => setRailOpen(!isRailOpen),
        children: /* @__PURE__ */ jsx23(Icon, { name: isRailOpen ? "close" : "menu" })
      }
    ),
    /* @__PURE__ */ jsx23(Rail, {}),
    /* @__PURE__ */ jsxs16("main", { id: "content", tabIndex: -1, children: [
      isOutdated.value && /* @__PURE__ */ jsxs16("p", { class: "banner", role: "alert", children: [
        page.newBuild,
        " ",
        /* @__PURE__ */ jsx23("button", { type: "button", onClick: () => location.reload(), children: page.reload })
      ] }),
      /* @__PURE__ */ jsx23(Screen, {})
    ] }),
    isSwitching && /* @__PURE__ */ jsx23(Dialog, { title: sessions2.title, close: closeSwitcher, children: /* @__PURE__ */ jsx23(SessionList, { chosen: closeSwitcher }) }),
    Overlays && /* @__PURE__ */ jsx23(Overlays, {})
  ] });
}
function Screen() {
  const shown = route.value;
  switch (shown.screen) {
    case "new":
      return /* @__PURE__ */ jsx23(NewSession, {});
    case "chat":
      return /* @__PURE__ */ jsx23(Chat, { session: shown.session, turn: shown.turn });
    case "sessions":
      return /* @__PURE__ */ jsx23(More, { screen: "Sessions", title: strings.value.sessions.title });
    case "needs":
      return /* @__PURE__ */ jsx23(Needs, {});
    case "settings":
      return /* @__PURE__ */ jsx23(More, { screen: "Settings", title: strings.value.settings.title });
    default:
      return /* @__PURE__ */ jsx23(Operator, { shown });
  }
}
function Rail() {
  const { sessions: sessions2, needs: words, settings, page, rail } = strings.value;
  const count = needs.value.length;
  const link2 = (screen) => ({
    href: `#/${screen}`,
    "aria-current": route.value.screen === screen ? "page" : void 0
  });
  return /* @__PURE__ */ jsxs16("nav", { class: "rail", "aria-label": page.title, children: [
    /* @__PURE__ */ jsxs16("button", { type: "button", class: "primary new", onClick: () => location.hash = "#/", children: [
      /* @__PURE__ */ jsx23(Icon, { name: "plus" }),
      sessions2.new
    ] }),
    /* @__PURE__ */ jsx23(SessionList, {}),
    /* @__PURE__ */ jsxs16("div", { class: "rail-links", children: [
      /* @__PURE__ */ jsxs16("a", { ...link2("needs"), children: [
        /* @__PURE__ */ jsx23(Icon, { name: "bell" }),
        words.title,
        count > 0 && /* @__PURE__ */ jsx23("span", { class: "badge", "aria-label": words.count(count), children: count })
      ] }),
      /* @__PURE__ */ jsxs16("a", { ...link2("sessions"), children: [
        /* @__PURE__ */ jsx23(Icon, { name: "menu" }),
        sessions2.list
      ] }),
      /* @__PURE__ */ jsxs16("a", { ...link2("settings"), children: [
        /* @__PURE__ */ jsx23(Icon, { name: "settings" }),
        settings.title
      ] }),
      /* @__PURE__ */ jsxs16("button", { type: "button", onClick: () => openDialog({ kind: "shortcuts" }), children: [
        /* @__PURE__ */ jsx23(Icon, { name: "keyboard" }),
        rail.shortcuts
      ] })
    ] }),
    /* @__PURE__ */ jsx23(OperatorLinks, {})
  ] });
}

// src/screens/SignIn.tsx
import { useState as useState12 } from "./vendor.js";
import { jsx as jsx24, jsxs as jsxs17 } from "./vendor.js";
function SignIn() {
  const words = strings.value.signIn;
  const [entered, setEntered] = useState12("");
  const [stays, setStays] = useState12(false);
  const [isAsking, setAsking] = useState12(false);
  const mode = summary.value?.auth;
  const label = mode === "jwt" ? words.token : mode === "api_key_or_jwt" ? words.keyOrToken : words.key;
  const submit = (event) => {
    event.preventDefault();
    setAsking(true);
    void signIn(entered, stays).finally(() => setAsking(false));
  };
  return /* @__PURE__ */ jsx24("main", { class: "sign-in", children: /* @__PURE__ */ jsxs17("form", { onSubmit: submit, children: [
    /* @__PURE__ */ jsx24("h1", { children: words.title }),
    /* @__PURE__ */ jsxs17("label", { class: "note", children: [
      label,
      /* @__PURE__ */ jsx24(
        "input",
        {
          type: "password",
          autocomplete: "off",
          spellcheck: false,
          value: entered,
          "aria-invalid": wasRefused.value,
          onInput: (event) => setEntered(event.currentTarget.value)
        }
      )
    ] }),
    wasRefused.value && /* @__PURE__ */ jsx24("p", { class: "remark error", role: "alert", children: words.refused }),
    /* @__PURE__ */ jsxs17("label", { class: "check", children: [
      /* @__PURE__ */ jsx24("input", { type: "checkbox", checked: stays, onChange: (event) => setStays(event.currentTarget.checked) }),
      words.stay
    ] }),
    /* @__PURE__ */ jsx24("button", { class: "primary", disabled: isAsking || entered.trim() === "", children: words.submit }),
    mode !== "jwt" && /* @__PURE__ */ jsxs17("p", { class: "remark", children: [
      words.explanation,
      " ",
      /* @__PURE__ */ jsx24("code", { children: "turnkit keys create NAME" })
    ] })
  ] }) });
}

// src/main.tsx
import { jsx as jsx25, jsxs as jsxs18 } from "./vendor.js";
function App() {
  switch (access.value) {
    case "starting":
      return null;
    case "unreachable":
      return /* @__PURE__ */ jsxs18("main", { class: "empty", children: [
        /* @__PURE__ */ jsx25("p", { children: strings.value.page.unreachable }),
        /* @__PURE__ */ jsx25("button", { type: "button", onClick: () => void connect(), children: strings.value.page.tryAgain })
      ] });
    case "signed_out":
      return /* @__PURE__ */ jsx25(SignIn, {});
    case "open":
      return /* @__PURE__ */ jsx25(Shell, {});
  }
}
var root = document.getElementById("app");
if (root) render(/* @__PURE__ */ jsx25(App, {}), root);
void connect();
export {
  ApiError,
  Client,
  CopyButton,
  Dialog,
  EventStream,
  FILES_DATABASE,
  Icon,
  LANGUAGES,
  SEND_KEYS,
  SessionList,
  SessionRow,
  THEMES,
  access,
  addressOf,
  badge,
  chooseLanguage,
  chooseSendKey,
  chooseTheme,
  client,
  dialog,
  download,
  emptyTurn,
  foldTurn,
  follow,
  formatDollars,
  formatDuration,
  formatNumber,
  formatTime,
  hasCredential,
  indent,
  language,
  listed,
  load,
  loadMore2 as loadMore,
  loadNeeds,
  loadSessions,
  locale,
  me,
  messageOf,
  nameOf,
  needs,
  newKey,
  next,
  noteSession,
  openDialog,
  position,
  removing,
  route,
  save,
  search,
  searchFor,
  sendKey,
  sessions,
  signOut,
  strings,
  summary,
  theme,
  waiting,
  withoutUnseen
};
