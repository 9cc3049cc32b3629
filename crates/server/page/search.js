// src/chat/TurnSearch.tsx
import { useEffect, useRef, useState } from "./vendor.js";
import { client, formatNumber, Highlighted, Icon, messageOf, strings } from "./app.js";
import { jsx, jsxs } from "./vendor.js";
var TYPING_MS = 200;
function TurnSearch({ session, jump, close }) {
  const { log, page, sessions } = strings.value;
  const [words, setWords] = useState("");
  const [found, setFound] = useState();
  const [problem, setProblem] = useState("");
  const list = useRef(null);
  const field = useRef(null);
  const before = useRef(document.activeElement);
  const fail = (error) => setProblem(page.failed(messageOf(error)));
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    setProblem("");
    if (words.trim() === "") return setFound(void 0);
    let isCurrent = true;
    const timer = setTimeout(() => {
      client.searchTurns(session, words).then(
        (matches) => isCurrent && setFound({ ...matches, words }),
        (error) => isCurrent && fail(error)
      );
    }, TYPING_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [session, words]);
  const showMore = async () => {
    if (!found?.next) return;
    const more = await client.searchTurns(session, found.words, found.next);
    setFound({ ...found, data: [...found.data, ...more.data], next: more.next });
  };
  const leave = () => {
    close();
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  const show = (match) => void jump(match.turn_id).catch(fail);
  const press = (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      return leave();
    }
    const first = found?.data[0];
    if (event.key === "Enter" && event.target === field.current) {
      event.preventDefault();
      if (first) show(first);
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const buttons = [...list.current?.querySelectorAll("button") ?? []];
    const next = buttons.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    (buttons[next] ?? (next < 0 ? field.current : buttons.at(-1)))?.focus();
  };
  return /* @__PURE__ */ jsxs("search", { class: "turn-search", onKeyDown: press, children: [
    /* @__PURE__ */ jsxs("div", { class: "turn-search-field", children: [
      /* @__PURE__ */ jsx(
        "input",
        {
          ref: field,
          type: "search",
          "aria-label": log.search,
          placeholder: log.search,
          dir: "auto",
          value: words,
          onInput: (event) => setWords(event.currentTarget.value)
        }
      ),
      /* @__PURE__ */ jsx("button", { type: "button", class: "icon-button", "aria-label": page.close, onClick: leave, children: /* @__PURE__ */ jsx(Icon, { name: "close" }) })
    ] }),
    /* @__PURE__ */ jsx("p", { class: "remark", role: "status", children: problem || found?.data.length === 0 && sessions.noneFound }),
    found && found.data.length > 0 && /* @__PURE__ */ jsxs("ul", { ref: list, "aria-label": log.found, children: [
      found.data.map((match) => /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsxs("button", { type: "button", onClick: () => show(match), children: [
        /* @__PURE__ */ jsx("span", { class: "remark", children: log.turn(formatNumber(match.number)) }),
        /* @__PURE__ */ jsx("span", { dir: "auto", children: /* @__PURE__ */ jsx(Highlighted, { text: match.excerpt, words: found.words }) })
      ] }) }, match.turn_id)),
      found.next !== null && /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsx("button", { type: "button", class: "quiet", onClick: () => void showMore().catch(fail), children: sessions.more }) })
    ] })
  ] });
}
export {
  TurnSearch
};
