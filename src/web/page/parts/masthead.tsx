import { countOf } from "../../../text/count-of.ts";
import { searchAddress } from "../search/search-state.ts";
import { openDialog } from "../state/dialogs.ts";
import { connection, progress } from "../state/events.ts";
import { route } from "../state/location.ts";
import { isReadOnly, isSignedOut, status } from "../state/memory-state.ts";
import { isDark, toggleTheme } from "../state/theme.ts";
import { Icon, type IconName } from "./icon.tsx";

const views: readonly { name: string; href: string; icon: IconName; views: readonly string[] }[] = [
  { name: "Search", href: "/", icon: "search", views: ["search"] },
  { name: "Notes", href: "/notes", icon: "notes", views: ["notes", "note"] },
  { name: "Review", href: "/review", icon: "review", views: ["review"] },
  { name: "Activity", href: "/health", icon: "health", views: ["health"] },
  { name: "Sessions", href: "/sessions", icon: "sessions", views: ["sessions", "session"] },
];

export function Masthead() {
  const here = route.value.view;
  return (
    <header class="masthead">
      <a class="wordmark" href="/" aria-label="longhand, search">
        longhand
        <svg viewBox="0 0 120 10" aria-hidden="true" focusable="false">
          <path d="M2 6.500C18 2.500 30 8.500 46 5.500S78 2.500 92 5.500s18 1 26-1.500" />
        </svg>
      </a>
      <nav aria-label="Views">
        {views.map(({ name, href, icon, views: own }) => (
          <a
            key={name}
            // Visiting another view keeps the search.
            href={own.includes("search") ? searchAddress.value : href}
            aria-current={own.includes(here) ? "page" : undefined}
          >
            <Icon name={icon} />
            {name}
          </a>
        ))}
      </nav>
      <div class="masthead-tools">
        <Pulse />
        <button
          type="button"
          class="quiet palette-button"
          onClick={() => openDialog("palette")}
          aria-label="Command palette (Ctrl K)"
        >
          <Icon name="command" />
          <kbd>Ctrl K</kbd>
        </button>
        {isReadOnly.value ? null : (
          <button type="button" class="quiet" onClick={() => openDialog("add")} aria-label="Write a note">
            <Icon name="plus" />
            <span class="tool-word">Write</span>
          </button>
        )}
        <button
          type="button"
          class="quiet square"
          onClick={toggleTheme}
          aria-label={isDark() ? "Use light colours" : "Use dark colours"}
        >
          <Icon name={isDark() ? "sun" : "moon"} />
        </button>
        <button
          type="button"
          class="quiet square keys-button"
          onClick={() => openDialog("keys")}
          aria-label="Keyboard shortcuts"
        >
          <Icon name="keys" />
        </button>
      </div>
    </header>
  );
}

/** The state of the index in one word, linked to the details. */
function Pulse() {
  const running = progress.value;
  const known = status.value;
  // The last known state may be out of date.
  if (isSignedOut.value) return null;
  if (running !== null) {
    const share = running.total > 0 ? Math.floor((100 * running.completed) / running.total) : 0;
    return (
      <a class="pulse" href="/health" data-state="working">
        <i aria-hidden="true" />
        <span class="pulse-word">indexing</span> {share} %
      </a>
    );
  }
  if (known === null) return null;
  const state =
    connection.value === "lost"
      ? "not connected"
      : known.unavailable !== undefined
        ? "no index"
        : known.readOnly !== undefined || known.fallback !== undefined
          ? "degraded"
          : known.dirty
            ? "stale"
            : "up to date";
  return (
    <a
      class="pulse"
      href="/health"
      data-state={state === "up to date" || state === "stale" ? state : "degraded"}
    >
      <i aria-hidden="true" />
      <span class="pulse-count">
        {countOf(known.sourceCounts.find(({ source }) => source === "memory")?.files ?? 0, "note")}
      </span>
      <span>{state}</span>
    </a>
  );
}
