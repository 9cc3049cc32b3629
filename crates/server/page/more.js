// src/more/attention.ts
import { effect } from "./vendor.js";
import { addressOf, badge, loadNeeds, needs, removing, sessions, strings } from "./app.js";

// src/more/preferences.ts
import { signal } from "./vendor.js";
import { load, save } from "./app.js";
var DENSITIES = ["comfortable", "compact"];
var DENSITY = "turnkit.density";
var NOTIFICATIONS = "turnkit.notifications";
var density = signal(load(DENSITY) === "compact" ? "compact" : "comfortable");
var notifies = signal(load(NOTIFICATIONS) === "on");
function chooseDensity(chosen) {
  density.value = chosen;
  document.documentElement.dataset.density = chosen;
  save(DENSITY, chosen === "comfortable" ? void 0 : chosen);
}
function chooseNotifications(wanted) {
  notifies.value = wanted;
  save(NOTIFICATIONS, wanted ? "on" : void 0);
}

// src/more/running.ts
import { signal as signal2 } from "./vendor.js";
import { client, loadSessions } from "./app.js";
var running = signal2(/* @__PURE__ */ new Set());
async function loadRunning() {
  const found = await client.runningTurns();
  const now = new Set(found.data.map((turn) => turn.session_id));
  const have = running.peek();
  const hasEnded = [...have].some((session) => !now.has(session));
  if (hasEnded || now.size !== have.size) running.value = now;
  if (hasEnded) await loadSessions();
}
function noteRunning(session, isRunning) {
  const have = running.peek();
  if (have.has(session) === isRunning) return;
  const others = [...have].filter((known) => known !== session);
  running.value = new Set(isRunning ? [...others, session] : others);
}

// src/more/strings/index.ts
import { computed } from "./vendor.js";
import { language } from "./app.js";

// src/more/bytes.ts
import { locale } from "./app.js";
function formatBytes(bytes) {
  const units = ["byte", "kilobyte", "megabyte"];
  const power = bytes < 1e3 ? 0 : bytes < 1e6 ? 1 : 2;
  const unitDisplay = power === 0 ? "long" : "short";
  const options = { style: "unit", unit: units[power], unitDisplay, maximumFractionDigits: power };
  return new Intl.NumberFormat(locale.value, options).format(bytes / 1e3 ** power);
}

// src/more/strings/de.ts
var KINDS = { image: "Bild", document: "PDF", text: "Text" };
var de = {
  files: {
    title: "Dateien der Nachricht",
    uploading: "wird hochgeladen…",
    retry: "Erneut versuchen",
    remove: (name) => `${name} entfernen`,
    failed: (reason) => `Das Hochladen hat nicht geklappt: ${reason}`,
    tooMany: (most) => `Eine Nachricht hat höchstens ${most} Dateien.`,
    refused: (refusal) => {
      if (typeof refusal === "object") {
        return `Zu groß: Ein ${KINDS[refusal.tooLarge]} darf ${formatBytes(refusal.limit)} haben.`;
      }
      if (refusal === "heic") return "Modelle lesen kein HEIC und AVIF. Als JPEG oder PNG gespeichert klappt es.";
      if (refusal === "svg") return "Modelle sehen kein SVG. Als PNG gespeichert klappt es.";
      if (refusal === "empty") return "Die Datei ist leer oder nicht lesbar.";
      return "Solche Dateien lesen Modelle nicht. Möglich sind PNG, JPEG, GIF, WebP, PDF und reiner Text.";
    }
  },
  composer: {
    attach: "Dateien anhängen",
    options: "Optionen",
    undo: (choice) => `Entfernen: ${choice}`,
    thinking: (level) => `Nachdenken: ${level}`,
    levels: { off: "aus", low: "wenig", medium: "mittel", high: "viel", max: "so viel wie möglich" },
    noTools: "Ohne Werkzeuge",
    commands: "Befehle",
    drop: "Dateien hier ablegen",
    aboutFiles: "Was soll mit den Dateien geschehen?",
    tooLong: "Dieser Text ist mit mehr als 256 KiB zu lang für eine Nachricht. Er bleibt in der Zwischenablage."
  },
  options: {
    title: "Für die nächsten Nachrichten dieser Unterhaltung",
    agent: "Agent",
    model: "Modell",
    thinking: "Nachdenken",
    tools: "Werkzeuge",
    asAgent: "Wie üblich",
    withTools: "Wie üblich",
    withoutTools: "Aus"
  },
  commands: {
    descriptions: {
      new: "Eine neue Unterhaltung beginnen",
      compact: "Frühere Nachrichten zusammenfassen lassen",
      export: "Diese Unterhaltung als Markdown speichern",
      rename: "Dieser Unterhaltung einen anderen Titel geben",
      help: "Die Tastenkürzel der Seite anzeigen"
    }
  },
  sessions: {
    pinned: "Angeheftet",
    today: "Heute",
    yesterday: "Gestern",
    unread: "Neu seit dem letzten Blick",
    rename: "Umbenennen",
    renameTitle: "Unterhaltung umbenennen",
    name: "Titel",
    save: "Speichern",
    delete: "Löschen",
    deleted: (title) => `„${title}“ wurde gelöscht.`,
    undo: "Rückgängig",
    more: "Mehr",
    pin: "Anheften",
    unpin: "Loslösen",
    archive: "Archivieren",
    unarchive: "Aus dem Archiv holen",
    archiveTitle: "Archiv",
    archiveEmpty: "Das Archiv ist leer.",
    exportMarkdown: "Als Markdown speichern",
    exportLines: "Als JSON Lines speichern, zum Importieren",
    import: "Unterhaltung importieren",
    file: "Unterhaltung"
  },
  keys: {
    control: "Strg",
    shift: "Umschalt",
    message: "In der Nachricht",
    send: "Senden; während einer Antwort deren Ende abwarten",
    steer: "In die laufende Antwort einwerfen",
    line: "Neue Zeile",
    stop: "Antwort stoppen",
    commands: "Befehle",
    page: "Überall",
    sessions: "Zu einer Unterhaltung springen",
    new: "Neue Unterhaltung",
    sheet: "Diese Liste"
  },
  notifications: {
    ended: "Die Antwort ist fertig.",
    needsYou: "Eine Entscheidung wartet auf dich."
  },
  offline: {
    title: "Kein Modell ist eingerichtet",
    explanation: "Es antwortet der Offline-Responder: Er rechnet, kennt die Uhrzeit und wiederholt alles andere. Ergänze diese Zeilen in turnkit.toml und starte den Server neu.",
    vendor: "Anbieter",
    other: "Andere Adresse",
    address: "Adresse",
    wire: "Protokoll",
    model: "Modell",
    key: "Variable mit dem API-Schlüssel",
    lines: "Zeilen für turnkit.toml"
  },
  settings: {
    theme: "Farben",
    themes: { auto: "Wie das System", light: "Hell", dark: "Dunkel" },
    density: "Abstände",
    densities: { comfortable: "Großzügig", compact: "Kompakt" },
    language: "Sprache",
    sendKey: "Nachrichten senden mit",
    sendKeys: { enter: "Eingabetaste", ctrl_enter: "Strg- oder ⌘-Eingabetaste" },
    notifications: "Benachrichtigen, wenn bei verdeckter Seite eine Antwort fertig ist oder eine Entscheidung wartet",
    forbidden: "Der Browser erlaubt dieser Seite keine Benachrichtigungen. Das lässt sich in seinen Einstellungen für diese Seite ändern.",
    api: "Adressen des Servers",
    native: "API",
    example: "Beispiel einer Anfrage",
    build: (build) => `Stand ${build}`,
    page: "Über diese Seite",
    licences: "Lizenzen"
  }
};

