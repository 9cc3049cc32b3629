// Reads an event stream with Node.js: fetch, and the lines of its body.
//
// Takes a request as JSON, {"method", "url", "headers", "body"}, and prints a line of JSON for the head of the response,
// one for each event as it comes, and one for the end.

const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

async function* lines(body) {
  let waiting = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const whole = (waiting + text).split("\n");
    waiting = whole.pop();
    yield* whole;
  }
}

const wanted = JSON.parse(process.argv[2]);
const response = await fetch(wanted.url, { method: wanted.method, headers: wanted.headers, body: wanted.body });
say({ status: response.status, turn: response.headers.get("x-turn-id") });

let event = { event: "", id: "", data: [] };
for await (const line of lines(response.body)) {
  if (line === "") {
    if (event.data.length > 0) say({ ...event, data: event.data.join("\n") });
    event = { event: "", id: event.id, data: [] };
    continue;
  }
  const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line);
  if (field === "data") event.data.push(value);
  else if (field === "event" || field === "id") event[field] = value;
}
say({ end: true });
