import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { report } from "../state/memory-state.ts";

/** A part whose code is fetched when it is first looked at. */
export function Lazy({ load }: { load: () => Promise<ComponentType> }) {
  const [Part, setPart] = useState<ComponentType | null>(null);
  useEffect(() => {
    load().then((found) => setPart(() => found), report);
  }, [load]);
  return Part === null ? <p class="waiting">Loading …</p> : <Part />;
}
