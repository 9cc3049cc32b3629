/** The hash of all sources of the page. The build replaces it. */
declare const __BUILD__: string;
