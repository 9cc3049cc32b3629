import { AttachButton } from "./AttachButton";
import { Choices } from "./Choices";
import type { MessageExtras } from "./MessageExtras";

/** What lies below the text of the message, before its buttons. */
export function Tools({ extras }: { extras: MessageExtras }) {
  return (
    <>
      <AttachButton attach={(files) => extras.uploads.add(files)} />
      <Choices extras={extras} />
    </>
  );
}
