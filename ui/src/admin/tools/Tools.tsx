import { Screen } from "../elements/Screen";
import { words } from "../strings";
import { Grants } from "./Grants";
import { Servers } from "./Servers";
import { ToolList } from "./ToolList";

/** What agents can call: tools, the MCP servers that offer some, and the permissions that people gave. */
export function Tools() {
  const texts = words.value.tools;
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <Servers />
      <Grants />
      <ToolList />
    </Screen>
  );
}
