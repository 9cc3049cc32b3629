// What the page does not need at once. It is loaded as soon as the browser has nothing else to do.

import css from "../css/more.css";
import { addStyles } from "../later/styles";
import { watchAttention } from "./attention";
import { watchDecisions } from "./decisions";
import { watchSeen } from "./seen";

export { forgetUnsent } from "../later/unsent";
export { AboveField } from "./composer/AboveField";
export { MessageExtras } from "./composer/MessageExtras";
export { Tools } from "./composer/Tools";
export { groupsOf } from "./groups";
export { Offline } from "./Offline";
export { offlineSuggestions } from "./responder";
export { OperatorLinks } from "./OperatorLinks";
export { Overlays } from "./Overlays";
export { Position } from "./Position";
export { noteRunning } from "./running";
export { SessionState } from "./SessionState";
export { Settings } from "./Settings";
export { SessionMenu } from "./sessions/SessionMenu";
export { Sessions } from "./sessions/Sessions";
export { SignIn } from "./SignIn";
export { EditMessage } from "./turns/EditMessage";
export { Notices } from "./turns/Notices";
export { Rest } from "./turns/Rest";
export { TurnFooter } from "./turns/TurnFooter";
export { textOfPart } from "./turns/wholes";

addStyles(css);
watchAttention();
watchDecisions();
watchSeen();
