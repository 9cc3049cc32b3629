// Pictures and files in turns: they can be seen and saved, as they happen and later.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after } from "node:test";
import { accessible, close, ended, say } from "./browser.mjs";
import { scene } from "./scene.mjs";

after(close);

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC",
  "base64",
);
const PDF = Buffer.from("%PDF-1.4\n1 0 obj << >> endobj\ntrailer << >>\n%%EOF\n");

/** A picture over the length of which pages of turns cut texts. A chunk that readers skip makes it so long. */
function largePicture() {
  const [head, rest] = [PNG.subarray(0, 33), PNG.subarray(33)];
  const content = Buffer.concat([Buffer.from("teXt"), Buffer.alloc(100_000, "x")]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(100_000);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc(content));
  return Buffer.concat([head, length, content, sum, rest]);
}

/** The sum of a chunk, as PNG wants it. */
function crc(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** Waits until a picture is drawn. */
async function seen(image) {
  await image.waitFor();
  assert.equal(await image.evaluate((image) => image.decode().then(() => image.naturalWidth)), 10);
}

/** Saves a file, and returns its name and content. */
async function saved(page, button) {
  const started = page.waitForEvent("download");
  await button.click();
  const download = await started;
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

/** Checks something, and again after a reload. */
async function liveAndLater(page, check) {
  await check();
  await page.reload();
  await check();
}

scene("the files of a message are seen and saved", {}, async ({ model, person }) => {
  model.answers("I see.");
  const page = await person.open();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles([
    { name: "picture.png", mimeType: "image/png", buffer: PNG },
    { name: "report.pdf", mimeType: "application/pdf", buffer: PDF },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("remember the milk") },
  ]);
  await page.getByRole("textbox", { name: "Message" }).fill("Look");
  // A message is not sent while one of its files is on the way.
  await page.waitForFunction(() => document.querySelectorAll('.file[aria-busy="false"]').length === 3);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("I see.").waitFor();
  await ended(page);
  const message = page.getByRole("group", { name: "You" });
  await liveAndLater(page, async () => {
    await seen(message.getByRole("img", { name: "Image 1" }));
    await message.getByText("notes.txt", { exact: true }).first().click();
    await message.getByText("remember the milk").waitFor();
    for (const [name, content] of [
      ["Image 1.png", PNG],
      ["report.pdf", PDF],
      ["notes.txt", Buffer.from("remember the milk")],
    ]) {
      assert.deepEqual(await saved(page, message.getByRole("button", { name: `Download ${name}` })), { name, content });
    }
    await accessible(page, "files of a message");
  });
});

scene("the images of an answer are seen and saved, and those of other servers are links", {}, async ({ model, person }) => {
  const large = largePicture();
  const address = (picture) => `data:image/png;base64,${picture.toString("base64")}`;
  model.answers("Here.", { image: address(PNG) }, { image: address(large) }, { image: "https://example.com/a.png" });
  const page = await person.open();
  await say(page, "Draw");
  await ended(page);
  const log = page.getByRole("log");
  await liveAndLater(page, async () => {
    await seen(log.getByRole("img", { name: "Image 1" }));
    await seen(log.getByRole("img", { name: "Image 2" }));
    await log.getByRole("link", { name: "Image from example.com" }).waitFor();
    for (const [name, content] of [["Image 1.png", PNG], ["Image 2.png", large]]) {
      assert.deepEqual(await saved(page, log.getByRole("button", { name: `Download ${name}` })), { name, content });
    }
    await accessible(page, "images of an answer");
  });
});
