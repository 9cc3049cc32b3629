// src/admin/keys/Keys.tsx
import { useState as useState6 } from "./vendor.js";
import { formatNumber as formatNumber2, summary as summary2 } from "./app.js";

// src/admin/api.ts
import { client } from "./app.js";
async function get(path, query = {}) {
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  const response = await client.send("GET", `api/v1/${path}${given && `?${given}`}`);
  return await response.json();
}
async function getAll(path) {
  return (await client.all(`api/v1/${path}`)).data;
}
function queryOf(user) {
  return user && `?${new URLSearchParams({ user }).toString()}`;
}
async function post(path, body) {
  const response = await client.send("POST", `api/v1/${path}`, body);
  return await response.json();
}
async function remove(path) {
  await client.send("DELETE", `api/v1/${path}`);
}
async function loadTurn(id, user) {
  const path = `turns/${encodeURIComponent(id)}`;
  if (user) {
    const [row2, trace2] = await Promise.all([get(path, { user }), get(`${path}/trace`, { user })]);
    return { row: row2, view: void 0, trace: trace2, title: "" };
  }
  const row = await get(path);
  const session = `sessions/${row.session_id}`;
  const [trace, page, { title }] = await Promise.all([
    get(`${path}/trace`),
    get(`${session}/turns`, { around: id, limit: "1" }),
    get(session)
  ]);
  return { row, view: page.data.find((turn) => turn.turn_id === id), trace, title };
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
    limit: "Limit erreicht",
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
    forbidden: "Durchläufe anderer Nutzer sehen nur der Betreiber und alle mit einem Schlüssel, der die Berechtigung admin hat.",
    more: "Mehr anzeigen",
    shown: (count) => `${count} angezeigt`,
    number: (number) => `Durchlauf ${number}`,
    kinds: { compact: "Zusammenfassung", title: "Titel" },
    columns: {
      time: "Zeit",
      session: "Unterhaltung",
      agent: "Agent",
      state: "Zustand",
      model: "Modell",
      tokens: "Token",
      cost: "Kosten",
      first: "Erste Ausgabe",
      duration: "Dauer"
    },
    filters: {
      title: "Filter",
      any: "Alle",
      more: "Weitere Filter",
      clear: "Filter entfernen",
      state: "Zustand",
      agent: "Agent",
      provider: "Anbieter",
      model: "Modell",
      error: "Fehlercode",
      user: "Nutzer",
      from: "Von",
      to: "Bis"
    }
  },
  detail: {
    title: (number, session) => `Durchlauf ${number} von „${session}“`,
    titleOf: (number, user) => `Durchlauf ${number} einer Unterhaltung von ${user}`,
    withoutWords: "Sie sehen, wie die Durchläufe anderer Nutzer verliefen, aber nicht, was gesagt wurde.",
    untitled: "Ohne Titel",
    back: "Alle Durchläufe",
    open: "Unterhaltung öffnen",
    parent: "Übergeordneter Durchlauf",
    provider: "Anbieter",
    missing: "Diesen Durchlauf gibt es nicht, oder er gehört jemand anderem.",
    first: "Erste Ausgabe",
    unpriced: (calls, formatted) => calls === 1 ? "1 Aufruf ohne Preis" : `${formatted} Aufrufe ohne Preis`,
    timeline: "Zeitverlauf",
    noTimes: "Die Zeitpunkte sind nicht mehr gespeichert, oder der Durchlauf hat noch nicht begonnen.",
    asTable: "Als Tabelle",
    what: "Vorgang",
    kind: "Art",
    begins: "Beginnt nach",
    took: "Dauer",
    failed: (code) => `fehlgeschlagen: ${code}`,
    running: "läuft",
    step: (step, model) => model ? `Schritt ${step}: ${model}` : `Schritt ${step}`,
    attempt: (model) => `Fehlgeschlagener Versuch: ${model}`,
    waits: (tool) => `Entscheidung über ${tool}`,
    kinds: {
      turn: "Durchlauf",
      model: "Bis zur ersten Ausgabe",
      answer: "Antwort",
      tool: "Werkzeug",
      wait: "Wartet auf eine Entscheidung",
      compaction: "Zusammenfassung",
      attempt: "Fehlgeschlagener Versuch"
    },
    remarks: "Hinweise und Fehler",
    input: "Eingabe",
    output: "Ausgabe",
    nothing: "Kein Text.",
    cut: "Lange Texte sind hier gekürzt. In der Unterhaltung stehen sie vollständig.",
    events: "Ereignisse",
    showEvents: (count, formatted) => count === 1 ? "1 Ereignis" : `${formatted} Ereignisse`,
    gone: "Die Ereignisse dieses Durchlaufs gibt es nicht mehr. Der Server hebt sie nach dem Ende eines Durchlaufs einen Tag lang auf."
  },
  usage: {
    title: "Verbrauch",
    lead: "Token und Kosten der Modellaufrufe. Die Tage richten sich nach UTC.",
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
    signs: "„–“ steht für unbekannte Kosten, „≥“ für Kosten, von denen nur dieser Teil bekannt ist.",
    totals: (dimension) => `Summen nach ${dimension}`,
    daily: "Tag für Tag",
    day: "Tag",
    total: "Summe",
    fresh: "Eingabe",
    cached: "Aus dem Cache",
    written: "In den Cache",
    output: "Ausgabe",
    reasoning: "Davon Überlegung",
    unpricedCalls: "Ohne Preis",
    budgets: "Ihre Budgets",
    periods: { day: "Heute", ever: "Insgesamt" },
    tokenCount: (count) => `${count} Token`,
    left: (left, limit) => `${left} von ${limit} übrig`,
    usedUp: (limit) => `${limit}, aufgebraucht`
  },
  providers: {
    title: "Anbieter",
    lead: "Die Dienste, die für Modelle antworten, und ob sie zurzeit gefragt werden.",
    none: "Es ist kein Anbieter eingerichtet. Es antwortet der Offline-Responder.",
    forbidden: "Den Zustand der Anbieter sehen der Betreiber und alle mit einem Schlüssel, der im Mandanten local die Berechtigung admin hat.",
    models: "Modelle",
    running: "Laufend",
    waiting: "Wartend",
    calls: "Aufrufe",
    failures: "Fehlgeschlagen",
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
    forbidden: "Das sehen der Betreiber und alle mit einem Schlüssel, der im Mandanten local die Berechtigung admin hat.",
    again: "nächster Start",
    read: "Werkzeuge gelesen",
    protocol: (version) => `Protokoll ${version}`,
    connections: (count) => `${count} Verbindungen`,
    pinned: (count, formatted) => count === 1 ? "1 unverändertes Werkzeug" : `${formatted} unveränderte Werkzeuge`,
    accept: "Änderungen annehmen",
    acceptTitle: (server) => `Geänderte Werkzeuge von ${server} annehmen?`,
    acceptText: "Regeln und Erlaubnisse aus der Zeit vor der Änderung gelten dann wieder, und zwar für alle Nutzer. Unten steht, was Modelle jetzt lesen. Was der Server sonst über diese Werkzeuge sagt, wird mit angenommen.",
    changedAgain: "Der Server hat seine Werkzeuge noch einmal geändert, deshalb wurde nichts angenommen. Die neuen Definitionen stehen unten.",
    takenBack: "Der Server hat seine Werkzeuge noch einmal geändert, deshalb wurde nichts angenommen. Jetzt weicht keines mehr von seiner angenommenen Definition ab.",
    noDescription: "Keine Beschreibung.",
    effects: (names) => `Ein Aufruf ${names}.`,
    effectNames: {
      none: "ändert nichts",
      change: "kann Daten ändern",
      destructive: "kann Daten zerstören",
      idempotent: "lässt sich wiederholen",
      open: "erreicht andere Systeme"
    },
    arguments: "Argumente",
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
    agents: "Agenten",
    sources: { "built-in": "eingebaut", configuration: "Konfiguration", mcp: "MCP", host: "Hostprogramm" },
    policies: { allow: "erlaubt", notify: "erlaubt, mit Hinweis", ask: "nach Rückfrage", deny: "verboten" }
  },
  wayOut: {
    withoutKeys: "Dieser Server verlangt keine Schlüssel, und ohne Schlüssel gilt niemand als sein Betreiber. Auf seinem Rechner brauchen turnkit providers, turnkit mcp und turnkit turns replay keinen Schlüssel. Damit es hier geht, muss der Server Schlüssel verlangen:",
    otherKey: "Melden Sie sich dafür ab und mit einem dazu berechtigten Schlüssel oder Zugriffstoken wieder an. Einen solchen Schlüssel erzeugt der Betreiber des Servers auf der Kommandozeile.",
    signOut: "Einstellungen"
  },
  keys: {
    title: "Schlüssel",
    lead: "Programme und Menschen senden mit jeder Anfrage einen Schlüssel. Er öffnet die Daten seines Nutzers.",
    notNeeded: "Dieser Server braucht keine Schlüssel: Er nimmt jede Anfrage von diesem Rechner an. Um Schlüssel zu verlangen, ergänzen Sie diese Zeilen in turnkit.toml, und starten Sie den Server neu:",
    create: "Der erste Schlüssel entsteht dann auf der Kommandozeile. Mit der Berechtigung admin kann er hier weitere erzeugen.",
    tokensOnly: "Dieser Server nimmt Token eines Identitätsanbieters an und keine eigenen Schlüssel.",
    forbidden: "Schlüssel verwalten der Betreiber und alle mit einem Schlüssel, der die Berechtigung admin hat.",
    none: "Es gibt keine Schlüssel.",
    new: "Neuer Schlüssel",
    name: "Name",
    user: "Nutzer",
    userField: "Nutzer, dessen Daten der Schlüssel öffnet (leer: Sie selbst)",
    scopes: "Berechtigungen",
    agentsField: "Nur diese Agenten, durch Kommas getrennt (leer: alle)",
    permits: {
      chat: "Nachrichten senden, Unterhaltungen ändern",
      read: "Unterhaltungen, Durchläufe und Verbrauch lesen",
      decide: "über Aufrufe entscheiden, Erlaubnisse widerrufen",
      admin: "Schlüssel verwalten, Durchläufe und Verbrauch aller Nutzer des Mandanten sehen, nicht aber ihre Nachrichten",
      metrics: "/metrics lesen"
    },
    createIt: "Schlüssel erzeugen",
    createdTitle: (name) => `Schlüssel „${name}“`,
    once: "Der Schlüssel wird nur dieses eine Mal angezeigt. Kopieren Sie ihn jetzt, und bewahren Sie ihn sicher auf; der Server speichert nur seinen Fingerabdruck.",
    key: "Der neue Schlüssel",
    done: "Fertig",
    created: "Erzeugt",
    action: "Aktion",
    revoke: "Widerrufen",
    revoked: "widerrufen",
    revokeTitle: (name) => `Schlüssel „${name}“ widerrufen?`,
    revokeText: "Anfragen mit diesem Schlüssel werden dann abgewiesen, und seine offenen Datenströme enden. Das lässt sich nicht rückgängig machen.",
    showRevoked: (count, formatted) => count === 1 ? "1 widerrufenen Schlüssel zeigen" : `${formatted} widerrufene Schlüssel zeigen`
  },
  recordings: {
    title: "Aufzeichnungen",
    lead: "Was Durchläufe an Anbieter gesendet und von ihnen empfangen haben.",
    none: "Noch ist nichts aufgezeichnet. Jeder Durchlauf, der einen Anbieter fragt, kommt hinzu.",
    off: "Dieser Server zeichnet nichts auf. So wird er mit einem Ordner für Aufzeichnungen gestartet:",
    masked: "Zugangsdaten sind unkenntlich gemacht. Alles andere ist unverändert, auch was Menschen und Werkzeuge geschrieben haben.",
    forbidden: "Aufzeichnungen sehen der Betreiber und alle mit einem Schlüssel, der im Mandanten local die Berechtigung admin hat.",
    user: "Titel der Durchläufe dieses Nutzers anzeigen (leer: eigene)",
    exchanges: "Aufrufe",
    ofOther: (id) => `Fremder oder gelöschter Durchlauf, …${id}`,
    link: "Aufzeichnung",
    back: "Alle Aufzeichnungen",
    of: (session) => `Aufzeichnung aus „${session}“`,
    ofTurn: (id) => `Aufzeichnung des Durchlaufs …${id}`,
    openTurn: "Durchlauf öffnen",
    missing: "Diese Aufzeichnung gibt es nicht, oder der Durchlauf gehört einem anderen Nutzer oder ist gelöscht. In der Liste der Aufzeichnungen lässt sich der Nutzer angeben.",
    unreadable: "Nicht lesbar sind:",
    number: (number) => `Aufruf ${number}`,
    place: (step, attempt) => `Schritt ${step}, Versuch ${attempt}`,
    ends: { whole: "Vollständig", dropped: "Vorzeitig beendet", failed: "Fehlgeschlagen" },
    status: "Status",
    masking: "Unkenntlich gemachte Bytes",
    headers: (count, formatted) => count === 1 ? "1 Kopfzeile der Antwort" : `${formatted} Kopfzeilen der Antwort`,
    bytes: (bytes) => `· ${bytes} Bytes`,
    request: "Anfrage",
    response: "Antwort",
    noResponse: "Es kam keine Antwort.",
    replay: "Wiederholung",
    replayLead: "Der Durchlauf läuft ohne Netz noch einmal ab, mit den aufgezeichneten Antworten und der jetzigen Konfiguration. Gespeichert wird nichts.",
    notReplayable: "Der Durchlauf gehört einem anderen Nutzer oder ist gelöscht. Um ihn zu wiederholen, geben Sie den Nutzer in der Liste der Aufzeichnungen an.",
    replayIt: "Durchlauf wiederholen",
    replaying: "Wird wiederholt…",
    same: (events) => `Die Wiederholung gleicht dem gespeicherten Durchlauf: ${events} Ereignisse.`,
    different: "Die Wiederholung weicht vom gespeicherten Durchlauf ab, zuerst hier:",
    incomplete: "Die Wiederholung gleicht dem Durchlauf, soweit er aufgezeichnet ist.",
    event: (number, kind) => `Ereignis ${number}, ${kind}`,
    message: (number) => `Nachricht ${number}`,
    stored: "Gespeichert",
    replayed: "Wiederholt",
    nothing: "Nichts.",
    notRecorded: (place) => `${place}: Hiervon ist nichts aufgezeichnet.`,
    otherRequest: (place) => `${place}: Die Anfrage wäre jetzt anders.`,
    otherRequestAt: (place) => `${place}: Die Anfrage wäre jetzt anders, bei`
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
    lead: "Each message and its outcome, newest first.",
    none: "There are no turns yet. Each message you send starts one.",
    noneFound: "No turn matches these filters.",
    forbidden: "Turns of other users are shown to operators and to keys with the scope admin.",
    more: "Show more",
    shown: (count) => `${count} shown`,
    number: (number) => `Turn ${number}`,
    kinds: { compact: "summary", title: "title" },
    columns: {
      time: "Time",
      session: "Session",
      agent: "Agent",
      state: "State",
      model: "Model",
      tokens: "Tokens",
      cost: "Cost",
      first: "First output",
      duration: "Duration"
    },
    filters: {
      title: "Filters",
      any: "Any",
      more: "More filters",
      clear: "Clear filters",
      state: "State",
      agent: "Agent",
      provider: "Provider",
      model: "Model",
      error: "Error code",
      user: "User",
      from: "From",
      to: "To"
    }
  },
  detail: {
    title: (number, session) => `Turn ${number} of “${session}”`,
    titleOf: (number, user) => `Turn ${number} of a session of ${user}`,
    withoutWords: "You can see how the turns of other users ran, but not what was said.",
    untitled: "Untitled session",
    back: "All turns",
    open: "Open the session",
    parent: "Parent turn",
    provider: "Provider",
    missing: "There is no such turn, or it belongs to another user.",
    first: "First output",
    unpriced: (calls, formatted) => calls === 1 ? "1 call without a price" : `${formatted} calls without a price`,
    timeline: "Timeline",
    noTimes: "The times are no longer stored, or the turn has not started.",
    asTable: "As a table",
    what: "What",
    kind: "Kind",
    begins: "Begins after",
    took: "Took",
    failed: (code) => `failed: ${code}`,
    running: "running",
    step: (step, model) => model ? `Step ${step}: ${model}` : `Step ${step}`,
    attempt: (model) => `Failed attempt: ${model}`,
    waits: (tool) => `Decision on ${tool}`,
    kinds: {
      turn: "Turn",
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
    cut: "Long texts are shortened here. The session shows them in full.",
    events: "Events",
    showEvents: (count, formatted) => count === 1 ? "1 event" : `${formatted} events`,
    gone: "The events of this turn are no longer stored. The server keeps them for a day after a turn ends."
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
    signs: "“–” stands for a cost that is unknown, and “≥” for one of which only this part is known.",
    totals: (dimension) => `Totals by ${dimension.toLowerCase()}`,
    daily: "Day by day",
    day: "Day",
    total: "Total",
    fresh: "Input",
    cached: "From cache",
    written: "To cache",
    output: "Output",
    reasoning: "Of which reasoning",
    unpricedCalls: "Without price",
    budgets: "Your budgets",
    periods: { day: "Today", ever: "In total" },
    tokenCount: (count) => `${count} tokens`,
    left: (left, limit) => `${left} of ${limit} left`,
    usedUp: (limit) => `${limit}, used up`
  },
  providers: {
    title: "Providers",
    lead: "The services that run the models, and whether they are available.",
    none: "No provider is configured. The offline responder answers.",
    forbidden: "The state of providers is shown to the operator, and to keys with the scope admin in the tenant local.",
    models: "Models",
    running: "Running",
    waiting: "Waiting",
    calls: "Calls",
    failures: "Failed",
    since: "since",
    again: "next attempt",
    untilThawed: "stays frozen until it is thawed",
    missing: "The provider does not have these models. Others are used in their place.",
    thaw: "Thaw",
    thawing: "Checking the provider…",
    thawed: "The provider answers again.",
    stillFails: (message) => `It is still frozen. ${message}`
  },
  tools: {
    title: "Tools",
    lead: "What agents can call, and what runs without approval.",
    servers: "MCP servers",
    noServers: "No agent uses tools of an MCP server.",
    forbidden: "This is shown to the operator, and to keys with the scope admin in the tenant local.",
    again: "next start",
    read: "tools read",
    protocol: (version) => `protocol ${version}`,
    connections: (count) => `${count} connections`,
    pinned: (count, formatted) => count === 1 ? "1 unchanged tool" : `${formatted} unchanged tools`,
    accept: "Accept changes",
    acceptTitle: (server) => `Accept the changed tools of ${server}?`,
    acceptText: "The rules and approvals from before the change then apply again, for all users. Below is what models read now. Whatever else the server says about these tools is accepted with it.",
    changedAgain: "The server changed its tools again, so nothing was accepted. The new definitions are below.",
    takenBack: "The server changed its tools again, so nothing was accepted. Now none of them differs from its accepted definition.",
    noDescription: "No description.",
    effects: (names) => `A call ${names}.`,
    effectNames: {
      none: "changes nothing",
      change: "may change data",
      destructive: "may destroy data",
      idempotent: "can be repeated",
      open: "reaches other systems"
    },
    arguments: "Arguments",
    reconnect: "Reconnect",
    reconnecting: "Connecting…",
    reconnected: "The server is connected, and its tools were read."
  },
  grants: {
    title: "Grants",
    lead: "Calls that run without another approval, because you approved one like them.",
    none: "You have no grants.",
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
    agents: "Agents",
    sources: { "built-in": "built in", configuration: "configuration", mcp: "MCP", host: "host program" },
    policies: { allow: "allowed", notify: "allowed, with a notice", ask: "asks", deny: "denied" }
  },
  wayOut: {
    withoutKeys: "This server requires no keys, and without one nobody is its operator. On its machine, turnkit providers, turnkit mcp and turnkit turns replay need no key. To use this screen, require keys:",
    otherKey: "To see it, sign out, and sign in with a key or token that has the required scope. The operator of the server creates such a key on the command line.",
    signOut: "Settings"
  },
  keys: {
    title: "Keys",
    lead: "A key is sent with each request, and gives access to the data of its user.",
    notNeeded: "This server needs no keys: it accepts every request from this machine. To require keys, add these lines to turnkit.toml, and start the server again:",
    create: "Then create the first key on the command line. With the scope admin, it can create others here.",
    tokensOnly: "This server accepts tokens of an identity provider, and no keys of its own.",
    forbidden: "Keys are managed by the operator, and with keys that have the scope admin.",
    none: "There are no keys.",
    new: "New key",
    name: "Name",
    user: "User",
    userField: "User whose data the key gives access to (empty: you)",
    scopes: "Scopes",
    agentsField: "Only these agents, separated by commas (empty: all)",
    permits: {
      chat: "send messages, change sessions",
      read: "read sessions, turns and usage",
      decide: "decide on calls, revoke grants",
      admin: "manage keys, see turns and usage of all users of the tenant, but not their messages",
      metrics: "read /metrics"
    },
    createIt: "Create key",
    createdTitle: (name) => `Key “${name}”`,
    once: "This is the only time that the key is shown. Copy it now and keep it in a safe place; the server stores only its fingerprint.",
    key: "The new key",
    done: "Done",
    created: "Created",
    action: "Action",
    revoke: "Revoke",
    revoked: "revoked",
    revokeTitle: (name) => `Revoke the key “${name}”?`,
    revokeText: "Requests with this key are then refused, and its open streams end. This cannot be undone.",
    showRevoked: (count, formatted) => count === 1 ? "Show 1 revoked key" : `Show ${formatted} revoked keys`
  },
  recordings: {
    title: "Recordings",
    lead: "The exchanges of turns with providers, as they were sent and received.",
    none: "Nothing is recorded yet. Each turn that asks a provider adds a recording.",
    off: "This server does not record exchanges with providers. Start it again with a folder for them:",
    masked: "Credentials are masked. Everything else is unchanged, including what people and tools wrote.",
    forbidden: "Recordings are shown to the operator, and to keys with the scope admin in the tenant local.",
    user: "Show titles of this user’s turns (empty: yours)",
    exchanges: "Exchanges",
    ofOther: (id) => `Another user’s or a deleted turn, …${id}`,
    link: "Recording",
    back: "All recordings",
    of: (session) => `Recording of “${session}”`,
    ofTurn: (id) => `Recording of turn …${id}`,
    openTurn: "Open the turn",
    missing: "There is no such recording, or its turn belongs to another user or was deleted. Name the user in the list of recordings.",
    unreadable: "These cannot be read:",
    number: (number) => `Exchange ${number}`,
    place: (step, attempt) => `Step ${step}, attempt ${attempt}`,
    ends: { whole: "Complete", dropped: "Closed early", failed: "Failed" },
    status: "Status",
    masking: "Masked bytes",
    headers: (count, formatted) => count === 1 ? "1 header of the response" : `${formatted} headers of the response`,
    bytes: (bytes) => `· ${bytes} bytes`,
    request: "Request",
    response: "Response",
    noResponse: "There was no response.",
    replay: "Replay",
    replayLead: "Runs the turn again offline, with the recorded answers and the present configuration. Nothing is stored.",
    notReplayable: "The turn belongs to another user, or was deleted. To replay it, name the user in the list of recordings.",
    replayIt: "Replay the turn",
    replaying: "Replaying…",
    same: (events) => `The replay is the same as the stored turn: ${events} events.`,
    different: "The replay differs from the stored turn. This is the first difference:",
    incomplete: "The replay is the same as far as the turn is recorded.",
    event: (number, kind) => `Event ${number}, ${kind}`,
    message: (number) => `Message ${number}`,
    stored: "Stored",
    replayed: "Replayed",
    nothing: "Nothing.",
    notRecorded: (place) => `${place}: nothing is recorded.`,
    otherRequest: (place) => `${place}: the request would now be different.`,
    /** The place of the difference follows. */
    otherRequestAt: (place) => `${place}: the request would now be different, at`
  }
};

