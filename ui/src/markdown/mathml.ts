// Makes elements of what temml read. Only what formulas consist of is made: no links, no images, no ids.

/** A node as temml describes it. */
interface Described {
  type?: string;
  text?: string;
  classes?: string[];
  attributes?: Record<string, unknown>;
  style?: Record<string, unknown>;
  children?: Described[];
}

const NAMESPACE = "http://www.w3.org/1998/Math/MathML";

const ELEMENTS = new Set(
  ("math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt " +
    "mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none").split(" "),
);

const ATTRIBUTES = new Set(
  ("accent columnalign columnspan depth display displaystyle fence form height largeop linethickness lspace " +
    "mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowspacing rspace " +
    "scriptlevel separator stretchy symmetric voffset width").split(" "),
);

/** Properties that change nothing outside of the formula, and load nothing. */
const PROPERTIES =
  /^(?:border|bottom|color$|display|font|height|justify|left|margin|math|padding|position|right|text|transform|width)/;

/** The deepest nesting: the browser itself ends with a few thousand levels. */
const DEEPEST = 100;

/** The most elements in a formula. */
const MOST = 5_000;

/** Returns the elements of a formula. Throws if it has what no formula has. */
export function elementOf(formula: unknown): Node {
  let count = 0;
  const make = (node: Described, depth: number): Node => {
    count += 1;
    if (count > MOST || depth > DEEPEST) throw new Error("too large");
    if (typeof node.text === "string") return document.createTextNode(node.text);
    const made = begin(node);
    for (const child of node.children ?? []) made.appendChild(make(child, depth + 1));
    return made;
  };
  return make(formula as Described, 0);
}

function begin({ type, attributes, style, classes }: Described): Node {
  // Fragments, and places that a style sheet fills with numbers.
  if (type === undefined) return document.createDocumentFragment();
  if (!ELEMENTS.has(type)) throw new Error(`${type} is not supported`);
  const element = document.createElementNS(NAMESPACE, type) as MathMLElement;
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (ATTRIBUTES.has(name)) element.setAttribute(name, String(value));
  }
  for (const [name, value] of Object.entries(style ?? {})) {
    if (PROPERTIES.test(name)) Object.assign(element.style, { [name]: String(value) });
  }
  if (classes?.length) element.setAttribute("class", classes.join(" "));
  return element;
}
