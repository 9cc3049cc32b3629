// The least page with assistant-ui that shows a conversation: its primitives, AG-UI, and Streamdown for texts.

import { HttpAgent } from "@ag-ui/client";
import { AssistantRuntimeProvider, ComposerPrimitive, MessagePrimitive, ThreadPrimitive, useAuiState } from "@assistant-ui/react";
import { useAgUiRuntime } from "@assistant-ui/react-ag-ui";
import { StreamdownTextPrimitive } from "@assistant-ui/react-streamdown";
import { createRoot } from "react-dom/client";

const agent = new HttpAgent({ url: "agent" });

function Message() {
  return (
    <MessagePrimitive.Root>
      <MessagePrimitive.Parts components={{ Text: StreamdownTextPrimitive }} />
    </MessagePrimitive.Root>
  );
}

function Status() {
  const isRunning = useAuiState(({ thread }) => thread.isRunning);
  return <p role="status">{isRunning ? "Writing" : "Complete"}</p>;
}

function Page() {
  const runtime = useAgUiRuntime({ agent });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Viewport style={{ height: "80vh", overflowY: "auto" }}>
          <ThreadPrimitive.Messages components={{ Message }} />
        </ThreadPrimitive.Viewport>
        <Status />
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input aria-label="Message" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

createRoot(document.body).render(<Page />);
