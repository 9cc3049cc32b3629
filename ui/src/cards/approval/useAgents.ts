import { useEffect, useRef, useState } from "preact/hooks";
import { client, connection } from "../../shared";

/** Returns the agents of these turns by the ids of the turns, as far as the server has said them. */
export function useAgents(turns: string[]): ReadonlyMap<string, string> {
  const [agents, setAgents] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useRef(new Set<string>());
  useEffect(() => {
    const ask = async (turn: string) => {
      const response = await client.send("GET", `api/v1/turns/${turn}`);
      const { agent } = (await response.json()) as { agent: string };
      setAgents((known) => new Map(known).set(turn, agent));
    };
    for (const turn of turns.filter((turn) => !asked.current.has(turn))) {
      asked.current.add(turn);
      void ask(turn).catch(() => asked.current.delete(turn));
    }
    // What failed while the server was away is asked for again when it is back.
  }, [turns.join(" "), connection.value === "open"]);
  return agents;
}
