import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiFailure } from "../api-failure.ts";
import { report } from "../state/memory-state.ts";

interface LazyProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly given: Props;
}

/** A part whose code is fetched when it is first looked at. */
export function Lazy<Props extends object>({ load, given }: LazyProps<Props>) {
  const [hasFailed, setHasFailed] = useState(false);
  const [Part, setPart] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    load().then(
      (found) => setPart(() => found),
      (error: unknown) => {
        setHasFailed(true);
        // Code that does not arrive is a server that does not answer.
        report(ApiFailure.unreachable(error));
      },
    );
  }, [load]);
  if (Part !== null) return <Part {...given} />;
  return hasFailed ? null : <p class="page-note waiting">Loading …</p>;
}
