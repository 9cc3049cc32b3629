/** The hash of all sources of the page. The build replaces it. */
declare const __BUILD__: string;

/** The address of the worker, which `theme.js` writes in the form that the browser asks for. */
declare var workerAddress: string;

/** The text of a style sheet. */
declare module "*.css" {
  const text: string;
  export default text;
}

/** The parts of temml: its main file brings more than the page needs, and has no types for these. */
declare module "temml/src/*.js" {
  const part: any;
  export default part;
}
