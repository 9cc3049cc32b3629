"use strict";
(() => {
  // src/theme.ts
  window.trustedTypes?.createPolicy("turnkit", {
    createScriptURL: (text) => {
      throw new TypeError(`${text} is no script of this page`);
    }
  });
  var { dataset } = document.documentElement;
  dataset.theme = "auto";
  try {
    dataset.theme = localStorage.getItem("turnkit.theme") ?? "auto";
    dataset.density = localStorage.getItem("turnkit.density") ?? "comfortable";
  } catch {
  }
})();
