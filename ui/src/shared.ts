// What the page shares with the parts of it that are loaded later. They import it from here, and from nowhere else.

export { Dialog } from "./elements/Dialog";
export { Icon } from "./elements/Icon";
export * from "./net";
export { access, client, summary } from "./state/server";
export * from "./strings";
