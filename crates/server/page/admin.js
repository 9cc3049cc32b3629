// src/admin/keys/Keys.tsx
import { useState as useState5 } from "./vendor.js";
import { summary } from "./app.js";

// src/admin/api.ts
import { client } from "./app.js";
async function get(path, query = {}) {
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  const response = await client.send("GET", `api/v1/${path}${given && `?${given}`}`);
  return await response.json();
}
async function getAll(path) {
  const items = [];
  let cursor = "";
  do {
    const page = await get(path, { limit: "200", cursor });
    items.push(...page.data);
    cursor = page.next ?? "";
  } while (cursor);
  return items;
}
async function post(path, body) {
  const response = await client.send("POST", `api/v1/${path}`, body);
  return await response.json();
}
async function remove(path) {
  await client.send("DELETE", `api/v1/${path}`);
}
async function loadTitles(user) {
  const sessions = await get("sessions", { limit: "200", user });
  return new Map(sessions.data.map((session) => [session.id, session.title]));
}
async function loadTurn(id) {
  const row = await get(`turns/${encodeURIComponent(id)}`);
  const session = `sessions/${row.session_id}`;
  const [page, { title }] = await Promise.all([
    get(`${session}/turns`, { around: id, limit: "1" }),
    get(session)
  ]);
  return { row, view: page.data.find((turn) => turn.turn_id === id), title };
}

// src/admin/elements/Confirm.tsx
import { useState } from "./vendor.js";
import { Dialog, strings } from "./app.js";

// src/admin/elements/Problem.tsx
import { ApiError, messageOf } from "./app.js";

// src/admin/strings/index.ts
import { computed } from "./vendor.js";
import { language } from "./app.js";

// src/admin/strings/de.ts
var de = {
  loading: "Wird geladen…",
  retry: "Erneut versuchen",
  refresh: "Aktualisieren",
  csv: "CSV herunterladen",
  errors: {
    other: (message) => `Das hat nicht geklappt: ${message}`,
    unreachable: "Der Server ist nicht erreichbar."
  },
  states: {
    queued: "In der Warteschlange",
    running: "Läuft",
    waiting: "Wartet",
    cancelling: "Wird gestoppt",
    completed: "Fertig",
    failed: "Fehlgeschlagen",
    cancelled: "Gestoppt",
    limit: "Grenze erreicht",
    interrupted: "Unterbrochen",
    expired: "Abgelaufen",
    ready: "Bereit",
    frozen: "Ausgesetzt",
    not_started: "Nicht gestartet",
    starting: "Startet",
    failing: "Gestört",
    pinned: "Unverändert",
    changed: "Geändert",
    quarantined: "In Quarantäne"
  },
  turns: {
    title: "Durchläufe",
    lead: "Jede Nachricht und was aus ihr wurde, die neueste zuerst.",
    none: "Noch keine Durchläufe. Jede Nachricht, die gesendet wird, beginnt einen.",
    noneFound: "Kein Durchlauf passt zu diesen Filtern.",
    forbidden: "Durchläufe anderer sehen nur der Betreiber und Schlüssel mit der Berechtigung admin.",
    more: "Mehr anzeigen",
    shown: (count) => `${count} angezeigt`,
    number: (number) => `Durchlauf ${number}`,
    kinds: { compact: "Zusammenfassung", title: "Titel" },
    columns: {
      time: "Zeit",
      session: "Unterhaltung",
      user: "Nutzer",
      agent: "Agent",
      state: "Zustand",
      model: "Modell",
      tokens: "Token",
      cost: "Kosten",
      duration: "Dauer"
    },
    filters: {
      title: "Filter",
      any: "Alle",
      clear: "Filter entfernen",
      state: "Zustand",
      user: "Nutzer"
    }
  },
  detail: {
    title: (number, session) => `Durchlauf ${number} von „${session}“`,
    untitled: "Ohne Titel",
    back: "Alle Durchläufe",
    open: "Unterhaltung öffnen",
    parent: "Übergeordneter Durchlauf",
    provider: "Anbieter",
    missing: "Diesen Durchlauf gibt es nicht, oder er gehört jemand anderem.",
    first: "Erste Ausgabe",
    unpriced: (calls) => calls === 1 ? "1 Aufruf ohne Preis" : `${calls} Aufrufe ohne Preis`,
    timeline: "Zeitverlauf",
    noTimes: "Die Zeiten dieses Durchlaufs sind nicht mehr gespeichert, oder er hat noch nicht begonnen.",
    asTable: "Als Tabelle",
    what: "Was",
    kind: "Art",
    begins: "Beginnt nach",
    took: "Dauer",
    failed: "fehlgeschlagen",
    running: "läuft",
    step: (step, model) => model ? `Schritt ${step}: ${model}` : `Schritt ${step}`,
    waits: (tool) => `Entscheidung über ${tool}`,
    kinds: {
      queue: "Warteschlange und Vorbereitung",
      model: "Bis zur ersten Ausgabe",
      answer: "Antwort",
      tool: "Werkzeug",
      wait: "Wartet auf eine Entscheidung",
      compaction: "Zusammenfassung",
      attempt: "Gescheiterter Versuch"
    },
    remarks: "Hinweise und Fehler",
    input: "Eingabe",
    output: "Ausgabe",
    nothing: "Kein Text.",
    cut: "Lange Texte sind hier gekürzt. In der Unterhaltung stehen sie ganz.",
    events: "Ereignisse",
    showEvents: (count) => count === 1 ? "1 Ereignis" : `${count} Ereignisse`,
    gone: "Die Ereignisse dieses Durchlaufs gibt es nicht mehr. Der Server hebt sie nach dem Ende eines Durchlaufs einen Tag lang auf."
  },
  usage: {
    title: "Verbrauch",
    lead: "Token und Kosten der Modellaufrufe. Die Tage sind in UTC.",
    none: "In diesem Zeitraum gab es keine Modellaufrufe.",
    period: "Zeitraum",
    days: (days) => `${days} Tage`,
    custom: "Eigener",
    from: "Von",
    to: "Bis",
    measure: "Anzeigen",
    by: "Nach",
    tokens: "Token",
    cost: "Kosten",
    dollars: "Kosten in US-Dollar",
    calls: "Aufrufe",
    dimensions: { model: "Modell", agent: "Agent", user: "Nutzer", provider: "Anbieter" },
    whole: "Gesamter Zeitraum",
    chart: "Verbrauch je Tag",
    rest: "Übrige",
    unpriced: (calls, formatted) => calls === 1 ? "1 Aufruf ist in den Kosten nicht enthalten: Sein Preis oder seine Tokenzahl ist unbekannt." : `${formatted} Aufrufe sind in den Kosten nicht enthalten: Ihr Preis oder ihre Tokenzahl ist unbekannt.`,
    totals: (dimension) => `Summen nach ${dimension}`,
    daily: "Tag für Tag",
    day: "Tag",
    total: "Summe",
    fresh: "Eingabe",
    cached: "Aus dem Cache",
    written: "In den Cache",
    output: "Ausgabe",
    reasoning: "Davon Überlegung",
    unpricedCalls: "Ohne Preis"
  },
  providers: {
    title: "Anbieter",
    lead: "Die Dienste, die für Modelle antworten, und ob sie zurzeit gefragt werden.",
    none: "Kein Anbieter ist eingerichtet. Es antwortet der Offline-Responder.",
    forbidden: "Den Zustand der Anbieter sehen der Betreiber und Schlüssel mit der Berechtigung admin im Mandanten local.",
    models: "Modelle",
    running: "Laufend",
    waiting: "Wartend",
    calls: "Aufrufe",
    failures: "Gescheitert",
    since: "seit",
    again: "nächster Versuch",
    untilThawed: "bleibt ausgesetzt, bis er freigegeben wird",
    missing: "Diese Modelle hat der Anbieter nicht. An ihrer Stelle antworten andere.",
    thaw: "Freigeben",
    thawing: "Anbieter wird gefragt…",
    thawed: "Der Anbieter antwortet wieder.",
    stillFails: (message) => `Er bleibt ausgesetzt. ${message}`
  },
  tools: {
    title: "Werkzeuge",
    lead: "Was Agenten aufrufen können und was ohne Rückfrage läuft.",
    servers: "MCP-Server",
    noServers: "Kein Agent nutzt Werkzeuge eines MCP-Servers.",
    forbidden: "Das sehen der Betreiber und Schlüssel mit der Berechtigung admin im Mandanten local.",
    again: "nächster Start",
    read: "Werkzeuge gelesen",
    protocol: (version) => `Protokoll ${version}`,
    connections: (count) => `${count} Verbindungen`,
    pinned: (count) => count === 1 ? "1 unverändertes Werkzeug" : `${count} unveränderte Werkzeuge`,
    reconnect: "Neu verbinden",
    reconnecting: "Verbindet…",
    reconnected: "Der Server ist verbunden, und seine Werkzeuge sind gelesen."
  },
  grants: {
    title: "Dauerhafte Erlaubnisse",
    lead: "Aufrufe, die ohne weitere Rückfrage laufen, weil ein solcher schon erlaubt wurde.",
    none: "Es gibt keine dauerhaften Erlaubnisse.",
    tool: "Werkzeug",
    covers: "Gilt für",
    session: "Eine Unterhaltung",
    all: "Alle Aufrufe",
    untrusted: "Auch nach fremdem Text",
    yes: "ja",
    no: "nein",
    created: "Erteilt",
    action: "Aktion",
    revoke: "Widerrufen",
    revokeTitle: (tool) => `Erlaubnis für ${tool} widerrufen?`,
    revokeText: "Solche Aufrufe brauchen wieder eine Zustimmung. Laufende Aufrufe werden nicht gestoppt."
  },
  toolList: {
    title: "Alle Werkzeuge",
    none: "Kein Agent hat Werkzeuge.",
    name: "Werkzeug",
    description: "Beschreibung",
    source: "Von",
    policy: "Erlaubnis",
    agents: "Agenten"
  },
  keys: {
    title: "Schlüssel",
    lead: "Programme und Menschen senden mit jeder Anfrage einen Schlüssel. Er öffnet die Daten seines Nutzers.",
    notNeeded: "Dieser Server braucht keine Schlüssel: Er nimmt jede Anfrage von diesem Rechner an. Wer Schlüssel verlangen will, ergänzt diese Zeilen in turnkit.toml und startet den Server neu:",
    create: "Der erste Schlüssel entsteht dann auf der Kommandozeile. Mit der Berechtigung admin kann er hier weitere erzeugen.",
    tokensOnly: "Dieser Server nimmt Token eines Identitätsanbieters an und keine eigenen Schlüssel.",
    forbidden: "Schlüssel verwalten der Betreiber und Schlüssel mit der Berechtigung admin.",
    none: "Es gibt keine Schlüssel.",
    new: "Neuer Schlüssel",
    name: "Name",
    user: "Nutzer",
    userField: "Nutzer, dessen Daten der Schlüssel öffnet (leer: der eigene)",
    scopes: "Berechtigungen",
    agentsField: "Nur diese Agenten, durch Kommas getrennt (leer: alle)",
    permits: {
      chat: "Nachrichten senden, Unterhaltungen ändern",
      read: "Unterhaltungen, Durchläufe und Verbrauch lesen",
      decide: "über Aufrufe entscheiden, Erlaubnisse widerrufen",
      admin: "Schlüssel verwalten, Daten aller Nutzer des Mandanten lesen",
      metrics: "/metrics lesen"
    },
    createIt: "Schlüssel erzeugen",
    createdTitle: (name) => `Schlüssel „${name}“`,
    once: "Der Schlüssel wird nur dieses eine Mal angezeigt. Am besten jetzt kopieren und sicher aufbewahren; der Server speichert nur seinen Fingerabdruck.",
    key: "Der neue Schlüssel",
    done: "Fertig",
    created: "Erzeugt",
    used: "Zuletzt benutzt",
    never: "nie",
    action: "Aktion",
    revoke: "Widerrufen",
    revoked: "widerrufen",
    revokeTitle: (name) => `Schlüssel „${name}“ widerrufen?`,
    revokeText: "Anfragen mit diesem Schlüssel werden dann abgewiesen, und seine offenen Datenströme enden. Das lässt sich nicht rückgängig machen.",
    showRevoked: (count) => count === 1 ? "1 widerrufenen Schlüssel zeigen" : `${count} widerrufene Schlüssel zeigen`
  }
};