// src/admin/strings/index.ts
var TABLES = { en, de };
var words = computed(() => TABLES[language.value]);
function nameOfState(state) {
  return words.value.states[state] ?? state;
}

// src/admin/elements/WayOut.tsx
import { me, summary } from "./app.js";

// src/admin/keys/command.ts
var CREATE = "turnkit keys create laptop --user ada --scope chat --scope read --scope decide --scope admin";

// src/admin/elements/WayOut.tsx
import { Fragment, jsx, jsxs } from "./vendor.js";
function WayOut() {
  const { wayOut, keys } = words.value;
  if (summary.value?.auth === "none") {
    return /* @__PURE__ */ jsxs("p", { children: [
      wayOut.withoutKeys,
      " ",
      /* @__PURE__ */ jsx("a", { href: "#/keys", children: keys.title })
    ] });
  }
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("p", { children: [
      wayOut.otherKey,
      " ",
      /* @__PURE__ */ jsx("a", { href: "#/settings", children: wayOut.signOut })
    ] }),
    summary.value?.auth !== "jwt" && /* @__PURE__ */ jsx("pre", { children: CREATE })
  ] });
}
function Refusal({ text }) {
  return /* @__PURE__ */ jsxs("div", { class: "problem quiet", children: [
    /* @__PURE__ */ jsx("p", { children: text }),
    /* @__PURE__ */ jsx(WayOut, {})
  ] });
}
function mayOperate() {
  return me.value?.operator !== false;
}

// src/admin/elements/Problem.tsx
import { jsx as jsx2, jsxs as jsxs2 } from "./vendor.js";
function Problem({ error, forbidden, retry }) {
  if (error === void 0) return null;
  const isForbidden = error instanceof ApiError && error.status === 403;
  if (isForbidden && (forbidden || retry)) return /* @__PURE__ */ jsx2(Refusal, { text: forbidden ?? explain(error) });
  return /* @__PURE__ */ jsxs2("div", { class: "problem", role: "alert", children: [
    /* @__PURE__ */ jsx2("p", { dir: "auto", children: explain(error) }),
    retry && /* @__PURE__ */ jsx2("button", { type: "button", onClick: retry, children: words.value.retry })
  ] });
}
function explain(error) {
  const { errors } = words.value;
  if (error instanceof ApiError && error.status === 0) return errors.unreachable;
  return errors.other(messageOf(error));
}

// src/admin/elements/Confirm.tsx
import { jsx as jsx3, jsxs as jsxs3 } from "./vendor.js";
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
  return /* @__PURE__ */ jsxs3(Dialog, { title, close, children: [
    /* @__PURE__ */ jsx3("p", { children: text }),
    /* @__PURE__ */ jsx3(Problem, { error }),
    /* @__PURE__ */ jsxs3("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx3("button", { type: "button", class: "danger", disabled: isRunning, onClick: confirm, children: action }),
      /* @__PURE__ */ jsx3("button", { type: "button", onClick: close, children: strings.value.page.cancel })
    ] })
  ] });
}

// src/admin/elements/Screen.tsx
import { jsx as jsx4, jsxs as jsxs4 } from "./vendor.js";
function Screen({ title, lead, back, actions, children }) {
  return (
    // A screen without controls is scrolled with the keyboard, too.
    /* @__PURE__ */ jsxs4("div", { class: "screen admin", tabIndex: 0, children: [
      /* @__PURE__ */ jsxs4("header", { class: "screen-head", children: [
        /* @__PURE__ */ jsxs4("div", { children: [
          back && /* @__PURE__ */ jsx4("p", { class: "back", children: back }),
          /* @__PURE__ */ jsx4("h1", { dir: "auto", children: title }),
          lead && /* @__PURE__ */ jsx4("p", { class: "remark", children: lead })
        ] }),
        actions && /* @__PURE__ */ jsx4("p", { class: "buttons", children: actions })
      ] }),
      children
    ] })
  );
}