// src/more/strings/en.ts
var KINDS2 = { image: "an image", document: "a PDF", text: "a text" };
var en = {
  files: {
    title: "Files of the message",
    uploading: "uploading…",
    retry: "Try again",
    remove: (name) => `Remove ${name}`,
    failed: (reason) => `The upload failed: ${reason}`,
    tooMany: (most) => `A message has at most ${most} files.`,
    refused: (refusal) => {
      if (typeof refusal === "object")
        return `Too large: ${KINDS2[refusal.tooLarge]} may have ${formatBytes(refusal.limit)}.`;
      if (refusal === "heic") return "Models do not read HEIC and AVIF. Save the image as JPEG or PNG.";
      if (refusal === "svg") return "Models do not see SVG. Save the image as PNG.";
      if (refusal === "empty") return "The file is empty, or it cannot be read.";
      return "Models do not read this kind of file. Use PNG, JPEG, GIF, WebP, PDF or plain text.";
    }
  },
  composer: {
    attach: "Attach files",
    options: "Options",
    undo: (choice) => `Remove: ${choice}`,
    thinking: (level) => `Thinking: ${level}`,
    levels: { off: "off", low: "low", medium: "medium", high: "high", max: "maximum" },
    noTools: "No tools",
    commands: "Commands",
    drop: "Drop files here",
    aboutFiles: "What should happen with the files?",
    tooLong: "This text has more than 256 KiB, which is too long for a message. It is still on the clipboard."
  },
  options: {
    title: "For the next messages of this session",
    agent: "Agent",
    model: "Model",
    thinking: "Thinking",
    tools: "Tools",
    asAgent: "As usual",
    withTools: "As usual",
    withoutTools: "Off"
  },
  commands: {
    descriptions: {
      new: "Begin a new session",
      compact: "Have earlier messages summarised",
      export: "Save this session as Markdown",
      rename: "Give this session another title",
      help: "Show the keys of this page"
    }
  },
  sessions: {
    pinned: "Pinned",
    today: "Today",
    yesterday: "Yesterday",
    unread: "New since you looked",
    rename: "Rename",
    renameTitle: "Rename session",
    name: "Title",
    save: "Save",
    delete: "Delete",
    deleted: (title) => `“${title}” was deleted.`,
    undo: "Undo",
    more: "More",
    pin: "Pin",
    unpin: "Unpin",
    archive: "Archive",
    unarchive: "Take out of the archive",
    archiveTitle: "Archive",
    archiveEmpty: "The archive is empty.",
    exportMarkdown: "Save as Markdown",
    exportLines: "Save as JSON Lines, to import it again",
    import: "Import a session",
    file: "session"
  },
  keys: {
    control: "Ctrl",
    shift: "Shift",
    message: "In the message",
    send: "Send; while an answer runs, wait for its end",
    steer: "Send into the running answer",
    line: "New line",
    stop: "Stop the answer",
    commands: "Commands",
    page: "Anywhere",
    sessions: "Go to a session",
    new: "New session",
    sheet: "This list"
  },
  notifications: {
    ended: "The answer has ended.",
    needsYou: "A decision waits for you."
  },
  offline: {
    title: "No model is configured",
    explanation: "The offline responder answers: it calculates, knows the time, and repeats everything else. Add these lines to turnkit.toml, and start the server again.",
    vendor: "Vendor",
    other: "Another address",
    address: "Address",
    wire: "Protocol",
    model: "Model",
    key: "Variable with the API key",
    lines: "Lines for turnkit.toml"
  },
  settings: {
    theme: "Colours",
    themes: { auto: "As the system", light: "Light", dark: "Dark" },
    density: "Density",
    densities: { comfortable: "Comfortable", compact: "Compact" },
    language: "Language",
    sendKey: "Send messages with",
    sendKeys: { enter: "Enter", ctrl_enter: "Ctrl-Enter or ⌘-Enter" },
    notifications: "Notify me when an answer ends or needs me while the page is hidden",
    forbidden: "The browser does not permit notifications of this page. Its settings for this site can change that.",
    api: "Addresses of the server",
    native: "API",
    example: "Example of a request",
    build: (build) => `Build ${build}`,
    page: "About this page",
    licences: "Licences"
  }
};

// src/more/strings/index.ts
var TABLES = { en, de };
var words = computed(() => TABLES[language.value]);

// src/more/attention.ts
var RUNNING_MS = 5e3;
var NEEDS_MS = 3e4;
function watchAttention() {
  let ran = /* @__PURE__ */ new Set();
  let asked = /* @__PURE__ */ new Set();
  effect(() => {
    const now = running.value;
    for (const session of ran) {
      if (!now.has(session) && session !== removing.peek()) report(session, words.peek().notifications.ended);
    }
    ran = now;
  });
  effect(() => {
    const now = needs.value;
    for (const { id, session_id } of now) {
      if (!asked.has(id)) report(session_id, words.peek().notifications.needsYou);
    }
    asked = new Set(now.map(({ id }) => id));
  });
  const look2 = () => void loadRunning().catch(() => {
  });
  look2();
  setInterval(() => running.peek().size > 0 && (!document.hidden || notifies.peek()) && look2(), RUNNING_MS);
  setInterval(() => document.hidden && notifies.peek() && void loadNeeds().catch(() => {
  }), NEEDS_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    badge.value = 0;
    look2();
  });
}
function report(session, text) {
  if (!document.hidden) return;
  badge.value = badge.peek() + 1;
  if (!notifies.peek() || typeof Notification === "undefined" || Notification.permission !== "granted") return;
  const title = sessions.peek().find(({ id }) => id === session)?.title || strings.peek().sessions.untitled;
  try {
    const notification = new Notification(title, { body: text, tag: session });
    notification.onclick = () => {
      window.focus();
      location.hash = addressOf(session);
      notification.close();
    };
  } catch {
  }
}

// src/more/seen.ts
import { effect as effect2, signal as signal3 } from "./vendor.js";
import { load as load2, route, save as save2, search, sessions as sessions2 } from "./app.js";
var KEY = "turnkit.seen";
var MOST = 200;
var seen = signal3(stored());
function isUnread(session) {
  const known = seen.value;
  return known !== void 0 && session.last_active > (known.at[session.id] ?? known.since);
}
function noteSeen(session) {
  const known = seen.peek();
  if (!known || session.last_active <= (known.at[session.id] ?? known.since)) return;
  const at = Object.entries({ ...known.at, [session.id]: session.last_active });
  const kept = at.sort(([, a], [, b]) => a < b ? 1 : -1).slice(0, MOST);
  const since = at.slice(MOST).reduce((latest, [, time]) => time > latest ? time : latest, known.since);
  write({ since, at: Object.fromEntries(kept) });
}
function watchSeen() {
  effect2(look);
  document.addEventListener("visibilitychange", look);
}
function look() {
  const all = sessions2.value;
  const shown = route.value;
  if (document.hidden || all.length === 0) return;
  const latest = all.reduce((latest2, { last_active }) => last_active > latest2 ? last_active : latest2, "");
  if (!seen.peek() && !search.value) write({ since: latest, at: {} });
  const session = shown.screen === "chat" && all.find(({ id }) => id === shown.session);
  if (session) noteSeen(session);
}
function write(changed) {
  seen.value = changed;
  save2(KEY, JSON.stringify(changed));
}
function stored() {
  try {
    const { since, at } = JSON.parse(load2(KEY) ?? "{}");
    return typeof since === "string" && typeof at === "object" && at !== null ? { since, at } : void 0;
  } catch {
    return void 0;
  }
}

// src/more/files/FileList.tsx
import { Icon } from "./app.js";
import { jsx, jsxs } from "./vendor.js";
function FileList({ uploads }) {
  const list = uploads.list.value;
  if (list.length === 0) return null;
  return /* @__PURE__ */ jsx("ul", { class: "files", "aria-label": words.value.files.title, children: list.map((upload) => /* @__PURE__ */ jsx(FileChip, { upload, uploads }, upload.id)) });
}
function FileChip({ upload, uploads }) {
  const { files } = words.value;
  const { id, name, bytes, state, problem, preview } = upload;
  const isBad = state === "failed" || state === "refused";
  return /* @__PURE__ */ jsxs("li", { class: isBad ? "file bad" : "file", "aria-busy": state === "uploading", children: [
    preview ? /* @__PURE__ */ jsx("img", { src: preview, alt: "" }) : /* @__PURE__ */ jsx(Icon, { name: "document" }),
    /* @__PURE__ */ jsxs("span", { class: "file-text", children: [
      /* @__PURE__ */ jsx("bdi", { class: "file-name", title: name, children: name }),
      /* @__PURE__ */ jsxs("span", { class: "file-detail", children: [
        formatBytes(bytes),
        state === "uploading" && ` · ${files.uploading}`
      ] }),
      problem && /* @__PURE__ */ jsx("span", { role: "alert", children: problem })
    ] }),
    state === "failed" && /* @__PURE__ */ jsx("button", { type: "button", class: "quiet", onClick: () => uploads.retry(id), children: files.retry }),
    /* @__PURE__ */ jsx("button", { type: "button", class: "icon-button", "aria-label": files.remove(name), onClick: () => uploads.remove(id), children: /* @__PURE__ */ jsx(Icon, { name: "close" }) })
  ] });
}

