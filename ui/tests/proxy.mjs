// A proxy before the server, which sees the requests of a browser and cuts its connections.

import { once } from "node:events";
import http from "node:http";
import { pipeline, Transform } from "node:stream";

export class Proxy {
  /** The bodies of the requests for a feed that were made, and the credentials that they had. */
  feeds = [];
  /** Changes each frame of a feed on its way. */
  change = (frame) => frame;
  /** Keeps what a feed sends for so many milliseconds, and passes it on in one piece, as proxies that buffer do. */
  buffered = 0;
  /** Cuts each feed after so many milliseconds. */
  lifetime = 0;
  /** Refuses every connection. */
  isAway = false;
  /** Refuses requests for addresses of this pattern. */
  refuses;
  /** What the server is away for, as a pattern of addresses. */
  refuses;
  /** A cookie that comes with the page, and without which all else is refused, as proxies do at which people sign in. */
  cookie;
  /** Keeps feeds open without passing on anything, as connections are that died while a computer slept. */
  isSilent = false;
  #open = new Set();
  #target;
  #server = http.createServer((request, response) => void this.#forward(request, response));

  /** Starts a proxy before a server, which may be restarted. */
  static async before(server) {
    const proxy = new Proxy();
    proxy.#target = server;
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** The number of feeds that are open. */
  get open() {
    return this.#open.size;
  }

  /** The ids of the sessions of the newest feed, in order. */
  get followed() {
    return (this.feeds.at(-1)?.body.sessions ?? []).map(({ id }) => id).sort();
  }

  /** Cuts the feeds that are open. */
  cut() {
    for (const response of this.#open) response.destroy();
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #forward(request, response) {
    if (this.isAway || this.refuses?.test(request.url)) return response.destroy();
    const isPage = request.url === "/";
    if (this.cookie && !isPage && request.headers.cookie !== this.cookie) return response.writeHead(401).end();
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    if (request.url === "/api/v1/feed") {
      this.feeds.push({ body: JSON.parse(body), authorization: request.headers.authorization });
      this.#open.add(response);
      if (this.lifetime > 0) setTimeout(() => response.destroy(), this.lifetime);
    }
    const { method, headers } = request;
    const forwarded = http.request(new URL(request.url, this.#target.url), { method, headers }, (answer) => {
      const cookie = isPage && this.cookie && { "set-cookie": `${this.cookie}; HttpOnly; SameSite=Lax` };
      response.writeHead(answer.statusCode, { ...answer.headers, ...cookie });
      // The first frame of a feed may come much later.
      response.flushHeaders();
      if (!this.#open.has(response)) return pipeline(answer, response, () => {});
      const passed = filter(() => !this.isSilent);
      pipeline(answer.setEncoding("utf8"), frames(this.change), lumps(this.buffered), passed, response, () => response.destroy());
    });
    forwarded.on("error", () => response.destroy());
    response.on("close", () => {
      this.#open.delete(response);
      forwarded.destroy();
    });
    forwarded.end(body);
  }
}

/** Passes on the frames of a stream, each as soon as it is complete. */
function frames(change) {
  let rest = "";
  return new Transform({
    decodeStrings: false,
    transform(text, _encoding, done) {
      const complete = (rest + text).split("\n\n");
      rest = complete.pop();
      done(null, complete.map((frame) => `${change(frame)}\n\n`).join(""));
    },
  });
}

/** Passes on what has arrived, once in so many milliseconds. */
function lumps(pause) {
  let held = [];
  const stream = new Transform({
    transform(piece, _encoding, done) {
      if (pause === 0) return done(null, piece);
      held.push(piece);
      done();
    },
    flush(done) {
      clearInterval(timer);
      done(null, Buffer.concat(held));
    },
    destroy(error, done) {
      clearInterval(timer);
      done(error);
    },
  });
  const pass = () => {
    if (held.length > 0) stream.push(Buffer.concat(held));
    held = [];
  };
  const timer = pause > 0 ? setInterval(pass, pause) : undefined;
  return stream;
}

/** Passes on pieces while a condition is true, and drops the others. */
function filter(isPassed) {
  return new Transform({
    transform: (piece, _encoding, done) => (isPassed() ? done(null, piece) : done()),
  });
}
