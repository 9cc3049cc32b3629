// Listens to an event stream with the package `eventsource`, which comes back by itself.
//
// Takes {"url", "names", "last"}: which events to listen for, and the one to leave after. Prints a line of JSON for each
// event as it comes, for each time the connection is open, and for the end.

const { EventSource } = require("eventsource");

const { url, names, last } = JSON.parse(process.argv[2]);
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

const source = new EventSource(url);
source.addEventListener("open", () => say({ open: true }));
for (const name of names) {
  source.addEventListener(name, ({ type, lastEventId, data }) => {
    // A lost connection is an "error" too, without data.
    if (data === undefined) return;
    say({ event: type, id: lastEventId, data });
    if (type === last) {
      source.close();
      say({ end: true });
    }
  });
}
