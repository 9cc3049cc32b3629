import { batch, signal } from "@preact/signals";
import { type ApiError, Client, type PageSummary } from "../net";
import { forgetAll, load, save } from "./storage";

const KEY = "turnkit.credential";

/** What the user can do now. */
export type Access = "starting" | "unreachable" | "signed_out" | "open";

export const access = signal<Access>("starting");

/** Why the user may send no requests; `undefined` if the server only asked for a credential. */
export const problem = signal<unknown>(undefined);

export const summary = signal<PageSummary | undefined>(undefined);

/** Whether the server offers another build of the page than this one. */
export const isOutdated = signal(false);

/** Whether requests carry a credential, which the user may remove. */
export const hasCredential = signal(false);

/** The API key or token. The browser keeps it for the tab, and for longer only if the user wants to stay signed in. */
let credential = load(KEY, "sessionStorage") ?? load(KEY);

/** Tells the other tabs that the user signed out. */
const tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("turnkit");

export const currentCredential = () => credential;

export const client = new Client({
  credential: currentCredential,
  refused: (error) => refuse(error),
});

/** Asks the user for a credential. `error` is why the present one does not do. */
export function refuse(error: unknown): void {
  // Another tab may have stored a newer one.
  save(KEY, undefined, "sessionStorage");
  batch(() => {
    problem.value = credential === undefined ? undefined : error;
    access.value = "signed_out";
  });
}

/** The pause before a server that could not be reached is asked again. */
const PAUSE_MS = 3_000;

/** Asks for what the screen of those who are not signed in needs, too. */
async function learn(): Promise<void> {
  summary.value = await client.page();
}

/** Asks the server for what the page needs, and whether it may send requests. */
export async function connect(): Promise<void> {
  try {
    // A proxy may add the credential, so only a request shows whether one is needed.
    await Promise.all([learn(), client.sessions({ limit: 1 })]);
    batch(() => {
      hasCredential.value = credential !== undefined;
      problem.value = undefined;
      access.value = "open";
    });
  } catch (error) {
    const { status, code, retryAfter = 0 } = error as Partial<ApiError>;
    if (status === 401) return refuse(error);
    batch(() => {
      problem.value = error;
      // A host or an origin that is not allowed is refused with 403, too: no other credential would help.
      access.value = code === "forbidden" ? "signed_out" : "unreachable";
    });
    if (code === "forbidden") return;
    setTimeout(() => access.value === "unreachable" && void connect(), Math.max(PAUSE_MS, retryAfter * 1_000));
  }
}

export async function signIn(entered: string, stay: boolean): Promise<void> {
  credential = entered.trim();
  problem.value = undefined;
  await connect();
  if (access.value !== "open") return;
  save(KEY, credential, "sessionStorage");
  save(KEY, stay ? credential : undefined);
}

/** Forgets the credential, and everything else that the page has stored, in all tabs. */
export function signOut(): void {
  tabs?.postMessage("signed out");
  leave();
}

function leave(): void {
  // What watches this may have a last request to send, which needs the credential.
  access.value = "signed_out";
  credential = undefined;
  forgetAll();
  location.hash = "";
  location.reload();
}

tabs?.addEventListener("message", leave);

/** Checks whether the server offers another build of the page, as after an update. */
export async function checkBuild(): Promise<void> {
  const page = await client.page().catch(() => undefined);
  if (page) isOutdated.value = page.build !== __BUILD__;
}
