// The client of turnkit's API, which this page is built on. It needs nothing of the page.

export {
  Client,
  type ClientOptions,
  type NewMessage,
  type NewTurn,
  type StartedTurn,
  type TurnOptions,
  type TurnRange,
} from "./client";
export { ApiError, messageOf } from "./error";
export { type FeedOptions, feed } from "./feed";
export { emptyTurn, foldTurn, position, type TurnEventData } from "./fold";
export { type Connection, type Follower, type Following, follow, isChange } from "./follow";
export { EventStream } from "./sse";
export type * from "./types";
