import { useEffect, useState } from "preact/hooks";
import { client, messageOf } from "../../shared";

/** The types of images that the page shows. All else is a download. */
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Whether the page shows content of this type. */
export function isShown(mediaType: string): boolean {
  return SHOWN.has(mediaType);
}

/** Returns the content of a file of the user, which the server names as `blob:ID`. */
export async function loadBlob(url: string): Promise<Blob> {
  const id = /^blob:([\w-]+)$/.exec(url)?.[1];
  // An address of any other form could lead elsewhere.
  if (!id) throw new Error(url);
  const response = await client.send("GET", `api/v1/blobs/${id}`);
  return response.blob();
}

/** Loads an image, and returns an address that shows it until the component is gone. */
export function useImage(url: string, mediaType: string): { address?: string; problem?: string } {
  const [loaded, setLoaded] = useState<{ address?: string; problem?: string }>({});
  useEffect(() => {
    let address: string | undefined;
    let isGone = false;
    loadBlob(url).then(
      (blob) => {
        if (isGone) return;
        // The type is one that is shown, whatever the response says.
        address = URL.createObjectURL(new Blob([blob], { type: mediaType }));
        setLoaded({ address });
      },
      (error: unknown) => setLoaded({ problem: messageOf(error) }),
    );
    return () => {
      isGone = true;
      if (address) URL.revokeObjectURL(address);
    };
  }, [url, mediaType]);
  return loaded;
}
