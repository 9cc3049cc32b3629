// Listens to an event stream in a page of a browser, which comes back by itself.
//
// Takes {"browser", "profile", "page", "url", "names", "last"}: the program and a folder for it, a page of the server's
// own origin, which events to listen for, and the one to leave after. Prints a line of JSON for each event as it comes,
// for each time the connection is open, and for the end.

const { chromium } = require("playwright-core");

const { browser, profile, page: address, url, names, last } = JSON.parse(process.argv[2]);
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

// What would reach for the network, and the sandbox, which needs rights that containers do not give.
const quiet = ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--disable-component-update"];

// A browser that was never started on this machine is read from disk first. In milliseconds.
const patience = 90_000;

/** Runs in the page. */
function listen({ url, names, last }) {
  return new Promise((ended) => {
    const source = new EventSource(url);
    source.addEventListener("open", () => window.say({ open: true }));
    for (const name of names) {
      source.addEventListener(name, ({ type, lastEventId, data }) => {
        // A lost connection is an "error" too, without data.
        if (data === undefined) return;
        window.say({ event: type, id: lastEventId, data });
        if (type === last) {
          source.close();
          ended();
        }
      });
    }
  });
}

async function main() {
  const args = [...quiet, "--disable-sync", "--no-first-run"];
  const options = { executablePath: browser, headless: true, args, timeout: patience };
  const context = await chromium.launchPersistentContext(profile, options);
  context.setDefaultTimeout(patience);
  try {
    const page = await context.newPage();
    await page.exposeFunction("say", say);
    await page.goto(address);
    await page.evaluate(listen, { url, names, last });
    // Calls of exposed functions come in order, so that everything was said before this.
    await page.evaluate(() => window.say({ end: true }));
  } finally {
    await context.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
