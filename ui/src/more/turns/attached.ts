// What belongs to a message besides its text, for another message in its place.

import { isFile, loadFile } from "../../later/file";
import { client, type InputPart, type Part, type TurnView } from "../../shared";
import { loadRest } from "./wholes";

/** Returns the images of other servers, which the new message names as the old one did. */
export function linkedImages({ input }: TurnView): InputPart[] {
  return input.flatMap((part) => {
    if (part.type !== "image" || isFile(part.url)) return [];
    const { type, media_type, url } = part;
    return [{ type, media_type, url }];
  });
}

/** Uploads the files again, and returns their ids. A message names uploaded files only. */
export async function uploadAgain(view: TurnView): Promise<string[]> {
  const ids: string[] = [];
  for (const part of view.input) {
    const file = await fileOf(view, part);
    if (file) ids.push((await client.upload(file.name, file.content)).id);
  }
  return ids;
}

async function fileOf(view: TurnView, part: Part): Promise<{ name: string; content: Blob } | undefined> {
  if (part.type === "context") return { name: part.source, content: new Blob([await loadRest(view, part)]) };
  if ((part.type !== "image" && part.type !== "file") || !isFile(part.url)) return undefined;
  const name = part.type === "file" ? part.name : `image.${part.media_type.split("/")[1]}`;
  return { name, content: await loadFile(part.url) };
}
