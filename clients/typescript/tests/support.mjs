// What the tests of the client share.

import { once } from "node:events";
import net from "node:net";
import { test } from "node:test";
import { Model, Server } from "../../../ui/tests/server.mjs";
import { Client, feed, followTurn } from "../dist/index.js";

export { gate } from "../../../ui/tests/server.mjs";

/** The package as it is built. `node build.mjs` builds it. */
export { ApiError, Client, EventStream, emptyTurn, feed, foldTurn, follow, followTurn } from "../dist/index.js";

/** The calls of the calculator wait for a decision. */
export const ASKING = '[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n';

/** A test with a server, a client, and a model that answers from a script, unless `offline` is set. */
export function scene(name, { offline = false, configuration } = {}, play) {
  test(name, { timeout: 120_000 }, async () => {
    const model = offline ? undefined : await new Model().start();
    const server = await Server.start({ model, configuration });
    try {
      await play({ model, server, client: new Client({ base: `${server.url}/` }) });
    } finally {
      await server.stop();
      model?.stop();
    }
  });
}

let keys = 0;

/** Starts a turn. */
export function start(client, message, more = {}) {
  keys += 1;
  return client.start({ message, key: `${process.pid}-${keys}`, ...more });
}

/** Returns the last of the values. */
export async function last(values) {
  let found;
  for await (const value of values) found = value;
  return found;
}

/** Returns the first of the values for which the condition holds. */
export async function first(values, holds) {
  for await (const value of values) if (holds(value)) return value;
  throw new Error("there was no such value");
}

/** Returns the first view of a turn for which the condition holds. */
export function view(client, turn, holds) {
  return first(followTurn(client, turn), holds);
}

/** Waits for conditions, which are checked after each change. */
export function conditions() {
  let check = () => {};
  const holds = (condition) =>
    new Promise((resolve) => {
      check = () => condition() && resolve();
      check();
    });
  return { holds, check: () => check() };
}

/** Returns the visible text of a view. */
export function text({ parts }) {
  return parts.filter(({ type }) => type === "text").map(({ text }) => text).join("");
}

/** Returns the value of JSON: without what is undefined. */
export function plain(value) {
  return JSON.parse(JSON.stringify(value));
}

/** Reads a session's feed until a turn has ended, without coming back after an error. Returns the events by then. */
export async function read(client, session, turn, after) {
  const events = [];
  const stopped = new AbortController();
  try {
    for await (const arrived of feed(client, [{ id: session, ...(after && { after }) }], { signal: stopped.signal })) {
      for (const event of arrived) {
        events.push(event);
        if (endedIn(event, turn)) return { events, ended: true };
      }
    }
  } catch (error) {
    return { events, ended: false, error };
  } finally {
    stopped.abort();
  }
  return { events, ended: false };
}

/** Reports whether a turn has ended with an event, or before it. */
function endedIn({ data }, turn) {
  const views = data.turns?.data ?? [data];
  return views.some(({ turn_id, status }) => turn_id === turn && status);
}

/** A proxy that closes a connection after a number of bytes of the server's. */
export class CuttingProxy {
  /** The bytes after which a new connection is cut. */
  limit = Number.POSITIVE_INFINITY;
  #sockets = new Set();
  #server;

  static async to(url) {
    const proxy = new CuttingProxy();
    const { hostname, port } = new URL(url);
    proxy.#server = net.createServer((client) => proxy.#connect(client, net.connect(port, hostname)));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** Closes all connections. */
  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  stop() {
    this.cut();
    this.#server.close();
  }

  #connect(client, server) {
    let left = this.limit;
    const close = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", close);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        close();
      });
    }
    client.pipe(server);
    server.on("data", (bytes) => {
      const passed = bytes.subarray(0, left);
      left -= passed.length;
      // The end is sent after all that is passed.
      if (left === 0) client.end(passed);
      else client.write(passed);
    });
  }
}
