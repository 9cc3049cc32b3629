import { me, summary } from "../../shared";
import { CREATE } from "../keys/command";
import { words } from "../strings";

/** What a user can do who is refused what is for operators. */
function WayOut() {
  const { wayOut, keys } = words.value;
  if (summary.value?.auth === "none") {
    return (
      <p>
        {wayOut.withoutKeys} <a href="#/keys">{keys.title}</a>
      </p>
    );
  }
  return (
    <>
      <p>
        {wayOut.otherKey} <a href="#/settings">{wayOut.signOut}</a>
      </p>
      {summary.value?.auth !== "jwt" && <pre>{CREATE}</pre>}
    </>
  );
}

/** Says that something is not for the user, and the way out. */
export function Refusal({ text }: { text: string }) {
  return (
    <div class="problem quiet">
      <p>{text}</p>
      <WayOut />
    </div>
  );
}

/** Reports whether the user may change what all tenants share. Where that is unknown, the server decides. */
export function mayOperate(): boolean {
  return me.value?.operator !== false;
}
