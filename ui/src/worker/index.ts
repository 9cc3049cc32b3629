// The worker that the tabs of a browser share: it holds the one connection over which they all follow their sessions. A
// browser without shared workers loads it into each tab. Either way a tab connects with a port.

import { Client } from "../net";
import { Hub, type Tab } from "./hub";
import type { FromTab } from "./messages";
import { Outbox } from "./outbox";

/** The connections, by the credential of their tabs: the events of one user reach no tab of another. */
const hubs = new Map<string | undefined, Hub>();

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) connect(port);
});

function connect(port: MessagePort): void {
  const tab: Tab = new Outbox((message) => port.postMessage(message));
  let credential: string | undefined;
  let hub: Hub | undefined;
  const leave = () => {
    hub?.leave(tab);
    if (hub?.isEmpty && hubs.get(credential) === hub) hubs.delete(credential);
    hub = undefined;
  };
  const receive = (message: FromTab) => {
    switch (message.type) {
      case "join":
        leave();
        if (message.build !== __BUILD__) return tab.send({ type: "outdated" });
        credential = message.credential;
        hub = hubOf(credential);
        hub.join(tab);
        // A tab that is closed or crashes releases its lock.
        if (message.lock) void navigator.locks?.request(message.lock, leave);
        return;
      case "follow":
        return hub?.follow(tab, message.subscription, message.session, message.after);
      case "unfollow":
        return hub?.unfollow(tab, message.subscription);
      case "wake":
        return hub?.wake(tab);
      case "sleep":
        return hub?.sleep();
      case "leave":
        return leave();
    }
  };
  port.onmessage = ({ data }: MessageEvent<FromTab>) => receive(data);
  // Browsers that know this event report a closed tab with it also where locks are not available.
  port.addEventListener("close", leave);
}

function hubOf(credential: string | undefined): Hub {
  const hub = hubs.get(credential) ?? new Hub(new Client({ credential: () => credential }));
  hubs.set(credential, hub);
  return hub;
}
