import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import path from "node:path";

export interface ModuleImport {
  /** `search/rank.ts` for a file of ours, `node:fs` or `json5` for anything else. */
  readonly target: string;
  /** A type import does not exist at run time; a lazy one, `import()`, runs when it is called. */
  readonly kind: "value" | "type" | "lazy";
  readonly line: number;
}

export interface SourceModule {
  /** Relative to the root that was read, `/` between parts. */
  readonly path: string;
  readonly imports: readonly ModuleImport[];
  /** The code with comments and the contents of strings blanked; lines and columns stay. */
  readonly code: string;
  readonly lineCount: number;
}

export async function readModules(root: string): Promise<SourceModule[]> {
  const paths: string[] = [];
  for await (const found of glob("**/*.{ts,tsx}", { cwd: root })) paths.push(found.replaceAll("\\", "/"));
  return paths.sort().map((found) => parseModule(found, readFileSync(path.join(root, found), "utf8")));
}

export function parseModule(modulePath: string, text: string): SourceModule {
  const code = blankCommentsAndStrings(text);
  return {
    path: modulePath,
    imports: findImports(modulePath, text, code),
    code,
    lineCount: text.split("\n").length,
  };
}

/** 1-based line numbers of all matches in the code, so that words in comments and strings never count. */
export function linesMatching({ code }: SourceModule, pattern: RegExp): number[] {
  return [...code.matchAll(new RegExp(pattern, "gm"))].map(({ index }) => lineAt(code, index));
}

const importForms = [
  // import x from "…", import { type x } from "…", import "…", export { x } from "…", export * from "…"
  /\b(?:import|export)\b(?<clause>[\w\s{},*$]*?\bfrom)?\s*(?<quote>["'])/g,
  // import("…"), at run time or in a type
  /\bimport\s*\(\s*(?<quote>["'])/g,
];

function findImports(modulePath: string, text: string, code: string): ModuleImport[] {
  return importForms.flatMap((form) =>
    [...code.matchAll(form)].map((match) => {
      const start = match.index + match[0].length;
      const specifier = text.slice(start, code.indexOf(match.groups?.quote ?? '"', start));
      const target = specifier.startsWith(".")
        ? path.posix.join(path.posix.dirname(modulePath), specifier)
        : specifier;
      const kind = /\(\s*["']$/.test(match[0]) ? "lazy" : kindOf(match.groups?.clause);
      return { target, kind, line: lineAt(code, match.index) };
    }),
  );
}

function kindOf(clause = ""): "value" | "type" {
  if (/^\s+type\s+[\w{*]/.test(clause) && !/^\s+type\s+from$/.test(clause)) return "type";
  const named = /^\s*\{(?<names>[^}]*)\}\s*from$/.exec(clause)?.groups?.names;
  const names =
    named
      ?.split(",")
      .map((name) => name.trim())
      .filter(Boolean) ?? [];
  return names.length > 0 && names.every((name) => name.startsWith("type ")) ? "type" : "value";
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/**
 * One pass over comments, strings, templates and regular expressions, the longest match first. The contents of `${…}` in
 * a template are blanked, too, because no rule needs them. A slash begins a regular expression only where a value may
 * begin, as in the syntax highlighting of editors.
 */
function blankCommentsAndStrings(text: string): string {
  const token =
    /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|(?<=[(,=:[!&|?{};\n]\s*|\breturn\s+)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;
  return text.replaceAll(token, (found) => {
    const isText = /^["'`]/.test(found);
    const blank = (part: string) => part.replaceAll(/[^\n]/g, " ");
    return isText ? `${found[0]}${blank(found.slice(1, -1))}${found.at(-1)}` : blank(found);
  });
}
