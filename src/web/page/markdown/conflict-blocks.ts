import type MarkdownIt from "markdown-it";
import { escapeHtml } from "../../../text/escape-html.ts";

type Markdown = InstanceType<typeof MarkdownIt>;
type BlockRule = Parameters<Markdown["block"]["ruler"]["before"]>[2];
type BlockState = Parameters<BlockRule>[0];

/** What follows each conflict marker. The last marker ends the conflict and names the version above it. */
const marker = /^(<{7}|\|{7}|={7}|>{7})(?:\s+(.*))?$/;
const versionNames: Readonly<Record<string, string>> = {
  "<": "This version",
  "|": "Before both changes",
  "=": "Other version",
};

interface Marker {
  readonly line: number;
  readonly sign: string;
  readonly label: string;
}

/**
 * Shows what a merge left between conflict markers as labelled versions. As plain Markdown, the markers would turn
 * into headings and quotes. Code that contains markers stays code.
 */
export function addConflictBlocks(markdown: Markdown): void {
  markdown.block.ruler.before("fence", "conflict", parseConflict, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  const { rules } = markdown.renderer;
  rules["version_open"] = (tokens, index) => {
    const { name, line, sign } = tokens[index]!.meta as { name: string; line: number; sign: string };
    const kind = { "<": "this", "|": "base", "=": "other" }[sign];
    const label = `<span class="line" data-line="${line + 1}">${escapeHtml(name)}</span>`;
    return `<div class="version version-${kind}"><p class="version-name">${label}</p>\n`;
  };
  rules["conflict_open"] = () =>
    `<div class="versions"><p class="versions-note">These lines have two versions. Edit the note to keep one, or to merge them.</p>\n`;
}

const parseConflict: BlockRule = (state, startLine, endLine, silent) => {
  const markers = findMarkers(state, startLine, endLine);
  if (markers === null) return false;
  if (silent) return true;
  const last = markers.at(-1)!;
  const { parentType, lineMax } = state;
  state.push("conflict_open", "div", 1).block = true;
  for (const [index, { sign, line, label }] of markers.slice(0, -1).entries()) {
    const own = sign === "=" ? last.label : label;
    const name = own === "" ? versionNames[sign]! : `${versionNames[sign]}: ${own}`;
    state.push("version_open", "div", 1).meta = { name, line, sign };
    state.lineMax = markers[index + 1]!.line;
    state.md.block.tokenize(state, line + 1, state.lineMax);
    state.push("version_close", "div", -1).block = true;
  }
  state.push("conflict_close", "div", -1).block = true;
  state.parentType = parentType;
  state.lineMax = lineMax;
  state.line = last.line + 1;
  return true;
};

/** The markers of the complete conflict that begins at a line; null if there is none. */
function findMarkers(state: BlockState, startLine: number, endLine: number): readonly Marker[] | null {
  const first = readMarker(state, startLine);
  if (first?.sign !== "<") return null;
  const found = [first];
  for (let line = startLine + 1; line < endLine; line++) {
    const next = readMarker(state, line);
    if (next === null) continue;
    // Each marker may only follow a certain other one, which also ends the search at the next conflict.
    const before = found.at(-1)!.sign;
    const isNext = { "<": false, "|": before === "<", "=": before !== "=", ">": before === "=" }[next.sign];
    if (!isNext) return null;
    found.push(next);
    if (next.sign === ">") return found;
  }
  return null;
}

function readMarker({ src, bMarks, eMarks }: BlockState, line: number): Marker | null {
  const start = bMarks[line]!;
  if (!"<|=>".includes(src.charAt(start))) return null;
  const match = marker.exec(src.slice(start, eMarks[line]!).trimEnd());
  return match === null ? null : { line, sign: match[1]![0]!, label: match[2] ?? "" };
}
