"use strict";
(() => {
  // src/net/error.ts
  var ApiError = class _ApiError extends Error {
    /** The status of the response; 0 if there was none. */
    status;
    code;
    field;
    /** The seconds after which the request may be sent again. */
    retryAfter;
    constructor(status, code, message, field, retryAfter) {
      super(message);
      this.name = "ApiError";
      this.status = status;
      this.code = code;
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
      const text = (value) => typeof value === "string" ? value : void 0;
      const seconds = Number(response.headers.get("retry-after") ?? NaN);
      return new _ApiError(
        response.status,
        text(error.code) ?? "unknown",
        text(error.message) ?? `${response.status} ${response.statusText}`.trim(),
        text(error.param),
        Number.isFinite(seconds) ? seconds : void 0
      );
    }
  };
  function isRefusal(error) {
    if (!(error instanceof ApiError)) return false;
    const { status, code } = error;
    if (status === 404) return code !== "unknown";
    return status >= 400 && status < 500 && status !== 408 && status !== 429;
  }
  function isRecord(value) {
    return typeof value === "object" && value !== null;
  }
  function messageOf(error) {
    return error instanceof Error ? error.message : String(error);
  }

  // src/net/client.ts
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
    async upload(name, content, signal) {
      const response = await this.#send("POST", `api/v1/files${query({ name })}`, content, {}, signal);
      return await response.json();
    }
    agents() {
      return this.all("api/v1/agents");
    }
    models() {
      return this.all("api/v1/models");
    }
    me() {
      return this.#json("GET", "api/v1/me");
    }
    /** Returns the last turns of a session, or those before, after or around one, which its id or its number names. */
    turns(session, options = {}) {
      return this.#json("GET", `api/v1/sessions/${session}/turns${query({ ...options })}`);
    }
    /** Returns the turns of a session that have all words, the newest first. */
    searchTurns(session, words, cursor) {
      return this.#json("GET", `api/v1/sessions/${session}/search${query({ q: words, cursor })}`);
    }
    /** Starts a turn whose calls may wait for a person. */
    start({ key, ...turn }) {
      return this.#json("POST", "api/v1/turns", { ...turn, interact: true }, { "idempotency-key": key });
    }
    async cancel(turn) {
      await this.#send("POST", `api/v1/turns/${turn}/cancel`);
    }
    interactions() {
      return this.all("api/v1/interactions");
    }
    resolve(interaction, decision) {
      return this.#json("POST", `api/v1/interactions/${interaction}`, decision);
    }
    providers() {
      return this.all("api/v1/providers");
    }
    /** Returns all pages of a list as one. */
    async all(path, filter = {}) {
      const { data, next } = await this.#json("GET", path + query({ ...filter, limit: 200 }));
      const rest = next ? await this.all(path, { ...filter, cursor: next }) : { data: [] };
      return { data: [...data, ...rest.data], next: null };
    }
    /** Sends a request for which there is no method here, and returns the response. Errors are thrown. */
    send(method, path, body, signal, headers) {
      return this.#send(method, path, body, headers, signal);
    }
    async #json(method, path, body, headers) {
      const response = await this.#send(method, path, body, headers);
      return await response.json();
    }
    async #send(method, path, body, headers = {}, signal, keepalive) {
      const credential = path.startsWith("api/") ? this.#options.credential?.() : void 0;
      const all = { ...headers };
      if (credential) all.authorization = `Bearer ${credential}`;
      const init = { method, headers: all, cache: "no-store", credentials: "same-origin" };
      if (signal) init.signal = signal;
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
      if (error.status === 401) this.#options.refused?.(error);
      throw error;
    }
  };
  function query(values) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) {
      if (value !== void 0 && value !== "") parameters.set(name, String(value));
    }
    const text = parameters.toString();
    return text && `?${text}`;
  }

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

  // src/net/feed.ts
  var SILENCE_MS = 35e3;
  var MOST_SESSIONS = 32;
  var SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  async function* feed(client, sessions, { me = false, signal, opened }) {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const either = AbortSignal.any([signal, silence.signal]);
      const response = await client.send("POST", "api/v1/feed", { sessions, me }, either);
      opened?.();
      for await (const frames of framesOf(response)) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        if (frames.length > 0) yield frames.map(read);
      }
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }
  function isSessionId(text) {
    return SESSION_ID.test(text);
  }
  function read({ event, data: text }) {
    const data = JSON.parse(text);
    return { event, session: data.session_id, cursor: data.cursor, data };
  }

  // src/net/pause.ts
  var FIRST_MS = 200;
  var LONGEST_MS = 5e3;
  function pauseAfter(failures) {
    return Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
  }

  // src/net/follow.ts
  var OVERLAP_MS = 1e3;
  function follow(client, follower, options = {}) {
    const following = new Feed(client, follower, options.me ?? false);
    following.begin(options.sessions ?? []);
    return following;
  }
  function isChange({ event }) {
    return event === "session.changed" || event === "session.removed" || event === "interactions.changed";
  }
  var Stream = class {
    constructor(sessions) {
      this.sessions = sessions;
    }
    sessions;
    closing = new AbortController();
    /** The cursors of the events that the replaced connection has delivered meanwhile, by session. */
    #delivered = /* @__PURE__ */ new Map();
    close() {
      this.closing.abort();
    }
    noteDelivered(session, cursor) {
      const cursors = this.#delivered.get(session) ?? /* @__PURE__ */ new Set();
      this.#delivered.set(session, cursors.add(cursor));
    }
    /** Reports whether the replaced connection has delivered an event. */
    isRepeated(session, cursor) {
      return this.#delivered.get(session)?.delete(cursor) ?? false;
    }
    /** Notes that a session begins anew: then events that were delivered before are needed again. */
    noteResync(session) {
      this.#delivered.delete(session);
    }
  };
  var Feed = class {
    #client;
    #follower;
    #me;
    /** The last event of each session; none if it has had no event. */
    #cursors = /* @__PURE__ */ new Map();
    /** The sessions that begin with a `resync`, which has not arrived. */
    #anew = /* @__PURE__ */ new Set();
    /** The connection whose events count. */
    #current;
    /** The connection that is going to replace it. */
    #opening;
    /** The connection that was replaced last. Only changes among all sessions still count. */
    #replaced;
    #failures = 0;
    #timer;
    #isStopped = false;
    constructor(client, follower, me) {
      this.#client = client;
      this.#follower = follower;
      this.#me = me;
    }
    get sessions() {
      return [...this.#cursors].map(([id, after]) => after && !this.#anew.has(id) ? { id, after } : { id });
    }
    begin(sessions) {
      for (const { id, after } of sessions) this.#note(id, after);
      this.#follower.connection("connecting", 0);
      this.#wait(0);
    }
    add(session, after) {
      this.#note(session, after);
      this.#wait(0);
    }
    remove(session) {
      this.#forget(session);
      this.#wait(0);
    }
    reconnect() {
      if (this.#failures > 0 && !this.#opening) this.#wait(0);
    }
    stop() {
      this.#isStopped = true;
      clearTimeout(this.#timer);
      for (const stream of [this.#current, this.#opening, this.#replaced]) stream?.close();
    }
    /** Notes a session to follow. One that is refused here would make the server refuse all of them. */
    #note(session, after) {
      if (!isSessionId(session)) throw new RangeError(`${JSON.stringify(session)} is not the id of a session`);
      if (this.#cursors.size >= MOST_SESSIONS && !this.#cursors.has(session)) {
        throw new RangeError(`${MOST_SESSIONS} sessions are followed: remove one, or follow others separately`);
      }
      this.#cursors.set(session, after);
      if (after === void 0) this.#anew.add(session);
    }
    #forget(session) {
      this.#cursors.delete(session);
      this.#anew.delete(session);
    }
    /** Opens a connection after a pause. Changes of the sessions that follow each other need only one. */
    #wait(pause) {
      clearTimeout(this.#timer);
      if (!this.#isStopped) this.#timer = setTimeout(() => void this.#open(), pause);
    }
    async #open() {
      this.#opening?.close();
      this.#opening = void 0;
      if (this.#isIdle()) {
        this.#current?.close();
        this.#current = void 0;
        return;
      }
      const stream = new Stream(this.sessions);
      this.#opening = stream;
      const { signal } = stream.closing;
      const options = { me: this.#me, signal, opened: () => this.#opened(stream) };
      let reason;
      try {
        for await (const events of feed(this.#client, stream.sessions, options)) {
          const counting = events.filter((event) => !signal.aborted && this.#counts(stream, event));
          if (counting.length > 0) this.#follower.events(counting);
        }
      } catch (error) {
        reason = error;
      }
      if (!signal.aborted) this.#ended(stream, reason);
    }
    #isIdle() {
      return this.#cursors.size === 0 && !this.#me;
    }
    #opened(stream) {
      this.#replaced?.close();
      const replaced = this.#current;
      this.#replaced = replaced;
      setTimeout(() => replaced?.close(), OVERLAP_MS);
      this.#opening = void 0;
      this.#current = stream;
      this.#failures = 0;
      this.#follower.connection("open", 0);
    }
    /** Notes an event of a connection. Reports whether it is new. */
    #counts(stream, event) {
      const { session, cursor } = event;
      if (isChange(event)) {
        if (session && event.event === "session.removed") this.#forget(session);
        return true;
      }
      if (stream !== this.#current || !session || !this.#cursors.has(session)) return false;
      if (event.event === "resync") {
        this.#anew.delete(session);
        stream.noteResync(session);
      }
      if (!cursor) return true;
      if (stream.isRepeated(session, cursor)) return false;
      this.#cursors.set(session, cursor);
      this.#opening?.noteDelivered(session, cursor);
      return true;
    }
    #ended(stream, reason) {
      stream.close();
      if (stream === this.#replaced) return;
      if (stream === this.#opening) this.#opening = void 0;
      else this.#current = void 0;
      if (isRefusal(reason)) {
        this.stop();
        return this.#follower.ended(reason);
      }
      if (this.#isIdle()) return;
      this.#failures += 1;
      if (!this.#current) this.#follower.connection("lost", this.#failures);
      if (this.#opening) return;
      this.#wait(pauseAfter(this.#failures));
    }
  };

  // src/worker/hub.ts
  var Hub = class {
    #client;
    #tabs = /* @__PURE__ */ new Set();
    /** The subscriptions of each session. The session that was looked at last comes last. */
    #sessions = /* @__PURE__ */ new Map();
    /** How far the sessions were followed that are not followed now. */
    #resting = /* @__PURE__ */ new Map();
    #following;
    #connection = { type: "connection", state: "connecting", failures: 0 };
    constructor(client) {
      this.#client = client;
    }
    get isEmpty() {
      return this.#tabs.size === 0;
    }
    join(tab) {
      this.#tabs.add(tab);
      if (this.#following) tab.send(this.#connection);
      else this.wake(tab);
    }
    leave(tab) {
      this.#tabs.delete(tab);
      for (const { number } of this.#of(tab)) this.unfollow(tab, number);
      if (this.isEmpty) this.sleep();
    }
    follow(tab, number, session, after) {
      if (!isSessionId(session)) return tab.send({ type: "removed", subscription: number });
      const others = this.#sessions.get(session) ?? [];
      const isShared = others.length > 0;
      this.#sessions.delete(session);
      this.#sessions.set(session, [...others, { tab, number, session, hasBegun: !isShared && after !== void 0 }]);
      if (!isShared || this.#resting.has(session)) this.#resting.set(session, isShared ? void 0 : after);
      else this.#following?.add(session);
      this.#adjust();
    }
    unfollow(tab, number) {
      for (const { session } of this.#of(tab).filter((subscription) => subscription.number === number)) {
        const others = this.#sessions.get(session)?.filter((other) => other.tab !== tab || other.number !== number) ?? [];
        if (others.length > 0) this.#sessions.set(session, others);
        else this.#forget(session);
      }
      this.#adjust();
    }
    /** Continues, and connects at once if the connection is lost. The user looks at the tab. */
    wake(tab) {
      for (const { session } of this.#of(tab)) {
        const subscriptions = this.#sessions.get(session) ?? [];
        this.#sessions.delete(session);
        this.#sessions.set(session, subscriptions);
      }
      this.#following ??= follow(this.#client, this.#follower, { me: true });
      this.#following.reconnect();
      this.#adjust();
    }
    /** Closes the connection until a tab wakes it. */
    sleep() {
      for (const { id, after } of this.#following?.sessions ?? []) {
        if (this.#sessions.has(id)) this.#resting.set(id, after);
      }
      this.#following?.stop();
      this.#following = void 0;
    }
    #follower = {
      events: (events) => this.#pass(events),
      connection: (state, failures) => {
        this.#connection = { type: "connection", state, failures };
        this.#sendAll(this.#connection);
      },
      ended: ({ status, code, message }) => {
        this.sleep();
        this.#sendAll({ type: "refused", status, code, message });
      }
    };
    #of(tab) {
      return [...this.#sessions.values()].flat().filter((subscription) => subscription.tab === tab);
    }
    #forget(session) {
      this.#sessions.delete(session);
      this.#resting.delete(session);
    }
    /** Follows the sessions that were looked at last. */
    #adjust() {
      const following = this.#following;
      if (!following) return;
      const wanted = [...this.#sessions.keys()].slice(-MOST_SESSIONS);
      const present = following.sessions;
      for (const { id, after } of present.filter(({ id: id2 }) => !wanted.includes(id2))) {
        following.remove(id);
        if (this.#sessions.has(id)) this.#resting.set(id, after);
      }
      for (const id of wanted.filter((id2) => !present.some((known) => known.id === id2))) {
        following.add(id, this.#resting.get(id));
        this.#resting.delete(id);
      }
    }
    #pass(events) {
      const changes = events.filter(isChange);
      if (changes.length > 0) this.#sendAll({ type: "changes", events: changes });
      const ofSessions = events.filter((event) => !isChange(event));
      for (const session of new Set(ofSessions.map((event) => event.session))) {
        const mine = ofSessions.filter((event) => event.session === session);
        for (const subscription of this.#sessions.get(session ?? "") ?? []) deliver(subscription, mine);
      }
      for (const { event, session = "" } of changes) if (event === "session.removed") this.#remove(session);
    }
    #remove(session) {
      const subscriptions = this.#sessions.get(session) ?? [];
      this.#forget(session);
      for (const { tab, number } of subscriptions) tab.send({ type: "removed", subscription: number });
      this.#adjust();
    }
    #sendAll(message) {
      for (const tab of this.#tabs) tab.send(message);
    }
  };
  function deliver(subscription, events) {
    if (!subscription.hasBegun) {
      const beginning = events.findIndex(({ event }) => event === "resync");
      if (beginning < 0) return;
      events = events.slice(beginning);
      subscription.hasBegun = true;
    }
    subscription.tab.send({ type: "events", subscription: subscription.number, events });
  }

  // src/worker/outbox.ts
  var PAUSE_MS = 25;
  var Outbox = class {
    #post;
    #waiting = [];
    #timer;
    constructor(post) {
      this.#post = post;
    }
    send(message) {
      this.#add(message);
      if (message.type !== "events") this.#flush();
      else this.#timer ??= this.#begin();
    }
    #add(message) {
      const last = this.#waiting.at(-1);
      const isMore = message.type === "events" && last?.type === "events" && last.subscription === message.subscription;
      if (isMore) this.#waiting.splice(-1, 1, { ...last, events: [...last.events, ...message.events] });
      else this.#waiting.push(message);
    }
    /** Sends the first events, and begins a pause. What arrives in it is sent at its end, and begins another one. */
    #begin() {
      this.#flush();
      return setTimeout(() => {
        this.#timer = this.#waiting.length > 0 ? this.#begin() : void 0;
      }, PAUSE_MS);
    }
    #flush() {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const message of waiting) this.#post(message);
    }
  };

  // src/worker/index.ts
  var hubs = /* @__PURE__ */ new Map();
  addEventListener("connect", (event) => {
    const [port] = event.ports;
    if (port) connect(port);
  });
  function connect(port) {
    const tab = new Outbox((message) => port.postMessage(message));
    let credential;
    let hub;
    const leave = () => {
      hub?.leave(tab);
      if (hub?.isEmpty && hubs.get(credential) === hub) hubs.delete(credential);
      hub = void 0;
    };
    const receive = (message) => {
      switch (message.type) {
        case "join":
          leave();
          if (message.build !== "69521f5968fd2df6") return tab.send({ type: "outdated" });
          credential = message.credential;
          hub = hubOf(credential);
          hub.join(tab);
          if (message.lock) void navigator.locks?.request(message.lock, leave);
          return;
        case "follow":
          return hub?.follow(tab, message.subscription, message.session, message.after);
        case "unfollow":
          return hub?.unfollow(tab, message.subscription);
        case "wake":
          return hub?.wake(tab);
        case "sleep":
          return hub?.sleep();
        case "leave":
          return leave();
      }
    };
    port.onmessage = ({ data }) => receive(data);
    port.addEventListener("close", leave);
  }
  function hubOf(credential) {
    const hub = hubs.get(credential) ?? new Hub(new Client({ credential: () => credential }));
    hubs.set(credential, hub);
    return hub;
  }
})();