// src/admin/strings/en.ts
var en = {
  loading: "Loading…",
  retry: "Try again",
  refresh: "Refresh",
  csv: "Download CSV",
  errors: {
    other: (message) => `That did not work: ${message}`,
    unreachable: "The server cannot be reached."
  },
  states: {
    queued: "Queued",
    running: "Running",
    waiting: "Waiting",
    cancelling: "Stopping",
    completed: "Complete",
    failed: "Failed",
    cancelled: "Stopped",
    limit: "Limit reached",
    interrupted: "Interrupted",
    expired: "Expired",
    ready: "Ready",
    frozen: "Frozen",
    not_started: "Not started",
    starting: "Starting",
    failing: "Failing",
    pinned: "Unchanged",
    changed: "Changed",
    quarantined: "Quarantined"
  },
  turns: {
    title: "Turns",
    lead: "Each message and what came of it, the newest first.",
    none: "There are no turns yet. Each message that is sent begins one.",
    noneFound: "No turn matches these filters.",
    forbidden: "Turns of other users are shown to operators and to keys with the scope admin.",
    more: "Show more",
    shown: (count) => `${count} shown`,
    number: (number) => `Turn ${number}`,
    kinds: { compact: "summary", title: "title" },
    columns: {
      time: "Time",
      session: "Session",
      user: "User",
      agent: "Agent",
      state: "State",
      model: "Model",
      tokens: "Tokens",
      cost: "Cost",
      duration: "Duration"
    },
    filters: {
      title: "Filters",
      any: "Any",
      clear: "Clear filters",
      state: "State",
      user: "User"
    }
  },
  detail: {
    title: (number, session) => `Turn ${number} of “${session}”`,
    untitled: "Untitled session",
    back: "All turns",
    open: "Open the session",
    parent: "Parent turn",
    provider: "Provider",
    missing: "There is no such turn, or it belongs to another user.",
    first: "First output",
    unpriced: (calls) => calls === 1 ? "1 call without a price" : `${calls} calls without a price`,
    timeline: "Time line",
    noTimes: "The times of this turn are not stored any more, or it has not begun.",
    asTable: "As a table",
    what: "What",
    kind: "Kind",
    begins: "Begins after",
    took: "Took",
    failed: "failed",
    running: "running",
    step: (step, model) => model ? `Step ${step}: ${model}` : `Step ${step}`,
    waits: (tool) => `Decision on ${tool}`,
    kinds: {
      queue: "Queue and preparation",
      model: "Until the first output",
      answer: "Answer",
      tool: "Tool",
      wait: "Waiting for a decision",
      compaction: "Summary",
      attempt: "Failed attempt"
    },
    remarks: "Notices and errors",
    input: "Input",
    output: "Output",
    nothing: "No text.",
    cut: "Long texts are cut here. The session has them complete.",
    events: "Events",
    showEvents: (count) => count === 1 ? "1 event" : `${count} events`,
    gone: "The events of this turn are not kept any more. The server keeps them for a day after the end of a turn."
  },
  usage: {
    title: "Usage",
    lead: "Tokens and cost of model calls. Days are in UTC.",
    none: "There were no model calls in this period.",
    period: "Period",
    days: (days) => `${days} days`,
    custom: "Custom",
    from: "From",
    to: "To",
    measure: "Show",
    by: "By",
    tokens: "Tokens",
    cost: "Cost",
    dollars: "Cost in US dollars",
    calls: "Calls",
    dimensions: { model: "Model", agent: "Agent", user: "User", provider: "Provider" },
    whole: "Whole period",
    chart: "Consumption by day",
    rest: "Others",
    unpriced: (calls, formatted) => calls === 1 ? "1 call is not part of the cost: its price or its number of tokens is unknown." : `${formatted} calls are not part of the cost: their price or their number of tokens is unknown.`,
    totals: (dimension) => `Totals by ${dimension.toLowerCase()}`,
    daily: "Day by day",
    day: "Day",
    total: "Total",
    fresh: "Input",
    cached: "From cache",
    written: "To cache",
    output: "Output",
    reasoning: "Of it reasoning",
    unpricedCalls: "Without price"
  },
  providers: {
    title: "Providers",
    lead: "The services that answer for models, and whether they can be asked now.",
    none: "No provider is configured. The offline responder answers.",
    forbidden: "The state of providers is shown to the operator, and to keys with the scope admin in the tenant local.",
    models: "Models",
    running: "Running",
    waiting: "Waiting",
    calls: "Calls",
    failures: "Failed",
    since: "since",
    again: "asked again",
    untilThawed: "stays frozen until it is thawed",
    missing: "The provider does not have these models. Others are used in their place.",
    thaw: "Thaw",
    thawing: "Asking the provider…",
    thawed: "The provider answers again.",
    stillFails: (message) => `It is still frozen. ${message}`
  },
  tools: {
    title: "Tools",
    lead: "What agents can call, and what runs without being asked about.",
    servers: "MCP servers",
    noServers: "No agent uses tools of an MCP server.",
    forbidden: "This is shown to the operator, and to keys with the scope admin in the tenant local.",
    again: "started again",
    read: "tools read",
    protocol: (version) => `protocol ${version}`,
    connections: (count) => `${count} connections`,
    pinned: (count) => count === 1 ? "1 unchanged tool" : `${count} unchanged tools`,
    reconnect: "Reconnect",
    reconnecting: "Connecting…",
    reconnected: "The server is connected, and its tools were read."
  },
  grants: {
    title: "Grants",
    lead: "Calls that run without another approval, because you approved one like them.",
    none: "You have given no lasting permission.",
    tool: "Tool",
    covers: "Covers",
    session: "One session",
    all: "All calls",
    untrusted: "After untrusted text",
    yes: "yes",
    no: "no",
    created: "Given",
    action: "Action",
    revoke: "Revoke",
    revokeTitle: (tool) => `Revoke the grant for ${tool}?`,
    revokeText: "Its calls need an approval again. Those that are running are not stopped."
  },
  toolList: {
    title: "All tools",
    none: "No agent has tools.",
    name: "Tool",
    description: "Description",
    source: "From",
    policy: "Permission",
    agents: "Agents"
  },
  keys: {
    title: "Keys",
    lead: "Programs and people send a key with each request. A key opens the data of its user.",
    notNeeded: "This server needs no keys: it accepts every request from this machine. To require keys, add these lines to turnkit.toml, and start the server again:",
    create: "Then create the first key on the command line. With the scope admin, it can create others here.",
    tokensOnly: "This server accepts tokens of an identity provider, and no keys of its own.",
    forbidden: "Keys are managed by the operator, and with keys that have the scope admin.",
    none: "There are no keys.",
    new: "New key",
    name: "Name",
    user: "User",
    userField: "User whose data the key opens (without one: you)",
    scopes: "Scopes",
    agentsField: "Only these agents, separated by commas (without any: all)",
    permits: {
      chat: "send messages, change sessions",
      read: "read sessions, turns and usage",
      decide: "decide on calls, revoke grants",
      admin: "manage keys, read the data of all users of the tenant",
      metrics: "read /metrics"
    },
    createIt: "Create key",
    createdTitle: (name) => `Key “${name}”`,
    once: "This is the only time that the key is shown. Copy it now and keep it in a safe place; the server stores only its fingerprint.",
    key: "The new key",
    done: "Done",
    created: "Created",
    used: "Last used",
    never: "never",
    action: "Action",
    revoke: "Revoke",
    revoked: "revoked",
    revokeTitle: (name) => `Revoke the key “${name}”?`,
    revokeText: "Requests with this key are refused from then on, and its open streams end. This cannot be undone.",
    showRevoked: (count) => count === 1 ? "Show 1 revoked key" : `Show ${count} revoked keys`
  }
};

// src/admin/strings/index.ts
var TABLES = { en, de };
var words = computed(() => TABLES[language.value]);
function nameOfState(state) {
  return words.value.states[state] ?? state;
}

// src/admin/elements/Problem.tsx
import { jsx, jsxs } from "./vendor.js";
function Problem({ error, forbidden, retry }) {
  if (error === void 0) return null;
  const isForbidden = error instanceof ApiError && error.status === 403;
  return /* @__PURE__ */ jsxs("div", { class: isForbidden ? "problem quiet" : "problem", role: "alert", children: [
    /* @__PURE__ */ jsx("p", { dir: "auto", children: isForbidden && forbidden ? forbidden : explain(error) }),
    retry && !isForbidden && /* @__PURE__ */ jsx("button", { type: "button", onClick: retry, children: words.value.retry })
  ] });
}
function explain(error) {
  const { errors } = words.value;
  if (error instanceof ApiError && error.status === 0) return errors.unreachable;
  return errors.other(messageOf(error));
}

// src/admin/elements/Confirm.tsx
import { jsx as jsx2, jsxs as jsxs2 } from "./vendor.js";
function Confirm({ title, text, action, run, close }) {
  const [error, setError] = useState();
  const [isRunning, setRunning] = useState(false);
  const confirm = () => {
    setRunning(true);
    run().then(close, (error2) => {
      setError(error2);
      setRunning(false);
    });
  };
  return /* @__PURE__ */ jsxs2(Dialog, { title, close, children: [
    /* @__PURE__ */ jsx2("p", { children: text }),
    /* @__PURE__ */ jsx2(Problem, { error }),
    /* @__PURE__ */ jsxs2("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx2("button", { type: "button", class: "danger", disabled: isRunning, onClick: confirm, children: action }),
      /* @__PURE__ */ jsx2("button", { type: "button", onClick: close, children: strings.value.page.cancel })
    ] })
  ] });
}

// src/admin/elements/Screen.tsx
import { jsx as jsx3, jsxs as jsxs3 } from "./vendor.js";
function Screen({ title, lead, back, actions, children }) {
  return /* @__PURE__ */ jsxs3("div", { class: "screen admin", children: [
    /* @__PURE__ */ jsxs3("header", { class: "screen-head", children: [
      /* @__PURE__ */ jsxs3("div", { children: [
        back && /* @__PURE__ */ jsx3("p", { class: "back", children: back }),
        /* @__PURE__ */ jsx3("h1", { dir: "auto", children: title }),
        lead && /* @__PURE__ */ jsx3("p", { class: "remark", children: lead })
      ] }),
      actions && /* @__PURE__ */ jsx3("p", { class: "buttons", children: actions })
    ] }),
    children
  ] });
}

// src/admin/elements/Table.tsx
import { useState as useState2 } from "./vendor.js";
import { jsx as jsx4, jsxs as jsxs4 } from "./vendor.js";
function Table({ caption, columns, rows, keyOf, isComplete = false }) {
  const [order, setOrder] = useState2();
  const sorted = isComplete && order ? sort(rows, columns, order) : rows;
  const turn = (column) => {
    const isDescending = order?.key === column.key ? !order.isDescending : column.isNumber === true;
    setOrder({ key: column.key, isDescending });
  };
  return /* @__PURE__ */ jsx4("div", { class: "table", role: "region", "aria-label": caption, tabIndex: 0, children: /* @__PURE__ */ jsxs4("table", { role: "table", children: [
    /* @__PURE__ */ jsx4("caption", { class: "unseen", children: caption }),
    /* @__PURE__ */ jsx4("thead", { role: "rowgroup", children: /* @__PURE__ */ jsx4("tr", { role: "row", children: columns.map((column) => /* @__PURE__ */ jsx4(
      "th",
      {
        role: "columnheader",
        scope: "col",
        class: column.isNumber ? "number" : void 0,
        "aria-sort": order?.key !== column.key ? void 0 : order.isDescending ? "descending" : "ascending",
        children: isComplete && column.value ? /* @__PURE__ */ jsx4("button", { type: "button", class: "sort", onClick: () => turn(column), children: column.label }) : column.label
      },
      column.key
    )) }) }),
    /* @__PURE__ */ jsx4("tbody", { role: "rowgroup", children: sorted.map((row) => /* @__PURE__ */ jsx4("tr", { role: "row", children: columns.map((column, index) => {
      const shown = {
        class: column.isNumber ? "number" : void 0,
        "data-label": column.label
      };
      return index === 0 ? /* @__PURE__ */ jsx4("th", { role: "rowheader", scope: "row", ...shown, children: column.cell(row) }, column.key) : /* @__PURE__ */ jsx4("td", { role: "cell", ...shown, children: column.cell(row) }, column.key);
    }) }, keyOf(row))) })
  ] }) });
}
function csvOf(columns, rows) {
  const written = columns.filter((column) => column.value);
  return [written.map((column) => column.label), ...rows.map((row) => written.map((column) => column.value?.(row)))];
}
function sort(rows, columns, { key, isDescending }) {
  const value = columns.find((column) => column.key === key)?.value;
  if (!value) return rows;
  const compare = (a, b) => {
    return typeof a === "number" && typeof b === "number" ? a - b : String(a ?? "").localeCompare(String(b ?? ""));
  };
  return rows.toSorted((a, b) => compare(value(a), value(b)) * (isDescending ? -1 : 1));
}

// src/admin/elements/When.tsx
import { formatTime } from "./app.js";

// src/admin/intl.ts
import { formatNumber, locale } from "./app.js";
function tokensOf(usage) {
  return usage ? usage.fresh + usage.cache_read + usage.cache_write + usage.output : 0;
}
var DOLLARS = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" };
function formatMoney(nano) {
  const dollars = nano / 1e9;
  const isSmall = dollars !== 0 && Math.abs(dollars) < 0.1;
  const digits = isSmall ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(locale.value, { ...DOLLARS, ...digits }).format(dollars);
}
function formatCost(cost) {
  if (!cost || cost.nano_usd === 0 && cost.unpriced_calls > 0) return "–";
  return formatMoney(cost.nano_usd);
}
function formatTokens(usage) {
  const tokens = tokensOf(usage);
  return !usage || tokens === 0 && usage.unmetered_calls ? "–" : formatNumber(tokens);
}
function formatShort(value) {
  return new Intl.NumberFormat(locale.value, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}
function formatFull(iso) {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: "full", timeStyle: "long" }).format(new Date(iso));
}
function formatDay(day, isShort = false) {
  const options = isShort ? { day: "numeric", month: "short" } : { dateStyle: "medium" };
  return new Intl.DateTimeFormat(locale.value, { ...options, timeZone: "UTC" }).format(/* @__PURE__ */ new Date(`${day}T00:00:00Z`));
}
var UNITS = [
  ["day", 864e5],
  ["hour", 36e5],
  ["minute", 6e4],
  ["second", 1e3]
];
function formatRelative(iso, now = Date.now()) {
  const distance = Date.parse(iso) - now;
  const [unit, size] = UNITS.find(([, size2]) => Math.abs(distance) >= size2) ?? UNITS[3];
  return new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" }).format(Math.round(distance / size), unit);
}
function formatSpan(milliseconds) {
  const unit = (value, name, digits = 0) => {
    const options = { style: "unit", unit: name, unitDisplay: "narrow", maximumFractionDigits: digits };
    return new Intl.NumberFormat(locale.value, options).format(value);
  };
  if (milliseconds < 1e3) return unit(Math.round(milliseconds), "millisecond");
  if (milliseconds < 6e4) return unit(milliseconds / 1e3, "second", milliseconds < 1e4 ? 1 : 0);
  const minutes = Math.floor(milliseconds / 6e4);
  if (minutes < 60) return `${unit(minutes, "minute")} ${unit(Math.floor(milliseconds % 6e4 / 1e3), "second")}`;
  if (minutes < 2880) return `${unit(Math.floor(minutes / 60), "hour")} ${unit(minutes % 60, "minute")}`;
  return unit(minutes / 1440, "day", 1);
}

