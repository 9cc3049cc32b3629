import { useEffect, useState } from "preact/hooks";
import { Dialog, formatNumber, messageOf, strings } from "../../shared";
import type { Conversation } from "../../state/conversation";
import { words } from "../strings";
import { Compaction } from "./Compaction";
import { LeftOut } from "./LeftOut";
import { Meter } from "./Meter";
import { formatShare, Parts } from "./Parts";
import { type ContextReport, loadContext, partsOf } from "./report";

/** What the next request of a session would hold. */
export function ContextPanel({ conversation, close }: { conversation: Conversation; close(): void }) {
  const { context } = words.value;
  const { page } = strings.value;
  const [report, setReport] = useState<ContextReport>();
  const [problem, setProblem] = useState("");
  const isRunning = conversation.isRunning.value;
  const [turn, setTurn] = useState("");
  const status = turn && conversation.turn(turn).value.status;
  // Each turn changes the next request.
  useEffect(() => {
    let isCurrent = true;
    loadContext(conversation.id).then(
      (loaded) => {
        if (!isCurrent) return;
        setProblem("");
        setReport(loaded);
      },
      (error: unknown) => isCurrent && setProblem(page.failed(messageOf(error))),
    );
    return () => {
      isCurrent = false;
    };
  }, [conversation, isRunning, status]);
  return (
    <Dialog title={context.title} close={close}>
      <div class="context">
        {problem && (
          <p class="remark error" role="alert">
            {problem}
          </p>
        )}
        {!report && !problem && <p class="remark">{page.loading}</p>}
        {report && <Report report={report} />}
        {report && <Compaction conversation={conversation} turn={turn} started={setTurn} />}
      </div>
    </Dialog>
  );
}

function Report({ report }: { report: ContextReport }) {
  const { context, notices } = words.value;
  const { used, limit, request } = report;
  const parts = partsOf(report);
  const has = (mark: string) => request.messages.some((message) => message.mark === mark);
  return (
    <>
      <p class="context-total">
        <strong>{formatNumber(used)}</strong>{" "}
        {limit ? context.ofTokens(formatNumber(limit), formatShare(used / limit)) : context.tokens}
      </p>
      <Meter parts={parts} used={used} limit={limit} />
      {!limit && <p class="remark">{context.noLimit}</p>}
      {limit && used > limit && <p class="remark">{context.tooLarge}</p>}
      {has("summary") && <p class="remark">{notices.plain.compacted}</p>}
      {has("edits") && <p class="remark">{notices.plain.results_pruned}</p>}
      <Parts parts={parts} report={report} />
      <LeftOut report={report} />
      <p class="remark">{context.estimated}</p>
    </>
  );
}
