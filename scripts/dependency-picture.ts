import { join } from "node:path";
import { ourImports, partOf } from "../test/support/source-laws.ts";
import { readModules } from "../test/support/source-modules.ts";
import { replaceSection } from "./replace-section.ts";

/** Files directly below src/, with the node that shows them. Other such files are left out of the picture. */
const partOfFile: Readonly<Record<string, string>> = {
  "index.ts": "index",
  "open-session-store.ts": "index",
};

const labels: Readonly<Record<string, string>> = {
  index: "index.ts, public",
};

/**
 * The folders of src/ and what they import, as a Mermaid flowchart. Arrows that follow from others are left out to keep
 * it readable. Where two folders import each other, one of them only types, the other's arrow is drawn.
 */
export async function dependencyPicture(): Promise<string> {
  const modules = (await readModules(join(import.meta.dirname, "..", "src"))).filter(
    ({ path }) => !/\.(?:test|contract)\.ts$/.test(path) && !path.startsWith("web/page/"),
  );
  const imports = ourImports(modules).flatMap(({ from, to, kind }) => {
    const [source, target] = [pictured(from), pictured(to)];
    return source && target && source !== target ? [{ source, target, kind }] : [];
  });
  const runs = new Set(
    imports.filter(({ kind }) => kind !== "type").map(({ source, target }) => `${source} ${target}`),
  );
  const targets = new Map<string, Set<string>>();
  for (const { source, target } of imports) {
    if (!runs.has(`${source} ${target}`) && runs.has(`${target} ${source}`)) continue;
    targets.set(source, (targets.get(source) ?? new Set()).add(target));
  }
  const targetsOf = [...Map.groupBy(reduce(targets), ([source]) => source)].map(
    ([source, group]) => [source, joinNodes(group.map(([, target]) => target))] as const,
  );
  const arrows = [...Map.groupBy(targetsOf, ([, joined]) => joined)].map(
    ([joined, group]) => `  ${joinNodes(group.map(([source]) => source))} --> ${joined}`,
  );
  const named = Object.entries(labels).map(([part, label]) => `  ${part}["${label}"]`);
  return ["```mermaid", "flowchart TD", ...named, ...arrows.sort(), "```"].join("\n");
}

/** Mermaid draws an arrow from or to each of several nodes. */
function joinNodes(parts: readonly string[]): string {
  return parts.toSorted().join(" & ");
}

/** Replaces the picture between its markers. */
export async function withDependencyPicture(page: string): Promise<string> {
  return replaceSection(page, "dependency picture", await dependencyPicture());
}

function pictured(modulePath: string): string | undefined {
  const part = partOf(modulePath);
  return part === "public" ? "index" : part.endsWith(".ts") ? partOfFile[part] : part;
}

/** Transitive reduction: leaves out every arrow whose end is also reached by a longer path. */
export function reduce(targets: ReadonlyMap<string, ReadonlySet<string>>): [string, string][] {
  const reached = new Map<string, ReadonlySet<string>>();
  const reach = (part: string, trail: readonly string[]): ReadonlySet<string> => {
    if (trail.includes(part)) throw new Error(`Parts import each other: ${[...trail, part].join(" → ")}`);
    const known = reached.get(part);
    if (known) return known;
    const direct = [...(targets.get(part) ?? [])];
    const all = new Set(direct.flatMap((target) => [target, ...reach(target, [...trail, part])]));
    reached.set(part, all);
    return all;
  };
  return [...targets].flatMap(([source, direct]) =>
    [...direct]
      .filter(
        (target) => ![...direct].some((other) => other !== target && reach(other, [source]).has(target)),
      )
      .map((target): [string, string] => [source, target]),
  );
}
