// The screens of operators, by their names in the address.

import type { JSX } from "preact";
import type { OperatorRoute, OperatorScreen } from "../shared";
import { Keys } from "./keys/Keys";
import { Providers } from "./Providers";
import { RecordingDetail } from "./recordings/RecordingDetail";
import { Recordings } from "./recordings/Recordings";
import { Tools } from "./tools/Tools";
import { otherUser } from "./turns/filters";
import { TurnDetail } from "./turns/TurnDetail";
import { Turns } from "./turns/Turns";
import { Usage } from "./usage/Usage";

export const screens: Record<OperatorScreen, (props: { shown: OperatorRoute }) => JSX.Element> = {
  turns: ({ shown: { id, query } }) =>
    id ? <TurnDetail key={`${id}?${query}`} id={id} user={otherUser(query)} /> : <Turns query={query} />,
  usage: ({ shown }) => <Usage query={shown.query} />,
  providers: () => <Providers />,
  tools: () => <Tools />,
  keys: () => <Keys />,
  recordings: ({ shown: { id, query } }) =>
    id ? <RecordingDetail key={`${id}?${query}`} id={id} query={query} /> : <Recordings query={query} />,
};