// src/admin/elements/When.tsx
import { Fragment, jsx as jsx5 } from "./vendor.js";
function When({ time, isRelative = false }) {
  if (!time) return /* @__PURE__ */ jsx5(Fragment, { children: "–" });
  return /* @__PURE__ */ jsx5("time", { dateTime: time, title: formatFull(time), children: isRelative ? formatRelative(time) : formatTime(time) });
}

// src/admin/load.ts
import { useEffect, useRef, useState as useState3 } from "./vendor.js";
function useLoaded(load, key = "", everyMs) {
  const [state, setState] = useState3({
    key,
    isLoading: true
  });
  const asked = useRef(0);
  const latest = useRef(load);
  latest.current = load;
  const reload = async () => {
    asked.current += 1;
    const mine = asked.current;
    const isStale = () => mine !== asked.current;
    setState((before) => ({ ...before, isLoading: true }));
    await latest.current().then(
      (data) => isStale() || setState({ key, data, isLoading: false }),
      (error) => isStale() || setState((before) => ({ key, ...keep(before, key), error, isLoading: false }))
    );
  };
  useEffect(() => {
    void reload();
    const again = () => !document.hidden && void reload();
    const timer = everyMs === void 0 ? void 0 : setInterval(again, everyMs);
    if (everyMs !== void 0) document.addEventListener("visibilitychange", again);
    return () => {
      asked.current += 1;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", again);
    };
  }, [key, everyMs]);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : void 0,
    error: isCurrent ? state.error : void 0,
    isLoading: state.isLoading,
    reload
  };
}
function keep(before, key) {
  return before.key === key && before.data !== void 0 ? { data: before.data } : {};
}

// src/admin/keys/NewKeyDialog.tsx
import { useEffect as useEffect2, useRef as useRef2, useState as useState4 } from "./vendor.js";
import { CopyButton, Dialog as Dialog2, strings as strings2 } from "./app.js";
import { Fragment as Fragment2, jsx as jsx6, jsxs as jsxs5 } from "./vendor.js";
var SCOPES = ["chat", "read", "decide", "admin", "metrics"];
var USUAL = ["chat", "read", "decide"];
function NewKeyDialog({ created, close }) {
  const texts = words.value.keys;
  const [made, setMade] = useState4();
  const finish = (key) => {
    setMade(key);
    void created();
  };
  return /* @__PURE__ */ jsx6(Dialog2, { title: made ? texts.createdTitle(made.name) : texts.new, close, children: made ? /* @__PURE__ */ jsx6(Shown, { made, close }) : /* @__PURE__ */ jsx6(Form, { finish, close }) });
}
function Form({ finish, close }) {
  const texts = words.value.keys;
  const [name, setName] = useState4("");
  const [user, setUser] = useState4("");
  const [scopes, setScopes] = useState4(USUAL);
  const [agents, setAgents] = useState4("");
  const [error, setError] = useState4();
  const [isRunning, setRunning] = useState4(false);
  const create = (event) => {
    event.preventDefault();
    setRunning(true);
    const named = agents.split(/[\s,]+/).filter(Boolean).map((agent) => `agent:${agent}`);
    const key = { name: name.trim(), scopes: [...scopes, ...named] };
    if (user.trim()) key.user = user.trim();
    post("keys", key).then(finish, (error2) => {
      setError(error2);
      setRunning(false);
    });
  };
  const toggle = (scope, isChosen) => {
    setScopes(isChosen ? [...scopes, scope] : scopes.filter((one) => one !== scope));
  };
  return /* @__PURE__ */ jsxs5("form", { onSubmit: create, children: [
    /* @__PURE__ */ jsxs5("label", { class: "note", children: [
      texts.name,
      /* @__PURE__ */ jsx6(
        "input",
        {
          type: "text",
          dir: "auto",
          required: true,
          maxLength: 128,
          value: name,
          onInput: (event) => setName(event.currentTarget.value)
        }
      )
    ] }),
    /* @__PURE__ */ jsxs5("label", { class: "note", children: [
      texts.userField,
      /* @__PURE__ */ jsx6(
        "input",
        {
          type: "text",
          dir: "auto",
          maxLength: 128,
          value: user,
          onInput: (event) => setUser(event.currentTarget.value)
        }
      )
    ] }),
    /* @__PURE__ */ jsxs5("fieldset", { children: [
      /* @__PURE__ */ jsx6("legend", { children: texts.scopes }),
      SCOPES.map((scope) => /* @__PURE__ */ jsxs5("label", { class: "check", children: [
        /* @__PURE__ */ jsx6(
          "input",
          {
            type: "checkbox",
            checked: scopes.includes(scope),
            onChange: (event) => toggle(scope, event.currentTarget.checked)
          }
        ),
        /* @__PURE__ */ jsxs5("span", { children: [
          /* @__PURE__ */ jsx6("code", { children: scope }),
          " ",
          /* @__PURE__ */ jsx6("span", { class: "remark", children: texts.permits[scope] })
        ] })
      ] }, scope))
    ] }),
    /* @__PURE__ */ jsxs5("label", { class: "note", children: [
      texts.agentsField,
      /* @__PURE__ */ jsx6(
        "input",
        {
          type: "text",
          spellcheck: false,
          value: agents,
          onInput: (event) => setAgents(event.currentTarget.value)
        }
      )
    ] }),
    /* @__PURE__ */ jsx6(Problem, { error }),
    /* @__PURE__ */ jsxs5("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx6("button", { class: "primary", disabled: isRunning || name.trim() === "" || scopes.length === 0, children: texts.createIt }),
      /* @__PURE__ */ jsx6("button", { type: "button", onClick: close, children: strings2.value.page.cancel })
    ] })
  ] });
}
function Shown({ made, close }) {
  const texts = words.value.keys;
  const secret = useRef2(null);
  useEffect2(() => secret.current?.focus(), []);
  return /* @__PURE__ */ jsxs5(Fragment2, { children: [
    /* @__PURE__ */ jsx6("p", { children: texts.once }),
    /* @__PURE__ */ jsx6("pre", { ref: secret, class: "secret", tabIndex: 0, "aria-label": texts.key, children: made.key }),
    /* @__PURE__ */ jsxs5("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx6(CopyButton, { text: made.key }),
      /* @__PURE__ */ jsx6("button", { type: "button", class: "primary", onClick: close, children: texts.done })
    ] })
  ] });
}

// src/admin/keys/Keys.tsx
import { Fragment as Fragment3, jsx as jsx7, jsxs as jsxs6 } from "./vendor.js";
var REQUIRE = '[auth]\nmode = "api_key"';
function Keys() {
  const texts = words.value.keys;
  const mode = summary.value?.auth;
  if (mode === "none" || mode === "jwt") {
    return /* @__PURE__ */ jsxs6(Screen, { title: texts.title, children: [
      /* @__PURE__ */ jsx7("p", { children: mode === "none" ? texts.notNeeded : texts.tokensOnly }),
      mode === "none" && /* @__PURE__ */ jsxs6(Fragment3, { children: [
        /* @__PURE__ */ jsx7("pre", { children: REQUIRE }),
        /* @__PURE__ */ jsx7("p", { children: texts.create }),
        /* @__PURE__ */ jsx7("pre", { children: "turnkit keys create laptop --user ada --scope admin" })
      ] })
    ] });
  }
  return /* @__PURE__ */ jsx7(KeyList, {});
}
function KeyList() {
  const texts = words.value.keys;
  const { data, error, isLoading, reload } = useLoaded(() => getAll("keys"));
  const [isCreating, setCreating] = useState5(false);
  const [revoked, setRevoked] = useState5();
  const [showsRevoked, setShowsRevoked] = useState5(false);
  const rows = (data ?? []).filter((key) => showsRevoked || !key.revoked_at);
  const former = (data ?? []).filter((key) => key.revoked_at).length;
  const actions = data && /* @__PURE__ */ jsx7("button", { type: "button", class: "primary", onClick: () => setCreating(true), children: texts.new });
  return /* @__PURE__ */ jsxs6(Screen, { title: texts.title, lead: texts.lead, actions, children: [
    /* @__PURE__ */ jsx7(Problem, { error, forbidden: texts.forbidden, retry: () => void reload() }),
    isLoading && !data && /* @__PURE__ */ jsx7("p", { role: "status", children: words.value.loading }),
    data && rows.length === 0 && /* @__PURE__ */ jsx7("p", { class: "nothing", children: texts.none }),
    rows.length > 0 && /* @__PURE__ */ jsx7(
      Table,
      {
        caption: texts.title,
        columns: columnsOf(data ?? [], setRevoked),
        rows,
        keyOf: (key) => key.id,
        isComplete: true
      }
    ),
    former > 0 && /* @__PURE__ */ jsxs6("label", { class: "check", children: [
      /* @__PURE__ */ jsx7(
        "input",
        {
          type: "checkbox",
          checked: showsRevoked,
          onChange: (event) => setShowsRevoked(event.currentTarget.checked)
        }
      ),
      texts.showRevoked(former)
    ] }),
    isCreating && /* @__PURE__ */ jsx7(NewKeyDialog, { created: reload, close: () => setCreating(false) }),
    revoked && /* @__PURE__ */ jsx7(
      Confirm,
      {
        title: texts.revokeTitle(revoked.name),
        text: texts.revokeText,
        action: texts.revoke,
        run: () => remove(`keys/${revoked.id}`).then(reload),
        close: () => setRevoked(void 0)
      }
    )
  ] });
}
function columnsOf(keys, revoke) {
  const texts = words.value.keys;
  const columns = [
    { key: "name", label: texts.name, cell: (key) => /* @__PURE__ */ jsx7("bdi", { children: key.name }), value: (key) => key.name },
    { key: "user", label: texts.user, cell: (key) => /* @__PURE__ */ jsx7("bdi", { children: key.user }), value: (key) => key.user },
    {
      key: "scopes",
      label: texts.scopes,
      cell: (key) => /* @__PURE__ */ jsx7("span", { class: "chips", children: key.scopes.map((scope) => /* @__PURE__ */ jsx7("span", { class: "chip", children: scope }, scope)) }),
      value: (key) => key.scopes.join(" ")
    },
    {
      key: "created",
      label: texts.created,
      cell: (key) => /* @__PURE__ */ jsx7(When, { time: key.created_at }),
      value: (key) => key.created_at
    },
    {
      key: "used",
      label: texts.used,
      cell: (key) => key.last_used_at ? /* @__PURE__ */ jsx7(When, { time: key.last_used_at, isRelative: true }) : texts.never,
      value: (key) => key.last_used_at,
      isAbsent: keys.every((key) => key.last_used_at === void 0)
    },
    {
      key: "revoke",
      label: texts.action,
      cell: (key) => key.revoked_at ? /* @__PURE__ */ jsxs6("span", { class: "remark", children: [
        texts.revoked,
        " ",
        /* @__PURE__ */ jsx7(When, { time: key.revoked_at })
      ] }) : /* @__PURE__ */ jsxs6("button", { type: "button", class: "quiet", onClick: () => revoke(key), children: [
        texts.revoke,
        /* @__PURE__ */ jsxs6("span", { class: "unseen", children: [
          " ",
          key.name
        ] })
      ] })
    }
  ];
  return columns.filter((column) => !column.isAbsent);
}

// src/admin/Providers.tsx
import { useState as useState6 } from "./vendor.js";
import { formatNumber as formatNumber2 } from "./app.js";

// src/admin/elements/State.tsx
import { jsx as jsx8 } from "./vendor.js";
var KINDS = {
  completed: "good",
  ready: "good",
  pinned: "good",
  failed: "bad",
  failing: "bad",
  quarantined: "bad",
  frozen: "bad",
  limit: "warned",
  expired: "warned",
  waiting: "warned",
  changed: "warned",
  running: "busy",
  starting: "busy",
  cancelling: "busy"
};
function State({ state }) {
  return /* @__PURE__ */ jsx8("span", { class: `state ${KINDS[state] ?? "idle"}`, children: nameOfState(state) });
}

