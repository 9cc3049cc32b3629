import { useEffect, useState } from "preact/hooks";
import { loadFile } from "../../later/file";
import { messageOf } from "../../shared";

/** The types of images that the page shows. All else is a download. */
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Whether the page shows content of this type. */
export function isShown(mediaType: string): boolean {
  return SHOWN.has(mediaType);
}

/** Loads an image, and returns an address that shows it until the component is gone. */
export function useImage(url: string, mediaType: string): { address?: string; problem?: string } {
  const [loaded, setLoaded] = useState<{ address?: string; problem?: string }>({});
  useEffect(() => {
    let address: string | undefined;
    let isGone = false;
    loadFile(url).then(
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