// src/more/composer/CommandList.tsx
import { jsx as jsx2, jsxs as jsxs2 } from "./vendor.js";
function CommandList({ commands }) {
  const list = commands.list.value;
  if (list.length === 0) return null;
  return /* @__PURE__ */ jsx2("ul", { class: "commands", id: "commands", role: "listbox", "aria-label": words.value.composer.commands, children: list.map((command, index) => /* @__PURE__ */ jsxs2(
    "li",
    {
      id: optionId(index),
      role: "option",
      "aria-selected": index === commands.selected.value,
      onMouseDown: (event) => event.preventDefault(),
      onClick: () => commands.run(command),
      children: [
        /* @__PURE__ */ jsxs2("code", { children: [
          "/",
          command.name
        ] }),
        /* @__PURE__ */ jsx2("span", { children: command.description })
      ]
    },
    command.name
  )) });
}
function optionId(index) {
  return `command-${index}`;
}

// src/more/composer/useDrop.ts
import { useEffect, useState } from "./vendor.js";
function useDrop(extras) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal: signal8 } = listening;
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;
    addEventListener(
      "dragover",
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      { signal: signal8 }
    );
    addEventListener("dragleave", (event) => event.relatedTarget === null && setOver(false), { signal: signal8 });
    addEventListener(
      "drop",
      (event) => {
        setOver(false);
        if (extras.receive(event.dataTransfer) || hasFiles(event)) event.preventDefault();
      },
      { signal: signal8 }
    );
    return () => listening.abort();
  }, [extras]);
  return isOver;
}

// src/more/composer/AboveField.tsx
import { Fragment, jsx as jsx3, jsxs as jsxs3 } from "./vendor.js";
function AboveField({ extras }) {
  const isOver = useDrop(extras);
  return /* @__PURE__ */ jsxs3(Fragment, { children: [
    /* @__PURE__ */ jsx3(CommandList, { commands: extras.commands }),
    /* @__PURE__ */ jsx3(FileList, { uploads: extras.uploads }),
    isOver && /* @__PURE__ */ jsx3("p", { class: "drop", children: words.value.composer.drop })
  ] });
}

// src/more/composer/MessageExtras.ts
import { computed as computed3, effect as effect3, signal as signal6 } from "./vendor.js";

// src/state/uploads.ts
function uploadedFiles(list) {
  const wanted = list.filter((upload) => upload.state !== "refused");
  const files = wanted.flatMap(({ file }) => file === void 0 ? [] : [file]);
  return files.length === wanted.length ? files : void 0;
}

// src/more/files/MessageFiles.ts
import { signal as signal4 } from "./vendor.js";
import { client as client2, messageOf, newKey } from "./app.js";

// src/more/files/kind.ts
var LIMITS = { image: 5 * 1024 * 1024, document: 16 * 1024 * 1024, text: 256 * 1024 };
var HEAD_BYTES = 4096;
var BEGINNINGS = [
  [/^\x89PNG\r\n\x1a\n/, "image"],
  [/^\xff\xd8\xff/, "image"],
  [/^GIF8[79]a/, "image"],
  [/^RIFF[^]{4}WEBP/, "image"],
  [/^%PDF-/, "document"]
];
async function recognise(file) {
  if (file.size === 0) return "empty";
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const beginning = String.fromCharCode(...head.subarray(0, 32));
  const known = BEGINNINGS.find(([pattern]) => pattern.test(beginning))?.[1];
  if (known) return limited(known, file);
  if (/^[^]{4}ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1|avi[fs])/.test(beginning)) return "heic";
  if (file.type === "image/svg+xml" || /\.svgz?$/i.test(file.name)) return "svg";
  if (!isText(head, { stream: true })) return "other";
  if (file.size > LIMITS.text) return limited("text", file);
  return isText(new Uint8Array(await file.arrayBuffer())) ? "text" : "other";
}
function limited(kind, file) {
  return file.size > LIMITS[kind] ? { tooLarge: kind, limit: LIMITS[kind] } : kind;
}
function isText(bytes, options = {}) {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, options);
    return true;
  } catch {
    return false;
  }
}

// src/more/files/name.ts
import { withoutUnseen } from "./app.js";
var MOST2 = 80;
function safeName(name) {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const seen2 = withoutUnseen(last).trim();
  if (/^\.*$/.test(seen2)) return "file";
  if (seen2.length <= MOST2) return seen2;
  const ending = /\.[^.]{1,10}$/.exec(seen2)?.[0] ?? "";
  return `${[...seen2].slice(0, MOST2 - ending.length).join("")}${ending}`;
}

// src/more/files/store.ts
import { FILES_DATABASE } from "./app.js";
var STORE = "files";
async function storedFiles(session) {
  const all = await request("readonly", (store) => store.getAll());
  return (all ?? []).filter((stored2) => stored2.session === session).sort((a, b) => a.added - b.added);
}
async function storeFile(stored2) {
  await request("readwrite", (store) => store.put(stored2));
}
async function dropFile(id) {
  await request("readwrite", (store) => store.delete(id));
}
async function request(mode, ask) {
  try {
    const database = await open();
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const asked = ask(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
  } catch {
    return void 0;
  }
}
var opened;
function open() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(FILES_DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onerror = () => reject(asked.error ?? new Error("refused"));
    asked.onblocked = () => reject(new Error("blocked"));
    asked.onsuccess = () => {
      const database = asked.result;
      database.onversionchange = () => database.close();
      database.onclose = () => {
        opened = void 0;
      };
      resolve(database);
    };
  });
  opened.catch(() => {
    opened = void 0;
  });
  return opened;
}

// src/more/files/MessageFiles.ts
var MOST3 = 20;
var UPLOAD_LASTS_MS = 20 * 60 * 60 * 1e3;
var PATIENCE_MS = 3e3;
var MessageFiles = class {
  list = signal4([]);
  isRestored = signal4(false);
  restored;
  #session;
  #kept = /* @__PURE__ */ new Map();
  #running = /* @__PURE__ */ new Map();
  #isClosed = false;
  constructor(session) {
    this.#session = session ?? "new";
    this.restored = this.#restore();
  }
  add(files) {
    for (const file of files) {
      const id = newKey();
      const name = safeName(file.name);
      this.list.value = [...this.list.value, { id, name, bytes: file.size, state: "uploading" }];
      if (this.list.value.filter(({ state }) => state !== "refused").length > MOST3) {
        this.#change(id, { state: "refused", problem: words.peek().files.tooMany(MOST3) });
        continue;
      }
      void this.#check(id, file, { id, name, session: this.#session, added: Date.now(), content: file });
    }
  }
  retry(id) {
    const stored2 = this.#kept.get(id);
    if (stored2) void this.#upload(stored2);
  }
  remove(id) {
    this.#running.get(id)?.abort();
    this.#forget(id);
    this.list.value = this.list.value.filter((upload) => upload.id !== id);
  }
  renew() {
    for (const stored2 of this.#kept.values()) void this.#upload(stored2);
  }
  clear() {
    for (const { id } of this.list.value) this.#forget(id);
    this.list.value = [];
  }
  close() {
    this.#isClosed = true;
    for (const { preview } of this.list.value) if (preview) URL.revokeObjectURL(preview);
  }
  async #restore() {
    const stored2 = await Promise.race([storedFiles(this.#session), nothingAfter(PATIENCE_MS)]);
    if (this.#isClosed) return;
    const restored = stored2.map(
      ({ id, name, content }) => ({ id, name, bytes: content.size, state: "uploading" })
    );
    this.list.value = [...restored, ...this.list.value];
    await Promise.all(stored2.map((file) => this.#resume(file)));
    this.isRestored.value = true;
  }
  async #resume(stored2) {
    this.#kept.set(stored2.id, stored2);
    const kind = await recognise(new File([stored2.content], stored2.name)).catch(() => "other");
    this.#preview(stored2, kind);
    const isThere = stored2.file !== void 0 && Date.now() - (stored2.uploaded ?? 0) < UPLOAD_LASTS_MS;
    if (isThere) this.#change(stored2.id, { state: "ready", file: stored2.file });
    else void this.#upload(stored2);
  }
  async #check(id, file, stored2) {
    const kind = await recognise(file).catch(() => "other");
    if (!this.#has(id)) return;
    const isKnown = kind === "image" || kind === "document" || kind === "text";
    if (!isKnown) return this.#change(id, { state: "refused", problem: words.peek().files.refused(kind) });
    this.#kept.set(id, stored2);
    this.#preview(stored2, kind);
    void storeFile(stored2);
    await this.#upload(stored2);
  }
  async #upload(stored2) {
    const { id } = stored2;
    const cancelling = new AbortController();
    this.#running.set(id, cancelling);
    this.#change(id, { state: "uploading", problem: void 0, file: void 0 });
    try {
      const uploaded = await client2.upload(stored2.name, stored2.content, cancelling.signal);
      if (!this.#has(id)) return;
      const renewed = { ...stored2, file: uploaded.id, uploaded: Date.now() };
      this.#kept.set(id, renewed);
      this.#change(id, { state: "ready", file: uploaded.id });
      await storeFile(renewed);
    } catch (error) {
      this.#change(id, { state: "failed", problem: words.peek().files.failed(messageOf(error)) });
    } finally {
      this.#running.delete(id);
    }
  }
  #preview({ id, content }, kind) {
    if (kind === "image" && !this.#isClosed) this.#change(id, { preview: URL.createObjectURL(content) });
  }
  #forget(id) {
    this.#kept.delete(id);
    const preview = this.list.peek().find((upload) => upload.id === id)?.preview;
    if (preview) URL.revokeObjectURL(preview);
    void dropFile(id);
  }
  #has(id) {
    return this.list.peek().some((upload) => upload.id === id);
  }
  #change(id, changed) {
    this.list.value = this.list.value.map(
      (upload) => upload.id === id ? { ...upload, ...changed } : upload
    );
  }
};
function nothingAfter(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, []));
}

