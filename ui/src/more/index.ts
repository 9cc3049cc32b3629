// What the page does not need at once. It is loaded as soon as the browser has nothing else to do.

import { watchAttention } from "./attention";
import { watchSeen } from "./seen";

export { AboveField } from "./composer/AboveField";
export { MessageExtras } from "./composer/MessageExtras";
export { Tools } from "./composer/Tools";
export { groupsOf } from "./groups";
export { Offline } from "./Offline";
export { Overlays } from "./Overlays";
export { SessionState } from "./SessionState";
export { Settings } from "./Settings";
export { Sessions } from "./sessions/Sessions";

watchAttention();
watchSeen();
