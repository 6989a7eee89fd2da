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
    <section class="page-note">
      <h1>This link is used up</h1>
      <p>
        Only somebody with a link from your own terminal may look into this memory. A link works once and as
        long as its server runs, and this browser holds no valid one.
      </p>
      <p>
        Press Enter where <code>longhand serve</code> runs, or start it again, and open the address that it
        prints in another tab. Then go on here: what you typed on this page is still there.
      </p>
      <button type="button" class="main" onClick={loadStatus}>
        Go on
      </button>
    </section>
  );
}
