import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { countOf, formatCount } from "../../../text/count-of.ts";
import { showHidden } from "../../../text/visible.ts";
import { VirtualList } from "../parts/virtual-list.tsx";
import { drafts, isUnsaved } from "../state/drafts.ts";
import { failure, notes } from "../state/memory-state.ts";
import { noteAddress } from "../state/routes.ts";
import { listRows, type TreeRow } from "./note-tree.ts";

const rowPx = 30;

export function NoteList({ path }: { path: string | null }) {
  const filter = useSignal("");
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const all = notes.value ?? [];
  const rows = useMemo(
    () => listRows(all, { closed: closed.value, filter: filter.value }),
    [all, closed.value, filter.value],
  );
  const found = rows.filter(({ kind }) => kind === "note").length;
  const toggle = (key: string): void => {
    const next = new Set(closed.value);
    if (!next.delete(key)) next.add(key);
    closed.value = next;
  };
  return (
    <div class="note-list">
      <label class="seen-by-none" for="note-filter">
        Filter notes by name
      </label>
      <input
        id="note-filter"
        type="text"
        placeholder="Filter by name"
        autocomplete="off"
        spellcheck={false}
        value={filter.value}
        onInput={({ currentTarget }) => {
          filter.value = currentTarget.value;
        }}
      />
      <p class="faint list-count" role="status">
        {notes.value === null
          ? failure.value === null
            ? "Loading …"
            : ""
          : filter.value === ""
            ? countOf(all.length, "note")
            : `${countOf(found, "note")} of ${formatCount(all.length)}`}
      </p>
      <VirtualList
        label="Notes"
        rows={rows}
        rowPx={rowPx}
        shownRow={rows.findIndex((row) => row.kind === "note" && row.note.path === path)}
        draw={(row) => (
          <Row row={row} isCurrent={row.kind === "note" && row.note.path === path} toggle={toggle} />
        )}
      />
    </div>
  );
}

interface RowProps {
  readonly row: TreeRow;
  readonly isCurrent: boolean;
  readonly toggle: (key: string) => void;
}

function Row({ row, isCurrent, toggle }: RowProps) {
  if (row.kind === "folder") {
    return (
      <button type="button" class="row folder" aria-expanded={row.isOpen} onClick={() => toggle(row.key)}>
        <span class="row-name">{showHidden(row.name)}</span>
        <span class="faint">{row.count}</span>
      </button>
    );
  }
  const draft = drafts.value.get(row.note.path);
  return (
    <a
      class="row"
      data-depth={row.depth}
      href={noteAddress(row.note.path)}
      aria-current={isCurrent ? "page" : undefined}
      title={showHidden(row.note.path)}
    >
      <span class="row-name">{showHidden(row.name)}</span>
      {draft !== undefined && isUnsaved(draft) ? <span class="flag">unsaved</span> : null}
      {row.note.scope === "private" ? <span class="faint">private</span> : null}
    </a>
  );
}
