"use strict";
(() => {
  // src/theme.ts
  window.trustedTypes?.createPolicy("turnkit", {
    createScriptURL: (text) => {
      throw new TypeError(`${text} is no script of this page`);
    }
  });
  try {
    document.documentElement.dataset.theme = localStorage.getItem("turnkit.theme") ?? "auto";
  } catch {
    document.documentElement.dataset.theme = "auto";
  }
})();
