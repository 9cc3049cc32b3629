// What the page shares with the parts of it that are loaded later. They import it from here, and from nowhere else.

export { CopyButton } from "./elements/CopyButton";
export { Dialog } from "./elements/Dialog";
export { download } from "./elements/download";
export { Icon } from "./elements/Icon";
export { indent } from "./elements/json";
export { withoutUnseen } from "./markdown/links";
export * from "./net";
export { SessionList, SessionRow } from "./screens/SessionList";
export { dialog, openDialog } from "./state/dialogs";
export { newKey } from "./state/drafts";
export { me } from "./state/me";
export { addressOf, type OperatorRoute, type OperatorScreen, route } from "./state/route";
export { access, client, hasCredential, signOut, summary } from "./state/server";
export * from "./state/sendKey";
export * from "./state/sessions";
export { FILES_DATABASE, load, save } from "./state/storage";
export { chooseTheme, THEMES, theme } from "./state/theme";
export { badge } from "./state/title";
export * from "./strings";
