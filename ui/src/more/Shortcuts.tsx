import { Dialog, route, sendKey, strings } from "../shared";
import { words } from "./strings";

/** The keys of the page: those that work where it is now. */
export function Shortcuts({ close }: { close(): void }) {
  const { keys } = words.value;
  const command = navigator.platform.startsWith("Mac") ? "⌘" : keys.control;
  const isEnter = sendKey.value === "enter";
  const message: [string, string][] = [
    [isEnter ? "Enter" : `${command} Enter`, keys.send],
    [isEnter ? `${command} Enter` : `${command} ${keys.shift} Enter`, keys.steer],
    [isEnter ? `${keys.shift} Enter` : "Enter", keys.line],
    ["Esc", keys.stop],
    ["/", keys.commands],
    ["↑", keys.edit],
  ];
  const page: [string, string][] = [
    [`${command} K`, keys.sessions],
    [`${command} ${keys.shift} O`, keys.new],
    [`${command} B`, keys.rail],
    ["?", keys.sheet],
  ];
  const session: [string, string][] = [
    ["J K", keys.turns],
    [`${command} ${keys.shift} F`, keys.search],
  ];
  return (
    <Dialog title={strings.value.rail.shortcuts} close={close}>
      <KeyTable name={keys.message} rows={message} />
      {route.value.screen === "chat" && <KeyTable name={keys.session} rows={session} />}
      <KeyTable name={keys.page} rows={page} />
    </Dialog>
  );
}

function KeyTable({ name, rows }: { name: string; rows: [string, string][] }) {
  return (
    <table class="keys">
      <caption>{name}</caption>
      <tbody>
        {rows.map(([keys, meaning]) => (
          <tr key={keys}>
            <th scope="row">
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </th>
            <td>{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
