// Takes the pictures of the page in docs/page, with a model that answers from a script.
//
//   TURNKIT_BINARY=… TURNKIT_BROWSER=… node pictures.mjs

import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { close, ended, Person, say } from "./tests/browser.mjs";
import { Model, Server } from "./tests/server.mjs";

const TARGET = join(dirname(fileURLToPath(import.meta.url)), "..", "docs", "page");

const ANSWER = `Three things decide it:

| | now | after |
|---|---:|---:|
| orders a day | 840 | 945 |
| answered within an hour | 71 % | 88 % |

1. Most questions come **before noon**.
2. Half of them ask for the *state of an order*.
3. \`orders.csv\` has all that is needed to answer those.

\`\`\`sql
select state, count(*) from orders group by state;
\`\`\`
`;

async function take(person, name, play) {
  const page = await person.open();
  await play(page);
  await page.screenshot({ path: join(TARGET, `${name}.png`) });
  await page.close();
}

await mkdir(TARGET, { recursive: true });
const model = await new Model().start();
const server = await Server.start({ model, configuration: '[permissions]\nrules = [{ tool = "calculator", decision = "ask" }]\n' });
for (const colorScheme of ["light", "dark"]) {
  const person = await Person.at(`${server.url}/`, { colorScheme, viewport: { width: 1120, height: 760 } });
  await take(person, `answer-${colorScheme}`, async (page) => {
    model.answers({ reasoning: "The table has both columns." }, ANSWER);
    await say(page, "What would help our support most?");
    await ended(page);
  });
  await take(person, `approval-${colorScheme}`, async (page) => {
    model.answers("I will calculate that.", { name: "calculator", arguments: { expression: "840 * 1.125" } });
    await say(page, "How many orders are that, with 12.5% more?");
    await page.getByRole("button", { name: "Approve once" }).and(page.locator(":enabled")).waitFor();
    await page.getByRole("navigation").getByText("Needs you").first().waitFor();
  });
  await person.leave();
}
await close();
await server.stop();
model.stop();
