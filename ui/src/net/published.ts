// What the package @turnkit/client offers: the client of this page, and what this page does not need.

export * from "./index";
export { type FollowTurnOptions, followTurn } from "./turn";
