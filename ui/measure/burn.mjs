// Pages that are worse than they may be, for the controls. Each function runs in the browser before the page does.

/** Keeps the page busy for more than a second before it can do anything. */
export function burnOnce() {
  const end = performance.now() + 1_500;
  while (performance.now() < end);
}

/** Keeps the page busy for most of the time, in tasks of half a second. */
export function burnAlways() {
  setInterval(() => {
    const end = performance.now() + 500;
    while (performance.now() < end);
  }, 600);
}

/** Holds 80 MB, and keeps the page busy. */
export function hoard() {
  window.hoard = Array.from({ length: 100 }, () => new Array(100_000).fill(0.5));
  setInterval(() => {
    const end = performance.now() + 500;
    while (performance.now() < end);
    // Less than the page needs for anything that is measured.
  }, 530);
}

/** Leaves each tab to its own connection. */
export function forgetSharedWorkers() {
  delete window.SharedWorker;
}
