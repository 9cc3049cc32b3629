// The least page with the AI SDK that shows a conversation: its hook, and Streamdown for texts.

import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Streamdown } from "streamdown";

const transport = new DefaultChatTransport({ api: "chat" });

function Page() {
  const { messages, sendMessage } = useChat({ transport });
  const [text, setText] = useState("");
  const send = (event) => {
    event.preventDefault();
    sendMessage({ text });
    setText("");
  };
  return (
    <form onSubmit={send}>
      {messages.map(({ id, parts }) => (
        <div key={id}>{parts.map((part, index) => part.type === "text" && <Streamdown key={index}>{part.text}</Streamdown>)}</div>
      ))}
      <textarea value={text} onChange={(event) => setText(event.target.value)} />
    </form>
  );
}

createRoot(document.body).render(<Page />);
