// Runs before the page is drawn.

interface Policy {
  createScriptURL(text: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy;
}

const WORKER = "./worker.js";

// The only policy that the server's headers permit, so that no other script can make one. It never leaves this file,
// and passes nothing but the worker.
const policy = (window as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("turnkit", {
  createScriptURL: (text) => {
    if (text === WORKER) return text;
    throw new TypeError(`${text} is no script of this page`);
  },
});
window.workerAddress = policy?.createScriptURL(WORKER) ?? WORKER;

const { dataset } = document.documentElement;
dataset.theme = "auto";
try {
  dataset.theme = localStorage.getItem("turnkit.theme") ?? "auto";
  dataset.density = localStorage.getItem("turnkit.density") ?? "comfortable";
} catch {
  // The browser's storage is forbidden.
}
