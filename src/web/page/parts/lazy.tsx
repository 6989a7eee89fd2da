import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiFailure } from "../api-failure.ts";
import { report } from "../state/memory-state.ts";

interface LazyProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly given: Props;
}

/** A component whose code is loaded when it is first rendered. */
export function Lazy<Props extends object>({ load, given }: LazyProps<Props>) {
  const [hasFailed, setHasFailed] = useState(false);
  const [Part, setPart] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    load().then(
      (found) => setPart(() => found),
      (error: unknown) => {
        setHasFailed(true);
        // If the code does not load, the server does not answer.
        report(ApiFailure.unreachable(error));
      },
    );
  }, [load]);
  if (Part !== null) return <Part {...given} />;
  return hasFailed ? null : <p class="page-note waiting">Loading …</p>;
}
