import { useEffect } from "preact/hooks";
import { loadMe, maySee, OPERATOR_SCREENS, route, strings } from "../shared";
import { MoreIcon } from "./MoreIcon";

/** The links to the screens that are about the server, as far as the user may see them. */
export function OperatorLinks() {
  const words = strings.value.operator;
  useEffect(() => void loadMe(), []);
  const screens = OPERATOR_SCREENS.filter(maySee);
  return (
    <div class="rail-links operator-links">
      {screens.length > 2 && <h2>{words.title}</h2>}
      {screens.map((screen) => (
        <a key={screen} href={`#/${screen}`} aria-current={route.value.screen === screen ? "page" : undefined}>
          <MoreIcon name={screen} />
          {words[screen]}
        </a>
      ))}
    </div>
  );
}