// src/admin/Providers.tsx
import { Fragment as Fragment4, jsx as jsx9, jsxs as jsxs7 } from "./vendor.js";
var EVERY_MS = 1e4;
function Providers() {
  const texts = words.value.providers;
  const { data, error, isLoading, reload } = useLoaded(() => getAll("providers"), "", EVERY_MS);
  const hidesStatus = data !== void 0 && data.length > 0 && data.every((provider) => provider.state === void 0);
  return /* @__PURE__ */ jsxs7(Screen, { title: texts.title, lead: texts.lead, children: [
    /* @__PURE__ */ jsx9(Problem, { error, retry: () => void reload() }),
    isLoading && !data && !error && /* @__PURE__ */ jsx9("p", { role: "status", children: words.value.loading }),
    hidesStatus && /* @__PURE__ */ jsx9("p", { class: "hint", children: texts.forbidden }),
    data?.length === 0 && /* @__PURE__ */ jsx9("p", { class: "nothing", children: texts.none }),
    /* @__PURE__ */ jsx9("ul", { class: "panels", children: data?.map((provider) => /* @__PURE__ */ jsx9("li", { children: /* @__PURE__ */ jsx9(Provider, { provider, changed: reload }) }, provider.id)) })
  ] });
}
function Provider({ provider, changed }) {
  const texts = words.value.providers;
  const { id, models, tags, state, frozen } = provider;
  const missing = provider.missing ?? [];
  return /* @__PURE__ */ jsxs7("article", { class: "panel", "aria-label": id, children: [
    /* @__PURE__ */ jsxs7("header", { children: [
      /* @__PURE__ */ jsx9("h2", { dir: "auto", children: id }),
      state && /* @__PURE__ */ jsx9(State, { state }),
      tags?.map((tag) => /* @__PURE__ */ jsx9("span", { class: "chip", children: tag }, tag))
    ] }),
    frozen && /* @__PURE__ */ jsxs7("div", { class: "reason", children: [
      /* @__PURE__ */ jsx9("p", { dir: "auto", children: frozen.message }),
      /* @__PURE__ */ jsxs7("p", { class: "remark", children: [
        /* @__PURE__ */ jsx9("code", { children: frozen.code }),
        " · ",
        texts.since,
        " ",
        /* @__PURE__ */ jsx9(When, { time: frozen.since, isRelative: true }),
        " ·",
        " ",
        frozen.until ? /* @__PURE__ */ jsxs7(Fragment4, { children: [
          texts.again,
          " ",
          /* @__PURE__ */ jsx9(When, { time: frozen.until, isRelative: true })
        ] }) : texts.untilThawed
      ] })
    ] }),
    state !== void 0 && /* @__PURE__ */ jsx9(Load, { provider }),
    /* @__PURE__ */ jsxs7("p", { children: [
      /* @__PURE__ */ jsxs7("span", { class: "remark", children: [
        texts.models,
        ": "
      ] }),
      /* @__PURE__ */ jsx9("bdi", { children: models.join(", ") })
    ] }),
    missing.length > 0 && /* @__PURE__ */ jsxs7("div", { class: "reason", children: [
      /* @__PURE__ */ jsx9("p", { children: texts.missing }),
      /* @__PURE__ */ jsx9("ul", { children: missing.map(({ model, until }) => /* @__PURE__ */ jsxs7("li", { children: [
        /* @__PURE__ */ jsx9("code", { children: model }),
        " ",
        /* @__PURE__ */ jsxs7("span", { class: "remark", children: [
          texts.again,
          " ",
          /* @__PURE__ */ jsx9(When, { time: until, isRelative: true })
        ] })
      ] }, model)) })
    ] }),
    /* @__PURE__ */ jsx9(Thaw, { id, isNeeded: frozen !== void 0 || missing.length > 0, changed })
  ] });
}
function Load({ provider: { running, waiting, max_concurrency, calls, failures } }) {
  const texts = words.value.providers;
  const limit = max_concurrency === void 0 ? "" : ` / ${formatNumber2(max_concurrency)}`;
  const facts = [
    [texts.running, `${formatNumber2(running ?? 0)}${limit}`],
    [texts.waiting, formatNumber2(waiting ?? 0)],
    [texts.calls, formatNumber2(calls ?? 0)],
    [texts.failures, formatNumber2(failures ?? 0)]
  ];
  return /* @__PURE__ */ jsx9("dl", { class: "facts", children: facts.map(([name, value]) => /* @__PURE__ */ jsxs7("div", { children: [
    /* @__PURE__ */ jsx9("dt", { children: name }),
    /* @__PURE__ */ jsx9("dd", { children: value })
  ] }, name)) });
}
function Thaw({ id, isNeeded, changed }) {
  const texts = words.value.providers;
  const [isRunning, setRunning] = useState6(false);
  const [result, setResult] = useState6();
  const thaw = async () => {
    setRunning(true);
    setResult(void 0);
    try {
      await post(`providers/${encodeURIComponent(id)}/thaw`);
      await changed();
      setResult({ text: texts.thawed, isError: false });
    } catch (error) {
      setResult({ text: texts.stillFails(explain(error)), isError: true });
    }
    setRunning(false);
  };
  return /* @__PURE__ */ jsxs7("div", { class: "thaw", children: [
    isNeeded && /* @__PURE__ */ jsxs7("button", { type: "button", disabled: isRunning, onClick: () => void thaw(), children: [
      isRunning ? texts.thawing : texts.thaw,
      /* @__PURE__ */ jsxs7("span", { class: "unseen", children: [
        " ",
        id
      ] })
    ] }),
    /* @__PURE__ */ jsx9("p", { class: result?.isError ? "error" : "remark", role: "status", dir: "auto", children: result?.text })
  ] });
}

// src/admin/tools/Grants.tsx
import { useState as useState7 } from "./vendor.js";
import { addressOf } from "./app.js";
import { Fragment as Fragment5, jsx as jsx10, jsxs as jsxs8 } from "./vendor.js";
function Grants() {
  const texts = words.value.grants;
  const { data, error, isLoading, reload } = useLoaded(() => getAll("grants"));
  const [revoked, setRevoked] = useState7();
  const columns = [
    { key: "tool", label: texts.tool, cell: (grant) => /* @__PURE__ */ jsx10("code", { children: grant.tool }), value: (grant) => grant.tool },
    { key: "covers", label: texts.covers, cell: (grant) => /* @__PURE__ */ jsx10(Covers, { grant }), value: subjectOf },
    {
      key: "untrusted",
      label: texts.untrusted,
      cell: (grant) => grant.untrusted ? texts.yes : texts.no,
      value: (grant) => String(grant.untrusted)
    },
    {
      key: "created",
      label: texts.created,
      cell: (grant) => /* @__PURE__ */ jsx10(When, { time: grant.created_at }),
      value: (grant) => grant.created_at
    },
    {
      key: "revoke",
      label: texts.action,
      cell: (grant) => /* @__PURE__ */ jsxs8("button", { type: "button", class: "quiet", onClick: () => setRevoked(grant), children: [
        texts.revoke,
        /* @__PURE__ */ jsxs8("span", { class: "unseen", children: [
          " ",
          grant.tool
        ] })
      ] })
    }
  ];
  return /* @__PURE__ */ jsxs8("section", { children: [
    /* @__PURE__ */ jsx10("h2", { children: texts.title }),
    /* @__PURE__ */ jsx10("p", { class: "remark", children: texts.lead }),
    /* @__PURE__ */ jsx10(Problem, { error, retry: () => void reload() }),
    isLoading && !data && /* @__PURE__ */ jsx10("p", { role: "status", children: words.value.loading }),
    data?.length === 0 && /* @__PURE__ */ jsx10("p", { class: "nothing", children: texts.none }),
    data && data.length > 0 && /* @__PURE__ */ jsx10(Table, { caption: texts.title, columns, rows: data, keyOf: (grant) => grant.id, isComplete: true }),
    revoked && /* @__PURE__ */ jsx10(
      Confirm,
      {
        title: texts.revokeTitle(revoked.tool),
        text: texts.revokeText,
        action: texts.revoke,
        run: () => remove(`grants/${revoked.id}`).then(reload),
        close: () => setRevoked(void 0)
      }
    )
  ] });
}
function Covers({ grant }) {
  const texts = words.value.grants;
  if (grant.session_id) return /* @__PURE__ */ jsx10("a", { href: addressOf(grant.session_id), children: texts.session });
  return grant.subject ? /* @__PURE__ */ jsx10("code", { children: subjectOf(grant) }) : /* @__PURE__ */ jsx10(Fragment5, { children: texts.all });
}
function subjectOf({ session_id, subject }) {
  if (!subject) return session_id ?? "";
  const text = (value) => typeof value === "string" ? value : JSON.stringify(value);
  return Object.entries(subject).map(([kind, value]) => `${kind}: ${text(value)}`).join(", ");
}

// src/admin/tools/Servers.tsx
import { useState as useState8 } from "./vendor.js";
import { formatNumber as formatNumber3 } from "./app.js";
import { jsx as jsx11, jsxs as jsxs9 } from "./vendor.js";
function Servers() {
  const texts = words.value.tools;
  const { data, error, isLoading, reload } = useLoaded(() => getAll("mcp"));
  return /* @__PURE__ */ jsxs9("section", { children: [
    /* @__PURE__ */ jsx11("h2", { children: texts.servers }),
    /* @__PURE__ */ jsx11(Problem, { error, forbidden: texts.forbidden, retry: () => void reload() }),
    isLoading && !data && /* @__PURE__ */ jsx11("p", { role: "status", children: words.value.loading }),
    data?.length === 0 && /* @__PURE__ */ jsx11("p", { class: "nothing", children: texts.noServers }),
    /* @__PURE__ */ jsx11("ul", { class: "panels", children: data?.map((server) => /* @__PURE__ */ jsx11("li", { children: /* @__PURE__ */ jsx11(Server, { server, changed: reload }) }, server.name)) })
  ] });
}
function Server({ server, changed }) {
  const texts = words.value.tools;
  const unusual = server.tools.filter((tool) => tool.state !== "pinned");
  const pinned = server.tools.filter((tool) => tool.state === "pinned");
  return /* @__PURE__ */ jsxs9("article", { class: "panel", "aria-label": server.name, children: [
    /* @__PURE__ */ jsxs9("header", { children: [
      /* @__PURE__ */ jsx11("h3", { dir: "auto", children: server.name }),
      /* @__PURE__ */ jsx11(State, { state: server.state }),
      /* @__PURE__ */ jsx11("code", { class: "remark", children: server.program ?? server.url })
    ] }),
    server.error && /* @__PURE__ */ jsxs9("div", { class: "reason", children: [
      /* @__PURE__ */ jsx11("p", { dir: "auto", children: server.error }),
      server.retry_at && /* @__PURE__ */ jsxs9("p", { class: "remark", children: [
        texts.again,
        " ",
        /* @__PURE__ */ jsx11(When, { time: server.retry_at, isRelative: true })
      ] })
    ] }),
    server.state === "ready" && /* @__PURE__ */ jsxs9("p", { class: "remark", children: [
      [server.server, server.protocol && texts.protocol(server.protocol)].filter(Boolean).join(" · "),
      " ·",
      " ",
      texts.read,
      " ",
      /* @__PURE__ */ jsx11(When, { time: server.tools_read_at, isRelative: true }),
      server.connections > 1 && ` · ${texts.connections(formatNumber3(server.connections))}`
    ] }),
    unusual.map((tool) => /* @__PURE__ */ jsxs9("div", { class: "reason", children: [
      /* @__PURE__ */ jsxs9("p", { children: [
        /* @__PURE__ */ jsx11("code", { children: tool.name }),
        " ",
        /* @__PURE__ */ jsx11(State, { state: tool.state }),
        " ",
        tool.changed_at && /* @__PURE__ */ jsx11(When, { time: tool.changed_at, isRelative: true })
      ] }),
      tool.reason && /* @__PURE__ */ jsx11("p", { dir: "auto", children: tool.reason })
    ] }, tool.name)),
    pinned.length > 0 && /* @__PURE__ */ jsxs9("details", { children: [
      /* @__PURE__ */ jsx11("summary", { children: texts.pinned(pinned.length) }),
      /* @__PURE__ */ jsx11("ul", { class: "names", children: pinned.map((tool) => /* @__PURE__ */ jsx11("li", { children: /* @__PURE__ */ jsx11("code", { children: tool.name }) }, tool.name)) })
    ] }),
    /* @__PURE__ */ jsx11(Reconnect, { name: server.name, changed })
  ] });
}
function Reconnect({ name, changed }) {
  const texts = words.value.tools;
  const [isRunning, setRunning] = useState8(false);
  const [result, setResult] = useState8();
  const reconnect = async () => {
    setRunning(true);
    setResult(void 0);
    const failed = await post(`mcp/${encodeURIComponent(name)}/reconnect`).then(
      () => void 0,
      (error) => ({ text: explain(error), isError: true })
    );
    await changed();
    setResult(failed ?? { text: texts.reconnected, isError: false });
    setRunning(false);
  };
  return /* @__PURE__ */ jsxs9("div", { class: "thaw", children: [
    /* @__PURE__ */ jsxs9("button", { type: "button", disabled: isRunning, onClick: () => void reconnect(), children: [
      isRunning ? texts.reconnecting : texts.reconnect,
      /* @__PURE__ */ jsxs9("span", { class: "unseen", children: [
        " ",
        name
      ] })
    ] }),
    /* @__PURE__ */ jsx11("p", { class: result?.isError ? "error" : "remark", role: "status", dir: "auto", children: result?.text })
  ] });
}

