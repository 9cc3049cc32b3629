import { useEffect } from "preact/hooks";
import { Approvals } from "../chat/Later";
import { addressOf } from "../state/route";
import { loadNeeds, needs } from "../state/sessions";
import { strings } from "../strings";

/** All calls that wait for the user, in any session. */
export function Needs() {
  const words = strings.value.needs;
  useEffect(() => {
    void loadNeeds().catch(() => {});
  }, []);
  return (
    <div class="screen">
      <h1>{words.title}</h1>
      {needs.value.length === 0 && <p class="remark">{words.none}</p>}
      <Approvals pending={needs.value} decided={() => void loadNeeds().catch(() => {})} addressOf={addressOf} />
    </div>
  );
}
