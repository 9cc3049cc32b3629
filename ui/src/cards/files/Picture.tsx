import { safeAddress, safeImage, strings } from "../../shared";
import { isShown } from "../data/blob";
import { FileLink } from "../data/FileLink";
import { BlobImage } from "../data/Images";

interface PictureProps {
  /** A file of the user (`blob:ID`), an address with the image in it, or one of another server. */
  url: string;
  mediaType: string;
  name: string;
}

/** An image with a button that saves it. An image of another server is a link. */
export function Picture({ url, mediaType, name }: PictureProps) {
  const inside = safeImage(url);
  if (inside) {
    return (
      <div>
        <img src={inside} alt={name} />
        <FileLink url={inside} name={fileName(name, inside.slice("data:".length))} />
      </div>
    );
  }
  if (url.startsWith("blob:")) {
    const file = <FileLink url={url} name={fileName(name, mediaType)} />;
    if (!isShown(mediaType)) return file;
    return (
      <div>
        <BlobImage url={url} mediaType={mediaType} name={name} />
        {file}
      </div>
    );
  }
  const address = safeAddress(url);
  if (!address) return <span class="chip">{name}</span>;
  return (
    <a href={address} rel="noopener noreferrer nofollow" target="_blank" title={address}>
      {strings.value.chat.externalImage(new URL(address).host)}
    </a>
  );
}

/** Returns a name with the ending of its type, which is what comes after the slash in the types that are shown. */
function fileName(name: string, mediaType: string): string {
  const ending = /^image\/(\w+)/.exec(mediaType)?.[1];
  return ending ? `${name}.${ending}` : name;
}