// src/admin/tools/ToolList.tsx
import { ApiError as ApiError2 } from "./app.js";
import { jsx as jsx12, jsxs as jsxs10 } from "./vendor.js";
function ToolList() {
  const texts = words.value.toolList;
  const { data, error, reload } = useLoaded(() => get("tools", { limit: "200" }));
  if (error instanceof ApiError2 && error.status === 404) return null;
  const rows = data?.data ?? [];
  const columns = [
    { key: "name", label: texts.name, cell: (tool) => /* @__PURE__ */ jsx12("code", { children: tool.name }), value: (tool) => tool.name },
    { key: "description", label: texts.description, cell: (tool) => /* @__PURE__ */ jsx12("span", { dir: "auto", children: tool.description }) },
    {
      key: "source",
      label: texts.source,
      cell: (tool) => tool.server ?? tool.source,
      value: (tool) => tool.server ?? tool.source
    },
    { key: "policy", label: texts.policy, cell: (tool) => tool.policy ?? "–", value: (tool) => tool.policy },
    {
      key: "agents",
      label: texts.agents,
      cell: (tool) => tool.agents?.join(", ") ?? "–",
      value: (tool) => tool.agents?.join(", ")
    }
  ];
  return /* @__PURE__ */ jsxs10("section", { children: [
    /* @__PURE__ */ jsx12("h2", { children: texts.title }),
    /* @__PURE__ */ jsx12(Problem, { error, forbidden: words.value.tools.forbidden, retry: () => void reload() }),
    rows.length > 0 && /* @__PURE__ */ jsx12(
      Table,
      {
        caption: texts.title,
        columns,
        rows,
        keyOf: (tool) => tool.name,
        isComplete: !data?.next
      }
    ),
    data && rows.length === 0 && /* @__PURE__ */ jsx12("p", { class: "nothing", children: texts.none })
  ] });
}

// src/admin/tools/Tools.tsx
import { jsx as jsx13, jsxs as jsxs11 } from "./vendor.js";
function Tools() {
  const texts = words.value.tools;
  return /* @__PURE__ */ jsxs11(Screen, { title: texts.title, lead: texts.lead, children: [
    /* @__PURE__ */ jsx13(Servers, {}),
    /* @__PURE__ */ jsx13(Grants, {}),
    /* @__PURE__ */ jsx13(ToolList, {})
  ] });
}

// src/admin/turns/TurnDetail.tsx
import { useEffect as useEffect4 } from "./vendor.js";
import { addressOf as addressOf2, ApiError as ApiError4 } from "./app.js";

// src/admin/turns/EventList.tsx
import { useState as useState9 } from "./vendor.js";
import { ApiError as ApiError3, CopyButton as CopyButton2, indent } from "./app.js";
import { jsx as jsx14, jsxs as jsxs12 } from "./vendor.js";
var AT_ONCE = 200;
function EventList({ log, areKept }) {
  const texts = words.value.detail;
  const [shown, setShown] = useState9(AT_ONCE);
  const isGone = log.error instanceof ApiError3 && log.error.status === 410;
  const { events } = log;
  return /* @__PURE__ */ jsxs12("section", { children: [
    /* @__PURE__ */ jsx14("h2", { children: texts.events }),
    !areKept || isGone ? /* @__PURE__ */ jsx14("p", { class: "remark", children: texts.gone }) : /* @__PURE__ */ jsx14(Problem, { error: log.error }),
    events.length > 0 && /* @__PURE__ */ jsxs12("details", { children: [
      /* @__PURE__ */ jsx14("summary", { children: texts.showEvents(events.length) }),
      /* @__PURE__ */ jsx14("p", { children: /* @__PURE__ */ jsx14(CopyButton2, { text: events.map(({ name, raw }) => `${name} ${raw}
`).join("") }) }),
      /* @__PURE__ */ jsx14("ol", { class: "events", children: events.slice(0, shown).map(({ name, data, raw }, index) => /* @__PURE__ */ jsx14("li", { children: /* @__PURE__ */ jsxs12("details", { children: [
        /* @__PURE__ */ jsxs12("summary", { children: [
          /* @__PURE__ */ jsx14("code", { children: name }),
          " ",
          /* @__PURE__ */ jsx14("span", { class: "remark", children: clock(data.at) })
        ] }),
        /* @__PURE__ */ jsx14("pre", { dir: "ltr", children: indent(raw) })
      ] }) }, index)) }),
      events.length > shown && /* @__PURE__ */ jsx14("button", { type: "button", onClick: () => setShown(shown + AT_ONCE), children: words.value.turns.more })
    ] })
  ] });
}
function clock(time) {
  return time?.slice(11, 23) ?? "";
}

// src/admin/turns/events.ts
import { useEffect as useEffect3, useState as useState10 } from "./vendor.js";
import { client as client2, EventStream } from "./app.js";
var PAUSE_MS = 250;
function useEvents(turn, isWanted) {
  const [found, setFound] = useState10({ events: [], error: void 0 });
  useEffect3(() => {
    if (!isWanted) return;
    const stop = new AbortController();
    void follow(turn, stop.signal, setFound);
    return () => stop.abort();
  }, [turn, isWanted]);
  return found;
}
async function follow(turn, signal, found) {
  const events = [];
  let timer;
  let error;
  const show = () => {
    timer = void 0;
    if (!signal.aborted) found({ events: [...events], error });
  };
  try {
    const response = await client2.send("GET", `api/v1/turns/${turn}/events`, void 0, signal);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const stream = new EventStream();
    while (reader) {
      const { value, done } = await reader.read();
      if (done) break;
      events.push(
        ...stream.push(value).map(read).filter((event) => event !== void 0)
      );
      timer ??= setTimeout(show, PAUSE_MS);
    }
  } catch (caught) {
    error = caught;
  }
  clearTimeout(timer);
  show();
}
function read(frame) {
  try {
    return { name: frame.event, data: JSON.parse(frame.data), raw: frame.data };
  } catch {
    return void 0;
  }
}

// src/admin/turns/spans.ts
import { position } from "./app.js";
function spansOf(view, events, now) {
  const times = new EventTimes(events);
  const end = parse(view.ended_at) ?? now;
  const spans = [];
  const steps = view.steps.filter((step) => step.began_at !== void 0);
  const first = steps[0] && requestOf(steps[0]);
  const accepted = parse(view.accepted_at);
  if (accepted !== void 0 && first !== void 0 && first > accepted) {
    spans.push({ kind: "queue", row: "queue", name: "", from: accepted, to: first });
  }
  for (const step of steps) spans.push(...stepSpans(step, end, view.ended_at === void 0));
  for (const wait of view.waits ?? []) spans.push(waitSpan(wait, steps, view.tools, times, end));
  for (const tool of view.tools) {
    const span = toolSpan(tool, view, steps, times, end);
    if (span) spans.push(span);
  }
  spans.push(...times.others());
  const rank = (span) => span.kind === "attempt" ? 0 : 1;
  return spans.sort((a, b) => a.from - b.from || rank(a) - rank(b) || a.to - b.to);
}
function requestOf(step) {
  return Date.parse(step.began_at ?? "") - (step.first_ms ?? 0);
}
function stepSpans(step, end, isRunning) {
  const row = `step ${step.step}`;
  const name = step.model ?? "";
  const began = Date.parse(step.began_at ?? "");
  const isOpen = step.ms === void 0 && isRunning;
  const answer = {
    kind: "answer",
    row,
    name,
    from: began,
    to: step.ms === void 0 ? end : began + step.ms,
    isOpen
  };
  if (!step.first_ms) return [answer];
  return [{ kind: "model", row, name, from: began - step.first_ms, to: began }, answer];
}
function around(call, steps) {
  const [number] = position(call);
  const step = steps.find((step2) => step2.step === number);
  const next = steps.find((step2) => step2.step > number);
  const before = step?.began_at && step.ms !== void 0 ? Date.parse(step.began_at) + step.ms : void 0;
  return { before, after: next && requestOf(next) };
}
function waitSpan(wait, steps, tools, times, end) {
  const { before, after } = around(wait.call_id, steps);
  const from = times.of(`asked ${wait.id}`) ?? before ?? end;
  const ran = tools.find((tool) => tool.call_id === wait.call_id)?.ms ?? 0;
  const to = times.of(`decided ${wait.id}`) ?? (wait.decided && after !== void 0 ? Math.max(from, after - ran) : end);
  return { kind: "wait", row: `wait ${wait.id}`, name: wait.name, from, to, isOpen: !wait.decided };
}
function toolSpan(tool, view, steps, times, end) {
  const isRunning = view.ended_at === void 0;
  const waited = view.waits?.some((wait) => wait.call_id === tool.call_id);
  const { before, after } = around(tool.call_id, steps);
  const late = waited && after !== void 0 ? after - (tool.ms ?? 0) : before;
  const from = times.of(`started ${tool.call_id}`) ?? late;
  if (from === void 0) return void 0;
  const isOpen = tool.ok === void 0 && isRunning;
  const to = times.of(`finished ${tool.call_id}`) ?? (tool.ms === void 0 ? after ?? end : from + tool.ms);
  return {
    kind: "tool",
    row: `tool ${tool.call_id}`,
    name: tool.name,
    from,
    to,
    isOpen,
    hasFailed: tool.ok === false
  };
}
var EventTimes = class {
  #times = /* @__PURE__ */ new Map();
  #others = [];
  constructor(events) {
    let waitsSince;
    for (const { name, data } of events) {
      const at = parse(data.at);
      if (at === void 0) continue;
      if (name === "interaction.requested") this.#times.set(`asked ${data.id}`, at);
      else if (name === "interaction.resolved") this.#times.set(`decided ${data.id}`, at);
      else if (name === "tool.started") this.#times.set(`started ${data.call_id}`, at);
      else if (name === "tool.finished") this.#times.set(`finished ${data.call_id}`, at);
      else if (name === "compacted") {
        const span = {
          kind: "compaction",
          row: `compaction ${data.seq}`,
          name: data.model ?? "",
          from: at - (data.ms ?? 0),
          to: at
        };
        this.#others.push({ ...span, hasFailed: data.failure !== void 0 });
      } else if (isFailedAttempt(name, data.code) && waitsSince !== void 0) {
        const row = `attempt ${data.seq}`;
        this.#others.push({
          kind: "attempt",
          row,
          name: data.text ?? data.message ?? "",
          from: waitsSince,
          to: at,
          hasFailed: true
        });
      }
      const begins = name === "turn.started" || name === "step.ended" || name === "tool.finished" || name === "compacted";
      if (begins) waitsSince = at;
      else if (name === "step.started") waitsSince = void 0;
    }
  }
  of(what) {
    return this.#times.get(what);
  }
  others() {
    return this.#others;
  }
};
function isFailedAttempt(name, code) {
  return name === "error" || name === "notice" && code === "failed_over";
}
function parse(time) {
  return time === void 0 ? void 0 : Date.parse(time);
}

// src/admin/turns/Waterfall.tsx
import { formatNumber as formatNumber4 } from "./app.js";

// src/admin/turns/scale.ts
var WAITS_SHARE = 0.2;
function scaleOf(spans) {
  const begin = Math.min(...spans.map((span) => span.from));
  const end = Math.max(begin + 1, ...spans.map((span) => span.to));
  const pieces = piecesOf(spans, begin, end);
  const place = (time) => {
    const piece = pieces.find((piece2) => time <= piece2.to) ?? pieces.at(-1);
    const share = piece.to === piece.from ? 0 : (Math.max(time, piece.from) - piece.from) / (piece.to - piece.from);
    return piece.x + Math.min(1, share) * piece.width;
  };
  const shortened = pieces.filter((piece) => piece.isShortened).map(({ x, width }) => ({ from: x, to: x + width }));
  const times = shortened.length > 0 ? [begin, ...pieces.map((piece) => piece.to)] : roundTimes(begin, end);
  return { place, marks: withSpace(times.map((time) => ({ at: time - begin, x: place(time) }))), shortened };
}
function piecesOf(spans, begin, end) {
  const waits = merge(spans.filter((span) => span.kind === "wait" && span.to > span.from));
  const waited = waits.reduce((sum, wait) => sum + wait.to - wait.from, 0);
  const rest = end - begin - waited;
  const isShortened = waited > rest && rest > 0;
  const pieces = [];
  let x = 0;
  const add = (from2, to, isWait) => {
    if (to <= from2) return;
    const share = isWait ? (to - from2) / waited * WAITS_SHARE : (to - from2) / rest * (1 - WAITS_SHARE);
    const width = 100 * (isShortened ? share : (to - from2) / (end - begin));
    pieces.push({ from: from2, to, isShortened: isShortened && isWait, x, width });
    x += width;
  };
  let from = begin;
  for (const wait of waits) {
    add(from, wait.from, false);
    add(wait.from, wait.to, true);
    from = wait.to;
  }
  add(from, end, false);
  return pieces;
}
function merge(spans) {
  const merged = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}
function roundTimes(begin, end) {
  const size = 10 ** Math.floor(Math.log10((end - begin) / 4));
  const distance = [1, 2, 5, 10].map((factor) => factor * size).find((distance2) => (end - begin) / distance2 <= 5) ?? size;
  const times = [];
  for (let time = begin; time <= end; time += Math.max(1, distance)) times.push(time);
  return times;
}
function withSpace(marks) {
  const kept = [];
  for (const mark of marks) if (kept.length === 0 || mark.x - kept.at(-1).x >= 16) kept.push(mark);
  return kept;
}

