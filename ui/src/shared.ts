// What the page shares with the parts of it that are loaded later. They import it from here, and from nowhere else.

export { type Call, type CallState, stateOf } from "./chat/callState";
export { TurnPieces } from "./chat/Turn";
export { Dialog } from "./elements/Dialog";
export { Highlighted } from "./elements/Highlighted";
export { Drawing, Icon } from "./elements/Icon";
export { copy } from "./markdown/copy";
export { safeAddress, safeImage, visible, withoutUnseen } from "./markdown/links";
export {
  ApiError,
  foldTurn,
  messageOf,
  position,
  type StartedTurn,
  type TurnEventData,
  type TurnOptions,
} from "./net";
export type * from "./net/types";
export { Problem } from "./screens/Problem";
export { SessionList, SessionRow } from "./screens/SessionList";
export { dialog, openDialog } from "./state/dialogs";
export { newKey, prepare, saveDraft, type SentRequest } from "./state/drafts";
export { connection, followSession } from "./state/feed";
export { loadMe, maySee, me } from "./state/me";
export { addressOf, OPERATOR_SCREENS, type OperatorRoute, type OperatorScreen, route } from "./state/route";
export { access, client, hasCredential, problem, signIn, signOut, summary } from "./state/server";
export type { Conversation } from "./state/conversation";
export * from "./state/sendKey";
export * from "./state/sessions";
export { FILES_DATABASE, load, save } from "./state/storage";
export { badge } from "./state/title";
export * from "./strings";
