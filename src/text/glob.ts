/**
 * Compiles a glob to a test for paths (separated by `/`): `*` and `?` stay within a part, `**` crosses parts, `[a-z]`
 * and `[!a-z]` match one character, `{a,b}` either alternative, `\` escapes the next character. The whole path must
 * match; a pattern without `/` is matched against the file name, and one that ends in `/` matches everything in that
 * folder. Some disks of macOS list names decomposed, and nobody types them so: both are compared composed.
 *
 * The pattern becomes a small program whose possible positions advance together, character by character. A regular
 * expression would be shorter, but can take exponential time on a pattern such as `*a*a*a*a*b`.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const anchored = pattern.normalize("NFC").replace(/^\.?\//, "");
  const program = compile(anchored.endsWith("/") ? `${anchored}**` : anchored);
  const wholePath = pattern.includes("/");
  return (path) => run(program, (wholePath ? path : path.slice(path.lastIndexOf("/") + 1)).normalize("NFC"));
}

const maxPatternChars = 1024;

/** Why a pattern is probably a mistake, or null. `compileGlob` takes such characters literally. */
export function findGlobProblem(pattern: string): string | null {
  const characters = [...pattern];
  if (characters.length === 0) return "it is empty";
  if (characters.length > maxPatternChars) return `it is longer than ${maxPatternChars} characters`;
  const closed = findClosedBraces(characters);
  for (let at = 0; at < characters.length; at++) {
    if (characters[at] === "\\") {
      if (++at === characters.length) return "it ends in a backslash";
    } else if (characters[at] === "[") {
      const set = readSet(characters, at);
      if (set === null) return "a [ in it has no ]";
      at = set.end;
    } else if (characters[at] === "{" && !closed.has(at)) return "a { in it has no }";
  }
  return null;
}

type Step =
  | { readonly kind: "character"; readonly accepts: (character: string) => boolean }
  /** Continues at both places. */
  | { readonly kind: "split"; first: number; second: number };

const notSlash = (character: string): boolean => character !== "/";
const anything = (): boolean => true;

function compile(pattern: string): Step[] {
  const characters = [...pattern];
  const closed = findClosedBraces(characters);
  const steps: Step[] = [];
  const groups: { split: Step & { kind: "split" }; exits: (Step & { kind: "split" })[] }[] = [];

  const accept = (accepts: (character: string) => boolean): void => {
    steps.push({ kind: "character", accepts });
  };
  const split = (): Step & { kind: "split" } => {
    const step = { kind: "split" as const, first: steps.length + 1, second: steps.length + 1 };
    steps.push(step);
    return step;
  };
  const repeat = (accepts: (character: string) => boolean): void => {
    const skip = split();
    accept(accepts);
    split().second = steps.length - 2;
    skip.second = steps.length;
  };

  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === "*") {
      const first = at;
      while (characters[at + 1] === "*") at++;
      const opensPart = first === 0 || "/{,".includes(characters[first - 1]!);
      const isDeep = at - first === 1 && opensPart;
      if (isDeep && characters[at + 1] === "/") {
        // `**/` is any number of folders, or none.
        const skip = split();
        repeat(anything);
        accept((each) => each === "/");
        skip.second = steps.length;
        at++;
      } else if (isDeep && (at + 1 === characters.length || ",}".includes(characters[at + 1]!))) {
        accept(anything);
        repeat(anything);
      } else {
        repeat(notSlash);
      }
    } else if (character === "?") {
      accept(notSlash);
    } else if (character === "[") {
      const set = readSet(characters, at);
      accept(set?.accepts ?? ((each) => each === "["));
      at = set?.end ?? at;
    } else if (closed.has(at)) {
      groups.push({ split: split(), exits: [] });
    } else if (character === "," && groups.length > 0) {
      const group = groups.at(-1)!;
      group.exits.push(split());
      group.split.second = steps.length;
      group.split = split();
    } else if (character === "}" && groups.length > 0) {
      for (const exit of groups.pop()!.exits) exit.first = exit.second = steps.length;
    } else {
      const literal = character === "\\" && at + 1 < characters.length ? characters[++at]! : character;
      accept((each) => each === literal);
    }
  }
  return steps;
}

/** Positions of `{` with a matching `}`; the others are literal. */
function findClosedBraces(characters: readonly string[]): ReadonlySet<number> {
  const closed = new Set<number>();
  const open: number[] = [];
  for (let at = 0; at < characters.length; at++) {
    if (characters[at] === "\\") at++;
    else if (characters[at] === "[") at = readSet(characters, at)?.end ?? at;
    else if (characters[at] === "{") open.push(at);
    else if (characters[at] === "}" && open.length > 0) closed.add(open.pop()!);
  }
  return closed;
}

function readSet(
  characters: readonly string[],
  start: number,
): { accepts: (character: string) => boolean; end: number } | null {
  const isNegated = characters[start + 1] === "!" || characters[start + 1] === "^";
  const first = start + (isNegated ? 2 : 1);
  // A `]` in first place is literal.
  const end = characters.indexOf("]", first + 1);
  if (end === -1) return null;
  const ranges: [string, string][] = [];
  for (let at = first; at < end; at++) {
    const isRange = characters[at + 1] === "-" && at + 2 < end;
    ranges.push([characters[at]!, characters[isRange ? at + 2 : at]!]);
    if (isRange) at += 2;
  }
  const isIn = (each: string): boolean =>
    ranges.some(([from, to]) => codeOf(each) >= codeOf(from) && codeOf(each) <= codeOf(to));
  return { accepts: (each) => each !== "/" && isIn(each) !== isNegated, end };
}

function codeOf(character: string): number {
  return character.codePointAt(0)!;
}

function run(steps: readonly Step[], path: string): boolean {
  /** For each step, the position in the path at which it was reached last. */
  const reached = new Int32Array(steps.length + 1).fill(-1);
  const pending: number[] = [];
  let current: number[] = [];
  const reach = (target: number, position: number, into: number[]): void => {
    pending.push(target);
    while (pending.length > 0) {
      const at = pending.pop()!;
      if (reached[at] === position) continue;
      reached[at] = position;
      const step = steps[at];
      if (step?.kind === "split") pending.push(step.first, step.second);
      else into.push(at);
    }
  };
  reach(0, 0, current);
  let position = 0;
  for (const character of path) {
    if (current.length === 0) return false;
    const next: number[] = [];
    position++;
    for (const at of current) {
      const step = steps[at];
      if (step?.kind === "character" && step.accepts(character)) reach(at + 1, position, next);
    }
    current = next;
  }
  return current.includes(steps.length);
}

interface PathFilter {
  readonly pathGlob?: string;
  readonly paths?: readonly string[];
}

/** Whether a path passes a filter; null if the filter does not restrict paths. */
export function compilePaths({ pathGlob, paths }: PathFilter): ((path: string) => boolean) | null {
  if (pathGlob === undefined && paths === undefined) return null;
  const matches = pathGlob === undefined ? () => true : compileGlob(pathGlob);
  const listed = paths === undefined ? null : new Set(paths);
  return (path) => (listed === null || listed.has(path)) && matches(path);
}
