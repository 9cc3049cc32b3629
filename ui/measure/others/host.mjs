// Serves another page, and answers its message in the protocol that it speaks.

import { once } from "node:events";
import http from "node:http";
import { paced } from "../../tests/server.mjs";
import { PER_SECOND } from "../follow.mjs";
import { stopLater } from "../stage.mjs";

const PAGE = (entry) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Another page</title>
<body></body>
<script type="module" src="${entry}"></script>
</html>
`;

/** The events of an answer: what comes before its words, one word, and what comes after them. */
const PROTOCOLS = {
  "/chat": {
    before: [{ type: "start", messageId: "m" }, { type: "text-start", id: "t" }],
    word: (delta) => ({ type: "text-delta", id: "t", delta }),
    after: [{ type: "text-end", id: "t" }, { type: "finish" }],
    last: "[DONE]",
  },
  "/agent": {
    before: [
      { type: "RUN_STARTED", threadId: "t", runId: "r" },
      { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
    ],
    word: (delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta }),
    after: [
      { type: "TEXT_MESSAGE_END", messageId: "m" },
      { type: "RUN_FINISHED", threadId: "t", runId: "r" },
    ],
  },
};

/** Serves the files of a page whose messages are answered with these words. `sent` is called after the last one. */
export async function host({ files, entry }, words, sent = () => undefined) {
  const server = http.createServer(async (request, response) => {
    for await (const _ of request);
    const protocol = PROTOCOLS[request.url];
    if (protocol) return answer(response, protocol, paced(words, PER_SECOND, sent));
    const file = files.get(request.url.slice(1));
    if (request.url !== "/" && !file) return response.writeHead(404).end();
    if (!file) return response.writeHead(200, { "content-type": "text/html" }).end(PAGE(entry));
    const type = request.url.endsWith(".css") ? "text/css" : "text/javascript";
    response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(file);
  });
  server.listen(0, "127.0.0.1");
  stopLater(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}`;
}

async function answer(response, { before, word, after, last }, words) {
  const send = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream", "x-vercel-ai-ui-message-stream": "v1" });
  before.forEach(send);
  for (const piece of words) {
    if (typeof piece === "string") send(word(piece));
    else await piece;
  }
  after.forEach(send);
  response.end(last && `data: ${last}\n\n`);
}
