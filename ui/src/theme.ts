// Runs before the page is drawn.

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(text: string): string }): unknown;
}

// The only policy that the server's headers permit, so that no other script can make one.
(window as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("turnkit", {
  createScriptURL: (text) => {
    throw new TypeError(`${text} is no script of this page`);
  },
});

const { dataset } = document.documentElement;
dataset.theme = "auto";
try {
  dataset.theme = localStorage.getItem("turnkit.theme") ?? "auto";
  dataset.density = localStorage.getItem("turnkit.density") ?? "comfortable";
} catch {
  // The browser's storage is forbidden.
}
