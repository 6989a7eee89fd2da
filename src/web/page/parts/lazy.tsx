import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { report } from "../state/memory-state.ts";

interface LazyProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly given: Props;
}

/** A part whose code is fetched when it is first looked at. */
export function Lazy<Props extends object>({ load, given }: LazyProps<Props>) {
  const [Part, setPart] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    load().then((found) => setPart(() => found), report);
  }, [load]);
  return Part === null ? <p class="waiting">Loading …</p> : <Part {...given} />;
}
