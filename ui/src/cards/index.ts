// Calls of tools, what they wait for, and files. It is loaded with the first of them.

import css from "../css/cards.css";
import { addStyles } from "../later/styles";

export { Approvals } from "./approval/Approvals";
export { Attachments } from "./files/Attachments";
export { ToolCalls } from "./ToolCalls";

addStyles(css);
