import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { indent } from "../../later/json";
import { copy, formatNumber } from "../../shared";
import { reveal } from "../reveal";
import { words } from "../strings";
import { Symbol } from "../Symbol";
import { keyPressed } from "./keys";
import { countValues, type JsonNode } from "./parse";

/** A tree with at most so many values is open at first. */
const OPEN_VALUES = 60;

interface TreeProps {
  root: JsonNode;
  label: string;
  /** How many characters are shown. */
  limit: number;
  /** Returns what is shown below a tree that was cut. */
  cut(): ComponentChildren;
}

/** The values of an object or array, which arrow keys open, close and reach. */
export function Tree({ root, label, limit, cut }: TreeProps) {
  const [isOpenAtFirst] = useState(() => countValues(root, OPEN_VALUES + 1) <= OPEN_VALUES);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState("0");
  let left = limit;
  let isCut = false;

  const toggle = (path: string) => {
    const changed = new Set(toggled);
    if (!changed.delete(path)) changed.add(path);
    setToggled(changed);
  };
  const items = (node: JsonNode, above: string): ComponentChildren => {
    const shown: ComponentChildren[] = [];
    for (const [index, child] of (node.children ?? []).entries()) {
      if (left <= 0) {
        isCut = true;
        break;
      }
      const path = `${above}${index}`;
      const isOpen = isOpenAtFirst !== toggled.has(path);
      left -= (child.key?.length ?? 0) + (child.children ? 1 : Math.min(left, child.raw.length));
      const text = child.string ?? child.raw;
      const isValueCut = !child.children && left <= 0 && text.length > limit;
      isCut ||= isValueCut;
      shown.push(
        <Item
          key={path}
          path={path}
          node={child}
          text={isValueCut ? `${text.slice(0, limit)}…` : text}
          isActive={active === path}
          isOpen={isOpen}
          toggle={() => toggle(path)}
        >
          {child.children && isOpen && items(child, `${path}.`)}
        </Item>,
      );
    }
    return shown;
  };
  return (
    <>
      <ul
        class="tree"
        role="tree"
        aria-label={label}
        onFocusIn={(event) => setActive(pathOf(event.target as Element) ?? active)}
        onKeyDown={(event) => keyPressed(event, toggle)}
      >
        {items(root, "")}
      </ul>
      {isCut && cut()}
    </>
  );
}

/** Returns the path of the value in which an element is. */
function pathOf(element: Element): string | undefined {
  return element.closest<HTMLElement>("[data-path]")?.dataset.path;
}

interface ItemProps {
  path: string;
  node: JsonNode;
  /** The value, if it is no container. */
  text: string;
  isActive: boolean;
  isOpen: boolean;
  toggle(): void;
  children: ComponentChildren;
}

function Item({ path, node, text, isActive, isOpen, toggle, children }: ItemProps) {
  const isContainer = node.children !== undefined && node.children.length > 0;
  return (
    <li
      role="treeitem"
      data-path={path}
      tabIndex={isActive ? 0 : -1}
      aria-expanded={isContainer ? isOpen : undefined}
    >
      <div class="tree-row">
        {isContainer ? (
          <button type="button" class="tree-toggle" tabIndex={-1} aria-hidden="true" onClick={toggle}>
            <Symbol name="open" />
          </button>
        ) : (
          <span class="tree-toggle" />
        )}
        <span class="tree-key" dir="auto">
          {reveal(node.key ?? "")}
        </span>
        <Value node={node} text={text} />
        <CopyValue name={reveal(node.key ?? "")} node={node} isActive={isActive} />
      </div>
      {isContainer && isOpen && <ul role="group">{children}</ul>}
    </li>
  );
}

function Value({ node, text }: { node: JsonNode; text: string }) {
  const { items, item } = words.value.tool;
  if (node.children) {
    const { length } = node.children;
    const empty = node.isArray ? "[ ]" : "{ }";
    return <span class="tree-size">{length === 0 ? empty : length === 1 ? item : items(formatNumber(length))}</span>;
  }
  return (
    <span class={`tree-value ${node.string === undefined ? "is-literal" : "is-string"}`} dir="auto">
      {node.string === undefined ? text : `"${reveal(text)}"`}
    </span>
  );
}

function CopyValue({ name, node, isActive }: { name: string; node: JsonNode; isActive: boolean }) {
  const [hasCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      class="tree-copy"
      tabIndex={isActive ? 0 : -1}
      aria-label={words.value.tool.copyValue(name)}
      onClick={() => void copy(textOf(node)).then(setCopied)}
      onBlur={() => setCopied(false)}
    >
      <Symbol name={hasCopied ? "copied" : "copy"} />
    </button>
  );
}

/** Returns what is copied: the characters of a string, and JSON of everything else. */
function textOf(node: JsonNode): string {
  return node.string ?? (node.children ? indent(node.raw) : node.raw);
}
