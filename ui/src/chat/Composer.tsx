import { useEffect, useState } from "preact/hooks";
import { Field } from "../composer/Field";
import { NextMessage, type WhileBusy } from "../composer/NextMessage";
import { Queue } from "../composer/Queue";
import { Icon } from "../elements/Icon";
import type { StartedTurn } from "../net";
import type { Conversation } from "../state/conversation";
import { more } from "../state/later";
import { strings } from "../strings";

interface ComposerProps {
  /** The session that the message continues; a new one if there is none. */
  conversation: Conversation | undefined;
  started(turn: StartedTurn): void;
}

/** Where the next message is written. It is kept until the server has it. */
export function Composer({ conversation, started }: ComposerProps) {
  const { chat, composer } = strings.value;
  const [message] = useState(() => new NextMessage(conversation));
  useEffect(() => () => message.close(), [message]);
  const Extras = more.value;
  const extras = message.extras.value;
  const running = conversation?.running.value;
  const isStopping = conversation?.isStopping.value;
  const canSend = message.canSend.value;

  const send = (busy: WhileBusy) => void message.send(busy).then((turn) => turn && started(turn));
  const failed = (error: unknown) => message.fail(error);
  const stop = () => {
    if (running && !isStopping) conversation?.stop().catch(failed);
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send("enqueue");
      }}
    >
      {message.problem.value && (
        <p class="remark error" role="alert">
          {message.problem.value}
        </p>
      )}
      {conversation && <Queue conversation={conversation} failed={failed} />}
      <div class="composer-box">
        {Extras && extras && <Extras.AboveField extras={extras} />}
        <Field message={message} send={send} stop={stop} />
        <div class="composer-tools">
          {Extras && extras && <Extras.Tools extras={extras} />}
          <span class="composer-buttons">
            {running && (
              <button type="button" class="stop" disabled={isStopping} onClick={stop}>
                <Icon name="stop" />
                {isStopping ? chat.stopping : chat.stop}
              </button>
            )}
            {running && canSend && (
              <button type="button" title={composer.steerHint} onClick={() => send("steer")}>
                {composer.steer}
              </button>
            )}
            <button class="primary" disabled={!canSend} aria-label={chat.send} title={running && composer.queueHint}>
              <Icon name="send" />
            </button>
          </span>
        </div>
      </div>
    </form>
  );
}
