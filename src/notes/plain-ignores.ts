/** Ignore patterns without wildcards, looked up instead of tried one after the other. */
export interface PlainIgnores {
  /** A folder's path ends in `/`. */
  ignores(path: string): boolean;
}

/** No wildcard, escape, comment or negation, and nothing that gitignore would trim or resolve. */
const plain =
  /^\/?[\p{L}\p{N}_@+,~=&.-][\p{L}\p{N}_@+,~=& .-]*(?:\/[\p{L}\p{N}_@+,~=&.-][\p{L}\p{N}_@+,~=& .-]*)*\/?$/u;

export function isPlainIgnore(pattern: string): boolean {
  return plain.test(pattern) && !pattern.endsWith(" ") && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(pattern);
}

/** A name without a slash counts in every folder, a path from the root; what ends in a slash is a folder only. */
export function createPlainIgnores(patterns: readonly string[]): PlainIgnores {
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const pattern of patterns) {
    const isPath = pattern.slice(0, -1).includes("/");
    (isPath ? paths : names).add(pattern.replace(/^\//, ""));
  }
  const has = (set: ReadonlySet<string>, text: string, isFolder: boolean): boolean =>
    set.has(text) || (isFolder && set.has(`${text}/`));
  return {
    ignores(path) {
      const parts = path.split("/");
      const isFolder = parts.at(-1) === "";
      if (isFolder) parts.pop();
      let from = "";
      return parts.some((part, index) => {
        from = index === 0 ? part : `${from}/${part}`;
        const isFolderHere = isFolder || index < parts.length - 1;
        return has(names, part, isFolderHere) || has(paths, from, isFolderHere);
      });
    },
  };
}