// src/admin/turns/Waterfall.tsx
import { jsx as jsx15, jsxs as jsxs13 } from "./vendor.js";
var SMALLEST = 0.6;
function Waterfall({ spans }) {
  const texts = words.value.detail;
  if (spans.length === 0) return /* @__PURE__ */ jsx15("p", { class: "remark", children: texts.noTimes });
  const scale = scaleOf(spans);
  const rows = rowsOf(spans);
  const kinds = [...new Set(spans.map((span) => span.kind))];
  return /* @__PURE__ */ jsxs13("figure", { class: "waterfall", children: [
    /* @__PURE__ */ jsxs13("div", { "aria-hidden": "true", children: [
      /* @__PURE__ */ jsx15("ul", { class: "legend", children: kinds.map((kind) => /* @__PURE__ */ jsxs13("li", { children: [
        /* @__PURE__ */ jsx15("svg", { class: "swatch", children: /* @__PURE__ */ jsx15("rect", { class: `bar ${kind}`, width: "100%", height: "100%", rx: "2" }) }),
        texts.kinds[kind]
      ] }, kind)) }),
      /* @__PURE__ */ jsxs13("div", { class: "waterfall-rows", children: [
        /* @__PURE__ */ jsx15(Axis, { scale }),
        rows.map((row) => /* @__PURE__ */ jsx15(Row, { spans: row, scale }, row[0].row))
      ] })
    ] }),
    /* @__PURE__ */ jsxs13("details", { children: [
      /* @__PURE__ */ jsx15("summary", { children: texts.asTable }),
      /* @__PURE__ */ jsx15(Times, { spans })
    ] })
  ] });
}
function Axis({ scale }) {
  return /* @__PURE__ */ jsxs13("div", { class: "waterfall-row axis", children: [
    /* @__PURE__ */ jsx15("span", {}),
    /* @__PURE__ */ jsx15("svg", { class: "track", children: scale.marks.map(({ at, x }) => /* @__PURE__ */ jsx15("text", { x: `${x}%`, y: "14", "text-anchor": x === 0 ? "start" : x > 90 ? "end" : "middle", children: formatSpan(at) }, at)) }),
    /* @__PURE__ */ jsx15("span", {})
  ] });
}
function Row({ spans, scale }) {
  const first = spans[0];
  const duration = spans.reduce((sum, span) => sum + span.to - span.from, 0);
  const isOpen = spans.some((span) => span.isOpen);
  return /* @__PURE__ */ jsxs13("div", { class: "waterfall-row", children: [
    /* @__PURE__ */ jsx15("span", { class: "waterfall-name", dir: "auto", title: nameOf(first), children: nameOf(first) }),
    /* @__PURE__ */ jsxs13("svg", { class: "track", children: [
      scale.marks.map(({ at, x }) => /* @__PURE__ */ jsx15("line", { class: "mark", x1: `${x}%`, x2: `${x}%`, y1: "0", y2: "100%" }, at)),
      scale.shortened.map(({ from, to }) => /* @__PURE__ */ jsx15("rect", { class: "shortened", x: `${from}%`, width: `${to - from}%`, height: "100%" }, from)),
      spans.map((span) => /* @__PURE__ */ jsx15(Bar, { span, scale }, span.kind))
    ] }),
    /* @__PURE__ */ jsxs13("span", { class: "number", children: [
      formatSpan(duration),
      isOpen && "…"
    ] })
  ] });
}
function Bar({ span, scale }) {
  const from = scale.place(span.from);
  const width = Math.max(SMALLEST, scale.place(span.to) - from);
  const x = Math.min(from, 100 - width);
  const classes = ["bar", span.kind, span.hasFailed && "failed", span.isOpen && "open"].filter(Boolean).join(" ");
  return /* @__PURE__ */ jsx15("rect", { class: classes, x: `${x}%`, width: `${width}%`, y: "20%", height: "60%", rx: "2", children: /* @__PURE__ */ jsx15("title", { children: `${words.value.detail.kinds[span.kind]}: ${formatSpan(span.to - span.from)}` }) });
}
function Times({ spans }) {
  const texts = words.value.detail;
  const begin = Math.min(...spans.map((span) => span.from));
  const columns = [
    { key: "what", label: texts.what, cell: (span) => nameOf(span) },
    {
      key: "kind",
      label: texts.kind,
      cell: (span) => [texts.kinds[span.kind], span.hasFailed && texts.failed, span.isOpen && texts.running].filter(Boolean).join(", ")
    },
    { key: "from", label: texts.begins, cell: (span) => formatSpan(span.from - begin), isNumber: true },
    { key: "took", label: texts.took, cell: (span) => formatSpan(span.to - span.from), isNumber: true }
  ];
  return /* @__PURE__ */ jsx15(Table, { caption: texts.timeline, columns, rows: spans, keyOf: (span) => `${span.row} ${span.kind}` });
}
function rowsOf(spans) {
  const rows = /* @__PURE__ */ new Map();
  for (const span of spans) rows.set(span.row, [...rows.get(span.row) ?? [], span]);
  return [...rows.values()];
}
function nameOf(span) {
  const texts = words.value.detail;
  const named = {
    queue: texts.kinds.queue,
    compaction: texts.kinds.compaction,
    attempt: texts.kinds.attempt,
    wait: texts.waits(span.name)
  };
  if (span.row.startsWith("step ")) return texts.step(formatNumber4(Number(span.row.slice(5))), span.name);
  return named[span.kind] ?? span.name;
}

// src/admin/turns/TurnDetail.tsx
import { Fragment as Fragment6, jsx as jsx16, jsxs as jsxs14 } from "./vendor.js";
var RUNNING_MS = 2e3;
function TurnDetail({ id }) {
  const { detail: texts, turns } = words.value;
  const { data, error, isLoading, reload } = useLoaded(() => loadTurn(id), id);
  const view = data?.view;
  const isRunning = data !== void 0 && data.row.ended_at === null;
  useEffect4(() => {
    if (!isRunning) return;
    const timer = setInterval(() => !document.hidden && void reload(), RUNNING_MS);
    return () => clearInterval(timer);
  }, [isRunning, id]);
  const hasEvents = view !== void 0 && (view.seq > 0 || isRunning);
  const log = useEvents(id, hasEvents);
  const isMissing = error instanceof ApiError4 && error.status === 404;
  const title = data ? texts.title(String(data.row.number), data.title || texts.untitled) : turns.title;
  return /* @__PURE__ */ jsxs14(Screen, { title, back: /* @__PURE__ */ jsx16("a", { href: "#/turns", children: texts.back }), actions: data && /* @__PURE__ */ jsx16(Links, { row: data.row }), children: [
    isMissing ? /* @__PURE__ */ jsx16("p", { class: "nothing", children: texts.missing }) : /* @__PURE__ */ jsx16(Problem, { error, retry: () => void reload() }),
    isLoading && !data && /* @__PURE__ */ jsx16("p", { role: "status", children: words.value.loading }),
    data && /* @__PURE__ */ jsx16(Facts, { row: data.row, view }),
    view && /* @__PURE__ */ jsxs14(Fragment6, { children: [
      /* @__PURE__ */ jsxs14("section", { children: [
        /* @__PURE__ */ jsx16("h2", { children: texts.timeline }),
        /* @__PURE__ */ jsx16(Waterfall, { spans: spansOf(view, log.events, Date.now()) })
      ] }),
      /* @__PURE__ */ jsx16(Remarks, { view }),
      /* @__PURE__ */ jsxs14("section", { children: [
        /* @__PURE__ */ jsx16("h2", { children: texts.input }),
        /* @__PURE__ */ jsx16(Texts, { texts: view.input.map(textOf) })
      ] }),
      /* @__PURE__ */ jsxs14("section", { children: [
        /* @__PURE__ */ jsx16("h2", { children: texts.output }),
        /* @__PURE__ */ jsx16(Texts, { texts: view.parts.filter((part) => part.type === "text").map((part) => part.text) }),
        view.parts.some((part) => part.more) && /* @__PURE__ */ jsx16("p", { class: "remark", children: texts.cut })
      ] }),
      /* @__PURE__ */ jsx16(EventList, { log, areKept: hasEvents })
    ] })
  ] });
}
function Links({ row }) {
  const texts = words.value.detail;
  return /* @__PURE__ */ jsxs14(Fragment6, { children: [
    row.parent_turn_id && /* @__PURE__ */ jsx16("a", { href: `#/turns/${row.parent_turn_id}`, children: texts.parent }),
    /* @__PURE__ */ jsx16("a", { href: `${addressOf2(row.session_id)}/t/${row.id}`, children: texts.open })
  ] });
}
function Facts({ row, view }) {
  const { detail: texts, turns } = words.value;
  const unique = (values) => [...new Set(values.filter((value) => value !== void 0))].join(", ");
  const models = unique(view?.steps.map((step) => step.model) ?? []);
  const providers = unique(view?.steps.map((step) => step.provider) ?? []);
  const first = view?.steps[0]?.first_ms;
  const took = row.ended_at ? Date.parse(row.ended_at) - Date.parse(row.accepted_at) : void 0;
  const unpriced = row.cost?.unpriced_calls ?? 0;
  return /* @__PURE__ */ jsxs14("dl", { class: "facts", children: [
    /* @__PURE__ */ jsx16(Fact, { name: turns.columns.state, children: /* @__PURE__ */ jsx16(State, { state: row.state }) }),
    /* @__PURE__ */ jsx16(Fact, { name: turns.columns.agent, children: row.agent }),
    models && /* @__PURE__ */ jsx16(Fact, { name: turns.columns.model, children: models }),
    providers && /* @__PURE__ */ jsx16(Fact, { name: texts.provider, children: providers }),
    /* @__PURE__ */ jsx16(Fact, { name: turns.columns.time, children: /* @__PURE__ */ jsx16(When, { time: row.accepted_at }) }),
    /* @__PURE__ */ jsx16(Fact, { name: turns.columns.duration, children: took === void 0 ? "–" : formatSpan(took) }),
    first !== void 0 && /* @__PURE__ */ jsx16(Fact, { name: texts.first, children: formatSpan(first) }),
    /* @__PURE__ */ jsx16(Fact, { name: turns.columns.tokens, children: formatTokens(row.usage) }),
    /* @__PURE__ */ jsxs14(Fact, { name: turns.columns.cost, children: [
      formatCost(row.cost),
      unpriced > 0 && /* @__PURE__ */ jsxs14("span", { class: "remark", children: [
        " ",
        texts.unpriced(unpriced)
      ] })
    ] })
  ] });
}
function Fact({ name, children }) {
  return /* @__PURE__ */ jsxs14("div", { children: [
    /* @__PURE__ */ jsx16("dt", { children: name }),
    /* @__PURE__ */ jsx16("dd", { dir: "auto", children })
  ] });
}
function Remarks({ view }) {
  if (view.remarks.length === 0) return null;
  return /* @__PURE__ */ jsxs14("section", { children: [
    /* @__PURE__ */ jsx16("h2", { children: words.value.detail.remarks }),
    /* @__PURE__ */ jsx16("ul", { class: "remarks", children: view.remarks.map((remark, index) => /* @__PURE__ */ jsxs14("li", { class: remark.error ? "error" : void 0, dir: "auto", children: [
      /* @__PURE__ */ jsx16("code", { children: remark.code }),
      " ",
      remark.text
    ] }, index)) })
  ] });
}
function Texts({ texts }) {
  const shown = texts.filter((text) => text !== "");
  if (shown.length === 0) return /* @__PURE__ */ jsx16("p", { class: "remark", children: words.value.detail.nothing });
  return /* @__PURE__ */ jsx16(Fragment6, { children: shown.map((text, index) => /* @__PURE__ */ jsx16("p", { class: "written", dir: "auto", children: text }, index)) });
}
function textOf(part) {
  if (part.type === "text" || part.type === "reasoning" || part.type === "context") return part.text;
  if (part.type === "file") return part.name;
  return part.type === "image" ? part.media_type : "";
}

// src/admin/turns/Turns.tsx
import { useState as useState13 } from "./vendor.js";
import { addressOf as addressOf3 } from "./app.js";

// src/admin/downloadCsv.ts
import { download } from "./app.js";

