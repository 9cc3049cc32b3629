import { useState } from "preact/hooks";
import { Dialog, strings } from "../../shared";
import { Problem } from "./Problem";

interface ConfirmProps {
  title: string;
  text: string;
  action: string;
  run(): Promise<unknown>;
  close(): void;
}

/** Asks before something is done that cannot be undone. */
export function Confirm({ title, text, action, run, close }: ConfirmProps) {
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const confirm = () => {
    setRunning(true);
    run().then(close, (error: unknown) => {
      setError(error);
      setRunning(false);
    });
  };
  return (
    <Dialog title={title} close={close}>
      <p>{text}</p>
      <Problem error={error} />
      <p class="buttons">
        <button type="button" class="danger" disabled={isRunning} onClick={confirm}>
          {action}
        </button>
        <button type="button" onClick={close}>
          {strings.value.page.cancel}
        </button>
      </p>
    </Dialog>
  );
}
