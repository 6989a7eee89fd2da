import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { NoteLinks } from "../../../memory/note-requests.ts";
import { countOf } from "../../../text/count-of.ts";
import { showHidden } from "../../../text/visible.ts";
import { api, type NoteSource } from "../api.ts";
import { asFailure } from "../api-failure.ts";
import { copyText } from "../parts/copy-button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Tags } from "../parts/tags.tsx";
import { drafts, dropDraft, isUnsaved, startDraft } from "../state/drafts.ts";
import { navigate, pageLocation } from "../state/location.ts";
import {
  changed,
  isAmongChanged,
  isReadOnly,
  loadTitles,
  notes,
  noteTitles,
  report,
} from "../state/memory-state.ts";
import { oneAtATime } from "../state/one-at-a-time.ts";
import { noteAddress } from "../state/routes.ts";
import { nameDay } from "../text/calendar.ts";
import { chooseLines, formatLineHash, type LineRange, parseLineHash } from "../text/line-range.ts";
import { ForgetDialog } from "./forget-dialog.tsx";
import { groupBacklinks } from "./group-backlinks.ts";
import { NoteEditor } from "./note-editor.tsx";
import { RenderedNote } from "./rendered-note.tsx";
import { SourceNote } from "./source-note.tsx";

/** A longer note is shown as source: rendering it as Markdown would block the page. */
const maxRenderedChars = 400_000;
/** The server would not accept a longer note. */
const maxEditedChars = 1_000_000;

/** One note: to read, cite, edit and forget. */
export function NoteView({ path }: { path: string }) {
  const source = useSignal<NoteSource | null>(null);
  const mode = useSignal<ReadingMode>(drafts.value.has(path) ? "edit" : "read");
  /** The note at the time its dialog was opened. */
  const forgetting = useSignal<NoteSource | null>(null);
  const problem = useSignal<"gone" | "failed" | null>(null);
  const load = useMemo(
    () =>
      oneAtATime(async () => {
        try {
          const found = await api.source(path);
          source.value = found;
          problem.value = null;
          // An untouched editor continues with the current version of the file.
          const draft = drafts.value.get(path);
          if (draft !== undefined && !isUnsaved(draft)) startDraft(path, found);
        } catch (error) {
          problem.value = asFailure(error).status === 404 ? "gone" : "failed";
          if (problem.value === "gone") source.value = null;
          else report(error);
        }
      }),
    [path],
  );
  const links = useSignal<NoteLinks | null>(null);
  // Also when another note changes, because backlinks come from other notes.
  useEffect(() => {
    api.links(path).then(
      (found) => {
        links.value = found;
      },
      // The note can be read without its backlinks.
      () => {},
    );
  }, [path, changed.value]);
  useEffect(() => void load(), [load]);
  useEffect(() => {
    if (isAmongChanged(path)) void load();
  }, [changed.value]);

  const chosen = parseLineHash(pageLocation.value.hash);
  const choose = (line: number, options: { extend: boolean }): void =>
    navigate(noteAddress(path, formatLineHash(chooseLines(chosen, line, options))), { replace: true });
  const note = source.value;
  const entry = notes.value?.find((found) => found.path === path);
  const draft = drafts.value.get(path);
  const isRendered = mode.value === "read" && (note?.text.length ?? 0) <= maxRenderedChars;
  const changeMode = (next: ReadingMode): void => {
    if (next === "edit" && note !== null && draft === undefined) startDraft(path, note);
    if (next !== "edit" && draft !== undefined && !isUnsaved(draft)) dropDraft(path);
    mode.value = next;
  };
  return (
    <article class="note">
      <header class="note-head">
        <p class="note-trail">
          <a class="back" href="/notes">
            All notes
          </a>
          {entry?.date === undefined ? null : <time dateTime={entry.date}>{nameDay(entry.date)}</time>}
          {entry?.scope === "private" ? <span>private: hidden in group chats</span> : null}
        </p>
        <h1>{showHidden(path)}</h1>
        {links.value === null || links.value.tags.length === 0 ? null : <Tags tags={links.value.tags} />}
        {note === null && draft === undefined ? null : (
          <NoteTools
            path={path}
            mode={mode.value === "read" && !isRendered ? "source" : mode.value}
            chosen={chosen}
            readOnly={isReadOnly.value ? "This server is read-only." : note?.readOnly}
            isTooLarge={(note?.text.length ?? 0) > maxEditedChars}
            isUnsaved={draft !== undefined && isUnsaved(draft)}
            onMode={changeMode}
            onForget={() => {
              forgetting.value = note;
            }}
          />
        )}
      </header>
      {mode.value === "edit" && draft !== undefined ? (
        <NoteEditor
          draft={draft}
          inFile={note}
          line={chosen?.from ?? null}
          onSaved={(saved) => {
            source.value = saved;
          }}
          onClose={() => {
            mode.value = "read";
          }}
        />
      ) : problem.value === "gone" ? (
        <Gone />
      ) : note === null ? (
        <p class="waiting">{problem.value === null ? "Loading …" : "This note cannot be shown."}</p>
      ) : note.text.trim() === "" ? (
        <p class="paper faint">This note is empty.</p>
      ) : isRendered ? (
        <RenderedNote note={note} links={links.value?.links ?? null} chosen={chosen} onChoose={choose} />
      ) : (
        <SourceNote text={note.text} chosen={chosen} onChoose={choose} />
      )}
      {links.value === null || mode.value === "edit" ? null : <Connections key={path} links={links.value} />}
      {forgetting.value === null ? null : (
        <ForgetDialog
          note={forgetting.value}
          chosen={chosen}
          onClose={() => {
            forgetting.value = null;
          }}
        />
      )}
    </article>
  );
}

