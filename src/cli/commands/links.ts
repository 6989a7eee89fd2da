import type { NoteLinks, OutgoingLink } from "../../memory/note-requests.ts";
import { compact } from "../../text/compact.ts";
import { formatCount } from "../../text/count-of.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import { findNotePath } from "../find-note.ts";
import type { View } from "../output.ts";
import { noteArgument } from "../path-arguments.ts";
import { withMemory } from "../with-memory.ts";

interface LinksInput {
  readonly path: string;
  readonly all?: boolean;
  readonly sessionKey?: string;
}

/** A person or a project in a vault may have a thousand backlinks. */
const maxLines = 20;

export async function runLinks(context: CommandContext, input: LinksInput): Promise<void> {
  const { path, sessionKey, all = false } = input;
  const { output, signal } = context;
  await withMemory(
    context,
    async (memory, { workspaceDir }) => {
      const note = await findNotePath(memory, noteArgument(path, workspaceDir), { signal, sessionKey });
      const links = await memory.links(note, { signal, sessionKey });
      output.show(links, (view) => renderLinks(links, view, all ? Number.POSITIVE_INFINITY : maxLines));
    },
    { sessionKey },
  );
}

function renderLinks(found: NoteLinks, { paint }: View, max: number): string {
  const { path, missing, tags, aliases, links, broken, backlinks } = found;
  const place = (from: string, line: number): string => paint("cyan", showOnOneLine(`${from}:${line}`));
  if (missing && backlinks.length === 0) return `There is no note ${showOnOneLine(path)}.`;
  const leading = links.filter((link) => link.path !== undefined);
  const sections = [
    ["Links", leading.map((link) => `${place(path, link.line)} → ${showOnOneLine(targetOf(link))}`)],
    ["Broken links", broken.map((link) => `${place(path, link.line)} → ${showOnOneLine(targetOf(link))}`)],
    ["Backlinks", backlinks.map((link) => place(link.path, link.line))],
  ] as const;
  if (sections.every(([, lines]) => lines.length === 0) && tags.length + aliases.length === 0) {
    return `No links from or to ${showOnOneLine(path)}.`;
  }
  return compact([
    missing && `There is no note ${showOnOneLine(path)}, but others link to it.`,
    tags.length > 0 && `Tags: ${showOnOneLine(tags.map((tag) => `#${tag}`).join(" "))}`,
    aliases.length > 0 && `Aliases: ${showOnOneLine(aliases.join(", "))}`,
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .flatMap(([title, lines]) => [
        paint("bold", `${title} (${formatCount(lines.length)})`),
        ...lines.slice(0, max).map((line) => `  ${line}`),
        lines.length > max && paint("dim", `  and ${formatCount(lines.length - max)} more; --all shows them`),
      ]),
  ]).join("\n");
}

function targetOf({ target, path, heading }: OutgoingLink): string {
  return `${path ?? target}${heading === undefined ? "" : `#${heading}`}`;
}
