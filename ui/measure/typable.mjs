// The moment from which a person can type a message.

/** Notes that moment as `window.typable`, in milliseconds since the navigation. It runs before the page does. */
export function noteTypable() {
  const observer = new MutationObserver(() => {
    const field = [...document.querySelectorAll("textarea")].find(({ ariaLabel, labels }) =>
      [ariaLabel, ...[...labels].map(({ textContent }) => textContent.trim())].includes("Message"),
    );
    if (!field || field.disabled || field.readOnly) return;
    window.typable = performance.now();
    observer.disconnect();
  });
  observer.observe(document, { attributes: true, childList: true, subtree: true });
}

/** Waits for that moment, and returns it. */
export async function whenTypable(page) {
  const noted = await page.waitForFunction(() => window.typable, undefined, { timeout: 60_000 });
  return noted.jsonValue();
}
