// The least page with the AI SDK that shows a conversation as its template does: its hook, Streamdown for texts, and a
// log that stays at its end.

import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Streamdown } from "streamdown";
import { StickToBottom } from "use-stick-to-bottom";

const transport = new DefaultChatTransport({ api: "chat" });

/** How often its template draws while an answer arrives, in milliseconds. */
const THROTTLE = 100;

const STATES = { ready: "Complete", error: "Failed" };

function Page() {
  const { messages, sendMessage, status } = useChat({ transport, experimental_throttle: THROTTLE });
  const [text, setText] = useState("");
  const send = (event) => {
    event.preventDefault();
    sendMessage({ text });
    setText("");
  };
  const onKeyDown = (event) => event.key === "Enter" && send(event);
  return (
    <form onSubmit={send}>
      <StickToBottom initial="smooth" resize="smooth" style={{ height: "80vh" }}>
        <StickToBottom.Content>
          {messages.map(({ id, parts }) => (
            <div key={id}>{parts.map((part, index) => part.type === "text" && <Streamdown key={index}>{part.text}</Streamdown>)}</div>
          ))}
        </StickToBottom.Content>
      </StickToBottom>
      <p role="status">{STATES[status] ?? "Writing"}</p>
      <textarea aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} onKeyDown={onKeyDown} />
    </form>
  );
}

createRoot(document.body).render(<Page />);
