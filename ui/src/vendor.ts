// The libraries of the page, in a file of their own: a change of the page does not change it.

export { Fragment, h, options, render } from "preact";
export { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
export { jsx, jsxs } from "preact/jsx-runtime";
export { batch, computed, effect, signal } from "@preact/signals";
export { Lexer } from "marked";