// src/admin/csv.ts
var FORMULA = /^[=+\-@\t\r]/;
function toCsv(rows) {
  return rows.map((row) => `${row.map(field).join(",")}\r
`).join("");
}
function field(cell) {
  if (cell === null || cell === void 0) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// src/admin/downloadCsv.ts
function downloadCsv(name, rows) {
  download(name, new Blob(["\uFEFF", toCsv(rows)], { type: "text/csv;charset=utf-8" }));
}

// src/admin/turns/FilterForm.tsx
import { useEffect as useEffect6, useRef as useRef3, useState as useState12 } from "./vendor.js";
import { me } from "./app.js";

// src/admin/turns/FilterField.tsx
import { useEffect as useEffect5, useState as useState11 } from "./vendor.js";
import { jsx as jsx17, jsxs as jsxs15 } from "./vendor.js";
function FilterField({ label, list, value, choose }) {
  const [text, setText] = useState11(value);
  useEffect5(() => setText(value), [value]);
  return /* @__PURE__ */ jsxs15("label", { class: "field", children: [
    label,
    /* @__PURE__ */ jsx17(
      "input",
      {
        type: "text",
        dir: "auto",
        spellcheck: false,
        list,
        value: text,
        onInput: (event) => setText(event.currentTarget.value),
        onChange: (event) => choose(event.currentTarget.value)
      }
    )
  ] });
}

// src/admin/turns/filters.ts
var FILTERS = ["state", "user"];
var STATES = [
  "queued",
  "running",
  "waiting",
  "cancelling",
  "completed",
  "failed",
  "cancelled",
  "limit",
  "interrupted",
  "expired"
];
function readFilters(query) {
  const given = new URLSearchParams(query);
  const filters = {};
  for (const name of FILTERS) {
    const value = given.get(name)?.trim();
    if (value) filters[name] = value;
  }
  return filters;
}
function addressWith(filters) {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
  return `#/turns${query && `?${query}`}`;
}

// src/admin/turns/FilterForm.tsx
import { jsx as jsx18, jsxs as jsxs16 } from "./vendor.js";
function FilterForm({ filters }) {
  const texts = words.value.turns;
  const users = useUsers();
  const state = useRef3(null);
  const clear = () => {
    location.hash = addressWith({});
    state.current?.focus();
  };
  const set = (name, value) => {
    const current = readFilters(location.hash.split("?")[1] ?? "");
    location.hash = addressWith({ ...current, [name]: value.trim() });
  };
  return /* @__PURE__ */ jsxs16("form", { class: "filters", "aria-label": texts.filters.title, onSubmit: (event) => event.preventDefault(), children: [
    /* @__PURE__ */ jsxs16("div", { class: "filter-row", children: [
      /* @__PURE__ */ jsxs16("label", { class: "field", children: [
        texts.filters.state,
        /* @__PURE__ */ jsxs16("select", { ref: state, value: filters.state ?? "", onChange: (event) => set("state", event.currentTarget.value), children: [
          /* @__PURE__ */ jsx18("option", { value: "", children: texts.filters.any }),
          STATES.map((state2) => /* @__PURE__ */ jsx18("option", { value: state2, children: nameOfState(state2) }, state2))
        ] })
      ] }),
      (me.value?.oversees ?? true) && /* @__PURE__ */ jsx18(
        FilterField,
        {
          label: texts.filters.user,
          list: "names-user",
          value: filters.user ?? "",
          choose: (value) => set("user", value)
        }
      ),
      Object.keys(filters).length > 0 && /* @__PURE__ */ jsx18("button", { type: "button", class: "quiet", onClick: clear, children: texts.filters.clear })
    ] }),
    /* @__PURE__ */ jsx18("datalist", { id: "names-user", children: users.map((user) => /* @__PURE__ */ jsx18("option", { value: user }, user)) })
  ] });
}
function useUsers() {
  const [users, setUsers] = useState12([]);
  useEffect6(() => {
    const found = (report) => {
      setUsers([...new Set(report.data.map((row) => row.user).filter((user) => user !== void 0))]);
    };
    get("usage", { by: "user" }).then(found, () => {
    });
  }, []);
  return users;
}

// src/admin/turns/Turns.tsx
import { Fragment as Fragment7, jsx as jsx19, jsxs as jsxs17 } from "./vendor.js";
var PAGE_SIZE = "50";
function Turns({ query }) {
  const { turns: texts, csv, refresh } = words.value;
  const filters = readFilters(query);
  const load = async () => {
    const [page, titles] = await Promise.all([
      get("turns", { ...filters, limit: PAGE_SIZE }),
      loadTitles(filters.user ?? "").catch(() => /* @__PURE__ */ new Map())
    ]);
    return { rows: page.data, next: page.next, titles };
  };
  const { data, error, isLoading, reload } = useLoaded(load, query);
  const [more, setMore] = useState13();
  const [problem, setProblem] = useState13();
  const added = more && more.first === data ? more : void 0;
  const rows = [...data?.rows ?? [], ...added?.rows ?? []];
  const next = added ? added.next : data?.next;
  const loadMore = async () => {
    if (!data || !next) return;
    setProblem(void 0);
    const page = await get("turns", { ...filters, limit: PAGE_SIZE, cursor: next });
    setMore({ first: data, rows: [...added?.rows ?? [], ...page.data], next: page.next });
  };
  const columns = columnsOf2(rows, data?.titles ?? /* @__PURE__ */ new Map());
  const actions = /* @__PURE__ */ jsxs17(Fragment7, { children: [
    /* @__PURE__ */ jsx19("button", { type: "button", disabled: isLoading, onClick: () => void reload(), children: refresh }),
    /* @__PURE__ */ jsx19("button", { type: "button", disabled: rows.length === 0, onClick: () => downloadCsv("turns.csv", csvOf(columns, rows)), children: csv })
  ] });
  return /* @__PURE__ */ jsxs17(Screen, { title: texts.title, lead: texts.lead, actions, children: [
    /* @__PURE__ */ jsx19(FilterForm, { filters }),
    /* @__PURE__ */ jsx19(Problem, { error, forbidden: texts.forbidden, retry: () => void reload() }),
    isLoading && !data && /* @__PURE__ */ jsx19("p", { role: "status", children: words.value.loading }),
    data && rows.length === 0 && /* @__PURE__ */ jsx19("p", { class: "nothing", children: query ? texts.noneFound : texts.none }),
    rows.length > 0 && /* @__PURE__ */ jsx19(Table, { caption: texts.title, columns, rows, keyOf: (row) => row.id, isComplete: !next }),
    /* @__PURE__ */ jsx19(Problem, { error: problem }),
    data && next && /* @__PURE__ */ jsxs17("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx19("button", { type: "button", onClick: () => void loadMore().catch(setProblem), children: texts.more }),
      /* @__PURE__ */ jsx19("span", { class: "remark", children: texts.shown(rows.length) })
    ] })
  ] });
}
function columnsOf2(rows, titles) {
  const { columns: names, number, kinds } = words.value.turns;
  const titleOf = (row) => titles.get(row.session_id) || row.session_id.slice(-12);
  const columns = [
    {
      key: "time",
      label: names.time,
      cell: (row) => /* @__PURE__ */ jsx19("a", { href: `#/turns/${row.id}`, children: /* @__PURE__ */ jsx19(When, { time: row.accepted_at }) }),
      value: (row) => row.accepted_at
    },
    {
      key: "session",
      label: names.session,
      cell: (row) => /* @__PURE__ */ jsxs17("span", { class: "titled", children: [
        /* @__PURE__ */ jsx19("a", { href: `${addressOf3(row.session_id)}/t/${row.id}`, dir: "auto", children: titleOf(row) }),
        " ",
        /* @__PURE__ */ jsxs17("span", { class: "remark", children: [
          number(row.number),
          row.kind && ` · ${kinds[row.kind] ?? row.kind}`
        ] })
      ] }),
      value: (row) => titleOf(row)
    },
    {
      key: "user",
      label: names.user,
      cell: (row) => row.user,
      value: (row) => row.user,
      isAbsent: rows.every((row) => !row.user)
    },
    { key: "agent", label: names.agent, cell: (row) => row.agent, value: (row) => row.agent },
    {
      key: "state",
      label: names.state,
      cell: (row) => /* @__PURE__ */ jsxs17(Fragment7, { children: [
        /* @__PURE__ */ jsx19(State, { state: row.state }),
        row.error && /* @__PURE__ */ jsxs17("span", { class: "remark", children: [
          " ",
          row.error
        ] })
      ] }),
      value: (row) => row.state
    },
    {
      key: "model",
      label: names.model,
      cell: (row) => row.model ?? "–",
      value: (row) => row.model,
      isAbsent: rows.every((row) => !row.model)
    },
    {
      key: "tokens",
      label: names.tokens,
      cell: (row) => formatTokens(row.usage),
      value: (row) => row.usage && tokensOf(row.usage),
      isNumber: true
    },
    {
      key: "cost",
      label: names.cost,
      cell: (row) => formatCost(row.cost),
      value: (row) => row.cost && row.cost.nano_usd / 1e9,
      isNumber: true
    },
    {
      key: "duration",
      label: names.duration,
      cell: (row) => durationOf(row) === void 0 ? "–" : formatSpan(durationOf(row)),
      value: durationOf,
      isNumber: true
    }
  ];
  return columns.filter((column) => !column.isAbsent);
}
function durationOf(row) {
  return row.ended_at ? Math.max(0, Date.parse(row.ended_at) - Date.parse(row.accepted_at)) : void 0;
}

// src/admin/usage/Usage.tsx
import { formatNumber as formatNumber6 } from "./app.js";

// src/admin/usage/Chart.tsx
import { useLayoutEffect, useRef as useRef4, useState as useState14 } from "./vendor.js";
import { formatNumber as formatNumber5 } from "./app.js";

// src/admin/usage/Patterns.tsx
import { jsx as jsx20, jsxs as jsxs18 } from "./vendor.js";
var PATTERNS = 7;
var SIGNS = [
  "",
  "M0 8L8 0M-2 2L2 -2M6 10L10 6",
  "M2 2h1.5v1.5H2zM6 6h1.5v1.5H6z",
  "M0 4h8",
  "M0 0L8 8M6 -2L10 2M-2 6L2 10",
  "M4 0v8",
  "M0 4h8M4 0v8"
];
function Patterns() {
  return /* @__PURE__ */ jsx20("defs", { children: SIGNS.map((sign, index) => /* @__PURE__ */ jsxs18("pattern", { id: `pattern-${index}`, width: "8", height: "8", patternUnits: "userSpaceOnUse", children: [
    /* @__PURE__ */ jsx20("rect", { class: `series-${index}`, width: "8", height: "8" }),
    /* @__PURE__ */ jsx20("path", { class: "sign", d: sign })
  ] }, index)) });
}

// src/admin/usage/Chart.tsx
import { jsx as jsx21, jsxs as jsxs19 } from "./vendor.js";
var HEIGHT = 220;
var LEFT = 60;
var TOP = 8;
var BOTTOM = 24;
var PLOT = HEIGHT - TOP - BOTTOM;
function Chart({ days, series, measure }) {
  const texts = words.value.usage;
  const [frame, width] = useWidth();
  const [chosen, setChosen] = useState14();
  const format = (value) => measure === "tokens" ? formatNumber5(value) : formatMoney(value);
  const totals = days.map((_, day) => series.reduce((sum, one) => sum + (one.values[day] ?? 0), 0));
  const highest = ceiling(Math.max(...totals));
  const slot = Math.max(0, width - LEFT) / days.length;
  const gap = slot > 6 ? Math.min(8, slot * 0.25) : slot > 3 ? 1 : 0;
  const y = (value) => TOP + PLOT * (1 - value / highest);
  const describe = (day) => {
    const values = series.filter((one) => one.values[day]).map((one) => `${nameOf2(one)} ${format(one.values[day] ?? 0)}`);
    return `${formatDay(days[day])}: ${[format(totals[day]), ...values].join("; ")}`;
  };
  const press = (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -days.length, End: days.length };
    const step = steps[event.key];
    if (step === void 0) return;
    event.preventDefault();
    setChosen(Math.min(days.length - 1, Math.max(0, (chosen ?? days.length - 1) + step)));
  };
  return /* @__PURE__ */ jsxs19("figure", { class: "chart", children: [
    /* @__PURE__ */ jsx21(
      Legend,
      {
        series,
        day: chosen,
        label: chosen === void 0 ? texts.whole : formatDay(days[chosen]),
        format
      }
    ),
    /* @__PURE__ */ jsx21(
      "div",
      {
        ref: frame,
        class: "plot",
        role: "slider",
        tabIndex: 0,
        "aria-label": texts.chart,
        "aria-valuemin": 1,
        "aria-valuemax": days.length,
        "aria-valuenow": (chosen ?? days.length - 1) + 1,
        "aria-valuetext": describe(chosen ?? days.length - 1),
        onKeyDown: press,
        onFocus: () => setChosen(chosen ?? days.length - 1),
        onBlur: () => setChosen(void 0),
        onPointerLeave: () => setChosen(void 0),
        children: /* @__PURE__ */ jsxs19("svg", { width, height: HEIGHT, "aria-hidden": "true", children: [
          /* @__PURE__ */ jsx21(Patterns, {}),
          [0, 0.25, 0.5, 0.75, 1].map((share) => /* @__PURE__ */ jsxs19("g", { children: [
            /* @__PURE__ */ jsx21("line", { class: "mark", x1: LEFT, x2: width, y1: y(share * highest), y2: y(share * highest) }),
            /* @__PURE__ */ jsx21("text", { x: LEFT - 8, y: y(share * highest) + 4, "text-anchor": "end", children: measure === "tokens" ? formatShort(share * highest) : formatMoney(share * highest) })
          ] }, share)),
          days.map((day, index) => /* @__PURE__ */ jsxs19("g", { onPointerEnter: () => setChosen(index), children: [
            /* @__PURE__ */ jsx21(
              "rect",
              {
                class: index === chosen ? "slot chosen" : "slot",
                x: LEFT + index * slot,
                y: TOP,
                width: slot,
                height: PLOT
              }
            ),
            stack(series, index).map(({ at, from, to }) => /* @__PURE__ */ jsx21(
              "rect",
              {
                fill: `url(#pattern-${at % PATTERNS})`,
                x: LEFT + index * slot + gap / 2,
                y: y(to),
                width: Math.max(1, slot - gap),
                height: y(from) - y(to)
              },
              at
            ))
          ] }, day)),
          labelled(days, width).map((index) => /* @__PURE__ */ jsx21(
            "text",
            {
              x: LEFT + (index + 0.5) * slot,
              y: HEIGHT - 6,
              "text-anchor": index === days.length - 1 && days.length > 7 ? "end" : "middle",
              children: formatDay(days[index], true)
            },
            index
          ))
        ] })
      }
    )
  ] });
}
function Legend({ series, day, label, format }) {
  const value = (one) => day === void 0 ? one.total : one.values[day] ?? 0;
  return /* @__PURE__ */ jsxs19("div", { class: "legend", children: [
    /* @__PURE__ */ jsxs19("span", { class: "legend-of", children: [
      label,
      ": ",
      /* @__PURE__ */ jsx21("strong", { children: format(series.reduce((sum, one) => sum + value(one), 0)) })
    ] }),
    /* @__PURE__ */ jsx21("ul", { class: "legend", children: series.map((one, index) => /* @__PURE__ */ jsxs19("li", { class: value(one) === 0 ? "zero" : void 0, children: [
      /* @__PURE__ */ jsx21("svg", { class: "swatch", "aria-hidden": "true", children: /* @__PURE__ */ jsx21("rect", { fill: `url(#pattern-${index % PATTERNS})`, width: "100%", height: "100%", rx: "2" }) }),
      /* @__PURE__ */ jsx21("bdi", { children: nameOf2(one) }),
      " ",
      /* @__PURE__ */ jsx21("span", { class: "number", children: format(value(one)) })
    ] }, one.name)) })
  ] });
}
function nameOf2(one) {
  return one.isRest ? words.value.usage.rest : one.name;
}
function stack(series, day) {
  let top = 0;
  return series.map((one, at) => {
    const from = top;
    top += one.values[day] ?? 0;
    return { at, from, to: top };
  }).filter(({ from, to }) => to > from);
}
function labelled(days, width) {
  const distance = Math.max(1, Math.ceil(days.length / Math.max(2, Math.floor((width - LEFT) / 80))));
  const last = days.length - 1;
  return days.map((_, index) => index).filter((index) => (last - index) % distance === 0);
}
function ceiling(value) {
  if (value <= 0) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8, 10].find((factor) => factor * size >= value) ?? 10) * size;
}
function useWidth() {
  const frame = useRef4(null);
  const [width, setWidth] = useState14(0);
  useLayoutEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [frame, width];
}