function Gone() {
  return (
    <section class="gone">
      <p class="lead" role="alert">
        There is no such note.
      </p>
      <p>
        It may have been deleted, moved or renamed. <a href="/notes">See all notes</a> or{" "}
        <a href="/">search the memory</a>.
      </p>
    </section>
  );
}

type ReadingMode = "read" | "source" | "edit";

interface NoteToolsProps {
  readonly path: string;
  readonly mode: ReadingMode;
  readonly chosen: LineRange | null;
  readonly isUnsaved: boolean;
  /** Why the note cannot be changed; absent if it can. */
  readonly readOnly: string | undefined;
  /** The note can be read and forgotten, but not edited here. */
  readonly isTooLarge: boolean;
  readonly onMode: (mode: ReadingMode) => void;
  readonly onForget: () => void;
}

const modes: readonly { value: ReadingMode; name: string }[] = [
  { value: "read", name: "Read" },
  { value: "source", name: "Source" },
  { value: "edit", name: "Edit" },
];

function NoteTools(props: NoteToolsProps) {
  const { path, mode, chosen, isUnsaved, readOnly, isTooLarge, onMode, onForget } = props;
  const citation = `${path}${formatLineHash(chosen)}`;
  return (
    <div class="note-tools">
      <fieldset class="choice">
        <legend class="seen-by-none">How to show the note</legend>
        {modes.map(({ value, name }) => (
          <label key={value}>
            <input
              type="radio"
              name="mode"
              checked={mode === value}
              disabled={value === "edit" && (readOnly !== undefined || isTooLarge)}
              onChange={() => onMode(value)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      {readOnly === undefined ? null : <span class="faint">{readOnly}</span>}
      {isTooLarge ? <span class="faint">It is too large to be edited here.</span> : null}
      {isUnsaved && mode !== "edit" ? <span class="flag">unsaved changes</span> : null}
      <span class="tools-end">
        <button
          type="button"
          class="quiet"
          aria-label={`Copy citation ${citation}`}
          onClick={() => copyText(citation)}
        >
          <Icon name="copy" />
          <span class="tool-word">Copy citation</span>
          {chosen === null ? "" : ` ${formatLineHash(chosen).slice(1).replace("-L", "–")}`}
        </button>
        <button
          type="button"
          class="quiet danger"
          aria-label={chosen === null ? "Forget …" : "Forget lines …"}
          onClick={onForget}
          disabled={mode === "edit" || readOnly !== undefined}
        >
          Forget {chosen === null ? null : <span class="tool-word">lines </span>}…
        </button>
      </span>
    </div>
  );
}

/** A person or a project in a vault may have a thousand backlinks. */
const firstBacklinks = 20;

/** Which notes link here, and which links of this note are broken. */
function Connections({ links: { backlinks, broken } }: { links: NoteLinks }) {
  const isWhole = useSignal(false);
  useEffect(() => {
    if (backlinks.length > 0 && noteTitles.value.size === 0) void loadTitles();
  }, [backlinks.length]);
  if (backlinks.length === 0 && broken.length === 0) return null;
  const linking = groupBacklinks(backlinks);
  const shown = isWhole.value ? linking : linking.slice(0, firstBacklinks);
  return (
    <aside class="connections" aria-label="Links">
      {backlinks.length === 0 ? null : (
        <section>
          <h2>Linked from {countOf(linking.length, "note")}</h2>
          <ul>
            {shown.map(([path, own]) => (
              <li key={path}>
                <a href={noteAddress(path, `#L${own[0]!.line}`)}>
                  {showHidden(noteTitles.value.get(path) ?? path)}
                </a>
                {noteTitles.value.has(path) ? <span class="faint">{showHidden(path)}</span> : null}
                {own.slice(1).map(({ line }) => (
                  <a key={line} class="faint" href={noteAddress(path, `#L${line}`)}>
                    L{line}
                  </a>
                ))}
              </li>
            ))}
          </ul>
          {shown.length === linking.length ? null : (
            <button
              type="button"
              class="plain-link"
              onClick={() => {
                isWhole.value = true;
              }}
            >
              Show all {countOf(linking.length, "note")}
            </button>
          )}
        </section>
      )}
      {broken.length === 0 ? null : (
        <section>
          <h2>Links to notes that do not exist</h2>
          <ul>
            {broken.map(({ target, line }) => (
              <li key={`${target}:${line}`}>
                <a href={`#L${line}`}>L{line}</a> {showHidden(target)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}