// src/more/composer/CommandChoice.ts
import { computed as computed2, signal as signal5 } from "./vendor.js";

// src/more/composer/commands.ts
import { client as client4, openDialog } from "./app.js";

// src/more/sessions/transfer.ts
import { client as client3, download, loadSessions as loadSessions2 } from "./app.js";
async function exportSession(session, format) {
  const content = await client3.exportSession(session.id, format);
  const title = (session.title || words.peek().sessions.file).replaceAll(/[/\\:*?"<>|]/g, " ");
  download(`${safeName(title)}.${format}`, content);
}
async function importSession(file) {
  const session = await client3.importSession(file);
  await loadSessions2();
  return session;
}

// src/more/composer/commands.ts
function commandsFor(written, conversation) {
  const { descriptions } = words.value.commands;
  const session = conversation?.session.value;
  const everywhere = [
    { name: "new", description: descriptions.new, run: () => void (location.hash = "#/") },
    { name: "help", description: descriptions.help, run: () => openDialog({ kind: "shortcuts" }) }
  ];
  const inSession = session ? [
    { name: "compact", description: descriptions.compact, run: () => client4.compact(session.id) },
    { name: "export", description: descriptions.export, run: () => exportSession(session, "md") },
    { name: "rename", description: descriptions.rename, run: () => openDialog({ kind: "rename", session }) }
  ] : [];
  return [...everywhere, ...inSession].filter(({ name }) => name.startsWith(written)).sort((a, b) => a.name < b.name ? -1 : 1);
}

// src/more/composer/CommandChoice.ts
var CommandChoice = class {
  #message;
  /** The text for which the user closed the list. */
  #closed = signal5("");
  #selected = signal5({ text: "", index: 0 });
  list = computed2(() => {
    const { text } = this.#message.draft.value;
    const isOpen = /^\/[a-z]*$/.test(text) && text !== this.#closed.value;
    return isOpen ? commandsFor(text.slice(1), this.#message.conversation) : [];
  });
  /** The place of the command that Enter runs. Another text has another list, which begins at its first one. */
  selected = computed2(() => {
    const { text, index } = this.#selected.value;
    return text === this.#message.draft.value.text ? index : 0;
  });
  constructor(message) {
    this.#message = message;
  }
  run(command) {
    this.#message.write("");
    void Promise.resolve(command.run()).catch((error) => this.#message.fail(error));
  }
  /** Handles a key of the field. Returns whether it was meant for the list. */
  press(event) {
    const list = this.list.value;
    const index = this.selected.value;
    const command = list[index];
    if (!command || event.ctrlKey || event.metaKey || event.shiftKey) return false;
    const { text } = this.#message.draft.value;
    if (event.key === "Enter" || event.key === "Tab") this.run(command);
    else if (event.key === "Escape") this.#closed.value = text;
    else if (event.key === "ArrowDown") this.#selected.value = { text, index: (index + 1) % list.length };
    else if (event.key === "ArrowUp") this.#selected.value = { text, index: (index + list.length - 1) % list.length };
    else return false;
    event.preventDefault();
    return true;
  }
};

// src/more/composer/options.ts
import { load as load3, save as save3 } from "./app.js";
var THINKING = ["off", "low", "medium", "high", "max"];
function loadOptions(session) {
  try {
    const stored2 = JSON.parse(load3(nameOf(session)) ?? "{}");
    if (typeof stored2 !== "object" || stored2 === null) return {};
    const { agent, model, thinking, tools } = stored2;
    const level = THINKING.find((level2) => level2 === thinking);
    return {
      ...typeof agent === "string" && { agent },
      ...typeof model === "string" && { model },
      ...level && { thinking: level },
      ...tools === "none" && { tools }
    };
  } catch {
    return {};
  }
}
function saveOptions(session, options) {
  const isDefault = Object.keys(options).length === 0;
  save3(nameOf(session), isDefault ? void 0 : JSON.stringify(options));
}
function withOption(options, key, value) {
  const { [key]: _, ...others } = options;
  return value === void 0 ? others : { ...others, [key]: value };
}
function fieldsOf({ agent, model, thinking, tools }) {
  return {
    ...agent && { agent },
    ...model && { route: { model } },
    ...thinking && { params: { thinking } },
    ...tools && { tools }
  };
}
function nameOf(session) {
  return `turnkit.options.${session ?? "new"}`;
}

// src/more/composer/MessageExtras.ts
var LONGEST_PASTE = 256 * 1024;
var MessageExtras = class {
  uploads;
  options = signal6({});
  commands;
  #message;
  #closing;
  /** The id of the selected command, if they are listed. */
  activeOption = computed3(() => {
    return this.commands.list.value.length > 0 ? optionId(this.commands.selected.value) : void 0;
  });
  /** What an empty field asks for, if it is something particular. */
  placeholder = computed3(() => this.#files.value?.length ? words.value.composer.aboutFiles : void 0);
  /** Whether no file keeps the message back. */
  isWhole = computed3(() => {
    if (!this.uploads.isRestored.value) return !this.#message.draft.value.hasFiles;
    return this.#files.value !== void 0;
  });
  #files = computed3(() => uploadedFiles(this.uploads.list.value));
  constructor(message) {
    this.#message = message;
    this.uploads = new MessageFiles(message.session);
    this.options.value = loadOptions(message.session);
    this.commands = new CommandChoice(message);
    const { conversation } = message;
    this.#closing = [
      effect3(() => this.#noteFiles()),
      effect3(() => conversation && noteRunning(conversation.id, conversation.running.value !== void 0))
    ];
  }
  /** Returns the fields of the request. */
  fields() {
    const files = this.#files.value ?? [];
    return { ...fieldsOf(this.options.value), ...files.length > 0 && { files } };
  }
  /** Takes what was pasted or dropped. Returns whether it took care of it. */
  receive(data) {
    const text = data?.getData("text/plain") ?? "";
    const files = [...data?.files ?? []];
    if (text.length > LONGEST_PASTE) {
      this.#message.problem.value = words.peek().composer.tooLong;
      return true;
    }
    if (files.length === 0 || text !== "") return false;
    this.uploads.add(files);
    return true;
  }
  /** Handles a key of the field. Returns whether it was meant for the list of commands. */
  press(event) {
    return this.commands.press(event);
  }
  choose(options) {
    this.options.value = options;
    saveOptions(this.#message.session, options);
  }
  /** Prepares for the next message, after the server has this one. */
  sent(turn) {
    this.uploads.clear();
    if (this.#message.session) return;
    saveOptions(turn.session_id, this.options.peek());
    saveOptions(void 0, {});
  }
  close() {
    for (const close of this.#closing) close();
    this.uploads.close();
  }
  /** Keeps in the draft whether files belong to it, for the next visit. */
  #noteFiles() {
    if (!this.uploads.isRestored.value) return;
    const hasFiles = this.uploads.list.value.some(({ state }) => state !== "refused");
    const { hasFiles: had = false, ...draft } = this.#message.draft.peek();
    if (hasFiles !== had) this.#message.keep({ ...draft, ...hasFiles && { hasFiles } });
  }
};

// src/more/composer/AttachButton.tsx
import { useRef } from "./vendor.js";
import { Icon as Icon2 } from "./app.js";
import { Fragment as Fragment2, jsx as jsx4, jsxs as jsxs4 } from "./vendor.js";
function AttachButton({ attach }) {
  const input = useRef(null);
  const name = words.value.composer.attach;
  return /* @__PURE__ */ jsxs4(Fragment2, { children: [
    /* @__PURE__ */ jsx4(
      "button",
      {
        type: "button",
        class: "tool icon-button",
        "aria-label": name,
        title: name,
        onClick: () => input.current?.click(),
        children: /* @__PURE__ */ jsx4(Icon2, { name: "attach" })
      }
    ),
    /* @__PURE__ */ jsx4(
      "input",
      {
        ref: input,
        type: "file",
        multiple: true,
        hidden: true,
        onChange: ({ currentTarget }) => {
          attach([...currentTarget.files ?? []]);
          currentTarget.value = "";
        }
      }
    )
  ] });
}

// src/more/composer/Choices.tsx
import { useRef as useRef3, useState as useState3 } from "./vendor.js";
import { Icon as Icon3 } from "./app.js";

// src/more/composer/OptionsPanel.tsx
import { useEffect as useEffect2, useRef as useRef2, useState as useState2 } from "./vendor.js";
import { client as client5 } from "./app.js";
import { jsx as jsx5, jsxs as jsxs5 } from "./vendor.js";
function OptionsPanel({ options, choose, close }) {
  const { title, agent, model, thinking, tools, asAgent, withoutTools, withTools } = words.value.options;
  const { levels, options: name } = words.value.composer;
  const panel = useRef2(null);
  const [{ agents, models }, setOffer] = useState2({ agents: [], models: [] });
  useEffect2(() => void loadOffer().then(setOffer), []);
  useEffect2(() => {
    panel.current?.querySelector("select")?.focus();
    const pressOutside = (event) => {
      if (event.target instanceof Element && !event.target.closest(".options, [aria-haspopup]")) close();
    };
    addEventListener("pointerdown", pressOutside);
    return () => removeEventListener("pointerdown", pressOutside);
  }, []);
  const set = (key, value) => {
    choose(withOption(options, key, value || void 0));
  };
  return /* @__PURE__ */ jsxs5(
    "div",
    {
      ref: panel,
      class: "options",
      role: "dialog",
      "aria-label": name,
      onKeyDown: (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      },
      children: [
        /* @__PURE__ */ jsx5("p", { class: "remark", children: title }),
        agents.length > 0 && /* @__PURE__ */ jsx5(Choice, { label: agent, value: options.agent, none: asAgent, set: (value) => set("agent", value), children: agents.map(({ name: name2, description }) => /* @__PURE__ */ jsx5("option", { value: name2, title: description, children: name2 }, name2)) }),
        models.length > 0 && /* @__PURE__ */ jsx5(Choice, { label: model, value: options.model, none: asAgent, set: (value) => set("model", value), children: [...new Set(models.map(({ id }) => id))].map((id) => /* @__PURE__ */ jsx5("option", { value: id, children: id }, id)) }),
        /* @__PURE__ */ jsx5(Choice, { label: thinking, value: options.thinking, none: asAgent, set: (value) => set("thinking", value), children: THINKING.map((level) => /* @__PURE__ */ jsx5("option", { value: level, children: levels[level] }, level)) }),
        /* @__PURE__ */ jsx5(Choice, { label: tools, value: options.tools, none: withTools, set: (value) => set("tools", value), children: /* @__PURE__ */ jsx5("option", { value: "none", children: withoutTools }) })
      ]
    }
  );
}
function Choice({ label, value = "", none, set, children }) {
  return /* @__PURE__ */ jsxs5("label", { class: "note", children: [
    label,
    /* @__PURE__ */ jsxs5("select", { value, onChange: (event) => set(event.currentTarget.value), children: [
      /* @__PURE__ */ jsx5("option", { value: "", children: none }),
      children
    ] })
  ] });
}
async function loadOffer() {
  const [agents, models, me] = await Promise.all([
    client5.agents().catch(() => void 0),
    client5.models().catch(() => void 0),
    client5.me().catch(() => void 0)
  ]);
  const permitted = me?.scopes.filter((scope) => scope.startsWith("agent:")) ?? [];
  const mayUse = ({ name }) => permitted.length === 0 || permitted.includes(`agent:${name}`);
  return { agents: agents?.data.filter(mayUse) ?? [], models: models?.data ?? [] };
}

// src/more/composer/Choices.tsx
import { Fragment as Fragment3, jsx as jsx6, jsxs as jsxs6 } from "./vendor.js";
function Choices({ extras }) {
  const text = words.value.composer;
  const [isOpen, setOpen] = useState3(false);
  const button = useRef3(null);
  const options = extras.options.value;
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return /* @__PURE__ */ jsxs6(Fragment3, { children: [
    /* @__PURE__ */ jsxs6(
      "button",
      {
        ref: button,
        type: "button",
        class: "tool",
        "aria-haspopup": "dialog",
        "aria-expanded": isOpen,
        onClick: () => setOpen(!isOpen),
        children: [
          /* @__PURE__ */ jsx6(Icon3, { name: "settings" }),
          text.options
        ]
      }
    ),
    namesOf(options).map(([key, name]) => /* @__PURE__ */ jsxs6(
      "button",
      {
        type: "button",
        class: "chip choice",
        "aria-label": text.undo(name),
        onClick: () => extras.choose(withOption(options, key, void 0)),
        children: [
          /* @__PURE__ */ jsx6("span", { dir: "auto", children: name }),
          /* @__PURE__ */ jsx6(Icon3, { name: "close" })
        ]
      },
      key
    )),
    isOpen && /* @__PURE__ */ jsx6(OptionsPanel, { options, choose: (chosen) => extras.choose(chosen), close })
  ] });
}
function namesOf({ agent, model, thinking, tools }) {
  const text = words.value.composer;
  const names = [
    ["agent", agent],
    ["model", model],
    ["thinking", thinking && text.thinking(text.levels[thinking])],
    ["tools", tools && text.noTools]
  ];
  return names.filter((named) => named[1] !== void 0);
}

// src/more/composer/Tools.tsx
import { Fragment as Fragment4, jsx as jsx7, jsxs as jsxs7 } from "./vendor.js";
function Tools({ extras }) {
  return /* @__PURE__ */ jsxs7(Fragment4, { children: [
    /* @__PURE__ */ jsx7(AttachButton, { attach: (files) => extras.uploads.add(files) }),
    /* @__PURE__ */ jsx7(Choices, { extras })
  ] });
}

// src/more/groups.ts
import { locale as locale2 } from "./app.js";
function groupsOf(sessions4) {
  const groups = /* @__PURE__ */ new Map();
  for (const session of sessions4) {
    const name = session.pinned ? words.value.sessions.pinned : nameOfDay(session.last_active);
    groups.set(name, [...groups.get(name) ?? [], session]);
  }
  return [...groups].map(([name, members]) => ({ name, members }));
}
var DAY_MS = 24 * 60 * 60 * 1e3;
function nameOfDay(iso) {
  const date = new Date(iso);
  const midnight = (day) => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
  const days = Math.round((midnight(/* @__PURE__ */ new Date()) - midnight(date)) / DAY_MS);
  if (days <= 0) return words.value.sessions.today;
  if (days === 1) return words.value.sessions.yesterday;
  const options = days < 7 ? { weekday: "long", day: "numeric", month: "long" } : { month: "long", year: "numeric" };
  return new Intl.DateTimeFormat(locale2.value, options).format(date);
}

// src/more/Offline.tsx
import { useEffect as useEffect3, useState as useState4 } from "./vendor.js";
import { client as client6, CopyButton } from "./app.js";

// src/more/configuration.ts
var WIRES = ["openai-chat", "openai-responses", "anthropic", "gemini"];
var VENDORS = [
  { vendor: "openai", key: "OPENAI_API_KEY", model: "gpt-5-mini" },
  { vendor: "anthropic", key: "ANTHROPIC_API_KEY", model: "claude-sonnet-4-5" },
  { vendor: "gemini", key: "GEMINI_API_KEY", model: "gemini-2.5-flash" },
  { vendor: "openrouter", key: "OPENROUTER_API_KEY", model: "openai/gpt-5-mini" },
  { vendor: "ollama", key: "", model: "qwen3" }
];
function configurationOf({ vendor, address, wire, model, key }) {
  const name = key.trim().replace(/[^A-Za-z0-9_]/g, "");
  return [
    "[[providers]]",
    'id = "main"',
    // Strings of TOML have the escapes of JSON.
    ...vendor ? [`vendor = ${quote(vendor)}`] : [`api = ${quote(wire)}`, `base_url = ${quote(address.trim())}`],
    ...name ? [`api_key = "\${${name}}"`] : [],
    `models = [${quote(model.trim())}]`
  ].join("\n");
}
function quote(text) {
  return JSON.stringify(text);
}

// src/more/Offline.tsx
import { Fragment as Fragment5, jsx as jsx8, jsxs as jsxs8 } from "./vendor.js";
function Offline() {
  const text = words.value.offline;
  const [isOffline, setOffline] = useState4(false);
  const [choice, setChoice] = useState4({ ...VENDORS[0], address: "", wire: WIRES[0] });
  useEffect3(() => {
    client6.providers().then(
      ({ data }) => setOffline(data.length === 1 && data[0]?.id === "offline"),
      () => {
      }
    );
  }, []);
  if (!isOffline) return null;
  const change = (changed) => setChoice({ ...choice, ...changed });
  const lines = configurationOf(choice);
  return /* @__PURE__ */ jsxs8("section", { class: "offline", "aria-label": text.title, children: [
    /* @__PURE__ */ jsx8("h2", { children: text.title }),
    /* @__PURE__ */ jsx8("p", { children: text.explanation }),
    /* @__PURE__ */ jsxs8("div", { class: "fields", children: [
      /* @__PURE__ */ jsxs8("label", { children: [
        text.vendor,
        /* @__PURE__ */ jsxs8(
          "select",
          {
            value: choice.vendor ?? "",
            onChange: ({ currentTarget }) => {
              const vendor = VENDORS.find(({ vendor: vendor2 }) => vendor2 === currentTarget.value);
              change(vendor ?? { vendor: void 0 });
            },
            children: [
              VENDORS.map(({ vendor }) => /* @__PURE__ */ jsx8("option", { value: vendor, children: vendor }, vendor)),
              /* @__PURE__ */ jsx8("option", { value: "", children: text.other })
            ]
          }
        )
      ] }),
      choice.vendor === void 0 && /* @__PURE__ */ jsxs8(Fragment5, { children: [
        /* @__PURE__ */ jsx8(TextField, { label: text.address, value: choice.address, set: (address) => change({ address }) }),
        /* @__PURE__ */ jsxs8("label", { children: [
          text.wire,
          /* @__PURE__ */ jsx8("select", { value: choice.wire, onChange: ({ currentTarget }) => change({ wire: currentTarget.value }), children: WIRES.map((wire) => /* @__PURE__ */ jsx8("option", { children: wire }, wire)) })
        ] })
      ] }),
      /* @__PURE__ */ jsx8(TextField, { label: text.model, value: choice.model, set: (model) => change({ model }) }),
      /* @__PURE__ */ jsx8(TextField, { label: text.key, value: choice.key, set: (key) => change({ key }) })
    ] }),
    /* @__PURE__ */ jsx8("pre", { tabIndex: 0, "aria-label": text.lines, children: lines }),
    /* @__PURE__ */ jsx8(CopyButton, { text: lines })
  ] });
}
function TextField({ label, value, set }) {
  return /* @__PURE__ */ jsxs8("label", { children: [
    label,
    /* @__PURE__ */ jsx8(
      "input",
      {
        type: "text",
        dir: "ltr",
        value,
        spellcheck: false,
        onInput: ({ currentTarget }) => set(currentTarget.value)
      }
    )
  ] });
}

// src/more/Overlays.tsx
import { dialog } from "./app.js";

// src/more/sessions/Rename.tsx
import { useState as useState5 } from "./vendor.js";
import { Dialog, messageOf as messageOf2, strings as strings2 } from "./app.js";

// src/more/sessions/change.ts
import { client as client7, noteSession } from "./app.js";
async function changeSession(session, change) {
  noteSession(await client7.change(session.id, change));
}

// src/more/sessions/Rename.tsx
import { jsx as jsx9, jsxs as jsxs9 } from "./vendor.js";
function Rename({ session, close }) {
  const { sessions: sessions4 } = words.value;
  const [title, setTitle] = useState5(session.title);
  const [problem, setProblem] = useState5("");
  const save4 = (event) => {
    event.preventDefault();
    changeSession(session, { title: title.trim() }).then(close, (error) => setProblem(messageOf2(error)));
  };
  return /* @__PURE__ */ jsx9(Dialog, { title: sessions4.renameTitle, close, children: /* @__PURE__ */ jsxs9("form", { onSubmit: save4, children: [
    /* @__PURE__ */ jsxs9("label", { class: "note", children: [
      sessions4.name,
      /* @__PURE__ */ jsx9("input", { type: "text", dir: "auto", value: title, onInput: (event) => setTitle(event.currentTarget.value) })
    ] }),
    problem && /* @__PURE__ */ jsx9("p", { class: "remark error", role: "alert", children: problem }),
    /* @__PURE__ */ jsxs9("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx9("button", { class: "primary", disabled: title.trim() === "", children: sessions4.save }),
      /* @__PURE__ */ jsx9("button", { type: "button", onClick: close, children: strings2.value.page.cancel })
    ] })
  ] }) });
}

// src/more/sessions/Toast.tsx
import { strings as strings3 } from "./app.js";

// src/more/sessions/removal.ts
import { effect as effect4, signal as signal7 } from "./vendor.js";
import { client as client8, loadSessions as loadSessions3, messageOf as messageOf3, removing as removing2, route as route2 } from "./app.js";
var UNDO_MS = 8e3;
var notice = signal7(void 0);
var timer;
function removeSession(session) {
  finish();
  notice.value = { kind: "removed", session };
  if (route2.value.screen === "chat" && route2.value.session === session.id) {
    location.hash = "#/";
    route2.value = { screen: "new" };
  }
  removing2.value = session.id;
  resume();
}
function undo() {
  clearTimeout(timer);
  notice.value = void 0;
  removing2.value = void 0;
}
function pause() {
  clearTimeout(timer);
}
function resume() {
  clearTimeout(timer);
  timer = setTimeout(finish, UNDO_MS);
}
function finish() {
  clearTimeout(timer);
  const removed = notice.peek();
  notice.value = void 0;
  if (removed?.kind !== "removed") return;
  client8.remove(removed.session.id, { keepalive: true }).then(
    () => void loadSessions3().then(
      () => forget(removed.session),
      () => {
      }
    ),
    (error) => {
      forget(removed.session);
      notice.value = { kind: "failed", reason: messageOf3(error) };
      resume();
    }
  );
}
function forget(session) {
  if (removing2.peek() === session.id) removing2.value = void 0;
}
addEventListener("pagehide", finish);
document.addEventListener("visibilitychange", () => document.hidden && finish());
effect4(() => {
  const shown = route2.value;
  if (shown.screen === "chat" && shown.session === removing2.value) undo();
});

// src/more/sessions/Toast.tsx
import { jsx as jsx10, jsxs as jsxs10 } from "./vendor.js";
function Toast() {
  const shown = notice.value;
  const { sessions: sessions4 } = words.value;
  const title = shown?.kind === "removed" ? shown.session.title || strings3.value.sessions.untitled : "";
  return /* @__PURE__ */ jsx10("div", { class: "toasts", role: "status", children: shown && /* @__PURE__ */ jsxs10("p", { class: "toast", onMouseEnter: pause, onMouseLeave: resume, onFocusCapture: pause, onBlurCapture: resume, children: [
    /* @__PURE__ */ jsx10("span", { dir: "auto", children: shown.kind === "removed" ? sessions4.deleted(title) : strings3.value.page.failed(shown.reason) }),
    shown.kind === "removed" && /* @__PURE__ */ jsx10("button", { type: "button", onClick: undo, children: sessions4.undo })
  ] }) });
}

// src/more/Shortcuts.tsx
import { Dialog as Dialog2, sendKey, strings as strings4 } from "./app.js";
import { jsx as jsx11, jsxs as jsxs11 } from "./vendor.js";
function Shortcuts({ close }) {
  const { keys } = words.value;
  const command = navigator.platform.startsWith("Mac") ? "⌘" : keys.control;
  const isEnter = sendKey.value === "enter";
  const message = [
    [isEnter ? "Enter" : `${command} Enter`, keys.send],
    [isEnter ? `${command} Enter` : `${command} ${keys.shift} Enter`, keys.steer],
    [isEnter ? `${keys.shift} Enter` : "Enter", keys.line],
    ["Esc", keys.stop],
    ["/", keys.commands]
  ];
  const page = [
    [`${command} K`, keys.sessions],
    [`${command} ${keys.shift} O`, keys.new],
    ["?", keys.sheet]
  ];
  return /* @__PURE__ */ jsxs11(Dialog2, { title: strings4.value.rail.shortcuts, close, children: [
    /* @__PURE__ */ jsx11(KeyTable, { name: keys.message, rows: message }),
    /* @__PURE__ */ jsx11(KeyTable, { name: keys.page, rows: page })
  ] });
}
function KeyTable({ name, rows }) {
  return /* @__PURE__ */ jsxs11("table", { class: "keys", children: [
    /* @__PURE__ */ jsx11("caption", { children: name }),
    /* @__PURE__ */ jsx11("tbody", { children: rows.map(([keys, meaning]) => /* @__PURE__ */ jsxs11("tr", { children: [
      /* @__PURE__ */ jsx11("th", { scope: "row", children: keys.split(" ").map((key) => /* @__PURE__ */ jsx11("kbd", { children: key }, key)) }),
      /* @__PURE__ */ jsx11("td", { children: meaning })
    ] }, keys)) })
  ] });
}

// src/more/Overlays.tsx
import { Fragment as Fragment6, jsx as jsx12, jsxs as jsxs12 } from "./vendor.js";
function Overlays() {
  const opened2 = dialog.value;
  const close = () => {
    dialog.value = void 0;
  };
  return /* @__PURE__ */ jsxs12(Fragment6, { children: [
    opened2?.kind === "shortcuts" && /* @__PURE__ */ jsx12(Shortcuts, { close }),
    opened2?.kind === "rename" && /* @__PURE__ */ jsx12(Rename, { session: opened2.session, close }),
    /* @__PURE__ */ jsx12(Toast, {})
  ] });
}

// src/more/SessionState.tsx
import { Icon as Icon4, strings as strings5 } from "./app.js";
import { Fragment as Fragment7, jsx as jsx13, jsxs as jsxs13 } from "./vendor.js";
function SessionState({ session, isCurrent }) {
  const { pinned, unread } = words.value.sessions;
  return /* @__PURE__ */ jsxs13(Fragment7, { children: [
    running.value.has(session.id) && /* @__PURE__ */ jsx13("span", { class: "badge running", children: strings5.value.sessions.running }),
    !isCurrent && isUnread(session) && /* @__PURE__ */ jsx13("span", { class: "dot", role: "img", "aria-label": unread, title: unread }),
    session.pinned && /* @__PURE__ */ jsx13("span", { class: "pin", role: "img", "aria-label": pinned, title: pinned, children: /* @__PURE__ */ jsx13(Icon4, { name: "pin" }) })
  ] });
}

// src/more/Settings.tsx
import { useState as useState6 } from "./vendor.js";
import {
  chooseLanguage,
  chooseSendKey,
  chooseTheme,
  CopyButton as CopyButton2,
  hasCredential,
  LANGUAGES,
  language as language2,
  nameOf as nameOf2,
  openDialog as openDialog2,
  SEND_KEYS,
  sendKey as sendKey2,
  signOut,
  strings as strings6,
  summary,
  THEMES,
  theme
} from "./app.js";
import { Fragment as Fragment8, jsx as jsx14, jsxs as jsxs14 } from "./vendor.js";
function Settings() {
  const text = words.value.settings;
  return /* @__PURE__ */ jsxs14("div", { class: "screen settings", children: [
    /* @__PURE__ */ jsx14("h1", { children: strings6.value.settings.title }),
    /* @__PURE__ */ jsx14(
      Choice2,
      {
        label: text.theme,
        list: THEMES,
        value: theme.value,
        choose: chooseTheme,
        name: (one) => text.themes[one]
      }
    ),
    /* @__PURE__ */ jsx14(
      Choice2,
      {
        label: text.density,
        list: DENSITIES,
        value: density.value,
        choose: chooseDensity,
        name: (one) => text.densities[one]
      }
    ),
    /* @__PURE__ */ jsx14(Choice2, { label: text.language, list: LANGUAGES, value: language2.value, choose: chooseLanguage, name: nameOf2 }),
    /* @__PURE__ */ jsx14(
      Choice2,
      {
        label: text.sendKey,
        list: SEND_KEYS,
        value: sendKey2.value,
        choose: chooseSendKey,
        name: (one) => text.sendKeys[one]
      }
    ),
    /* @__PURE__ */ jsx14(Notifications, {}),
    /* @__PURE__ */ jsx14("button", { type: "button", onClick: () => openDialog2({ kind: "shortcuts" }), children: strings6.value.rail.shortcuts }),
    /* @__PURE__ */ jsx14("h2", { children: text.api }),
    /* @__PURE__ */ jsx14(Addresses, {}),
    /* @__PURE__ */ jsx14("h2", { children: text.page }),
    /* @__PURE__ */ jsxs14("p", { class: "remark", children: [
      text.build("2152c23a0b9b1846"),
      " ·",
      " ",
      /* @__PURE__ */ jsx14("a", { href: "LICENSES.txt", target: "_blank", rel: "noopener", children: text.licences })
    ] }),
    hasCredential.value && /* @__PURE__ */ jsx14("button", { type: "button", onClick: signOut, children: strings6.value.signIn.signOut })
  ] });
}
function Choice2({ label, list, value, choose, name }) {
  return /* @__PURE__ */ jsxs14("label", { class: "note", children: [
    label,
    /* @__PURE__ */ jsx14(
      "select",
      {
        value,
        onChange: ({ currentTarget }) => choose(list.find((one) => one === currentTarget.value) ?? value),
        children: list.map((one) => /* @__PURE__ */ jsx14("option", { value: one, children: name(one) }, one))
      }
    )
  ] });
}
function Notifications() {
  const text = words.value.settings;
  const [isForbidden, setForbidden] = useState6(false);
  const choose = async (wanted) => {
    const permission = wanted && typeof Notification !== "undefined" ? await Notification.requestPermission() : "denied";
    chooseNotifications(wanted && permission === "granted");
    setForbidden(wanted && permission !== "granted");
  };
  return /* @__PURE__ */ jsxs14("div", { children: [
    /* @__PURE__ */ jsxs14("label", { class: "check", children: [
      /* @__PURE__ */ jsx14(
        "input",
        {
          type: "checkbox",
          checked: notifies.value,
          onChange: ({ currentTarget }) => {
            void choose(currentTarget.checked).then(() => {
              currentTarget.checked = notifies.peek();
            });
          }
        }
      ),
      text.notifications
    ] }),
    isForbidden && /* @__PURE__ */ jsx14("p", { class: "remark error", role: "alert", children: text.forbidden })
  ] });
}
function Addresses() {
  const text = words.value.settings;
  const base = new URL(".", location.href).href;
  const key = summary.value && summary.value.auth !== "none" ? " \\\n  -H 'authorization: Bearer KEY'" : "";
  const example = `curl -s ${base}api/v1/turns${key} \\
  -H 'content-type: application/json' \\
  -d '{"message": "What is 12.5% of 840?"}'`;
  return /* @__PURE__ */ jsxs14(Fragment8, { children: [
    /* @__PURE__ */ jsxs14("dl", { class: "addresses", children: [
      /* @__PURE__ */ jsx14(Address, { name: text.native, children: `${base}api/v1` }),
      /* @__PURE__ */ jsx14(Address, { name: "OpenAPI", children: `${base}openapi.json` }),
      /* @__PURE__ */ jsx14(Address, { name: "MCP", children: `${base}mcp` })
    ] }),
    /* @__PURE__ */ jsx14("pre", { tabIndex: 0, "aria-label": text.example, children: example }),
    /* @__PURE__ */ jsx14(CopyButton2, { text: example })
  ] });
}
function Address({ name, children }) {
  return /* @__PURE__ */ jsxs14("div", { children: [
    /* @__PURE__ */ jsx14("dt", { children: name }),
    /* @__PURE__ */ jsxs14("dd", { children: [
      /* @__PURE__ */ jsx14("code", { children }),
      /* @__PURE__ */ jsx14(CopyButton2, { text: children })
    ] })
  ] });
}

// src/more/sessions/Sessions.tsx
import { useEffect as useEffect5, useRef as useRef5, useState as useState8 } from "./vendor.js";
import {
  addressOf as addressOf2,
  client as client9,
  loadSessions as loadSessions4,
  messageOf as messageOf4,
  removing as removing3,
  SessionList,
  SessionRow,
  sessions as sessions3,
  strings as strings8
} from "./app.js";

// src/more/sessions/Actions.tsx
import { Icon as Icon6, openDialog as openDialog3, strings as strings7 } from "./app.js";

// src/more/Menu.tsx
import { useEffect as useEffect4, useLayoutEffect, useRef as useRef4, useState as useState7 } from "./vendor.js";
import { Icon as Icon5 } from "./app.js";
import { Fragment as Fragment9, jsx as jsx15, jsxs as jsxs15 } from "./vendor.js";
function Menu({ label, items }) {
  const [isOpen, setOpen] = useState7(false);
  const button = useRef4(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return /* @__PURE__ */ jsxs15(Fragment9, { children: [
    /* @__PURE__ */ jsx15(
      "button",
      {
        ref: button,
        type: "button",
        class: "icon-button",
        "aria-label": label,
        "aria-haspopup": "menu",
        "aria-expanded": isOpen,
        onClick: () => setOpen(!isOpen),
        children: /* @__PURE__ */ jsx15(Icon5, { name: "dots" })
      }
    ),
    isOpen && /* @__PURE__ */ jsx15(Items, { label, items, anchor: button.current, close })
  ] });
}
function Items({ label, items, anchor, close }) {
  const menu = useRef4(null);
  useLayoutEffect(() => {
    if (menu.current && anchor) place(menu.current, anchor);
    menu.current?.querySelector("button")?.focus();
  }, []);
  useEffect4(() => {
    const leave = (event) => {
      const isInside = event.target instanceof Node && (menu.current?.contains(event.target) || anchor?.contains(event.target));
      if (!isInside) close();
    };
    addEventListener("pointerdown", leave);
    addEventListener("scroll", leave, true);
    return () => {
      removeEventListener("pointerdown", leave);
      removeEventListener("scroll", leave, true);
    };
  }, []);
  const press = (event) => {
    const all = [...menu.current?.querySelectorAll("button") ?? []];
    const place2 = all.findIndex((item) => item === document.activeElement);
    const target = { ArrowDown: place2 + 1, ArrowUp: place2 + all.length - 1, Home: 0, End: all.length - 1 }[event.key];
    if (target !== void 0) all[target % all.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
  };
  return /* @__PURE__ */ jsx15("div", { ref: menu, class: "menu", role: "menu", "aria-label": label, onKeyDown: press, children: items.map((item) => /* @__PURE__ */ jsx15(
    "button",
    {
      type: "button",
      role: "menuitem",
      tabIndex: -1,
      onClick: () => {
        close();
        item.run();
      },
      children: item.name
    },
    item.name
  )) });
}
function place(menu, anchor) {
  const { bottom, top, left, right } = anchor.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const isLeftToRight = getComputedStyle(anchor).direction === "ltr";
  const start = isLeftToRight ? right - width : left;
  menu.style.left = `${Math.max(8, Math.min(start, innerWidth - width - 8))}px`;
  menu.style.top = `${bottom + height + 8 < innerHeight ? bottom + 4 : Math.max(8, top - height - 4)}px`;
}

// src/more/sessions/Actions.tsx
import { jsx as jsx16, jsxs as jsxs16 } from "./vendor.js";
function Actions({ session, changed, failed }) {
  const { sessions: sessions4 } = words.value;
  const title = session.title || strings7.value.sessions.untitled;
  const change = (change2) => {
    changeSession(session, change2).then(changed, failed);
  };
  const save4 = (format) => void exportSession(session, format).catch(failed);
  const { pinned, archived } = session;
  const items = [
    // A server without these fields cannot do it.
    ...pinned === void 0 ? [] : [{ name: pinned ? sessions4.unpin : sessions4.pin, run: () => change({ pinned: !pinned }) }],
    ...archived === void 0 ? [] : [{ name: archived ? sessions4.unarchive : sessions4.archive, run: () => change({ archived: !archived }) }],
    { name: sessions4.exportMarkdown, run: () => save4("md") },
    { name: sessions4.exportLines, run: () => save4("jsonl") }
  ];
  return /* @__PURE__ */ jsxs16("span", { class: "actions", children: [
    /* @__PURE__ */ jsx16(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": `${sessions4.rename}: ${title}`,
        onClick: () => openDialog3({ kind: "rename", session }),
        children: /* @__PURE__ */ jsx16(Icon6, { name: "rename" })
      }
    ),
    /* @__PURE__ */ jsx16(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": `${sessions4.delete}: ${title}`,
        onClick: () => removeSession(session),
        children: /* @__PURE__ */ jsx16(Icon6, { name: "delete" })
      }
    ),
    /* @__PURE__ */ jsx16(Menu, { label: `${sessions4.more}: ${title}`, items })
  ] });
}

// src/more/sessions/Sessions.tsx
import { Fragment as Fragment10, jsx as jsx17, jsxs as jsxs17 } from "./vendor.js";
function Sessions() {
  const text = words.value.sessions;
  const [problem, setProblem] = useState8("");
  const [isArchive, setArchive] = useState8(false);
  const [changes, setChanges] = useState8(0);
  const failed = (error) => {
    setProblem(strings8.peek().page.failed(messageOf4(error)));
  };
  const changed = () => {
    setProblem("");
    setChanges(changes + 1);
    void loadSessions4().catch(failed);
  };
  const actions = (session) => /* @__PURE__ */ jsx17(Actions, { session, changed, failed });
  const canArchive = isArchive || sessions3.value.some(({ archived }) => archived !== void 0);
  return /* @__PURE__ */ jsxs17("div", { class: "screen", children: [
    /* @__PURE__ */ jsx17("h1", { children: isArchive ? text.archiveTitle : strings8.value.sessions.title }),
    /* @__PURE__ */ jsxs17("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx17(ImportButton, { failed }),
      canArchive && /* @__PURE__ */ jsx17("button", { type: "button", "aria-pressed": isArchive, onClick: () => setArchive(!isArchive), children: text.archiveTitle })
    ] }),
    problem && /* @__PURE__ */ jsx17("p", { class: "remark error", role: "alert", children: problem }),
    isArchive ? /* @__PURE__ */ jsx17(Archive, { actions, failed }, changes) : /* @__PURE__ */ jsx17(SessionList, { actions })
  ] });
}
function ImportButton({ failed }) {
  const input = useRef5(null);
  const [isBusy, setBusy] = useState8(false);
  const take = (file) => {
    if (!file) return;
    setBusy(true);
    importSession(file).then(({ id }) => {
      location.hash = addressOf2(id);
    }, failed).finally(() => setBusy(false));
  };
  return /* @__PURE__ */ jsxs17(Fragment10, { children: [
    /* @__PURE__ */ jsx17("button", { type: "button", disabled: isBusy, onClick: () => input.current?.click(), children: words.value.sessions.import }),
    /* @__PURE__ */ jsx17(
      "input",
      {
        ref: input,
        type: "file",
        accept: ".jsonl,application/jsonl,application/x-ndjson",
        hidden: true,
        onChange: ({ currentTarget }) => {
          take(currentTarget.files?.[0]);
          currentTarget.value = "";
        }
      }
    )
  ] });
}
function Archive({ actions, failed }) {
  const [found, setFound] = useState8();
  const [next, setNext] = useState8(null);
  const load4 = async (cursor) => {
    const page = await client9.sessions({ archived: true, ...cursor && { cursor } });
    setFound((known) => [...cursor ? known ?? [] : [], ...page.data]);
    setNext(page.next);
  };
  useEffect5(() => void load4().catch(failed), []);
  const shown = found?.filter(({ id }) => id !== removing3.value);
  return /* @__PURE__ */ jsxs17("div", { class: "session-list", children: [
    shown?.length === 0 && /* @__PURE__ */ jsx17("p", { class: "remark", children: words.value.sessions.archiveEmpty }),
    /* @__PURE__ */ jsx17("ul", { children: shown?.map((session) => /* @__PURE__ */ jsx17(SessionRow, { session, chosen: void 0, actions }, session.id)) }),
    next !== null && /* @__PURE__ */ jsx17("button", { type: "button", class: "quiet", onClick: () => void load4(next).catch(failed), children: strings8.value.sessions.more })
  ] });
}

// src/more/index.ts
watchAttention();
watchSeen();
export {
  AboveField,
  MessageExtras,
  Offline,
  Overlays,
  SessionState,
  Sessions,
  Settings,
  Tools,
  groupsOf
};
