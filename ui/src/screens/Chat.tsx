import { useEffect, useState } from "preact/hooks";
import { Composer } from "../chat/Composer";
import { Log } from "../chat/Log";
import { Status } from "../chat/Status";
import { Conversation } from "../state/conversation";
import { more } from "../state/later";
import { pageTitle } from "../state/title";
import { strings } from "../strings";

/** A session. */
export function Chat({ session, turn }: { session: string; turn: string | undefined }) {
  const [conversation, setConversation] = useState<Conversation>();
  useEffect(() => {
    const opened = new Conversation(session);
    setConversation(opened);
    return () => opened.close();
  }, [session]);
  // The turn of the address is none of the session before it.
  if (conversation?.id !== session) return null;
  return <Opened key={conversation.id} conversation={conversation} turn={turn} />;
}

function Opened({ conversation, turn }: { conversation: Conversation; turn: string | undefined }) {
  const { feed, page, sessions, status } = strings.value;
  const title = conversation.session.value?.title || sessions.untitled;
  const needsUser = conversation.pending.value.length > 0;
  useEffect(() => {
    pageTitle.value = `${needsUser ? `(${status.decision}) ` : ""}${title} – ${page.title}`;
    return () => {
      pageTitle.value = "";
    };
  }, [title, needsUser, page.title, status.decision]);
  const refusal = conversation.refusal.value;
  const Menu = more.value?.SessionMenu;
  // What is read and what is written stays when the session is deleted elsewhere.
  const isLoaded = conversation.isLoaded.value;
  return (
    <>
      <header class="chat-header">
        <h1 dir="auto">{title}</h1>
        {!refusal && <Status conversation={conversation} />}
        {!refusal && Menu && <Menu conversation={conversation} />}
      </header>
      {refusal && isLoaded && (
        <p class="banner" role="alert">
          {refusal.status === 404 ? feed.deleted : page.failed(refusal.message)}
        </p>
      )}
      {refusal && !isLoaded ? (
        <p class="empty">{refusal.status === 404 ? page.notFound : page.failed(refusal.message)}</p>
      ) : (
        <>
          <Log conversation={conversation} at={turn} />
          <Composer conversation={conversation} started={() => {}} />
        </>
      )}
    </>
  );
}
