import { formatNumber, strings, type ToolImage } from "../../shared";
import { words } from "../strings";
import { isShown, useImage } from "./blob";
import { FileLink } from "./FileLink";

/** The images of a result. */
export function Images({ images }: { images: ToolImage[] }) {
  const { tool } = words.value;
  return (
    <section>
      <p class="label">{tool.images}</p>
      <div class="images">
        {images.map((image, index) => {
          const name = tool.image(formatNumber(index + 1));
          return isShown(image.media_type) ? (
            <BlobImage key={index} url={image.url} mediaType={image.media_type} name={name} />
          ) : (
            <FileLink key={index} url={image.url} name={name} />
          );
        })}
      </div>
    </section>
  );
}

/** An image that is a file of the user. It is fetched with the credential of the page. */
export function BlobImage({ url, mediaType, name }: { url: string; mediaType: string; name: string }) {
  const { address, problem } = useImage(url, mediaType);
  if (problem) return <p class="remark error">{words.value.tool.imageFailed(problem)}</p>;
  return address ? <img src={address} alt={name} /> : <p class="remark">{strings.value.page.loading}</p>;
}