// src/admin/elements/Table.tsx
import { useState as useState2 } from "./vendor.js";
import { jsx as jsx5, jsxs as jsxs5 } from "./vendor.js";
function Table({ caption, columns, rows, keyOf, isComplete = false }) {
  const [order, setOrder] = useState2();
  const sorted = isComplete && order ? sort(rows, columns, order) : rows;
  const turn = (column) => {
    const isDescending = order?.key === column.key ? !order.isDescending : column.isNumber === true;
    setOrder({ key: column.key, isDescending });
  };
  return /* @__PURE__ */ jsx5("div", { class: "table", role: "region", "aria-label": caption, tabIndex: 0, children: /* @__PURE__ */ jsxs5("table", { role: "table", children: [
    /* @__PURE__ */ jsx5("caption", { class: "unseen", children: caption }),
    /* @__PURE__ */ jsx5("thead", { role: "rowgroup", children: /* @__PURE__ */ jsx5("tr", { role: "row", children: columns.map((column) => /* @__PURE__ */ jsx5(
      "th",
      {
        role: "columnheader",
        scope: "col",
        class: column.isNumber ? "number" : void 0,
        "aria-sort": order?.key !== column.key ? void 0 : order.isDescending ? "descending" : "ascending",
        children: isComplete && column.value ? /* @__PURE__ */ jsx5("button", { type: "button", class: "sort", onClick: () => turn(column), children: column.label }) : column.label
      },
      column.key
    )) }) }),
    /* @__PURE__ */ jsx5("tbody", { role: "rowgroup", children: sorted.map((row) => /* @__PURE__ */ jsx5("tr", { role: "row", children: columns.map((column, index) => {
      const shown = {
        class: column.isNumber ? "number" : void 0,
        "data-label": column.label
      };
      return index === 0 ? /* @__PURE__ */ jsx5("th", { role: "rowheader", scope: "row", ...shown, children: column.cell(row) }, column.key) : /* @__PURE__ */ jsx5("td", { role: "cell", ...shown, children: column.cell(row) }, column.key);
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

// src/later/money.ts
import { locale } from "./app.js";
var DOLLARS = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" };
function formatMoney(nano) {
  const dollars = nano / 1e9;
  const isSmall = dollars !== 0 && Math.abs(dollars) < 0.1;
  const digits = isSmall ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(locale.value, { ...DOLLARS, ...digits }).format(dollars);
}

// src/later/tokens.ts
function tokensOf(usage) {
  return usage ? usage.fresh + usage.cache_read + usage.cache_write + usage.output : 0;
}

// src/admin/intl.ts
import { formatNumber, locale as locale2 } from "./app.js";
function formatCost(cost) {
  const dollars = dollarsOf(cost);
  if (!cost || dollars === void 0) return "–";
  return `${cost.unpriced_calls > 0 ? "≥ " : ""}${formatMoney(cost.nano_usd)}`;
}
function dollarsOf(cost) {
  return cost && (cost.nano_usd > 0 || cost.unpriced_calls === 0) ? cost.nano_usd / 1e9 : void 0;
}
function formatTokens(usage) {
  const tokens = tokensOf(usage);
  return !usage || tokens === 0 && usage.unmetered_calls ? "–" : formatNumber(tokens);
}
function formatShort(value) {
  return new Intl.NumberFormat(locale2.value, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}
function formatFull(iso) {
  return new Intl.DateTimeFormat(locale2.value, { dateStyle: "full", timeStyle: "long" }).format(new Date(iso));
}
function formatDay(day, isShort = false) {
  const options = isShort ? { day: "numeric", month: "short" } : { dateStyle: "medium" };
  return new Intl.DateTimeFormat(locale2.value, { ...options, timeZone: "UTC" }).format(/* @__PURE__ */ new Date(`${day}T00:00:00Z`));
}
var UNITS = [
  ["day", 864e5],
  ["hour", 36e5],
  ["minute", 6e4],
  ["second", 1e3]
];
function formatRelative(iso, now = Date.now()) {
  const distance = Date.parse(iso) - now;
  const [unit2, size] = UNITS.find(([, size2]) => Math.abs(distance) >= size2) ?? UNITS[3];
  return new Intl.RelativeTimeFormat(locale2.value, { numeric: "auto" }).format(Math.round(distance / size), unit2);
}

// src/admin/elements/When.tsx
import { Fragment as Fragment2, jsx as jsx6 } from "./vendor.js";
function When({ time, isRelative = false }) {
  if (!time) return /* @__PURE__ */ jsx6(Fragment2, { children: "–" });
  return /* @__PURE__ */ jsx6("time", { dateTime: time, title: formatFull(time), children: isRelative ? formatRelative(time) : formatTime(time) });
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
import { useEffect as useEffect3, useRef as useRef2, useState as useState5 } from "./vendor.js";

// src/later/CopyButton.tsx
import { useEffect as useEffect2, useState as useState4 } from "./vendor.js";
import { copy, strings as strings2 } from "./app.js";
import { jsx as jsx7 } from "./vendor.js";
var SAID_MS = 2e3;
function CopyButton({ text, name, failed }) {
  const [hasCopied, setCopied] = useState4(false);
  useEffect2(() => {
    if (!hasCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [hasCopied]);
  const click = () => {
    const copied = typeof text === "string" ? copy(text) : text().then(copy);
    copied.then(setCopied, failed);
  };
  return /* @__PURE__ */ jsx7("button", { type: "button", class: "quiet", onClick: click, children: hasCopied ? strings2.value.chat.copied : name ?? strings2.value.chat.copy });
}

// src/admin/keys/NewKeyDialog.tsx
import { Dialog as Dialog2, strings as strings3 } from "./app.js";
import { Fragment as Fragment3, jsx as jsx8, jsxs as jsxs6 } from "./vendor.js";
var SCOPES = ["chat", "read", "decide", "admin", "metrics"];
var USUAL = ["chat", "read", "decide"];
function NewKeyDialog({ created, close }) {
  const texts = words.value.keys;
  const [made, setMade] = useState5();
  const finish = (key) => {
    setMade(key);
    void created();
  };
  return /* @__PURE__ */ jsx8(Dialog2, { title: made ? texts.createdTitle(made.name) : texts.new, close, children: made ? /* @__PURE__ */ jsx8(Shown, { made, close }) : /* @__PURE__ */ jsx8(Form, { finish, close }) });
}
function Form({ finish, close }) {
  const texts = words.value.keys;
  const [name, setName] = useState5("");
  const [user, setUser] = useState5("");
  const [scopes, setScopes] = useState5(USUAL);
  const [agents, setAgents] = useState5("");
  const [error, setError] = useState5();
  const [isRunning, setRunning] = useState5(false);
  const create = (event) => {
    event.preventDefault();
    setRunning(true);
    const named2 = agents.split(/[\s,]+/).filter(Boolean).map((agent) => `agent:${agent}`);
    const key = { name: name.trim(), scopes: [...scopes, ...named2] };
    if (user.trim()) key.user = user.trim();
    post("keys", key).then(finish, (error2) => {
      setError(error2);
      setRunning(false);
    });
  };
  const toggle = (scope, isChosen) => {
    setScopes(isChosen ? [...scopes, scope] : scopes.filter((one) => one !== scope));
  };
  return /* @__PURE__ */ jsxs6("form", { onSubmit: create, children: [
    /* @__PURE__ */ jsxs6("label", { class: "note", children: [
      texts.name,
      /* @__PURE__ */ jsx8(
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
    /* @__PURE__ */ jsxs6("label", { class: "note", children: [
      texts.userField,
      /* @__PURE__ */ jsx8(
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
    /* @__PURE__ */ jsxs6("fieldset", { children: [
      /* @__PURE__ */ jsx8("legend", { children: texts.scopes }),
      SCOPES.map((scope) => /* @__PURE__ */ jsxs6("label", { class: "check", children: [
        /* @__PURE__ */ jsx8(
          "input",
          {
            type: "checkbox",
            checked: scopes.includes(scope),
            onChange: (event) => toggle(scope, event.currentTarget.checked)
          }
        ),
        /* @__PURE__ */ jsxs6("span", { children: [
          /* @__PURE__ */ jsx8("code", { children: scope }),
          " ",
          /* @__PURE__ */ jsx8("span", { class: "remark", children: texts.permits[scope] })
        ] })
      ] }, scope))
    ] }),
    /* @__PURE__ */ jsxs6("label", { class: "note", children: [
      texts.agentsField,
      /* @__PURE__ */ jsx8(
        "input",
        {
          type: "text",
          spellcheck: false,
          value: agents,
          onInput: (event) => setAgents(event.currentTarget.value)
        }
      )
    ] }),
    /* @__PURE__ */ jsx8(Problem, { error }),
    /* @__PURE__ */ jsxs6("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx8("button", { class: "primary", disabled: isRunning || name.trim() === "" || scopes.length === 0, children: texts.createIt }),
      /* @__PURE__ */ jsx8("button", { type: "button", onClick: close, children: strings3.value.page.cancel })
    ] })
  ] });
}
function Shown({ made, close }) {
  const texts = words.value.keys;
  const secret = useRef2(null);
  useEffect3(() => secret.current?.focus(), []);
  return /* @__PURE__ */ jsxs6(Fragment3, { children: [
    /* @__PURE__ */ jsx8("p", { children: texts.once }),
    /* @__PURE__ */ jsx8("pre", { ref: secret, class: "secret", tabIndex: 0, "aria-label": texts.key, children: made.key }),
    /* @__PURE__ */ jsxs6("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx8(CopyButton, { text: made.key }),
      /* @__PURE__ */ jsx8("button", { type: "button", class: "primary", onClick: close, children: texts.done })
    ] })
  ] });
}

// src/admin/keys/Keys.tsx
import { Fragment as Fragment4, jsx as jsx9, jsxs as jsxs7 } from "./vendor.js";
var REQUIRE = '[auth]\nmode = "api_key"';
function Keys() {
  const texts = words.value.keys;
  const mode = summary2.value?.auth;
  if (mode === "none" || mode === "jwt") {
    return /* @__PURE__ */ jsxs7(Screen, { title: texts.title, children: [
      /* @__PURE__ */ jsx9("p", { children: mode === "none" ? texts.notNeeded : texts.tokensOnly }),
      mode === "none" && /* @__PURE__ */ jsxs7(Fragment4, { children: [
        /* @__PURE__ */ jsx9("pre", { children: REQUIRE }),
        /* @__PURE__ */ jsx9("p", { children: texts.create }),
        /* @__PURE__ */ jsx9("pre", { children: CREATE })
      ] })
    ] });
  }
  return /* @__PURE__ */ jsx9(KeyList, {});
}
function KeyList() {
  const texts = words.value.keys;
  const { data, error, isLoading, reload } = useLoaded(() => getAll("keys"));
  const [isCreating, setCreating] = useState6(false);
  const [revoked, setRevoked] = useState6();
  const [showsRevoked, setShowsRevoked] = useState6(false);
  const rows = (data ?? []).filter((key) => showsRevoked || !key.revoked_at);
  const former = (data ?? []).filter((key) => key.revoked_at).length;
  const actions = data && /* @__PURE__ */ jsx9("button", { type: "button", class: "primary", onClick: () => setCreating(true), children: texts.new });
  return /* @__PURE__ */ jsxs7(Screen, { title: texts.title, lead: texts.lead, actions, children: [
    /* @__PURE__ */ jsx9(Problem, { error, forbidden: texts.forbidden, retry: () => void reload() }),
    isLoading && !data && /* @__PURE__ */ jsx9("p", { role: "status", children: words.value.loading }),
    data && rows.length === 0 && /* @__PURE__ */ jsx9("p", { class: "nothing", children: texts.none }),
    rows.length > 0 && /* @__PURE__ */ jsx9(Table, { caption: texts.title, columns: columnsOf(setRevoked), rows, keyOf: (key) => key.id, isComplete: true }),
    former > 0 && /* @__PURE__ */ jsxs7("label", { class: "check", children: [
      /* @__PURE__ */ jsx9(
        "input",
        {
          type: "checkbox",
          checked: showsRevoked,
          onChange: (event) => setShowsRevoked(event.currentTarget.checked)
        }
      ),
      texts.showRevoked(former, formatNumber2(former))
    ] }),
    isCreating && /* @__PURE__ */ jsx9(NewKeyDialog, { created: reload, close: () => setCreating(false) }),
    revoked && /* @__PURE__ */ jsx9(
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
function columnsOf(revoke) {
  const texts = words.value.keys;
  return [
    { key: "name", label: texts.name, cell: (key) => /* @__PURE__ */ jsx9("bdi", { children: key.name }), value: (key) => key.name },
    { key: "user", label: texts.user, cell: (key) => /* @__PURE__ */ jsx9("bdi", { children: key.user }), value: (key) => key.user },
    {
      key: "scopes",
      label: texts.scopes,
      cell: (key) => /* @__PURE__ */ jsx9("span", { class: "chips", children: key.scopes.map((scope) => /* @__PURE__ */ jsx9("span", { class: "chip", children: scope }, scope)) }),
      value: (key) => key.scopes.join(" ")
    },
    {
      key: "created",
      label: texts.created,
      cell: (key) => /* @__PURE__ */ jsx9(When, { time: key.created_at }),
      value: (key) => key.created_at
    },
    {
      key: "revoke",
      label: texts.action,
      cell: (key) => key.revoked_at ? /* @__PURE__ */ jsxs7("span", { class: "remark", children: [
        texts.revoked,
        " ",
        /* @__PURE__ */ jsx9(When, { time: key.revoked_at })
      ] }) : /* @__PURE__ */ jsxs7("button", { type: "button", class: "quiet", onClick: () => revoke(key), children: [
        texts.revoke,
        /* @__PURE__ */ jsxs7("span", { class: "unseen", children: [
          " ",
          key.name
        ] })
      ] })
    }
  ];
}

// src/admin/Providers.tsx
import { useState as useState7 } from "./vendor.js";
import { formatNumber as formatNumber3 } from "./app.js";

// src/admin/elements/State.tsx
import { jsx as jsx10 } from "./vendor.js";
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
  return /* @__PURE__ */ jsx10("span", { class: `state ${KINDS[state] ?? "idle"}`, children: nameOfState(state) });
}

// src/admin/Providers.tsx
import { Fragment as Fragment5, jsx as jsx11, jsxs as jsxs8 } from "./vendor.js";
var EVERY_MS = 1e4;
function Providers() {
  const texts = words.value.providers;
  const { data, error, isLoading, reload } = useLoaded(() => getAll("providers"), "", EVERY_MS);
  const hidesStatus = data !== void 0 && data.length > 0 && data.every((provider) => provider.state === void 0);
  return /* @__PURE__ */ jsxs8(Screen, { title: texts.title, lead: texts.lead, children: [
    /* @__PURE__ */ jsx11(Problem, { error, retry: () => void reload() }),
    isLoading && !data && !error && /* @__PURE__ */ jsx11("p", { role: "status", children: words.value.loading }),
    hidesStatus && /* @__PURE__ */ jsx11(Refusal, { text: texts.forbidden }),
    data?.length === 0 && /* @__PURE__ */ jsx11("p", { class: "nothing", children: texts.none }),
    /* @__PURE__ */ jsx11("ul", { class: "panels", children: data?.map((provider) => /* @__PURE__ */ jsx11("li", { children: /* @__PURE__ */ jsx11(Provider, { provider, changed: reload }) }, provider.id)) })
  ] });
}
function Provider({ provider, changed }) {
  const texts = words.value.providers;
  const { id, models, tags, state, frozen } = provider;
  const missing = provider.missing ?? [];
  return /* @__PURE__ */ jsxs8("article", { class: "panel", "aria-label": id, children: [
    /* @__PURE__ */ jsxs8("header", { children: [
      /* @__PURE__ */ jsx11("h2", { dir: "auto", children: id }),
      state && /* @__PURE__ */ jsx11(State, { state }),
      tags?.map((tag) => /* @__PURE__ */ jsx11("span", { class: "chip", children: tag }, tag))
    ] }),
    frozen && /* @__PURE__ */ jsxs8("div", { class: "reason", children: [
      /* @__PURE__ */ jsx11("p", { dir: "auto", children: frozen.message }),
      /* @__PURE__ */ jsxs8("p", { class: "remark", children: [
        /* @__PURE__ */ jsx11("code", { children: frozen.code }),
        " · ",
        texts.since,
        " ",
        /* @__PURE__ */ jsx11(When, { time: frozen.since, isRelative: true }),
        " ·",
        " ",
        frozen.until ? /* @__PURE__ */ jsxs8(Fragment5, { children: [
          texts.again,
          " ",
          /* @__PURE__ */ jsx11(When, { time: frozen.until, isRelative: true })
        ] }) : texts.untilThawed
      ] })
    ] }),
    state !== void 0 && /* @__PURE__ */ jsx11(Load, { provider }),
    /* @__PURE__ */ jsxs8("p", { children: [
      /* @__PURE__ */ jsxs8("span", { class: "remark", children: [
        texts.models,
        ": "
      ] }),
      /* @__PURE__ */ jsx11("bdi", { children: models.join(", ") })
    ] }),
    missing.length > 0 && /* @__PURE__ */ jsxs8("div", { class: "reason", children: [
      /* @__PURE__ */ jsx11("p", { children: texts.missing }),
      /* @__PURE__ */ jsx11("ul", { children: missing.map(({ model, until }) => /* @__PURE__ */ jsxs8("li", { children: [
        /* @__PURE__ */ jsx11("code", { children: model }),
        " ",
        /* @__PURE__ */ jsxs8("span", { class: "remark", children: [
          texts.again,
          " ",
          /* @__PURE__ */ jsx11(When, { time: until, isRelative: true })
        ] })
      ] }, model)) })
    ] }),
    /* @__PURE__ */ jsx11(Thaw, { id, isNeeded: frozen !== void 0 || missing.length > 0, changed })
  ] });
}
function Load({ provider: { running, waiting, max_concurrency, calls, failures } }) {
  const texts = words.value.providers;
  const limit = max_concurrency === void 0 ? "" : ` / ${formatNumber3(max_concurrency)}`;
  const facts = [
    [texts.running, `${formatNumber3(running ?? 0)}${limit}`],
    [texts.waiting, formatNumber3(waiting ?? 0)],
    [texts.calls, formatNumber3(calls ?? 0)],
    [texts.failures, formatNumber3(failures ?? 0)]
  ];
  return /* @__PURE__ */ jsx11("dl", { class: "facts", children: facts.map(([name, value]) => /* @__PURE__ */ jsxs8("div", { children: [
    /* @__PURE__ */ jsx11("dt", { children: name }),
    /* @__PURE__ */ jsx11("dd", { children: value })
  ] }, name)) });
}
function Thaw({ id, isNeeded, changed }) {
  const texts = words.value.providers;
  const [isRunning, setRunning] = useState7(false);
  const [result, setResult] = useState7();
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
  return /* @__PURE__ */ jsxs8("div", { class: "thaw", children: [
    isNeeded && mayOperate() && /* @__PURE__ */ jsxs8("button", { type: "button", disabled: isRunning, onClick: () => void thaw(), children: [
      isRunning ? texts.thawing : texts.thaw,
      /* @__PURE__ */ jsxs8("span", { class: "unseen", children: [
        " ",
        id
      ] })
    ] }),
    /* @__PURE__ */ jsx11("p", { class: result?.isError ? "error" : "remark", role: "status", dir: "auto", children: result?.text })
  ] });
}

// src/admin/recordings/RecordingDetail.tsx
import { ApiError as ApiError3 } from "./app.js";

// src/admin/pages.ts
import { useState as useState8 } from "./vendor.js";
function usePages(load, key) {
  const { data: first, ...state } = useLoaded(() => load(), key);
  const [more, setMore] = useState8();
  const [problem, setProblem] = useState8();
  const others = more && more.first === first ? more.others : [];
  const pages = first ? [first, ...others] : [];
  const next = pages.at(-1)?.next;
  const loadMore = () => {
    if (!first || !next) return;
    setProblem(void 0);
    load(next).then((page) => setMore({ first, others: [...others, page] }), setProblem);
  };
  return { ...state, pages, loadMore: next ? loadMore : void 0, problem };
}

// src/admin/recordings/api.ts
import { ApiError as ApiError2 } from "./app.js";
var pathOf = (turn) => `recordings/${encodeURIComponent(turn)}`;
function loadRecordings(user, cursor = "") {
  return get("recordings", { user, limit: "50", cursor });
}
function loadExchanges(turn, user, cursor = "") {
  return get(pathOf(turn), { user, cursor });
}
async function loadWhole(turn, user, number) {
  const cursor = number > 1 ? String(number - 1) : "";
  const page = await get(pathOf(turn), { user, whole: "1", cursor });
  return page.data.find((exchange) => exchange.number === number);
}
function replayTurn(turn, user) {
  return post(`${pathOf(turn)}/replay${queryOf(user)}`);
}
var isOff = false;
async function isRecorded(turn) {
  if (isOff) return false;
  try {
    const { data } = await get("recordings", { turn, limit: "1" });
    return data.length > 0;
  } catch (error) {
    isOff = error instanceof ApiError2 && error.status === 404;
    return false;
  }
}

// src/admin/recordings/ExchangePanel.tsx
import { useState as useState11 } from "./vendor.js";

// src/cards/Content.tsx
import { useRef as useRef3, useState as useState10 } from "./vendor.js";
import { formatNumber as formatNumber5, messageOf as messageOf2 } from "./app.js";

// src/cards/reveal.ts
import { visible } from "./app.js";
var BLANK = /[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufff0-\uffff]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;
function reveal(text) {
  return visible(text).replace(BLANK, (character) => {
    return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

// src/cards/strings/index.ts
import { computed as computed2 } from "./vendor.js";
import { language as language2 } from "./app.js";

// src/cards/strings/reasons.ts
var REASONS = {
  "in the permission mode `plan`, only tools that read may run": "Im Berechtigungsmodus „plan“ dürfen nur lesende Werkzeuge laufen.",
  "in the permission mode `accept_edits`, changes of files need no approval": "Im Berechtigungsmodus „accept_edits“ brauchen Änderungen an Dateien keine Erlaubnis.",
  "the tool is the host's own": "Das Werkzeug gehört zum Programm selbst.",
  "the configuration trusts the tool": "Die Konfiguration vertraut dem Werkzeug.",
  "the tool only reads, and only inside this installation": "Das Werkzeug liest nur, und das nur innerhalb dieser Installation.",
  "no rule matches it, and the tool changes something or reaches other systems": "Keine Regel trifft auf den Aufruf zu, und das Werkzeug ändert etwas oder erreicht andere Systeme.",
  "the model was sent untrusted text, which may have told it to make the call": "Dem Modell lag fremder Text vor, der es zu dem Aufruf verleitet haben kann.",
  "a person granted it by approving an earlier call": "Mit einem früheren Aufruf wurde auch dieser erlaubt.",
  "the definition of the tool has changed since a person granted its calls": "Die Definition des Werkzeugs hat sich geändert, seit seine Aufrufe erlaubt wurden.",
  "the definition of the tool has changed since it was accepted": "Die Definition des Werkzeugs hat sich geändert, seit sie angenommen wurde.",
  "the definition of another tool has changed since it was accepted, and may have told the model to make the call": "Die Definition eines anderen Werkzeugs hat sich geändert, seit sie angenommen wurde. Sie kann das Modell zu dem Aufruf verleitet haben.",
  "in the permission mode `bypass`, calls that need approval run with a notice": "Im Berechtigungsmodus „bypass“ laufen Aufrufe, die eine Erlaubnis brauchen, mit einem Hinweis.",
  "in the permission mode `headless`, calls that need approval are denied": "Im Berechtigungsmodus „headless“ werden Aufrufe abgelehnt, die eine Erlaubnis brauchen.",
  "the server stopped while it ran: it may have taken effect, and must not run twice": "Der Server wurde angehalten, während der Aufruf lief: Er kann gewirkt haben und darf nicht zweimal laufen.",
  "the client runs this tool": "Das Programm, das dieses Werkzeug anbietet, führt es aus.",
  "the tool is gone": "Das Werkzeug gibt es nicht mehr."
};
var WITH_ARGUMENTS = "; it ran with the arguments ";
function reasonInGerman(sentence2) {
  const [, rule] = /^rule (\d+) of the configuration asks for approval$/.exec(sentence2) ?? [];
  if (rule) return `Regel ${rule} der Konfiguration verlangt eine Erlaubnis.`;
  const [reason = "", ...changed] = sentence2.split(WITH_ARGUMENTS);
  const german = REASONS[reason];
  if (german === void 0) return sentence2;
  return changed.length > 0 ? `${german} Der Aufruf lief mit den Argumenten ${changed.join(WITH_ARGUMENTS)}` : german;
}

// src/cards/strings/de.ts
var de2 = {
  tool: {
    arguments: "Argumente",
    result: "Ergebnis",
    data: "Daten",
    images: "Bilder",
    error: "Fehler",
    group: (count, states) => `${count} Werkzeuge · ${states}`,
    states: {
      writing: (count) => `${count} in Vorbereitung`,
      waiting: (count) => `${count} warten auf Sie`,
      running: (count) => `${count} laufen`,
      done: (count) => `${count} fertig`,
      failed: (count) => `${count} fehlgeschlagen`,
      denied: (count) => `${count} abgelehnt`
    },
    shortened: (shown, all) => `Die ersten ${shown} von ${all} Zeichen`,
    shortenedByServer: "Der Rest wurde weggelassen.",
    showAll: "Alles anzeigen",
    loadFailed: (reason) => `Der Rest ließ sich nicht laden: ${reason}`,
    copyValue: (name) => `${name} kopieren`,
    items: (count) => `${count} Einträge`,
    item: "1 Eintrag",
    changed: "Die Argumente wurden von Hand geändert.",
    child: (agent) => `Arbeit von ${agent}`,
    childFailed: (reason) => `Das ließ sich nicht laden: ${reason}`,
    imageFailed: (reason) => `Das Bild ließ sich nicht laden: ${reason}`,
    download: (name) => `${name} herunterladen`,
    file: "Datei",
    image: (number) => `Bild ${number} des Ergebnisses`,
    rows: (shown, all) => `Die ersten ${shown} von ${all} Zeilen`,
    sources: "Quellen"
  },
  interaction: {
    open: "Unterhaltung öffnen",
    approval: (tool) => `Darf ${tool} ausgeführt werden?`,
    question: (tool) => `Frage von ${tool}`,
    outcome: (tool) => `Hat der Aufruf von ${tool} gewirkt?`,
    outcomeText: "Der Server wurde angehalten, während der Aufruf lief. Zweimal darf er nicht laufen.",
    client: (tool) => `${tool} läuft in einem anderen Programm`,
    clientText: "Das Programm, das dieses Werkzeug anbietet, meldet das Ergebnis.",
    agent: "Agent",
    reason: "Grund",
    because: reasonInGerman,
    arguments: "Argumente",
    changes: "Änderungen",
    effect: "Wirkung",
    expires: (when) => `Läuft ${when} ab`,
    expired: "Die Zeit für diese Entscheidung ist um.",
    approve: "Einmal erlauben",
    approveSession: "In dieser Unterhaltung erlauben",
    approveAlways: "Immer erlauben",
    edit: "Bearbeiten",
    discard: "Änderungen verwerfen",
    editArguments: "Argumente als JSON",
    notJson: "Das ist kein gültiges JSON.",
    deny: "Ablehnen",
    note: "Anmerkung",
    answer: "Antwort",
    submit: "Antworten",
    decline: "Nicht antworten",
    json: "Antwort als JSON",
    yes: "Ja",
    no: "Nein",
    choose: "Auswählen…",
    optional: "optional",
    took: "Er hat gewirkt",
    tookNot: "Er hat nicht gewirkt",
    retry: "Erneut ausführen",
    unknown: "Ich weiß es nicht",
    late: "Das wurde schon woanders entschieden, oder es ist zu spät.",
    decided: (tool, decided, time) => `${tool}: ${DECIDED[decided](time)}`,
    problem: (problem) => {
      switch (problem.kind) {
        case "missing":
          return "Hier fehlt eine Antwort.";
        case "number":
          return "Das ist keine Zahl.";
        case "integer":
          return "Das ist keine ganze Zahl.";
        case "least":
          return `Der kleinste Wert ist ${problem.limit}.`;
        case "most":
          return `Der größte Wert ist ${problem.limit}.`;
        case "short":
          return `Mindestens ${problem.limit} Zeichen sind nötig.`;
        case "long":
          return `Höchstens ${problem.limit} Zeichen sind möglich.`;
        case "json":
          return "Das ist kein gültiges JSON.";
        case "refused":
          return problem.reason;
      }
    }
  }
};
var DECIDED = {
  approved: (time) => `woanders erlaubt (${time}).`,
  denied: (time) => `woanders abgelehnt (${time}).`,
  answered: (time) => `woanders beantwortet (${time}).`,
  expired: () => "nicht rechtzeitig entschieden und nicht ausgeführt.",
  withdrawn: () => "keine Entscheidung mehr nötig, die Antwort wurde gestoppt.",
  other: (time) => `woanders entschieden (${time}).`
};

// src/cards/strings/en.ts
var en2 = {
  tool: {
    arguments: "Arguments",
    result: "Result",
    data: "Data",
    images: "Images",
    error: "Error",
    group: (count, states) => `${count} tools · ${states}`,
    states: {
      writing: (count) => `${count} being prepared`,
      waiting: (count) => `${count} waiting for you`,
      running: (count) => `${count} running`,
      done: (count) => `${count} done`,
      failed: (count) => `${count} failed`,
      denied: (count) => `${count} denied`
    },
    shortened: (shown, all) => `The first ${shown} of ${all} characters`,
    shortenedByServer: "The rest was left out.",
    showAll: "Show all",
    loadFailed: (reason) => `The rest could not be loaded: ${reason}`,
    copyValue: (name) => `Copy ${name}`,
    items: (count) => `${count} items`,
    item: "1 item",
    changed: "A person changed the arguments.",
    child: (agent) => `Work of ${agent}`,
    childFailed: (reason) => `It could not be loaded: ${reason}`,
    imageFailed: (reason) => `The image could not be loaded: ${reason}`,
    download: (name) => `Download ${name}`,
    file: "File",
    image: (number) => `Image ${number} of the result`,
    rows: (shown, all) => `The first ${shown} of ${all} rows`,
    sources: "Sources"
  },
  interaction: {
    open: "Open the session",
    approval: (tool) => `May ${tool} run?`,
    question: (tool) => `Question from ${tool}`,
    outcome: (tool) => `Did the call of ${tool} take effect?`,
    outcomeText: "The server stopped while the call ran, and it must not run twice.",
    client: (tool) => `${tool} runs in another program`,
    clientText: "The program that offered this tool reports its result.",
    agent: "Agent",
    reason: "Reason",
    /** The reason, from the sentence of the server. */
    because: (sentence2) => sentence2,
    arguments: "Arguments",
    changes: "Changes",
    effect: "Effect",
    expires: (when) => `Expires ${when}`,
    expired: "The time to decide has passed.",
    approve: "Approve once",
    approveSession: "Approve in this session",
    approveAlways: "Always approve",
    edit: "Edit",
    discard: "Discard changes",
    editArguments: "Arguments as JSON",
    notJson: "This is not valid JSON.",
    deny: "Deny",
    note: "Note",
    answer: "Answer",
    submit: "Answer",
    decline: "Do not answer",
    json: "Answer as JSON",
    yes: "Yes",
    no: "No",
    choose: "Choose…",
    optional: "optional",
    took: "It took effect",
    tookNot: "It did not",
    retry: "Run it again",
    unknown: "I do not know",
    late: "This was decided elsewhere, or the time to decide has passed.",
    decided: (tool, decided, time) => `${tool} ${DECIDED2[decided](time)}`,
    problem: (problem) => {
      switch (problem.kind) {
        case "missing":
          return "An answer is needed here.";
        case "number":
          return "This is not a number.";
        case "integer":
          return "This is not a whole number.";
        case "least":
          return `Must be at least ${problem.limit}.`;
        case "most":
          return `Must be at most ${problem.limit}.`;
        case "short":
          return `Enter at least ${problem.limit} characters.`;
        case "long":
          return `Enter at most ${problem.limit} characters.`;
        case "json":
          return "This is not valid JSON.";
        case "refused":
          return problem.reason;
      }
    }
  }
};
var DECIDED2 = {
  approved: (time) => `was approved elsewhere (${time}).`,
  denied: (time) => `was denied elsewhere (${time}).`,
  answered: (time) => `was answered elsewhere (${time}).`,
  expired: () => "was not decided in time, and did not run.",
  withdrawn: () => "no longer needs a decision: its turn was stopped.",
  other: (time) => `was decided elsewhere (${time}).`
};

// src/cards/strings/index.ts
var TABLES2 = { en: en2, de: de2 };
var words2 = computed2(() => TABLES2[language2.value]);

// src/later/json.ts
function jsonTokens(json) {
  return json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs);
}
function indent(json) {
  try {
    JSON.parse(json);
  } catch {
    return json;
  }
  let lines = "";
  let depth = 0;
  let last = "";
  for (const [token] of jsonTokens(json)) {
    const isClosing = token === "}" || token === "]";
    const isFirst = last === "{" || last === "[";
    if (isFirst) depth += 1;
    if (isClosing) depth -= 1;
    if (last === "," || isFirst !== isClosing) lines += `
${"  ".repeat(depth)}`;
    lines += token === ":" ? ": " : token;
    last = token;
  }
  return lines;
}

// src/cards/tree/parse.ts
var DEEPEST = 100;
function parseContainer(text) {
  if (!/^\s*[[{]/.test(text)) return void 0;
  try {
    JSON.parse(text);
    return new Reader(text).read();
  } catch {
    return void 0;
  }
}
var Reader = class {
  #text;
  #tokens;
  constructor(text) {
    this.#text = text;
    this.#tokens = jsonTokens(text);
  }
  read() {
    return this.#value(this.#next(), 0);
  }
  #next() {
    const { value, done } = this.#tokens.next();
    if (done) throw new SyntaxError("the text has ended");
    return value;
  }
  #value(token, depth) {
    if (depth > DEEPEST) throw new RangeError("the value is nested too deep");
    const [raw] = token;
    if (raw === "{") return this.#members(token, "}", depth);
    if (raw === "[") return this.#members(token, "]", depth);
    return raw.startsWith('"') ? { raw, string: JSON.parse(raw) } : { raw };
  }
  #members(first, last, depth) {
    const children = [];
    let token = this.#next();
    while (token[0] !== last) {
      if (token[0] === ",") token = this.#next();
      let key = String(children.length);
      if (last === "}") {
        key = JSON.parse(token[0]);
        this.#next();
        token = this.#next();
      }
      children.push({ ...this.#value(token, depth + 1), key });
      token = this.#next();
    }
    return { raw: this.#text.slice(first.index, token.index + 1), children, isArray: last === "]" };
  }
};
function countValues(node, limit) {
  let count = 1;
  for (const child of node.children ?? []) {
    if (count >= limit) return limit;
    count += countValues(child, limit - count);
  }
  return count;
}

// src/cards/tree/Tree.tsx
import { useState as useState9 } from "./vendor.js";
import { copy as copy2, formatNumber as formatNumber4 } from "./app.js";

// src/cards/Symbol.tsx
import { jsx as jsx12 } from "./vendor.js";
var PATHS = {
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  copied: "M5 12.5l4.5 4.5L19 7.5",
  open: "M9 6l6 6-6 6"
};
function Symbol({ name }) {
  return /* @__PURE__ */ jsx12("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", children: /* @__PURE__ */ jsx12("path", { d: PATHS[name] }) });
}

// src/cards/tree/keys.ts
function keyPressed(event, toggle) {
  const tree = event.currentTarget;
  const item = event.target.closest("[role=treeitem]");
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = actionOf(event.key, tree, item);
  if (!action) return;
  event.preventDefault();
  event.stopPropagation();
  if (action === "toggle") toggle(item.dataset.path ?? "");
  else if (action !== "stay") action.focus();
}
function actionOf(key, tree, item) {
  const items = [...tree.querySelectorAll("[role=treeitem]")];
  const place = items.indexOf(item);
  const expanded = item.getAttribute("aria-expanded");
  switch (key) {
    case "ArrowDown":
      return items[place + 1] ?? "stay";
    case "ArrowUp":
      return items[place - 1] ?? "stay";
    case "Home":
      return items[0];
    case "End":
      return items.at(-1);
    case "ArrowRight":
      if (expanded === "false") return "toggle";
      return expanded === "true" ? items[place + 1] : "stay";
    case "ArrowLeft":
      if (expanded === "true") return "toggle";
      return item.parentElement?.closest("[role=treeitem]") ?? "stay";
    default:
      return void 0;
  }
}

// src/cards/tree/Tree.tsx
import { Fragment as Fragment6, jsx as jsx13, jsxs as jsxs9 } from "./vendor.js";
var OPEN_VALUES = 60;
function Tree({ root, label, limit, cut }) {
  const [isOpenAtFirst] = useState9(() => countValues(root, OPEN_VALUES + 1) <= OPEN_VALUES);
  const [toggled, setToggled] = useState9(/* @__PURE__ */ new Set());
  const [active, setActive] = useState9("0");
  let left = limit;
  let isCut = false;
  const toggle = (path) => {
    const changed = new Set(toggled);
    if (!changed.delete(path)) changed.add(path);
    setToggled(changed);
  };
  const items = (node, above) => {
    const shown = [];
    for (const [index, child] of (node.children ?? []).entries()) {
      if (left <= 0) {
        isCut = true;
        break;
      }
      const path = `${above}${index}`;
      const isOpen = isOpenAtFirst !== toggled.has(path);
      left -= (child.key?.length ?? 0) + (child.children ? 1 : Math.min(left, child.raw.length));
      const text = child.string ?? child.raw;
      const isValueCut = !child.children && left <= 0 && text.length > limit;
      isCut ||= isValueCut;
      shown.push(
        /* @__PURE__ */ jsx13(
          Item,
          {
            path,
            node: child,
            text: isValueCut ? `${text.slice(0, limit)}…` : text,
            isActive: active === path,
            isOpen,
            toggle: () => toggle(path),
            children: child.children && isOpen && items(child, `${path}.`)
          },
          path
        )
      );
    }
    return shown;
  };
  return /* @__PURE__ */ jsxs9(Fragment6, { children: [
    /* @__PURE__ */ jsx13(
      "ul",
      {
        class: "tree",
        role: "tree",
        "aria-label": label,
        onFocusIn: (event) => setActive(pathOf2(event.target) ?? active),
        onKeyDown: (event) => keyPressed(event, toggle),
        children: items(root, "")
      }
    ),
    isCut && cut()
  ] });
}
function pathOf2(element) {
  return element.closest("[data-path]")?.dataset.path;
}
function Item({ path, node, text, isActive, isOpen, toggle, children }) {
  const isContainer = node.children !== void 0 && node.children.length > 0;
  return /* @__PURE__ */ jsxs9(
    "li",
    {
      role: "treeitem",
      "data-path": path,
      tabIndex: isActive ? 0 : -1,
      "aria-expanded": isContainer ? isOpen : void 0,
      children: [
        /* @__PURE__ */ jsxs9("div", { class: "tree-row", children: [
          isContainer ? /* @__PURE__ */ jsx13("button", { type: "button", class: "tree-toggle", tabIndex: -1, "aria-hidden": "true", onClick: toggle, children: /* @__PURE__ */ jsx13(Symbol, { name: "open" }) }) : /* @__PURE__ */ jsx13("span", { class: "tree-toggle" }),
          /* @__PURE__ */ jsx13("span", { class: "tree-key", dir: "auto", children: reveal(node.key ?? "") }),
          /* @__PURE__ */ jsx13(Value, { node, text }),
          /* @__PURE__ */ jsx13(CopyValue, { name: reveal(node.key ?? ""), node, isActive })
        ] }),
        isContainer && isOpen && /* @__PURE__ */ jsx13("ul", { role: "group", children })
      ]
    }
  );
}
function Value({ node, text }) {
  const { items, item } = words2.value.tool;
  if (node.children) {
    const { length } = node.children;
    const empty = node.isArray ? "[ ]" : "{ }";
    return /* @__PURE__ */ jsx13("span", { class: "tree-size", children: length === 0 ? empty : length === 1 ? item : items(formatNumber4(length)) });
  }
  return /* @__PURE__ */ jsx13("span", { class: `tree-value ${node.string === void 0 ? "is-literal" : "is-string"}`, dir: "auto", children: node.string === void 0 ? text : `"${reveal(text)}"` });
}
function CopyValue({ name, node, isActive }) {
  const [hasCopied, setCopied] = useState9(false);
  return /* @__PURE__ */ jsx13(
    "button",
    {
      type: "button",
      class: "tree-copy",
      tabIndex: isActive ? 0 : -1,
      "aria-label": words2.value.tool.copyValue(name),
      onClick: () => void copy2(textOf(node)).then(setCopied),
      onBlur: () => setCopied(false),
      children: /* @__PURE__ */ jsx13(Symbol, { name: hasCopied ? "copied" : "copy" })
    }
  );
}
function textOf(node) {
  return node.string ?? (node.children ? indent(node.raw) : node.raw);
}

// src/cards/Content.tsx
import { jsx as jsx14, jsxs as jsxs10 } from "./vendor.js";
var SHOWN = 2e4;
function Content({ title, text, load }) {
  const [isWhole, setWhole] = useState10(false);
  const [problem, setProblem] = useState10("");
  const root = useContainer(text);
  const limit = isWhole ? Number.POSITIVE_INFINITY : SHOWN;
  const tool = words2.value.tool;
  const fail = (error) => setProblem(tool.loadFailed(messageOf2(error)));
  const showAll = async () => {
    setProblem("");
    try {
      await load?.();
      setWhole(true);
    } catch (error) {
      fail(error);
    }
  };
  const loadToCopy = load && (() => {
    setProblem("");
    return load();
  });
  const cut = () => /* @__PURE__ */ jsxs10("p", { class: "remark", children: [
    load ? tool.shortenedByServer : tool.shortened(formatNumber5(SHOWN), formatNumber5(text.length)),
    " ",
    /* @__PURE__ */ jsx14("button", { type: "button", class: "quiet", onClick: () => void showAll(), children: tool.showAll })
  ] });
  const isCut = load !== void 0 || text.length > limit;
  return /* @__PURE__ */ jsxs10("section", { children: [
    /* @__PURE__ */ jsxs10("header", { class: "content-header", children: [
      /* @__PURE__ */ jsx14("p", { class: "label", children: title }),
      /* @__PURE__ */ jsx14(CopyButton, { text: loadToCopy ?? text, failed: fail })
    ] }),
    root?.children?.length ? /* @__PURE__ */ jsx14(Tree, { root, label: title, limit, cut }) : /* @__PURE__ */ jsx14("pre", { tabIndex: 0, dir: "auto", children: reveal(text.length > limit ? text.slice(0, limit) : text) }),
    !root?.children?.length && isCut && cut(),
    problem && /* @__PURE__ */ jsx14("p", { class: "remark error", role: "alert", children: problem })
  ] });
}
function useContainer(text) {
  const read2 = useRef3(void 0);
  if (read2.current?.text !== text) read2.current = { text, root: parseContainer(text) };
  return read2.current.root;
}

// src/later/duration.ts
import { locale as locale3 } from "./app.js";
var SECOND = 1e3;
var MINUTE = 60;
var HOUR = 60 * MINUTE;
var DAY = 24 * HOUR;
function formatSpan(milliseconds) {
  const whole = Math.round(milliseconds);
  if (whole < SECOND) return unit(whole, "millisecond");
  const tenths = Math.round(whole / 100) / 10;
  if (tenths < MINUTE) return unit(tenths, "second");
  const seconds = Math.round(whole / SECOND);
  if (seconds < HOUR) return both(seconds, MINUTE, "minute", "second");
  const minutes = Math.round(seconds / MINUTE);
  if (minutes * MINUTE < DAY) return both(minutes, HOUR / MINUTE, "hour", "minute");
  return both(Math.round(seconds / HOUR), DAY / HOUR, "day", "hour");
}
function both(value, size, larger, smaller) {
  const rest = value % size;
  const whole = unit(Math.floor(value / size), larger);
  return rest === 0 ? whole : `${whole} ${unit(rest, smaller)}`;
}
function unit(value, name) {
  const unitDisplay = name === "day" ? "long" : "short";
  const options = { style: "unit", unit: name, unitDisplay, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(locale3.value, options).format(value).replace(" ", " ");
}

// src/admin/recordings/ExchangePanel.tsx
import { formatNumber as formatNumber7, strings as strings4 } from "./app.js";

// src/admin/recordings/place.ts
import { formatNumber as formatNumber6 } from "./app.js";
function placeOf(step, attempt) {
  return words.value.recordings.place(formatNumber6(step), formatNumber6(attempt));
}

// src/admin/recordings/ExchangePanel.tsx
import { Fragment as Fragment7, jsx as jsx15, jsxs as jsxs11 } from "./vendor.js";
function ExchangePanel({ turn, user, listed }) {
  const texts = words.value.recordings;
  const [whole, setWhole] = useState11();
  const exchange = whole ?? listed;
  const { number, step, attempt, status, ended, failure, response } = exchange;
  const load = async () => {
    const loaded = await loadWhole(turn, user, number);
    if (!loaded) throw new Error(strings4.peek().page.notFound);
    setWhole(loaded);
    return loaded;
  };
  const title = texts.number(formatNumber7(number));
  const isBad = ended === "failed" || status !== void 0 && status >= 400;
  const kind = isBad ? "bad" : ended === "whole" ? "good" : "warned";
  return /* @__PURE__ */ jsxs11("article", { class: "panel exchange", "aria-label": title, children: [
    /* @__PURE__ */ jsxs11("header", { children: [
      /* @__PURE__ */ jsx15("h3", { children: title }),
      /* @__PURE__ */ jsx15("span", { class: `state ${kind}`, children: texts.ends[ended] ?? ended }),
      /* @__PURE__ */ jsx15("span", { class: "remark", children: placeOf(step, attempt) })
    ] }),
    failure && /* @__PURE__ */ jsxs11("p", { class: "reason", dir: "auto", children: [
      /* @__PURE__ */ jsx15("code", { children: failure.code }),
      " ",
      failure.message
    ] }),
    /* @__PURE__ */ jsx15(ExchangeFacts, { exchange }),
    /* @__PURE__ */ jsx15(Body, { title: texts.request, body: exchange.request, load: async () => (await load()).request.text }),
    response ? /* @__PURE__ */ jsx15(Body, { title: texts.response, body: response, load: async () => (await load()).response?.text ?? "" }) : /* @__PURE__ */ jsx15("p", { class: "remark", children: texts.noResponse })
  ] });
}
function ExchangeFacts({ exchange }) {
  const { recordings: texts, detail, turns } = words.value;
  const { provider, model, api, url, status, began_at, ended_at, headers, masked } = exchange;
  const took = began_at && ended_at ? Date.parse(ended_at) - Date.parse(began_at) : void 0;
  const names = Object.keys(headers).sort();
  const facts = [
    [detail.provider, provider],
    [turns.columns.model, model],
    [texts.status, status ?? "–"],
    [turns.columns.time, /* @__PURE__ */ jsx15(When, { time: began_at })],
    [detail.took, took === void 0 ? "–" : formatSpan(took)],
    [texts.masking, formatNumber7(masked)]
  ];
  return /* @__PURE__ */ jsxs11(Fragment7, { children: [
    /* @__PURE__ */ jsx15("dl", { class: "facts", children: facts.map(([name, value]) => /* @__PURE__ */ jsxs11("div", { children: [
      /* @__PURE__ */ jsx15("dt", { children: name }),
      /* @__PURE__ */ jsx15("dd", { dir: "auto", children: value })
    ] }, name)) }),
    /* @__PURE__ */ jsxs11("p", { class: "exchange-address", children: [
      /* @__PURE__ */ jsx15("code", { children: api }),
      " ",
      /* @__PURE__ */ jsx15("bdi", { children: url })
    ] }),
    names.length > 0 && /* @__PURE__ */ jsxs11("details", { children: [
      /* @__PURE__ */ jsx15("summary", { children: texts.headers(names.length, formatNumber7(names.length)) }),
      /* @__PURE__ */ jsx15("ul", { class: "exchange-headers", children: names.map((name) => /* @__PURE__ */ jsx15("li", { children: /* @__PURE__ */ jsxs11("code", { children: [
        name,
        ": ",
        headers[name]
      ] }) }, name)) })
    ] })
  ] });
}
function Body({ title, body, load }) {
  const [isOpen, setOpen] = useState11(false);
  const { text, bytes, more } = body;
  return /* @__PURE__ */ jsxs11("details", { onToggle: (event) => setOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ jsxs11("summary", { children: [
      title,
      " ",
      /* @__PURE__ */ jsx15("span", { class: "remark", children: words.value.recordings.bytes(formatNumber7(bytes)) })
    ] }),
    isOpen && /* @__PURE__ */ jsx15(Content, { title, text, load: more ? load : void 0 })
  ] });
}

// src/admin/recordings/ReplayResult.tsx
import { useState as useState12 } from "./vendor.js";
import { formatNumber as formatNumber8 } from "./app.js";
import { Fragment as Fragment8, jsx as jsx16, jsxs as jsxs12 } from "./vendor.js";
function ReplayResult({ turn, user, isPossible }) {
  const texts = words.value.recordings;
  const [isRunning, setRunning] = useState12(false);
  const [result, setResult] = useState12();
  const [error, setError] = useState12();
  const run = async () => {
    setRunning(true);
    setResult(void 0);
    setError(void 0);
    await replayTurn(turn, user).then(setResult, setError);
    setRunning(false);
  };
  return /* @__PURE__ */ jsxs12(Fragment8, { children: [
    /* @__PURE__ */ jsx16("p", { class: "remark", children: isPossible ? texts.replayLead : texts.notReplayable }),
    isPossible && /* @__PURE__ */ jsx16("p", { class: "buttons", children: /* @__PURE__ */ jsx16("button", { type: "button", disabled: isRunning, onClick: () => void run(), children: isRunning ? texts.replaying : texts.replayIt }) }),
    /* @__PURE__ */ jsx16(Problem, { error }),
    /* @__PURE__ */ jsx16("p", { class: result?.same === false ? "replay-result error" : "replay-result", role: "status", children: result && sentence(result) }),
    result?.difference && /* @__PURE__ */ jsx16(FirstDifference, { difference: result.difference }),
    result && /* @__PURE__ */ jsx16(Notices, { result })
  ] });
}
function sentence({ same, difference, events }) {
  const texts = words.value.recordings;
  if (same) return texts.same(formatNumber8(events.replayed));
  return difference ? texts.different : texts.incomplete;
}
function FirstDifference({ difference }) {
  const texts = words.value.recordings;
  const { event, message, kind, at } = difference;
  const number = formatNumber8(event ?? (message ?? 0) + 1);
  const where = event === void 0 ? texts.message(number) : texts.event(number, kind ?? "");
  return /* @__PURE__ */ jsxs12("div", { class: "difference", children: [
    /* @__PURE__ */ jsxs12("p", { dir: "auto", children: [
      where,
      " ",
      at && /* @__PURE__ */ jsx16("code", { children: at })
    ] }),
    /* @__PURE__ */ jsxs12("div", { class: "difference-sides", children: [
      /* @__PURE__ */ jsx16(Side, { title: texts.stored, value: difference.stored }),
      /* @__PURE__ */ jsx16(Side, { title: texts.replayed, value: difference.replayed })
    ] })
  ] });
}
function Side({ title, value }) {
  if (value === null || value === void 0) {
    return /* @__PURE__ */ jsxs12("section", { children: [
      /* @__PURE__ */ jsx16("p", { class: "label", children: title }),
      /* @__PURE__ */ jsx16("p", { class: "remark", children: words.value.recordings.nothing })
    ] });
  }
  return /* @__PURE__ */ jsx16(Content, { title, text: typeof value === "string" ? value : JSON.stringify(value) });
}
function Notices({ result: { missing, requests } }) {
  const texts = words.value.recordings;
  if (missing.length + requests.length === 0) return null;
  return /* @__PURE__ */ jsxs12("ul", { class: "remarks", children: [
    missing.map(({ step, attempt }) => /* @__PURE__ */ jsx16("li", { children: texts.notRecorded(placeOf(step, attempt)) }, `m${step}.${attempt}`)),
    requests.map(({ step, attempt, at }) => {
      const key = `r${step}.${attempt}`;
      const place = placeOf(step, attempt);
      if (!at) return /* @__PURE__ */ jsx16("li", { children: texts.otherRequest(place) }, key);
      return /* @__PURE__ */ jsxs12("li", { children: [
        texts.otherRequestAt(place),
        " ",
        /* @__PURE__ */ jsx16("code", { children: at })
      ] }, key);
    })
  ] });
}

// src/admin/recordings/RecordingDetail.tsx
import { Fragment as Fragment9, jsx as jsx17, jsxs as jsxs13 } from "./vendor.js";
function RecordingDetail({ id, query }) {
  const { recordings: texts, detail, turns, loading } = words.value;
  const user = new URLSearchParams(query).get("user") ?? "";
  const load = (cursor) => loadExchanges(id, user, cursor);
  const { pages, error, isLoading, reload, loadMore, problem } = usePages(load, `${id} ${user}`);
  const data = pages[0];
  const unreadable = pages.flatMap((page) => page.unreadable ?? []);
  const isMissing = error instanceof ApiError3 && error.status === 404;
  const isOwn = data?.title !== void 0 && user === "";
  const title = data?.title === void 0 ? texts.ofTurn(id.slice(-12)) : texts.of(data.title || detail.untitled);
  return /* @__PURE__ */ jsxs13(
    Screen,
    {
      title,
      back: /* @__PURE__ */ jsx17("a", { href: `#/recordings${queryOf(user)}`, children: texts.back }),
      actions: isOwn && /* @__PURE__ */ jsx17("a", { href: `#/turns/${id}`, children: texts.openTurn }),
      children: [
        isMissing ? /* @__PURE__ */ jsx17("p", { class: "nothing", children: texts.missing }) : /* @__PURE__ */ jsx17(Problem, { error, forbidden: texts.forbidden, retry: () => void reload() }),
        isLoading && !data && !error && /* @__PURE__ */ jsx17("p", { role: "status", children: loading }),
        data && /* @__PURE__ */ jsxs13(Fragment9, { children: [
          /* @__PURE__ */ jsxs13("section", { children: [
            /* @__PURE__ */ jsx17("h2", { children: texts.replay }),
            /* @__PURE__ */ jsx17(ReplayResult, { turn: id, user, isPossible: data.state !== void 0 })
          ] }),
          /* @__PURE__ */ jsxs13("section", { children: [
            /* @__PURE__ */ jsx17("h2", { children: texts.exchanges }),
            /* @__PURE__ */ jsx17("p", { class: "remark", children: texts.masked }),
            unreadable.length > 0 && /* @__PURE__ */ jsxs13("p", { class: "hint", dir: "auto", children: [
              texts.unreadable,
              " ",
              unreadable.join(", ")
            ] }),
            /* @__PURE__ */ jsx17("ul", { class: "panels", children: pages.flatMap((page) => page.data).map((exchange) => /* @__PURE__ */ jsx17("li", { children: /* @__PURE__ */ jsx17(ExchangePanel, { turn: id, user, listed: exchange }) }, exchange.number)) }),
            /* @__PURE__ */ jsx17(Problem, { error: problem }),
            loadMore && /* @__PURE__ */ jsx17("p", { class: "buttons", children: /* @__PURE__ */ jsx17("button", { type: "button", onClick: loadMore, children: turns.more }) })
          ] })
        ] })
      ]
    }
  );
}

// src/admin/recordings/Recordings.tsx
import { ApiError as ApiError4, formatNumber as formatNumber9 } from "./app.js";

// src/admin/turns/FilterField.tsx
import { useEffect as useEffect4, useState as useState13 } from "./vendor.js";
import { jsx as jsx18, jsxs as jsxs14 } from "./vendor.js";
function FilterField({ label, type, list, value, choose }) {
  const [text, setText] = useState13(value);
  useEffect4(() => setText(value), [value]);
  return /* @__PURE__ */ jsxs14("label", { class: "field", children: [
    label,
    /* @__PURE__ */ jsx18(
      "input",
      {
        type,
        dir: type === "text" ? "auto" : void 0,
        spellcheck: false,
        list,
        value: text,
        onInput: (event) => setText(event.currentTarget.value),
        onChange: (event) => choose(event.currentTarget.value)
      }
    )
  ] });
}

// src/admin/recordings/Recordings.tsx
import { jsx as jsx19, jsxs as jsxs15 } from "./vendor.js";
var COMMAND = "TURNKIT_RECORD=recordings turnkit serve";
function Recordings({ query }) {
  const { recordings: texts, turns, refresh, loading } = words.value;
  const user = new URLSearchParams(query).get("user") ?? "";
  const { pages, error, isLoading, reload, loadMore, problem } = usePages(
    (cursor) => loadRecordings(user, cursor),
    user
  );
  const isLoaded = pages.length > 0;
  const rows = pages.flatMap((page) => page.data);
  const isOff2 = error instanceof ApiError4 && error.status === 404;
  const choose = (name) => {
    location.hash = `#/recordings${queryOf(name.trim())}`;
  };
  const actions = /* @__PURE__ */ jsx19("button", { type: "button", disabled: isLoading, onClick: () => void reload(), children: refresh });
  return /* @__PURE__ */ jsxs15(Screen, { title: texts.title, lead: texts.lead, actions, children: [
    isOff2 ? /* @__PURE__ */ jsx19(Off, {}) : /* @__PURE__ */ jsx19(Problem, { error, forbidden: texts.forbidden, retry: () => void reload() }),
    isLoading && !isLoaded && !error && /* @__PURE__ */ jsx19("p", { role: "status", children: loading }),
    isLoaded && /* @__PURE__ */ jsx19("div", { class: "filter-row", children: /* @__PURE__ */ jsx19(FilterField, { label: texts.user, type: "text", value: user, choose }) }),
    isLoaded && rows.length === 0 && !loadMore && /* @__PURE__ */ jsx19("p", { class: "nothing", children: texts.none }),
    rows.length > 0 && /* @__PURE__ */ jsx19(Table, { caption: texts.title, columns: columnsOf2(user), rows, keyOf: (row) => row.turn_id }),
    /* @__PURE__ */ jsx19(Problem, { error: problem }),
    loadMore && /* @__PURE__ */ jsxs15("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx19("button", { type: "button", onClick: loadMore, children: turns.more }),
      /* @__PURE__ */ jsx19("span", { class: "remark", children: turns.shown(formatNumber9(rows.length)) })
    ] })
  ] });
}
function Off() {
  const texts = words.value.recordings;
  return /* @__PURE__ */ jsxs15("div", { class: "nothing", children: [
    /* @__PURE__ */ jsx19("p", { children: texts.off }),
    /* @__PURE__ */ jsx19("p", { children: /* @__PURE__ */ jsx19("code", { children: COMMAND }) }),
    /* @__PURE__ */ jsx19("p", { class: "remark", children: texts.masked })
  ] });
}
function columnsOf2(user) {
  const { recordings: texts, turns } = words.value;
  return [
    {
      key: "time",
      label: turns.columns.time,
      cell: (row) => /* @__PURE__ */ jsx19("a", { href: `#/recordings/${row.turn_id}${queryOf(user)}`, children: row.began_at ? /* @__PURE__ */ jsx19(When, { time: row.began_at }) : /* @__PURE__ */ jsx19("code", { children: row.turn_id }) })
    },
    {
      key: "session",
      label: turns.columns.session,
      cell: (row) => row.title === void 0 ? /* @__PURE__ */ jsx19("span", { class: "remark", children: texts.ofOther(row.turn_id.slice(-12)) }) : /* @__PURE__ */ jsx19("bdi", { children: row.title || words.value.detail.untitled })
    },
    { key: "state", label: turns.columns.state, cell: (row) => row.state ? /* @__PURE__ */ jsx19(State, { state: row.state }) : "–" },
    {
      key: "model",
      label: turns.columns.model,
      cell: (row) => /* @__PURE__ */ jsx19("bdi", { children: row.models.map(({ provider, model }) => `${provider}: ${model}`).join(", ") || "–" })
    },
    { key: "exchanges", label: texts.exchanges, isNumber: true, cell: (row) => formatNumber9(row.exchanges) }
  ];
}

// src/admin/tools/Grants.tsx
import { useState as useState14 } from "./vendor.js";
import { addressOf } from "./app.js";
import { Fragment as Fragment10, jsx as jsx20, jsxs as jsxs16 } from "./vendor.js";
function Grants() {
  const texts = words.value.grants;
  const { data, error, isLoading, reload } = useLoaded(() => getAll("grants"));
  const [revoked, setRevoked] = useState14();
  const columns = [
    { key: "tool", label: texts.tool, cell: (grant) => /* @__PURE__ */ jsx20("code", { children: grant.tool }), value: (grant) => grant.tool },
    { key: "covers", label: texts.covers, cell: (grant) => /* @__PURE__ */ jsx20(Covers, { grant }), value: subjectOf },
    {
      key: "untrusted",
      label: texts.untrusted,
      cell: (grant) => grant.untrusted ? texts.yes : texts.no,
      value: (grant) => String(grant.untrusted)
    },
    {
      key: "created",
      label: texts.created,
      cell: (grant) => /* @__PURE__ */ jsx20(When, { time: grant.created_at }),
      value: (grant) => grant.created_at
    },
    {
      key: "revoke",
      label: texts.action,
      cell: (grant) => /* @__PURE__ */ jsxs16("button", { type: "button", class: "quiet", onClick: () => setRevoked(grant), children: [
        texts.revoke,
        /* @__PURE__ */ jsxs16("span", { class: "unseen", children: [
          " ",
          grant.tool
        ] })
      ] })
    }
  ];
  return /* @__PURE__ */ jsxs16("section", { children: [
    /* @__PURE__ */ jsx20("h2", { children: texts.title }),
    /* @__PURE__ */ jsx20("p", { class: "remark", children: texts.lead }),
    /* @__PURE__ */ jsx20(Problem, { error, retry: () => void reload() }),
    isLoading && !data && /* @__PURE__ */ jsx20("p", { role: "status", children: words.value.loading }),
    data?.length === 0 && /* @__PURE__ */ jsx20("p", { class: "nothing", children: texts.none }),
    data && data.length > 0 && /* @__PURE__ */ jsx20(Table, { caption: texts.title, columns, rows: data, keyOf: (grant) => grant.id, isComplete: true }),
    revoked && /* @__PURE__ */ jsx20(
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
  if (grant.session_id) return /* @__PURE__ */ jsx20("a", { href: addressOf(grant.session_id), children: texts.session });
  return grant.subject ? /* @__PURE__ */ jsx20("code", { children: subjectOf(grant) }) : /* @__PURE__ */ jsx20(Fragment10, { children: texts.all });
}
function subjectOf({ session_id, subject }) {
  if (!subject) return session_id ?? "";
  const text = (value) => typeof value === "string" ? value : JSON.stringify(value);
  return Object.entries(subject).map(([kind, value]) => `${kind}: ${text(value)}`).join(", ");
}

// src/admin/tools/Servers.tsx
import { useState as useState17 } from "./vendor.js";
import { formatNumber as formatNumber10 } from "./app.js";

// src/admin/tools/AcceptChanges.tsx
import { useEffect as useEffect6, useRef as useRef4, useState as useState16 } from "./vendor.js";

// src/later/useGuard.ts
import { useEffect as useEffect5, useState as useState15 } from "./vendor.js";
var GUARD_MS = 300;
function useGuard(arrangement) {
  const [guarded, setGuarded] = useState15();
  useEffect5(() => {
    const timer = setTimeout(() => setGuarded(arrangement), GUARD_MS);
    return () => clearTimeout(timer);
  }, [arrangement]);
  return guarded !== arrangement;
}

// src/admin/tools/AcceptChanges.tsx
import { ApiError as ApiError5, Dialog as Dialog3, strings as strings5 } from "./app.js";

// src/admin/tools/Definition.tsx
import { locale as locale4 } from "./app.js";
import { jsx as jsx21, jsxs as jsxs17 } from "./vendor.js";
function Definition({ tool: { name, description, input_schema, effects } }) {
  const texts = words.value.tools;
  return /* @__PURE__ */ jsxs17("section", { class: "definition", "aria-label": name, children: [
    /* @__PURE__ */ jsx21("h3", { children: /* @__PURE__ */ jsx21("code", { children: name }) }),
    description ? /* @__PURE__ */ jsx21("p", { class: "written", dir: "auto", tabIndex: 0, children: reveal(description) }) : /* @__PURE__ */ jsx21("p", { class: "remark", children: texts.noDescription }),
    /* @__PURE__ */ jsx21("p", { class: "remark", children: texts.effects(namesOf(effects)) }),
    /* @__PURE__ */ jsx21("p", { class: "label", children: texts.arguments }),
    /* @__PURE__ */ jsx21("pre", { dir: "ltr", tabIndex: 0, children: reveal(JSON.stringify(input_schema, null, 2)) })
  ] });
}
function namesOf({ read_only, idempotent, destructive, open_world }) {
  const texts = words.value.tools.effectNames;
  const names = [read_only ? texts.none : destructive ? texts.destructive : texts.change];
  if (idempotent && !read_only) names.push(texts.idempotent);
  if (open_world) names.push(texts.open);
  return new Intl.ListFormat(locale4.value).format(names);
}

// src/admin/tools/AcceptChanges.tsx
import { jsx as jsx22, jsxs as jsxs18 } from "./vendor.js";
function AcceptChanges({ server: { name, state, tools }, changed }) {
  const texts = words.value.tools;
  const [isAsking, setAsking] = useState16(false);
  const changedTools = tools.filter((tool) => "fingerprint" in tool);
  if (changedTools.length === 0 && !isAsking) return null;
  return /* @__PURE__ */ jsxs18("div", { class: "buttons", children: [
    /* @__PURE__ */ jsxs18("button", { type: "button", onClick: () => setAsking(true), children: [
      texts.accept,
      /* @__PURE__ */ jsxs18("span", { class: "unseen", children: [
        " ",
        name
      ] })
    ] }),
    isAsking && /* @__PURE__ */ jsx22(
      AcceptDialog,
      {
        server: name,
        isReady: state === "ready",
        tools: changedTools,
        reload: changed,
        close: () => setAsking(false)
      }
    )
  ] });
}
function AcceptDialog({ server, isReady, tools, reload, close }) {
  const texts = words.value.tools;
  const [error, setError] = useState16();
  const [refused, setRefused] = useState16();
  const [isRunning, setRunning] = useState16(false);
  const seen = tools.map(({ name, fingerprint }) => ({ name, fingerprint }));
  const shown = JSON.stringify(seen);
  const isNew = useGuard(shown);
  const hasOthers = refused !== void 0 && refused !== shown && isReady;
  const warning = useRef4(null);
  useEffect6(() => warning.current?.scrollIntoView({ block: "center" }), [error]);
  const accept = async () => {
    setRunning(true);
    setError(void 0);
    setRefused(void 0);
    try {
      await post(`mcp/${encodeURIComponent(server)}/accept`, { tools: seen });
      close();
      await reload();
    } catch (error2) {
      if (hasChanged(error2)) {
        setRefused(shown);
        await reload();
      }
      setError(error2);
      setRunning(false);
    }
  };
  return /* @__PURE__ */ jsxs18(Dialog3, { title: texts.acceptTitle(server), close, children: [
    hasOthers && /* @__PURE__ */ jsx22("p", { ref: warning, class: "problem", role: "alert", children: tools.length > 0 ? texts.changedAgain : texts.takenBack }),
    tools.length > 0 && /* @__PURE__ */ jsx22("p", { children: texts.acceptText }),
    tools.map((tool) => /* @__PURE__ */ jsx22(Definition, { tool }, tool.name)),
    !hasOthers && /* @__PURE__ */ jsx22(Problem, { error }),
    /* @__PURE__ */ jsxs18("p", { class: "buttons", children: [
      tools.length > 0 && /* @__PURE__ */ jsx22("button", { type: "button", class: "danger", disabled: isRunning || isNew, onClick: () => void accept(), children: texts.accept }),
      /* @__PURE__ */ jsx22("button", { type: "button", onClick: close, children: strings5.value.page.cancel })
    ] })
  ] });
}
function hasChanged(error) {
  return error instanceof ApiError5 && error.code === "definition_changed";
}

// src/admin/tools/Servers.tsx
import { jsx as jsx23, jsxs as jsxs19 } from "./vendor.js";
function Servers() {
  const { servers, forbidden } = words.value.tools;
  if (mayOperate()) return /* @__PURE__ */ jsx23(ServerList, {});
  return /* @__PURE__ */ jsxs19("section", { children: [
    /* @__PURE__ */ jsx23("h2", { children: servers }),
    /* @__PURE__ */ jsx23(Refusal, { text: forbidden })
  ] });
}
function ServerList() {
  const texts = words.value.tools;
  const { data, error, isLoading, reload } = useLoaded(() => getAll("mcp"));
  return /* @__PURE__ */ jsxs19("section", { children: [
    /* @__PURE__ */ jsx23("h2", { children: texts.servers }),
    /* @__PURE__ */ jsx23(Problem, { error, forbidden: texts.forbidden, retry: () => void reload() }),
    isLoading && !data && /* @__PURE__ */ jsx23("p", { role: "status", children: words.value.loading }),
    data?.length === 0 && /* @__PURE__ */ jsx23("p", { class: "nothing", children: texts.noServers }),
    /* @__PURE__ */ jsx23("ul", { class: "panels", children: data?.map((server) => /* @__PURE__ */ jsx23("li", { children: /* @__PURE__ */ jsx23(Server, { server, changed: reload }) }, server.name)) })
  ] });
}
function Server({ server, changed }) {
  const texts = words.value.tools;
  const unusual = server.tools.filter((tool) => tool.state !== "pinned");
  const pinned = server.tools.filter((tool) => tool.state === "pinned");
  return /* @__PURE__ */ jsxs19("article", { class: "panel", "aria-label": server.name, children: [
    /* @__PURE__ */ jsxs19("header", { children: [
      /* @__PURE__ */ jsx23("h3", { dir: "auto", children: server.name }),
      /* @__PURE__ */ jsx23(State, { state: server.state }),
      /* @__PURE__ */ jsx23("code", { class: "remark", children: server.program ?? server.url })
    ] }),
    server.error && /* @__PURE__ */ jsxs19("div", { class: "reason", children: [
      /* @__PURE__ */ jsx23("p", { dir: "auto", children: server.error }),
      server.retry_at && /* @__PURE__ */ jsxs19("p", { class: "remark", children: [
        texts.again,
        " ",
        /* @__PURE__ */ jsx23(When, { time: server.retry_at, isRelative: true })
      ] })
    ] }),
    server.state === "ready" && /* @__PURE__ */ jsxs19("p", { class: "remark", children: [
      [server.server, server.protocol && texts.protocol(server.protocol)].filter(Boolean).join(" · "),
      " ·",
      " ",
      texts.read,
      " ",
      /* @__PURE__ */ jsx23(When, { time: server.tools_read_at, isRelative: true }),
      server.connections > 1 && ` · ${texts.connections(formatNumber10(server.connections))}`
    ] }),
    unusual.map((tool) => /* @__PURE__ */ jsxs19("div", { class: "reason", children: [
      /* @__PURE__ */ jsxs19("p", { children: [
        /* @__PURE__ */ jsx23("code", { children: tool.name }),
        " ",
        /* @__PURE__ */ jsx23(State, { state: tool.state }),
        " ",
        tool.changed_at && /* @__PURE__ */ jsx23(When, { time: tool.changed_at, isRelative: true })
      ] }),
      tool.reason && /* @__PURE__ */ jsx23("p", { dir: "auto", children: tool.reason })
    ] }, tool.name)),
    pinned.length > 0 && /* @__PURE__ */ jsxs19("details", { children: [
      /* @__PURE__ */ jsx23("summary", { children: texts.pinned(pinned.length, formatNumber10(pinned.length)) }),
      /* @__PURE__ */ jsx23("ul", { class: "names", children: pinned.map((tool) => /* @__PURE__ */ jsx23("li", { children: /* @__PURE__ */ jsx23("code", { children: tool.name }) }, tool.name)) })
    ] }),
    /* @__PURE__ */ jsx23(Reconnect, { name: server.name, changed }),
    /* @__PURE__ */ jsx23(AcceptChanges, { server, changed })
  ] });
}
function Reconnect({ name, changed }) {
  const texts = words.value.tools;
  const [isRunning, setRunning] = useState17(false);
  const [result, setResult] = useState17();
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
  return /* @__PURE__ */ jsxs19("div", { class: "thaw", children: [
    /* @__PURE__ */ jsxs19("button", { type: "button", disabled: isRunning, onClick: () => void reconnect(), children: [
      isRunning ? texts.reconnecting : texts.reconnect,
      /* @__PURE__ */ jsxs19("span", { class: "unseen", children: [
        " ",
        name
      ] })
    ] }),
    /* @__PURE__ */ jsx23("p", { class: result?.isError ? "error" : "remark", role: "status", dir: "auto", children: result?.text })
  ] });
}

// src/admin/tools/ToolList.tsx
import { ApiError as ApiError6 } from "./app.js";
import { jsx as jsx24, jsxs as jsxs20 } from "./vendor.js";
function ToolList() {
  const texts = words.value.toolList;
  const { data, error, reload } = useLoaded(() => getAll("tools"));
  if (error instanceof ApiError6 && error.status === 404) return null;
  const rows = data ?? [];
  const columns = [
    { key: "name", label: texts.name, cell: (tool) => /* @__PURE__ */ jsx24("code", { children: tool.name }), value: (tool) => tool.name },
    { key: "description", label: texts.description, cell: (tool) => /* @__PURE__ */ jsx24("span", { dir: "auto", children: tool.description }) },
    { key: "source", label: texts.source, cell: sourceOf, value: sourceOf },
    {
      key: "policy",
      label: texts.policy,
      cell: (tool) => named(texts.policies, tool.policy) ?? "–",
      value: (tool) => named(texts.policies, tool.policy)
    },
    {
      key: "agents",
      label: texts.agents,
      cell: (tool) => tool.agents?.join(", ") ?? "–",
      value: (tool) => tool.agents?.join(", ")
    }
  ];
  return /* @__PURE__ */ jsxs20("section", { children: [
    /* @__PURE__ */ jsx24("h2", { children: texts.title }),
    /* @__PURE__ */ jsx24(Problem, { error, forbidden: words.value.tools.forbidden, retry: () => void reload() }),
    rows.length > 0 && /* @__PURE__ */ jsx24(
      Table,
      {
        caption: texts.title,
        columns,
        rows,
        keyOf: (tool) => tool.name,
        isComplete: true
      }
    ),
    data && rows.length === 0 && /* @__PURE__ */ jsx24("p", { class: "nothing", children: texts.none })
  ] });
}
function sourceOf(tool) {
  return tool.server ?? named(words.value.toolList.sources, tool.source) ?? "";
}
function named(names, value) {
  return value === void 0 ? void 0 : names[value] ?? value;
}

// src/admin/tools/Tools.tsx
import { jsx as jsx25, jsxs as jsxs21 } from "./vendor.js";
function Tools() {
  const texts = words.value.tools;
  return /* @__PURE__ */ jsxs21(Screen, { title: texts.title, lead: texts.lead, children: [
    /* @__PURE__ */ jsx25(Servers, {}),
    /* @__PURE__ */ jsx25(Grants, {}),
    /* @__PURE__ */ jsx25(ToolList, {})
  ] });
}

// src/admin/turns/filters.ts
import { me as me2 } from "./app.js";
var FILTERS = ["state", "agent", "provider", "model", "error", "user", "from", "to"];
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
function otherUser(query) {
  const { user = "" } = readFilters(query);
  return user === me2.value?.user ? "" : user;
}
function addressWith(filters) {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
  return `#/turns${query && `?${query}`}`;
}
function toLocal(iso) {
  const date = new Date(iso ?? "");
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 6e4).toISOString().slice(0, 16);
}
function fromLocal(local) {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

// src/admin/turns/TurnDetail.tsx
import { useEffect as useEffect8, useState as useState20 } from "./vendor.js";
import { addressOf as addressOf2, ApiError as ApiError8, formatNumber as formatNumber13, me as me3 } from "./app.js";

// src/admin/turns/EventList.tsx
import { useState as useState18 } from "./vendor.js";
import { ApiError as ApiError7, formatNumber as formatNumber11 } from "./app.js";
import { jsx as jsx26, jsxs as jsxs22 } from "./vendor.js";
var AT_ONCE = 200;
function EventList({ log, areKept }) {
  const texts = words.value.detail;
  const [shown, setShown] = useState18(AT_ONCE);
  const isGone = log.error instanceof ApiError7 && log.error.status === 410;
  const { events } = log;
  return /* @__PURE__ */ jsxs22("section", { children: [
    /* @__PURE__ */ jsx26("h2", { children: texts.events }),
    !areKept || isGone ? /* @__PURE__ */ jsx26("p", { class: "remark", children: texts.gone }) : /* @__PURE__ */ jsx26(Problem, { error: log.error }),
    events.length > 0 && /* @__PURE__ */ jsxs22("details", { children: [
      /* @__PURE__ */ jsx26("summary", { children: texts.showEvents(events.length, formatNumber11(events.length)) }),
      /* @__PURE__ */ jsx26("p", { children: /* @__PURE__ */ jsx26(CopyButton, { text: events.map(({ name, raw }) => `${name} ${raw}
`).join("") }) }),
      /* @__PURE__ */ jsx26("ol", { class: "events", children: events.slice(0, shown).map(({ name, data, raw }, index) => /* @__PURE__ */ jsx26("li", { children: /* @__PURE__ */ jsxs22("details", { children: [
        /* @__PURE__ */ jsxs22("summary", { children: [
          /* @__PURE__ */ jsx26("code", { children: name }),
          " ",
          /* @__PURE__ */ jsx26("span", { class: "remark", children: clock(data.at) })
        ] }),
        /* @__PURE__ */ jsx26("pre", { dir: "ltr", children: indent(raw) })
      ] }) }, index)) }),
      events.length > shown && /* @__PURE__ */ jsx26("button", { type: "button", onClick: () => setShown(shown + AT_ONCE), children: words.value.turns.more })
    ] })
  ] });
}
function clock(time) {
  return time?.slice(11, 23) ?? "";
}

// src/admin/turns/events.ts
import { useEffect as useEffect7, useState as useState19 } from "./vendor.js";

// src/net/sse.ts
async function* framesOf(response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const stream = new EventStream();
  while (reader) {
    const { value, done } = await reader.read();
    if (done) return;
    yield stream.push(value);
  }
}
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
    const field2 = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field2 === "event") this.#event = value;
    else if (field2 === "data") this.#data.push(value);
    else if (field2 === "id") this.#id = value;
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

// src/admin/turns/events.ts
import { client as client2 } from "./app.js";
var PAUSE_MS = 250;
function useEvents(turn, isWanted) {
  const [found, setFound] = useState19({ events: [], error: void 0 });
  useEffect7(() => {
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
    for await (const frames of framesOf(response)) {
      events.push(...frames.map(read).filter((event) => event !== void 0));
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

// src/admin/turns/trace.ts
function spansOf(trace, now, toolOf) {
  const [turn] = trace;
  if (!turn) return [];
  const isRunning = turn.ms === void 0;
  const end = turn.ms ?? Math.max(now, ...trace.map((span) => (span.start_ms ?? 0) + (span.ms ?? 0)));
  const ids = new Set(trace.map((span) => span.id));
  const draw = (span) => {
    const { id: row, name, tokens, cost, error } = span;
    const drawn = { row, name, ...timeOf(span, end, isRunning), tokens, cost, error };
    if (span.kind === "turn") return trace.length === 1 ? [{ ...drawn, kind: "turn" }] : [];
    if (span.kind === "step") return ids.has(answerOf(span.id)) ? [] : [{ ...drawn, kind: "answer" }];
    if (span.kind === "wait") return [{ ...drawn, kind: "wait", name: toolOf(span.id) ?? span.name }];
    if (span.kind === "attempt" && span.id === answerOf(span.parent ?? "")) return answer(span, drawn);
    return [{ ...drawn, kind: span.kind }];
  };
  return trace.flatMap(draw).sort((a, b) => (a.from ?? 0) - (b.from ?? 0));
}
function placed(spans) {
  return spans.flatMap((span) => {
    const { from } = span;
    return from === void 0 ? [] : [{ ...span, from, to: from + (span.ms ?? 0) }];
  });
}
function answerOf(step) {
  return `${step}.answer`;
}
function answer({ parent, first_ms }, drawn) {
  const row = parent ?? drawn.row;
  const { from, ms } = drawn;
  if (!first_ms || from === void 0 || ms === void 0) return [{ ...drawn, row, kind: "answer" }];
  return [
    { kind: "model", row, name: drawn.name, from, ms: Math.min(first_ms, ms), isOpen: false },
    { ...drawn, row, kind: "answer", from: from + first_ms, ms: Math.max(0, ms - first_ms) }
  ];
}
function timeOf({ start_ms, ms }, end, isRunning) {
  if (start_ms === void 0) return { ms, isOpen: false };
  return { from: start_ms, ms: ms ?? Math.max(0, end - start_ms), isOpen: ms === void 0 && isRunning };
}

// src/admin/turns/Waterfall.tsx
import { formatNumber as formatNumber12 } from "./app.js";

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
import { Fragment as Fragment11, jsx as jsx27, jsxs as jsxs23 } from "./vendor.js";
var SMALLEST = 0.6;
function Waterfall({ spans }) {
  const texts = words.value.detail;
  const drawn = placed(spans);
  if (drawn.length === 0) {
    return /* @__PURE__ */ jsxs23(Fragment11, { children: [
      /* @__PURE__ */ jsx27("p", { class: "remark", children: texts.noTimes }),
      spans.length > 0 && /* @__PURE__ */ jsx27(Times, { spans })
    ] });
  }
  const scale = scaleOf(drawn);
  const rows = rowsOf(drawn);
  const kinds = [...new Set(drawn.map((span) => span.kind))];
  return /* @__PURE__ */ jsxs23("figure", { class: "waterfall", children: [
    /* @__PURE__ */ jsxs23("div", { "aria-hidden": "true", children: [
      /* @__PURE__ */ jsx27("ul", { class: "legend", children: kinds.map((kind) => /* @__PURE__ */ jsxs23("li", { children: [
        /* @__PURE__ */ jsx27("svg", { class: "swatch", children: /* @__PURE__ */ jsx27("rect", { class: `bar ${kind}`, width: "100%", height: "100%", rx: "2" }) }),
        texts.kinds[kind]
      ] }, kind)) }),
      /* @__PURE__ */ jsxs23("div", { class: "waterfall-rows", children: [
        /* @__PURE__ */ jsx27(Axis, { scale }),
        rows.map((row) => /* @__PURE__ */ jsx27(Row, { spans: row, scale }, row[0].row))
      ] })
    ] }),
    /* @__PURE__ */ jsxs23("details", { children: [
      /* @__PURE__ */ jsx27("summary", { children: texts.asTable }),
      /* @__PURE__ */ jsx27(Times, { spans })
    ] })
  ] });
}
function Axis({ scale }) {
  return /* @__PURE__ */ jsxs23("div", { class: "waterfall-row axis", children: [
    /* @__PURE__ */ jsx27("span", {}),
    /* @__PURE__ */ jsx27("svg", { class: "track", children: scale.marks.map(({ at, x }) => /* @__PURE__ */ jsx27("text", { x: `${x}%`, y: "14", "text-anchor": x === 0 ? "start" : x > 90 ? "end" : "middle", children: formatSpan(at) }, at)) })
  ] });
}
function Row({ spans, scale }) {
  const first = spans[0];
  const duration = spans.reduce((sum, span) => sum + span.to - span.from, 0);
  const isOpen = spans.some((span) => span.isOpen);
  return /* @__PURE__ */ jsxs23("div", { class: "waterfall-row", children: [
    /* @__PURE__ */ jsx27("span", { class: "waterfall-name", dir: "auto", title: nameOf(first), children: nameOf(first) }),
    /* @__PURE__ */ jsxs23("svg", { class: "track", children: [
      scale.marks.map(({ at, x }) => /* @__PURE__ */ jsx27("line", { class: "mark", x1: `${x}%`, x2: `${x}%`, y1: "0", y2: "100%" }, at)),
      scale.shortened.map(({ from, to }) => /* @__PURE__ */ jsx27("rect", { class: "shortened", x: `${from}%`, width: `${to - from}%`, height: "100%" }, from)),
      spans.map((span) => /* @__PURE__ */ jsx27(Bar, { span, scale }, span.kind))
    ] }),
    /* @__PURE__ */ jsxs23("span", { class: "number", children: [
      formatSpan(duration),
      isOpen && "…"
    ] }),
    /* @__PURE__ */ jsx27("span", { class: "waterfall-consumption", children: spans.map(consumptionOf) })
  ] });
}
function Bar({ span, scale }) {
  const from = scale.place(span.from);
  const width = Math.max(SMALLEST, scale.place(span.to) - from);
  const x = Math.min(from, 100 - width);
  const classes = ["bar", span.kind, span.error && "failed", span.isOpen && "open"].filter(Boolean).join(" ");
  return /* @__PURE__ */ jsx27("rect", { class: classes, x: `${x}%`, width: `${width}%`, y: "20%", height: "60%", rx: "2", children: /* @__PURE__ */ jsx27("title", { children: [`${words.value.detail.kinds[span.kind]}: ${formatSpan(span.to - span.from)}`, span.error].filter(Boolean).join(", ") }) });
}
function Times({ spans }) {
  const { detail: texts, turns } = words.value;
  const names = turns.columns;
  const time = (milliseconds) => milliseconds === void 0 ? "–" : formatSpan(milliseconds);
  const columns = [
    { key: "what", label: texts.what, cell: (span) => nameOf(span) },
    {
      key: "kind",
      label: texts.kind,
      cell: (span) => [texts.kinds[span.kind], span.error && texts.failed(span.error), span.isOpen && texts.running].filter(Boolean).join(", ")
    },
    { key: "from", label: texts.begins, cell: (span) => time(span.from), isNumber: true },
    { key: "took", label: texts.took, cell: (span) => time(span.ms), isNumber: true },
    {
      key: "tokens",
      label: names.tokens,
      cell: ({ tokens }) => tokens ? formatNumber12(tokens) : "–",
      isNumber: true
    },
    { key: "cost", label: names.cost, cell: (span) => formatCost(span.cost), isNumber: true }
  ];
  return /* @__PURE__ */ jsx27(Table, { caption: texts.timeline, columns, rows: spans, keyOf: (span) => `${span.row} ${span.kind}` });
}
function consumptionOf({ tokens, cost }) {
  const known = [
    tokens && words.value.usage.tokenCount(formatNumber12(tokens)),
    dollarsOf(cost) !== void 0 && formatCost(cost)
  ];
  return known.filter(Boolean).join(" · ");
}
function rowsOf(spans) {
  const rows = /* @__PURE__ */ new Map();
  for (const span of spans) rows.set(span.row, [...rows.get(span.row) ?? [], span]);
  return [...rows.values()];
}
function nameOf(span) {
  const texts = words.value.detail;
  const named2 = {
    turn: texts.kinds.turn,
    compaction: texts.kinds.compaction,
    attempt: texts.attempt(span.name),
    wait: texts.waits(span.name)
  };
  if (span.kind === "model" || span.kind === "answer") {
    return texts.step(formatNumber12(Number(span.row.replace("step.", ""))), span.name);
  }
  return named2[span.kind] ?? span.name;
}

// src/admin/turns/TurnDetail.tsx
import { Fragment as Fragment12, jsx as jsx28, jsxs as jsxs24 } from "./vendor.js";
var RUNNING_MS = 2e3;
function TurnDetail({ id, user }) {
  const { detail: texts, turns } = words.value;
  const { data, error, isLoading, reload } = useLoaded(() => loadTurn(id, user), `${id} ${user}`);
  const view = data?.view;
  const isRunning = data !== void 0 && data.row.ended_at === null;
  useEffect8(() => {
    if (!isRunning) return;
    const timer = setInterval(() => !document.hidden && void reload(), RUNNING_MS);
    return () => clearInterval(timer);
  }, [isRunning, id]);
  const hasEvents = view !== void 0 && (view.seq > 0 || isRunning);
  const log = useEvents(id, hasEvents);
  const isMissing = error instanceof ApiError8 && error.status === 404;
  const back = /* @__PURE__ */ jsx28("a", { href: addressWith({ user }), children: texts.back });
  return /* @__PURE__ */ jsxs24(
    Screen,
    {
      title: data ? titleOf(data, user) : turns.title,
      lead: user && texts.withoutWords,
      back,
      actions: data && /* @__PURE__ */ jsx28(Links, { row: data.row, user }),
      children: [
        isMissing ? /* @__PURE__ */ jsx28("p", { class: "nothing", children: texts.missing }) : /* @__PURE__ */ jsx28(Problem, { error, retry: () => void reload() }),
        isLoading && !data && /* @__PURE__ */ jsx28("p", { role: "status", children: words.value.loading }),
        data && /* @__PURE__ */ jsx28(Facts, { turn: data }),
        data && (view || user) && /* @__PURE__ */ jsxs24("section", { children: [
          /* @__PURE__ */ jsx28("h2", { children: texts.timeline }),
          /* @__PURE__ */ jsx28(Waterfall, { spans: drawnOf(data) })
        ] }),
        view && /* @__PURE__ */ jsxs24(Fragment12, { children: [
          /* @__PURE__ */ jsx28(Remarks, { view }),
          /* @__PURE__ */ jsxs24("section", { children: [
            /* @__PURE__ */ jsx28("h2", { children: texts.input }),
            /* @__PURE__ */ jsx28(Texts, { texts: view.input.map(textOf2) })
          ] }),
          /* @__PURE__ */ jsxs24("section", { children: [
            /* @__PURE__ */ jsx28("h2", { children: texts.output }),
            /* @__PURE__ */ jsx28(Texts, { texts: view.parts.filter((part) => part.type === "text").map((part) => part.text) }),
            view.parts.some((part) => part.more) && /* @__PURE__ */ jsx28("p", { class: "remark", children: texts.cut })
          ] }),
          /* @__PURE__ */ jsx28(EventList, { log, areKept: hasEvents })
        ] })
      ]
    }
  );
}
function titleOf({ row, title }, user) {
  const { detail: texts } = words.value;
  const number = formatNumber13(row.number);
  return user ? texts.titleOf(number, user) : texts.title(number, title || texts.untitled);
}
function drawnOf({ row, view, trace }) {
  const toolOf = (wait) => view?.waits?.find(({ id }) => id === wait)?.name;
  return spansOf(trace, Date.now() - Date.parse(row.accepted_at), toolOf);
}
function Links({ row, user }) {
  const { detail: texts, recordings } = words.value;
  const [hasRecording, setRecording] = useState20(false);
  const isOperator = me3.value?.operator === true;
  const query = queryOf(user);
  useEffect8(() => {
    if (isOperator) void isRecorded(row.id).then(setRecording);
  }, [row.id, isOperator]);
  return /* @__PURE__ */ jsxs24(Fragment12, { children: [
    hasRecording && /* @__PURE__ */ jsx28("a", { href: `#/recordings/${row.id}${query}`, children: recordings.link }),
    row.parent_turn_id && /* @__PURE__ */ jsx28("a", { href: `#/turns/${row.parent_turn_id}${query}`, children: texts.parent }),
    !user && /* @__PURE__ */ jsx28("a", { href: `${addressOf2(row.session_id)}/t/${row.id}`, children: texts.open })
  ] });
}
function Facts({ turn: { row, view, trace } }) {
  const { detail: texts, turns } = words.value;
  const unique = (values) => [...new Set(values.filter((value) => value !== void 0))].join(", ");
  const models = unique(view?.steps.map((step) => step.model) ?? []);
  const providers = unique(view?.steps.map((step) => step.provider) ?? []);
  const first = view?.steps[0]?.first_ms;
  const took = row.ended_at ? Date.parse(row.ended_at) - Date.parse(row.accepted_at) : void 0;
  const unpriced = row.cost?.unpriced_calls ?? 0;
  return /* @__PURE__ */ jsxs24("dl", { class: "facts", children: [
    /* @__PURE__ */ jsxs24(Fact, { name: turns.columns.state, children: [
      /* @__PURE__ */ jsx28(State, { state: row.state }),
      !view && trace[0]?.error && /* @__PURE__ */ jsxs24("span", { class: "remark", children: [
        " ",
        trace[0].error
      ] })
    ] }),
    /* @__PURE__ */ jsx28(Fact, { name: turns.columns.agent, children: row.agent }),
    models && /* @__PURE__ */ jsx28(Fact, { name: turns.columns.model, children: models }),
    providers && /* @__PURE__ */ jsx28(Fact, { name: texts.provider, children: providers }),
    /* @__PURE__ */ jsx28(Fact, { name: turns.columns.time, children: /* @__PURE__ */ jsx28(When, { time: row.accepted_at }) }),
    /* @__PURE__ */ jsx28(Fact, { name: turns.columns.duration, children: took === void 0 ? "–" : formatSpan(took) }),
    first !== void 0 && /* @__PURE__ */ jsx28(Fact, { name: texts.first, children: formatSpan(first) }),
    /* @__PURE__ */ jsx28(Fact, { name: turns.columns.tokens, children: formatTokens(row.usage) }),
    /* @__PURE__ */ jsxs24(Fact, { name: turns.columns.cost, children: [
      formatCost(row.cost),
      unpriced > 0 && /* @__PURE__ */ jsxs24("span", { class: "remark", children: [
        " ",
        texts.unpriced(unpriced, formatNumber13(unpriced))
      ] })
    ] })
  ] });
}
function Fact({ name, children }) {
  return /* @__PURE__ */ jsxs24("div", { children: [
    /* @__PURE__ */ jsx28("dt", { children: name }),
    /* @__PURE__ */ jsx28("dd", { dir: "auto", children })
  ] });
}
function Remarks({ view }) {
  if (view.remarks.length === 0) return null;
  return /* @__PURE__ */ jsxs24("section", { children: [
    /* @__PURE__ */ jsx28("h2", { children: words.value.detail.remarks }),
    /* @__PURE__ */ jsx28("ul", { class: "remarks", children: view.remarks.map((remark, index) => /* @__PURE__ */ jsxs24("li", { class: remark.error ? "error" : void 0, dir: "auto", children: [
      /* @__PURE__ */ jsx28("code", { children: remark.code }),
      " ",
      remark.text
    ] }, index)) })
  ] });
}
function Texts({ texts }) {
  const shown = texts.filter((text) => text !== "");
  if (shown.length === 0) return /* @__PURE__ */ jsx28("p", { class: "remark", children: words.value.detail.nothing });
  return /* @__PURE__ */ jsx28(Fragment12, { children: shown.map((text, index) => /* @__PURE__ */ jsx28("p", { class: "written", dir: "auto", tabIndex: 0, children: text }, index)) });
}
function textOf2(part) {
  if (part.type === "text" || part.type === "reasoning" || part.type === "context") return part.text;
  if (part.type === "file") return part.name;
  return part.type === "image" ? part.media_type : "";
}

// src/admin/turns/Turns.tsx
import { Fragment as Fragment13 } from "./vendor.js";
import { addressOf as addressOf3, formatNumber as formatNumber14 } from "./app.js";

// src/later/download.ts
var SAVED_MS = 6e4;
function download(name, content) {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
}

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
import { useEffect as useEffect9, useRef as useRef5, useState as useState21 } from "./vendor.js";
import { me as me4 } from "./app.js";
import { jsx as jsx29, jsxs as jsxs25 } from "./vendor.js";
var NAMED = ["agent", "provider", "model", "user"];
function FilterForm({ filters }) {
  const texts = words.value.turns;
  const names = useNames();
  const rare = ["provider", "model", "error", "user", "from", "to"];
  const [isOpen] = useState21(rare.some((name) => filters[name]));
  const state = useRef5(null);
  const clear = () => {
    location.hash = addressWith({});
    state.current?.focus();
  };
  const set = (name, value) => {
    const current = readFilters(location.hash.split("?")[1] ?? "");
    location.hash = addressWith({ ...current, [name]: value.trim() });
  };
  const named2 = (name) => /* @__PURE__ */ jsx29(
    FilterField,
    {
      label: texts.filters[name],
      type: "text",
      list: name === "error" ? void 0 : `names-${name}`,
      value: filters[name] ?? "",
      choose: (value) => set(name, value)
    }
  );
  const time = (name) => /* @__PURE__ */ jsx29(
    FilterField,
    {
      label: texts.filters[name],
      type: "datetime-local",
      value: toLocal(filters[name]),
      choose: (value) => set(name, fromLocal(value))
    }
  );
  return /* @__PURE__ */ jsxs25("form", { class: "filters", "aria-label": texts.filters.title, onSubmit: (event) => event.preventDefault(), children: [
    /* @__PURE__ */ jsxs25("div", { class: "filter-row", children: [
      /* @__PURE__ */ jsxs25("label", { class: "field", children: [
        texts.filters.state,
        /* @__PURE__ */ jsxs25("select", { ref: state, value: filters.state ?? "", onChange: (event) => set("state", event.currentTarget.value), children: [
          /* @__PURE__ */ jsx29("option", { value: "", children: texts.filters.any }),
          STATES.map((state2) => /* @__PURE__ */ jsx29("option", { value: state2, children: nameOfState(state2) }, state2))
        ] })
      ] }),
      named2("agent"),
      Object.keys(filters).length > 0 && /* @__PURE__ */ jsx29("button", { type: "button", class: "quiet", onClick: clear, children: texts.filters.clear })
    ] }),
    /* @__PURE__ */ jsxs25("details", { open: isOpen, children: [
      /* @__PURE__ */ jsx29("summary", { children: texts.filters.more }),
      /* @__PURE__ */ jsxs25("div", { class: "filter-row", children: [
        named2("provider"),
        named2("model"),
        named2("error"),
        (me4.value?.oversees ?? true) && named2("user"),
        time("from"),
        time("to")
      ] })
    ] }),
    NAMED.map((name) => /* @__PURE__ */ jsx29("datalist", { id: `names-${name}`, children: names[name].map((value) => /* @__PURE__ */ jsx29("option", { value }, value)) }, name))
  ] });
}
function useNames() {
  const [names, setNames] = useState21({ agent: [], provider: [], model: [], user: [] });
  useEffect9(() => {
    const found = (report) => {
      const all = (name) => [
        ...new Set(report.data.map((row) => row[name]).filter((value) => value !== void 0))
      ];
      setNames({ agent: all("agent"), provider: all("provider"), model: all("model"), user: all("user") });
    };
    get("usage", { by: NAMED.join(",") }).then(found, () => {
    });
  }, []);
  return names;
}

// src/admin/turns/Turns.tsx
import { Fragment as Fragment14, jsx as jsx30, jsxs as jsxs26 } from "./vendor.js";
var PAGE_SIZE = "50";
var EMPTY_PAGES = 5;
function Turns({ query }) {
  const { turns: texts, csv, refresh } = words.value;
  const filters = readFilters(query);
  const { pages, error, isLoading, reload, loadMore, problem } = usePages((cursor) => loadPage(filters, cursor), query);
  const isLoaded = pages.length > 0;
  const rows = pages.flatMap((page) => page.data);
  const columns = columnsOf3(otherUser(query));
  const actions = /* @__PURE__ */ jsxs26(Fragment14, { children: [
    /* @__PURE__ */ jsx30("button", { type: "button", disabled: isLoading, onClick: () => void reload(), children: refresh }),
    /* @__PURE__ */ jsx30("button", { type: "button", disabled: rows.length === 0, onClick: () => downloadCsv("turns.csv", csvOf(columns, rows)), children: csv })
  ] });
  return /* @__PURE__ */ jsxs26(Screen, { title: texts.title, lead: texts.lead, actions, children: [
    /* @__PURE__ */ jsx30(FilterForm, { filters }),
    /* @__PURE__ */ jsx30(Problem, { error, forbidden: texts.forbidden, retry: () => void reload() }),
    isLoading && !isLoaded && /* @__PURE__ */ jsx30("p", { role: "status", children: words.value.loading }),
    isLoaded && rows.length === 0 && !loadMore && /* @__PURE__ */ jsx30("p", { class: "nothing", children: query ? texts.noneFound : texts.none }),
    rows.length > 0 && /* @__PURE__ */ jsx30(Table, { caption: texts.title, columns, rows, keyOf: (row) => row.id, isComplete: !loadMore }),
    /* @__PURE__ */ jsx30(Problem, { error: problem }),
    loadMore && /* @__PURE__ */ jsxs26("p", { class: "buttons", children: [
      /* @__PURE__ */ jsx30("button", { type: "button", onClick: loadMore, children: texts.more }),
      /* @__PURE__ */ jsx30("span", { class: "remark", children: texts.shown(formatNumber14(rows.length)) })
    ] })
  ] });
}
async function loadPage(filters, cursor = "") {
  let page = await get("turns", { ...filters, limit: PAGE_SIZE, cursor });
  for (let passed = 0; page.data.length === 0 && page.next && passed < EMPTY_PAGES; passed += 1) {
    page = await get("turns", { ...filters, limit: PAGE_SIZE, cursor: page.next });
  }
  return page;
}
function columnsOf3(other) {
  const { columns: names, number, kinds } = words.value.turns;
  const titleOf2 = (row) => row.title || row.session_id.slice(-12);
  return [
    {
      key: "time",
      label: names.time,
      cell: (row) => /* @__PURE__ */ jsx30("a", { href: `#/turns/${row.id}${queryOf(other)}`, children: /* @__PURE__ */ jsx30(When, { time: row.accepted_at }) }),
      value: (row) => row.accepted_at
    },
    {
      key: "session",
      label: names.session,
      cell: (row) => /* @__PURE__ */ jsxs26("span", { class: "titled", children: [
        other ? /* @__PURE__ */ jsx30("span", { children: titleOf2(row) }) : /* @__PURE__ */ jsx30("a", { href: `${addressOf3(row.session_id)}/t/${row.id}`, dir: "auto", title: titleOf2(row), children: titleOf2(row) }),
        " ",
        /* @__PURE__ */ jsxs26("span", { class: "remark", children: [
          number(formatNumber14(row.number)),
          row.kind && ` · ${kinds[row.kind] ?? row.kind}`
        ] })
      ] }),
      value: (row) => titleOf2(row)
    },
    { key: "agent", label: names.agent, cell: (row) => row.agent, value: (row) => row.agent },
    {
      key: "state",
      label: names.state,
      cell: (row) => /* @__PURE__ */ jsxs26(Fragment14, { children: [
        /* @__PURE__ */ jsx30(State, { state: row.state }),
        row.error && /* @__PURE__ */ jsxs26("span", { class: "remark", children: [
          " ",
          breakable(row.error)
        ] })
      ] }),
      value: (row) => row.state
    },
    {
      key: "model",
      label: names.model,
      cell: (row) => modelsOf(row) ?? "–",
      value: (row) => modelsOf(row)
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
      value: (row) => dollarsOf(row.cost),
      isNumber: true
    },
    {
      key: "first",
      label: names.first,
      cell: (row) => row.first_ms === void 0 ? "–" : formatSpan(row.first_ms),
      value: (row) => row.first_ms,
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
}
function breakable(code) {
  return code.split(/(?<=_)/).map((part, index) => /* @__PURE__ */ jsxs26(Fragment13, { children: [
    part,
    /* @__PURE__ */ jsx30("wbr", {})
  ] }, index));
}
function modelsOf(row) {
  return row.models?.map(({ model }) => model).join(", ");
}
function durationOf(row) {
  return row.ended_at ? Math.max(0, Date.parse(row.ended_at) - Date.parse(row.accepted_at)) : void 0;
}

// src/admin/usage/Usage.tsx
import { formatNumber as formatNumber17 } from "./app.js";

// src/admin/usage/Budgets.tsx
import { formatNumber as formatNumber15 } from "./app.js";
import { jsx as jsx31, jsxs as jsxs27 } from "./vendor.js";
function Budgets() {
  const { data, error } = useLoaded(() => get("budgets"), "budgets");
  const texts = words.value.usage;
  if (!data?.data.length) return /* @__PURE__ */ jsx31(Problem, { error });
  return /* @__PURE__ */ jsxs27("section", { "aria-labelledby": "budgets", children: [
    /* @__PURE__ */ jsx31("h2", { id: "budgets", children: texts.budgets }),
    /* @__PURE__ */ jsx31("ul", { class: "budgets", children: data.data.map((level) => /* @__PURE__ */ jsxs27("li", { children: [
      /* @__PURE__ */ jsx31("span", { children: texts.periods[level.period] }),
      /* @__PURE__ */ jsx31(
        "meter",
        {
          "aria-label": `${texts.periods[level.period]}: ${leftOf(level)}`,
          max: level.limit,
          value: Math.min(level.used, level.limit)
        }
      ),
      /* @__PURE__ */ jsx31("span", { children: leftOf(level) })
    ] }, `${level.period} ${level.unit}`)) })
  ] });
}
function leftOf({ unit: unit2, limit, used }) {
  const texts = words.value.usage;
  const isTokens = unit2 === "tokens";
  const format = (amount) => isTokens ? formatNumber15(amount) : formatCost({ nano_usd: amount, unpriced_calls: 0 });
  const whole = isTokens ? texts.tokenCount(format(limit)) : format(limit);
  return used < limit ? texts.left(format(limit - used), whole) : texts.usedUp(whole);
}

// src/admin/usage/Chart.tsx
import { useLayoutEffect, useRef as useRef6, useState as useState22 } from "./vendor.js";
import { formatNumber as formatNumber16 } from "./app.js";

// src/admin/usage/axis.ts
var MOST_STEPS = 5;
function axisOf(highest) {
  if (highest <= 0) return [];
  const size = Math.max(1, 10 ** Math.floor(Math.log10(highest / MOST_STEPS)));
  const step = [1, 2, 5, 10].map((factor) => factor * size).find((step2) => highest / step2 <= MOST_STEPS) ?? 10 * size;
  const steps = Math.ceil(highest / step);
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

// src/admin/usage/Patterns.tsx
import { jsx as jsx32, jsxs as jsxs28 } from "./vendor.js";
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
  return /* @__PURE__ */ jsx32("defs", { children: SIGNS.map((sign, index) => /* @__PURE__ */ jsxs28("pattern", { id: `pattern-${index}`, width: "8", height: "8", patternUnits: "userSpaceOnUse", children: [
    /* @__PURE__ */ jsx32("rect", { class: `series-${index}`, width: "8", height: "8" }),
    /* @__PURE__ */ jsx32("path", { class: "sign", d: sign })
  ] }, index)) });
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
    sum.cost.nano_usd += row.cost.nano_usd;
    sum.cost.unpriced_calls += row.cost.unpriced_calls;
  }
  const value = (sum) => measure === "tokens" ? sum.tokens : sum.cost.nano_usd;
  return [...sums.values()].sort((a, b) => value(b) - value(a) || a.name.localeCompare(b.name));
}
function seriesOf(report, days, by, measure) {
  const names = sumsOf(report, by, measure).map((sum) => sum.name);
  const series = [];
  const places = new Map(days.map((day, index) => [day, index]));
  for (const [index, name] of names.entries()) {
    const isRest = index >= LARGEST && names.length > LARGEST + 1;
    if (!isRest || series.length === LARGEST)
      series.push({ name: isRest ? "" : name, isRest, values: days.map(() => sumOf([])), total: sumOf([]) });
  }
  for (const row of report.data) {
    const index = names.indexOf(row[by] ?? "");
    const one = series[Math.min(index, series.length - 1)];
    const place = places.get(row.day ?? "");
    if (!one || place === void 0) continue;
    const value = valueOf(row, measure);
    one.values[place] = sumOf([one.values[place], value]);
    one.total = sumOf([one.total, value]);
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
function sumOf(values) {
  const sum = { amount: 0, unpriced: 0 };
  for (const value of values) {
    sum.amount += value?.amount ?? 0;
    sum.unpriced += value?.unpriced ?? 0;
  }
  return sum;
}
function valueOf({ usage, cost }, measure) {
  if (measure === "tokens") return { amount: tokensOf(usage), unpriced: 0 };
  return { amount: cost.nano_usd, unpriced: cost.unpriced_calls };
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
    cost: { nano_usd: 0, unpriced_calls: 0 }
  };
}

// src/admin/usage/Chart.tsx
import { jsx as jsx33, jsxs as jsxs29 } from "./vendor.js";
var HEIGHT = 220;
var LEFT = 60;
var TOP = 8;
var BOTTOM = 24;
var PLOT = HEIGHT - TOP - BOTTOM;
function Chart({ days, series, measure }) {
  const texts = words.value.usage;
  const [frame, width] = useWidth();
  const [chosen, setChosen] = useState22();
  const format = (value) => formatValue(value, measure);
  const totals = days.map((_, day) => sumOf(series.map(({ values }) => values[day])));
  const marks = axisOf(Math.max(...totals.map(({ amount }) => amount)));
  const highest = marks.at(-1) ?? 1;
  const slot = Math.max(0, width - LEFT) / days.length;
  const gap = slot > 6 ? Math.min(8, slot * 0.25) : slot > 3 ? 1 : 0;
  const y = (value) => TOP + PLOT * (1 - value / highest);
  const describe = (day) => {
    const values = series.filter((one) => !isNothing(one.values[day])).map((one) => `${nameOf2(one)} ${format(one.values[day])}`);
    return `${formatDay(days[day])}: ${[format(totals[day]), ...values].join("; ")}`;
  };
  const press = (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -days.length, End: days.length };
    const step = steps[event.key];
    if (step === void 0) return;
    event.preventDefault();
    setChosen(Math.min(days.length - 1, Math.max(0, (chosen ?? days.length - 1) + step)));
  };
  return /* @__PURE__ */ jsxs29("figure", { class: "chart", children: [
    /* @__PURE__ */ jsx33(
      Legend,
      {
        series,
        day: chosen,
        label: chosen === void 0 ? texts.whole : formatDay(days[chosen]),
        format
      }
    ),
    /* @__PURE__ */ jsx33(
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
        children: /* @__PURE__ */ jsxs29("svg", { width, height: HEIGHT, "aria-hidden": "true", children: [
          /* @__PURE__ */ jsx33(Patterns, {}),
          marks.map((mark) => /* @__PURE__ */ jsxs29("g", { children: [
            /* @__PURE__ */ jsx33("line", { class: "mark", x1: LEFT, x2: width, y1: y(mark), y2: y(mark) }),
            /* @__PURE__ */ jsx33("text", { x: LEFT - 8, y: y(mark) + 4, "text-anchor": "end", children: measure === "tokens" ? formatShort(mark) : formatMoney(mark) })
          ] }, mark)),
          days.map((day, index) => /* @__PURE__ */ jsxs29("g", { onPointerEnter: () => setChosen(index), children: [
            /* @__PURE__ */ jsx33(
              "rect",
              {
                class: index === chosen ? "slot chosen" : "slot",
                x: LEFT + index * slot,
                y: TOP,
                width: slot,
                height: PLOT
              }
            ),
            stack(series, index).map(({ at, from, to }) => /* @__PURE__ */ jsx33(
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
          labelled(days, width).map((index) => /* @__PURE__ */ jsx33(
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
  const value = (one) => day === void 0 ? one.total : one.values[day];
  return /* @__PURE__ */ jsxs29("div", { class: "legend", children: [
    /* @__PURE__ */ jsxs29("span", { class: "legend-of", children: [
      label,
      ": ",
      /* @__PURE__ */ jsx33("strong", { children: format(sumOf(series.map(value))) })
    ] }),
    /* @__PURE__ */ jsx33("ul", { class: "legend", children: series.map((one, index) => /* @__PURE__ */ jsxs29("li", { class: isNothing(value(one)) ? "zero" : void 0, children: [
      /* @__PURE__ */ jsx33("svg", { class: "swatch", "aria-hidden": "true", children: /* @__PURE__ */ jsx33("rect", { fill: `url(#pattern-${index % PATTERNS})`, width: "100%", height: "100%", rx: "2" }) }),
      /* @__PURE__ */ jsx33("bdi", { children: nameOf2(one) }),
      " ",
      /* @__PURE__ */ jsx33("span", { class: "number", children: format(value(one)) })
    ] }, one.name)) })
  ] });
}
function formatValue(value, measure) {
  const { amount, unpriced } = value ?? sumOf([]);
  return measure === "tokens" ? formatNumber16(amount) : formatCost({ nano_usd: amount, unpriced_calls: unpriced });
}
function isNothing(value) {
  return !value || value.amount === 0 && value.unpriced === 0;
}
function nameOf2(one) {
  return one.isRest ? words.value.usage.rest : one.name;
}
function stack(series, day) {
  let top = 0;
  return series.map((one, at) => {
    const from = top;
    top += one.values[day]?.amount ?? 0;
    return { at, from, to: top };
  }).filter(({ from, to }) => to > from);
}
function labelled(days, width) {
  const distance = Math.max(1, Math.ceil(days.length / Math.max(2, Math.floor((width - LEFT) / 80))));
  const last = days.length - 1;
  return days.map((_, index) => index).filter((index) => (last - index) % distance === 0);
}
function useWidth() {
  const frame = useRef6(null);
  const [width, setWidth] = useState22(0);
  useLayoutEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [frame, width];
}

// src/admin/usage/Range.tsx
import { jsx as jsx34, jsxs as jsxs30 } from "./vendor.js";
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
  const day = (name) => /* @__PURE__ */ jsxs30("label", { class: "field", children: [
    texts[name],
    /* @__PURE__ */ jsx34(
      "input",
      {
        type: "date",
        required: true,
        value: choice[name],
        onChange: (event) => isDay(event.currentTarget.value) && choose({ days: void 0, [name]: event.currentTarget.value })
      }
    )
  ] });
  return /* @__PURE__ */ jsxs30("form", { class: "filter-row", "aria-label": texts.period, onSubmit: (event) => event.preventDefault(), children: [
    /* @__PURE__ */ jsxs30("div", { class: "choices", role: "group", "aria-label": texts.period, children: [
      PRESETS.map((days) => /* @__PURE__ */ jsx34("button", { type: "button", "aria-pressed": choice.days === days, onClick: () => choose({ days }), children: texts.days(days) }, days)),
      /* @__PURE__ */ jsx34("button", { type: "button", "aria-pressed": choice.days === void 0, onClick: () => choose({ days: void 0 }), children: texts.custom })
    ] }),
    choice.days === void 0 && day("from"),
    choice.days === void 0 && day("to"),
    /* @__PURE__ */ jsx34("div", { class: "choices", role: "group", "aria-label": texts.measure, children: ["tokens", "cost"].map((measure) => /* @__PURE__ */ jsx34(
      "button",
      {
        type: "button",
        "aria-pressed": choice.measure === measure,
        onClick: () => choose({ measure }),
        children: texts[measure]
      },
      measure
    )) }),
    /* @__PURE__ */ jsxs30("label", { class: "field inline", children: [
      texts.by,
      /* @__PURE__ */ jsx34(
        "select",
        {
          value: choice.by,
          onChange: (event) => choose({ by: DIMENSIONS.find((one) => one === event.currentTarget.value) ?? "model" }),
          children: DIMENSIONS.map((one) => /* @__PURE__ */ jsx34("option", { value: one, children: texts.dimensions[one] }, one))
        }
      )
    ] })
  ] });
}

// src/admin/usage/Usage.tsx
import { Fragment as Fragment15, jsx as jsx35, jsxs as jsxs31 } from "./vendor.js";
function Usage({ query }) {
  const { usage: texts, csv } = words.value;
  const choice = readChoice(query);
  const { from, to, by } = choice;
  const load = () => get("usage", { from, to, by: `day,${by}` });
  const { data, error, isLoading, reload } = useLoaded(load, `${from} ${to} ${by}`);
  const actions = /* @__PURE__ */ jsx35(
    "button",
    {
      type: "button",
      disabled: !data?.data.length,
      onClick: () => data && downloadCsv("usage.csv", csvOf2(data, by)),
      children: csv
    }
  );
  return /* @__PURE__ */ jsxs31(Screen, { title: texts.title, lead: texts.lead, actions, children: [
    /* @__PURE__ */ jsx35(Budgets, {}),
    /* @__PURE__ */ jsx35(Range, { choice }),
    /* @__PURE__ */ jsx35(Problem, { error, retry: () => void reload() }),
    isLoading && !data && /* @__PURE__ */ jsx35("p", { role: "status", children: words.value.loading }),
    data && /* @__PURE__ */ jsx35(Report, { report: data, choice })
  ] });
}
function Report({ report, choice }) {
  const texts = words.value.usage;
  const { by, measure } = choice;
  const { total } = report;
  if (total.calls === 0) return /* @__PURE__ */ jsx35("p", { class: "nothing", children: texts.none });
  const days = daysOf(report);
  const series = seriesOf(report, days, by, measure);
  const unpriced = total.cost.unpriced_calls;
  return /* @__PURE__ */ jsxs31(Fragment15, { children: [
    /* @__PURE__ */ jsxs31("dl", { class: "facts large", children: [
      /* @__PURE__ */ jsx35(Fact2, { name: texts.calls, value: formatNumber17(total.calls) }),
      /* @__PURE__ */ jsx35(Fact2, { name: texts.tokens, value: formatNumber17(tokensOf(total.usage)) }),
      /* @__PURE__ */ jsx35(Fact2, { name: texts.cost, value: formatCost(total.cost) })
    ] }),
    unpriced > 0 && /* @__PURE__ */ jsxs31("p", { class: "hint", children: [
      texts.unpriced(unpriced, formatNumber17(unpriced)),
      " ",
      texts.signs
    ] }),
    /* @__PURE__ */ jsx35(Chart, { days, series, measure }),
    /* @__PURE__ */ jsx35(
      Table,
      {
        caption: texts.totals(texts.dimensions[by]),
        columns: sumColumns(by),
        rows: sumsOf(report, by, measure),
        keyOf: (sum) => sum.name,
        isComplete: true
      }
    ),
    /* @__PURE__ */ jsxs31("details", { children: [
      /* @__PURE__ */ jsx35("summary", { children: texts.daily }),
      /* @__PURE__ */ jsx35(
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
  return /* @__PURE__ */ jsxs31("div", { children: [
    /* @__PURE__ */ jsx35("dt", { children: name }),
    /* @__PURE__ */ jsx35("dd", { children: value })
  ] });
}
function sumColumns(by) {
  const texts = words.value.usage;
  const number = (key, label) => {
    return { key, label, cell: (sum) => formatNumber17(sum[key]), value: (sum) => sum[key], isNumber: true };
  };
  return [
    { key: "name", label: texts.dimensions[by], cell: (sum) => /* @__PURE__ */ jsx35("bdi", { children: sum.name }), value: (sum) => sum.name },
    number("calls", texts.calls),
    number("fresh", texts.fresh),
    number("cached", texts.cached),
    number("written", texts.written),
    number("output", texts.output),
    number("reasoning", texts.reasoning),
    {
      key: "cost",
      label: texts.cost,
      cell: ({ cost }) => formatCost(cost),
      value: ({ cost }) => dollarsOf(cost),
      isNumber: true
    },
    {
      key: "unpriced",
      label: texts.unpricedCalls,
      cell: ({ cost }) => formatNumber17(cost.unpriced_calls),
      value: ({ cost }) => cost.unpriced_calls,
      isNumber: true
    }
  ];
}
function dayColumns(series, measure) {
  const texts = words.value.usage;
  const column = (key, label, value) => {
    return {
      key,
      label,
      cell: ({ index }) => formatValue(value(index), measure),
      value: ({ index }) => amountOf(value(index)),
      isNumber: true
    };
  };
  return [
    { key: "day", label: texts.day, cell: ({ day }) => formatDay(day), value: ({ day }) => day },
    column("total", texts.total, (index) => sumOf(series.map(({ values }) => values[index]))),
    ...series.map(
      (one, at) => column(`series ${at}`, one.isRest ? texts.rest : one.name, (index) => one.values[index])
    )
  ];
}
function amountOf(value) {
  return value && (value.amount > 0 || value.unpriced === 0) ? value.amount : void 0;
}
function csvOf2(report, by) {
  const texts = words.value.usage;
  const heads = [texts.day, texts.dimensions[by], texts.calls, texts.fresh, texts.cached, texts.written, texts.output];
  const line = ({ day, calls, usage, cost, ...row }) => {
    const tokens = [usage.fresh, usage.cache_read, usage.cache_write, usage.output, usage.reasoning];
    return [day, row[by], calls, ...tokens, dollarsOf(cost), cost.unpriced_calls];
  };
  return [[...heads, texts.reasoning, texts.dollars, texts.unpricedCalls], ...report.data.map(line)];
}

// src/admin/index.tsx
import { jsx as jsx36 } from "./vendor.js";
var screens = {
  turns: ({ shown: { id, query } }) => id ? /* @__PURE__ */ jsx36(TurnDetail, { id, user: otherUser(query) }, `${id}?${query}`) : /* @__PURE__ */ jsx36(Turns, { query }),
  usage: ({ shown }) => /* @__PURE__ */ jsx36(Usage, { query: shown.query }),
  providers: () => /* @__PURE__ */ jsx36(Providers, {}),
  tools: () => /* @__PURE__ */ jsx36(Tools, {}),
  keys: () => /* @__PURE__ */ jsx36(Keys, {}),
  recordings: ({ shown: { id, query } }) => id ? /* @__PURE__ */ jsx36(RecordingDetail, { id, query }, `${id}?${query}`) : /* @__PURE__ */ jsx36(Recordings, { query })
};
export {
  screens
};
