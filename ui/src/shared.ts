// What the page shares with the parts of it that are loaded later. They import it from here, and from nowhere else.

export { CopyButton } from "./elements/CopyButton";
export { Dialog } from "./elements/Dialog";
export { Icon } from "./elements/Icon";
export { indent } from "./elements/json";
export * from "./net";
export { me } from "./state/me";
export { addressOf, type OperatorRoute, type OperatorScreen } from "./state/route";
export { access, client, summary } from "./state/server";
export * from "./strings";
