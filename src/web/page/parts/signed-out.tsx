import { useEffect } from "preact/hooks";
import { loadStatus } from "../state/memory-state.ts";

/** Whoever comes back with a new link goes on where they were: drafts live as long as this page. */
export function SignedOut() {
  useEffect(() => {
    const ask = (): void => void loadStatus();
    addEventListener("focus", ask);
    return () => removeEventListener("focus", ask);
  }, []);
  return (
    <section class="page-note signed-out paper">
      <h1>You are signed out</h1>
      <p>
        This browser's sign-in has ended, most likely because <code>longhand serve</code> was restarted.
      </p>
      <ol>
        <li>
          Press Enter in the terminal where <code>longhand serve</code> is running, or start it again.
        </li>
        <li>Open the link that it prints, in another tab.</li>
        <li>Come back here and continue. What you typed on this page is still there.</li>
      </ol>
      <button type="button" class="main" onClick={loadStatus}>
        Continue
      </button>
    </section>
  );
}