// src/admin/usage/series.ts
var DIMENSIONS = ["model", "agent", "user", "provider"];
var LARGEST = 6;
function sumsOf(report, by, measure) {
  const sums = /* @__PURE__ */ new Map();
  for (const row of report.data) {
    const name = row[by] ?? "";
    const sum = sums.get(name) ?? emptySum(name);
    sums.set(name, sum);
    sum.calls += row.calls;
    sum.fresh += row.usage.fresh;
    sum.cached += row.usage.cache_read;
    sum.written += row.usage.cache_write;
    sum.output += row.usage.output;
    sum.reasoning += row.usage.reasoning;
    sum.tokens += tokensOf(row.usage);
    sum.nano += row.cost.nano_usd;
    sum.unpriced += row.cost.unpriced_calls;
  }
  const value = (sum) => measure === "tokens" ? sum.tokens : sum.nano;
  return [...sums.values()].sort((a, b) => value(b) - value(a) || a.name.localeCompare(b.name));
}
function seriesOf(report, days, by, measure) {
  const names = sumsOf(report, by, measure).map((sum) => sum.name);
  const series = [];
  const places = new Map(days.map((day, index) => [day, index]));
  for (const [index, name] of names.entries()) {
    const isRest = index >= LARGEST && names.length > LARGEST + 1;
    if (!isRest || series.length === LARGEST)
      series.push({ name: isRest ? "" : name, isRest, values: days.map(() => 0), total: 0 });
  }
  for (const row of report.data) {
    const index = names.indexOf(row[by] ?? "");
    const one = series[Math.min(index, series.length - 1)];
    const place = places.get(row.day ?? "");
    if (!one || place === void 0) continue;
    const value = valueOf(row, measure);
    one.values[place] = (one.values[place] ?? 0) + value;
    one.total += value;
  }
  return series;
}
function daysOf({ from, to }) {
  const days = [];
  for (let day = from; day <= to && days.length < 400; day = shift(day, 1)) days.push(day);
  return days;
}
function shift(day, by) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + by * 864e5).toISOString().slice(0, 10);
}
function valueOf(row, measure) {
  return measure === "tokens" ? tokensOf(row.usage) : row.cost.nano_usd;
}
function emptySum(name) {
  return {
    name,
    calls: 0,
    fresh: 0,
    cached: 0,
    written: 0,
    output: 0,
    reasoning: 0,
    tokens: 0,
    nano: 0,
    unpriced: 0
  };
}

// src/admin/usage/Range.tsx
import { jsx as jsx22, jsxs as jsxs20 } from "./vendor.js";
var PRESETS = [7, 30, 90];
function readChoice(query, now = /* @__PURE__ */ new Date()) {
  const given = new URLSearchParams(query);
  const today = now.toISOString().slice(0, 10);
  const from = given.get("from") ?? "";
  const to = given.get("to") ?? "";
  const by = DIMENSIONS.find((dimension) => dimension === given.get("by")) ?? "model";
  const measure = given.get("show") === "cost" ? "cost" : "tokens";
  if (isDay(from) && isDay(to)) return { days: void 0, from, to, by, measure };
  const days = PRESETS.find((days2) => String(days2) === given.get("days")) ?? 30;
  return { days, from: shift(today, 1 - days), to: today, by, measure };
}
function addressOf4({ days, from, to, by, measure }) {
  const period = days === void 0 ? { from, to } : { days: String(days) };
  return `#/usage?${new URLSearchParams({ ...period, by, show: measure }).toString()}`;
}
function isDay(text) {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}
function Range({ choice }) {
  const texts = words.value.usage;
  const choose = (change) => {
    location.hash = addressOf4({ ...choice, ...change });
  };
  const day = (name) => /* @__PURE__ */ jsxs20("label", { class: "field", children: [
    texts[name],
    /* @__PURE__ */ jsx22(
      "input",
      {
        type: "date",
        required: true,
        value: choice[name],
        onChange: (event) => isDay(event.currentTarget.value) && choose({ days: void 0, [name]: event.currentTarget.value })
      }
    )
  ] });
  return /* @__PURE__ */ jsxs20("form", { class: "filter-row", "aria-label": texts.period, onSubmit: (event) => event.preventDefault(), children: [
    /* @__PURE__ */ jsxs20("div", { class: "choices", role: "group", "aria-label": texts.period, children: [
      PRESETS.map((days) => /* @__PURE__ */ jsx22("button", { type: "button", "aria-pressed": choice.days === days, onClick: () => choose({ days }), children: texts.days(days) }, days)),
      /* @__PURE__ */ jsx22("button", { type: "button", "aria-pressed": choice.days === void 0, onClick: () => choose({ days: void 0 }), children: texts.custom })
    ] }),
    choice.days === void 0 && day("from"),
    choice.days === void 0 && day("to"),
    /* @__PURE__ */ jsx22("div", { class: "choices", role: "group", "aria-label": texts.measure, children: ["tokens", "cost"].map((measure) => /* @__PURE__ */ jsx22(
      "button",
      {
        type: "button",
        "aria-pressed": choice.measure === measure,
        onClick: () => choose({ measure }),
        children: texts[measure]
      },
      measure
    )) }),
    /* @__PURE__ */ jsxs20("label", { class: "field inline", children: [
      texts.by,
      /* @__PURE__ */ jsx22(
        "select",
        {
          value: choice.by,
          onChange: (event) => choose({ by: DIMENSIONS.find((one) => one === event.currentTarget.value) ?? "model" }),
          children: DIMENSIONS.map((one) => /* @__PURE__ */ jsx22("option", { value: one, children: texts.dimensions[one] }, one))
        }
      )
    ] })
  ] });
}

// src/admin/usage/Usage.tsx
import { Fragment as Fragment8, jsx as jsx23, jsxs as jsxs21 } from "./vendor.js";
function Usage({ query }) {
  const { usage: texts, csv } = words.value;
  const choice = readChoice(query);
  const { from, to, by } = choice;
  const load = () => get("usage", { from, to, by: `day,${by}` });
  const { data, error, isLoading, reload } = useLoaded(load, `${from} ${to} ${by}`);
  const actions = /* @__PURE__ */ jsx23(
    "button",
    {
      type: "button",
      disabled: !data?.data.length,
      onClick: () => data && downloadCsv("usage.csv", csvOf2(data, by)),
      children: csv
    }
  );
  return /* @__PURE__ */ jsxs21(Screen, { title: texts.title, lead: texts.lead, actions, children: [
    /* @__PURE__ */ jsx23(Range, { choice }),
    /* @__PURE__ */ jsx23(Problem, { error, retry: () => void reload() }),
    isLoading && !data && /* @__PURE__ */ jsx23("p", { role: "status", children: words.value.loading }),
    data && /* @__PURE__ */ jsx23(Report, { report: data, choice })
  ] });
}
function Report({ report, choice }) {
  const texts = words.value.usage;
  const { by, measure } = choice;
  const { total } = report;
  if (total.calls === 0) return /* @__PURE__ */ jsx23("p", { class: "nothing", children: texts.none });
  const days = daysOf(report);
  const series = seriesOf(report, days, by, measure);
  const unpriced = total.cost.unpriced_calls;
  return /* @__PURE__ */ jsxs21(Fragment8, { children: [
    /* @__PURE__ */ jsxs21("dl", { class: "facts large", children: [
      /* @__PURE__ */ jsx23(Fact2, { name: texts.calls, value: formatNumber6(total.calls) }),
      /* @__PURE__ */ jsx23(Fact2, { name: texts.tokens, value: formatNumber6(tokensOf(total.usage)) }),
      /* @__PURE__ */ jsx23(Fact2, { name: texts.cost, value: unpriced === total.calls ? "–" : formatMoney(total.cost.nano_usd) })
    ] }),
    unpriced > 0 && /* @__PURE__ */ jsx23("p", { class: "hint", children: texts.unpriced(unpriced, formatNumber6(unpriced)) }),
    /* @__PURE__ */ jsx23(Chart, { days, series, measure }),
    /* @__PURE__ */ jsx23(
      Table,
      {
        caption: texts.totals(texts.dimensions[by]),
        columns: sumColumns(by),
        rows: sumsOf(report, by, measure),
        keyOf: (sum) => sum.name,
        isComplete: true
      }
    ),
    /* @__PURE__ */ jsxs21("details", { children: [
      /* @__PURE__ */ jsx23("summary", { children: texts.daily }),
      /* @__PURE__ */ jsx23(
        Table,
        {
          caption: texts.daily,
          columns: dayColumns(series, measure),
          rows: days.map((day, index) => ({ day, index })),
          keyOf: ({ day }) => day,
          isComplete: true
        }
      )
    ] })
  ] });
}
function Fact2({ name, value }) {
  return /* @__PURE__ */ jsxs21("div", { children: [
    /* @__PURE__ */ jsx23("dt", { children: name }),
    /* @__PURE__ */ jsx23("dd", { children: value })
  ] });
}
function sumColumns(by) {
  const texts = words.value.usage;
  const number = (key, label, format = formatNumber6) => {
    return { key, label, cell: (sum) => format(sum[key]), value: (sum) => sum[key], isNumber: true };
  };
  return [
    { key: "name", label: texts.dimensions[by], cell: (sum) => /* @__PURE__ */ jsx23("bdi", { children: sum.name }), value: (sum) => sum.name },
    number("calls", texts.calls),
    number("fresh", texts.fresh),
    number("cached", texts.cached),
    number("written", texts.written),
    number("output", texts.output),
    number("reasoning", texts.reasoning),
    number("nano", texts.cost, formatMoney),
    number("unpriced", texts.unpricedCalls)
  ];
}
function dayColumns(series, measure) {
  const texts = words.value.usage;
  const format = measure === "tokens" ? formatNumber6 : formatMoney;
  const column = (key, label, value) => {
    return {
      key,
      label,
      cell: ({ index }) => format(value(index)),
      value: ({ index }) => value(index),
      isNumber: true
    };
  };
  return [
    { key: "day", label: texts.day, cell: ({ day }) => formatDay(day), value: ({ day }) => day },
    column("total", texts.total, (index) => series.reduce((sum, one) => sum + (one.values[index] ?? 0), 0)),
    ...series.map(
      (one, at) => column(`series ${at}`, one.isRest ? texts.rest : one.name, (index) => one.values[index] ?? 0)
    )
  ];
}
function csvOf2(report, by) {
  const texts = words.value.usage;
  const heads = [texts.day, texts.dimensions[by], texts.calls, texts.fresh, texts.cached, texts.written, texts.output];
  const line = ({ day, calls, usage, cost, ...row }) => {
    const tokens = [usage.fresh, usage.cache_read, usage.cache_write, usage.output, usage.reasoning];
    return [day, row[by], calls, ...tokens, cost.nano_usd / 1e9, cost.unpriced_calls];
  };
  return [[...heads, texts.reasoning, texts.dollars, texts.unpricedCalls], ...report.data.map(line)];
}

// src/admin/index.tsx
import { jsx as jsx24 } from "./vendor.js";
var screens = {
  turns: ({ shown }) => shown.id ? /* @__PURE__ */ jsx24(TurnDetail, { id: shown.id }, shown.id) : /* @__PURE__ */ jsx24(Turns, { query: shown.query }),
  usage: ({ shown }) => /* @__PURE__ */ jsx24(Usage, { query: shown.query }),
  providers: () => /* @__PURE__ */ jsx24(Providers, {}),
  tools: () => /* @__PURE__ */ jsx24(Tools, {}),
  keys: () => /* @__PURE__ */ jsx24(Keys, {})
};
export {
  screens
};
