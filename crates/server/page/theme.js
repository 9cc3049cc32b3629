"use strict";
(() => {
  // src/theme.ts
  var WORKER = "./worker.js";
  var policy = window.trustedTypes?.createPolicy("turnkit", {
    createScriptURL: (text) => {
      if (text === WORKER) return text;
      throw new TypeError(`${text} is no script of this page`);
    }
  });
  window.workerAddress = policy?.createScriptURL(WORKER) ?? WORKER;
  var { dataset } = document.documentElement;
  dataset.theme = "auto";
  try {
    dataset.theme = localStorage.getItem("turnkit.theme") ?? "auto";
    dataset.density = localStorage.getItem("turnkit.density") ?? "comfortable";
  } catch {
  }
})();
