import { useEffect, useRef } from "preact/hooks";
import { showHidden } from "../../text/visible.ts";
import { AddDialog } from "./notes/add-dialog.tsx";
import { Palette } from "./palette/palette.tsx";
import { CopyButton } from "./parts/copy-button.tsx";
import { Dialog } from "./parts/dialog.tsx";
import { Lazy } from "./parts/lazy.tsx";
import { Masthead } from "./parts/masthead.tsx";
import { WithCode } from "./parts/with-code.tsx";
import { SearchView } from "./search/search-view.tsx";
import { SessionsView, SessionView } from "./sessions/sessions.tsx";
import { closeDialog, openedDialog } from "./state/dialogs.ts";
import { followKeys, keyHelp } from "./state/keys.ts";
import { route } from "./state/location.ts";
import { failure, isSignedOut, loadStatus, status } from "./state/memory-state.ts";
import { dismissToast, toasts } from "./state/toasts.ts";

export function App() {
  useEffect(followKeys, []);
  // Preloads the code of the notes view, so that the first hit opens immediately. If that fails, the view reports it
  // when it is opened.
  useEffect(() => void setTimeout(() => loadNotes().catch(() => {}), 1000), []);
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

// Most of the script renders Markdown and charts, and a search needs neither.
const loadNotes = () => import("./notes/notes-view.tsx").then(({ NotesView }) => NotesView);
const loadHealth = () => import("./health/health-view.tsx").then(({ HealthView }) => HealthView);

const loadReview = () => import("./review/review-view.tsx").then(({ ReviewView }) => ReviewView);

function View() {
  const here = route.value;
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = titleOf(here);
    failure.value = null;
    // The focused element may have disappeared with the previous view; focus moves to the new one, so that screen
    // readers and tabbing continue there.
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

const titles: Readonly<Record<string, string>> = {
  notes: "Notes",
  sessions: "Sessions",
  review: "Review",
  health: "Activity",
};

function titleOf(here: typeof route.value): string {
  const name = here.view === "note" ? here.path : here.view === "session" ? here.id : titles[here.view];
  return name === undefined ? "longhand" : `${name} · longhand`;
}

/** The last failure, and what to do about it. */
function FailureNote() {
  const found = failure.value;
  if (found === null) return null;
  return (
    <div class="failure" role="alert">
      <p>
        <strong>
          <WithCode text={found.message} />
        </strong>{" "}
        <WithCode text={found.hint} />
      </p>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          failure.value = null;
        }}
      >
        Close
      </button>
    </div>
  );
}

/** A new link continues where the user left off: drafts live as long as this page. */
function SignedOut() {
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

function KeysDialog() {
  if (openedDialog.value !== "keys") return null;
  return (
    <Dialog title="Keys" onClose={() => closeDialog("keys")}>
      <dl class="keys">
        {keyHelp.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** Short notifications of what was just done, also announced by screen readers. */
function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, href, undo }) => (
        <div class="toast" key={id}>
          <span>{showHidden(text)}</span>
          {href === undefined ? null : (
            <a href={href} onClick={() => dismissToast(id)}>
              Show
            </a>
          )}
          {undo === undefined ? null : (
            <button
              type="button"
              class="toast-action"
              onClick={() => {
                dismissToast(id);
                undo();
              }}
            >
              Undo
            </button>
          )}
          <button
            type="button"
            class="quiet"
            onClick={() => dismissToast(id)}
            aria-label="Close this message"
          >
            ×
          </button>
        </div>
      ))}
    </div>
  );
}

/** The command that connects each agent host to this memory. */
function ConnectDialog() {
  const known = status.value;
  if (openedDialog.value !== "connect" || known === null) return null;
  return (
    <Dialog title="Connect an agent" onClose={() => closeDialog("connect")}>
      <p>
        Run one of these in <code>{known.workspaceDir}</code>. The agent can then search this memory and add
        to it. Each command says what it wrote; with <code>--print</code> it only says what it would write.
      </p>
      <ul class="commands">
        {known.server.hosts.map(({ title, command }) => (
          <li key={title}>
            <span>{title}</span>
            <code>{command}</code>
            <CopyButton text={command} name={`Copy the command for ${title}`} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
