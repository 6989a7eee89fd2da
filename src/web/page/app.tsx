import { useEffect, useRef } from "preact/hooks";
import { AddDialog } from "./notes/add-dialog.tsx";
import { Palette } from "./palette/palette.tsx";
import { ConnectDialog } from "./parts/connect-dialog.tsx";
import { FailureNote } from "./parts/failure-note.tsx";
import { KeysDialog } from "./parts/keys-dialog.tsx";
import { Lazy } from "./parts/lazy.tsx";
import { Masthead } from "./parts/masthead.tsx";
import { SignedOut } from "./parts/signed-out.tsx";
import { Toasts } from "./parts/toasts.tsx";
import { SearchView } from "./search/search-view.tsx";
import { SessionView } from "./sessions/session-view.tsx";
import { SessionsView } from "./sessions/sessions-view.tsx";
import { followKeys } from "./state/keys.ts";
import { route } from "./state/location.ts";
import { failure, isSignedOut, report } from "./state/memory-state.ts";

export function App() {
  useEffect(followKeys, []);
  // So that the first hit opens at once.
  useEffect(() => void setTimeout(() => loadNotes().catch(report), 1000), []);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Masthead />
      <main id="main" tabIndex={-1}>
        {isSignedOut.value ? (
          <SignedOut />
        ) : (
          <>
            <FailureNote />
            <View />
          </>
        )}
      </main>
      <AddDialog />
      <ConnectDialog />
      <KeysDialog />
      <Palette />
      <Toasts />
    </>
  );
}

// Most of the script is for reading Markdown and for charts, and a search needs neither.
const loadNotes = () => import("./notes/notes-view.tsx").then(({ NotesView }) => NotesView);
const loadHealth = () => import("./health/health-view.tsx").then(({ HealthView }) => HealthView);

const loadReview = () => import("./review/review-view.tsx").then(({ ReviewView }) => ReviewView);

function View() {
  const here = route.value;
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = titleOf(here);
    failure.value = null;
    // What had the focus may be gone with the view before; from here, reading and tabbing go on in the new one.
    if (!isFirst.current && document.activeElement === document.body) {
      document.getElementById("main")?.focus({ preventScroll: true });
    }
    isFirst.current = false;
  }, [here]);
  switch (here.view) {
    case "search":
      return <SearchView />;
    case "notes":
      return <Lazy key="notes" load={loadNotes} given={{ path: null }} />;
    case "note":
      return <Lazy key="notes" load={loadNotes} given={{ path: here.path }} />;
    case "sessions":
      return <SessionsView />;
    case "session":
      return <SessionView key={here.id} id={here.id} />;
    case "health":
      return <Lazy key="health" load={loadHealth} given={{}} />;
    case "review":
      return <Lazy key="review" load={loadReview} given={{}} />;
    case "unknown":
      return (
        <section class="page-note">
          <h1>Nothing here</h1>
          <p>
            There is no page at <code>{here.pathname}</code>. <a href="/">Search the memory</a> instead.
          </p>
        </section>
      );
  }
}

function titleOf(here: typeof route.value): string {
  switch (here.view) {
    case "note":
      return `${here.path} · longhand`;
    case "session":
      return `${here.id} · longhand`;
    case "notes":
      return "Notes · longhand";
    case "sessions":
      return "Sessions · longhand";
    case "review":
      return "Review · longhand";
    case "health":
      return "Activity · longhand";
    default:
      return "longhand";
  }
}
