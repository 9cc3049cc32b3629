// A test with a server, a model and a person, which are stopped at its end.

import { test } from "node:test";
import { Person } from "./browser.mjs";
import { Proxy } from "./proxy.mjs";
import { Model, Server } from "./server.mjs";

export function scene(name, { offline = false, configuration, person: options } = {}, play) {
  test(name, async () => {
    const model = offline ? undefined : await new Model().start();
    const server = await Server.start({ model, configuration });
    const person = await Person.at(`${server.url}/`, options);
    try {
      await play({ model, server, person });
      await person.leave();
    } finally {
      await server.stop();
      model?.stop();
    }
  });
}

/** A test as above, whose server is behind a proxy. `prepare` runs in each tab before the page does. */
export function proxied(name, { configuration, person: options, prepare } = {}, play) {
  test(name, async () => {
    const model = await new Model().start();
    const server = await Server.start({ model, configuration });
    const proxy = await Proxy.before(server);
    const person = await Person.at(`${proxy.url}/`, options);
    try {
      if (prepare) await person.prepare(prepare);
      await play({ model, server, proxy, person });
      await person.leave();
    } finally {
      proxy.stop();
      await server.stop();
      model.stop();
    }
  });
}

/** Browsers with shared workers, and without. */
export const BROWSERS = [
  { browser: "with a shared worker", prepare: undefined },
  { browser: "without shared workers", prepare: () => delete window.SharedWorker },
];

/** What a browser reports of connections that were cut and of servers that are away. */
export const LOST = /Failed to load resource|ERR_/;

/** Returns the JSON of an address of the server's API. */
export async function read(server, path) {
  const response = await fetch(`${server.url}/api/v1/${path}`);
  return response.json();
}

/** Collects the bodies of the requests that start turns. */
export function requestedTurns(page) {
  const bodies = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/v1/turns")) bodies.push(request.postDataJSON());
  });
  return bodies;
}

/** Both themes, on a screen and on a phone. */
export const LOOKS = ["light", "dark"].flatMap((colorScheme) =>
  [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ].map((viewport) => ({ colorScheme, viewport })),
);
