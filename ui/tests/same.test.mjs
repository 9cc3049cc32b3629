// A turn looks the same while it happens, after a reload, and when its log has gone.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { close, drawn, Person, same, until } from "./browser.mjs";
import { GOLDENS, Goldens } from "./goldens.mjs";
import { drawnWithoutLog, withoutLog } from "./kept.mjs";
import { Server } from "./server.mjs";

after(close);

test("every hand-written turn is drawn from its events as from its view, and as from what is kept of it", async () => {
  assert.ok(GOLDENS.length > 30, `${GOLDENS.length} turns`);
  const server = await Server.start();
  const fakes = [
    await Goldens.before(server, { isLive: true }),
    await Goldens.before(server),
    await Goldens.before(server, { change: withoutLog }),
  ];
  try {
    const people = await Promise.all(fakes.map(({ url }) => Person.at(`${url}/`, { allowed: /status of 404/ })));
    const [live, loaded, kept] = await Promise.all(people.map((person) => person.open()));
    for (const golden of GOLDENS) {
      for (const page of [live, loaded, kept]) {
        await page.evaluate((address) => {
          location.hash = address;
        }, `#/s/${golden.session}`);
        await page.getByRole("heading", { level: 1, name: golden.name, exact: true }).waitFor();
        await page.getByRole("log").getByRole("article").first().waitFor();
      }
      await until(() => fakes[0].isSent(golden));
      await same(() => drawn(live), () => drawn(loaded), golden.name);
      await same(() => drawnWithoutLog(kept), () => drawnWithoutLog(live), `${golden.name}, without its log`);
    }
    for (const person of people) await person.leave();
  } finally {
    for (const fake of fakes) fake.stop();
    await server.stop();
  }
});
