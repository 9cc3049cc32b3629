// A test with a server, a model and a person, which are stopped at its end.

import { test } from "node:test";
import { Person } from "./browser.mjs";
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
