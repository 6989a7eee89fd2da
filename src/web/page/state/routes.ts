/** The routes of the page. Lines are in the fragment of the address, a search is in its query. */
export type Route =
  | { readonly view: "search" }
  | { readonly view: "notes" }
  | { readonly view: "note"; readonly path: string }
  | { readonly view: "review" }
  | { readonly view: "health" }
  | { readonly view: "sessions" }
  | { readonly view: "session"; readonly id: string }
  | { readonly view: "unknown"; readonly pathname: string };

export function parseRoute(pathname: string): Route {
  const [first = "", ...rest] = pathname.split("/").slice(1);
  const tail = rest.map(decode).join("/");
  switch (first) {
    case "":
      return { view: "search" };
    case "notes":
      return tail === "" ? { view: "notes" } : { view: "note", path: tail };
    case "sessions":
      return tail === "" ? { view: "sessions" } : { view: "session", id: tail };
    case "review":
      return tail === "" ? { view: "review" } : { view: "unknown", pathname };
    case "health":
      return tail === "" ? { view: "health" } : { view: "unknown", pathname };
    default:
      return { view: "unknown", pathname };
  }
}

export function noteAddress(path: string, hash = ""): string {
  return `/notes/${path.split("/").map(encodeURIComponent).join("/")}${hash}`;
}

export function sessionAddress(id: string, hash = ""): string {
  return `/sessions/${encodeURIComponent(id)}${hash}`;
}

/** The address of a hit: its note, or the turn of its transcript, which hits name `sessions/<file>`. */
export function hitAddress({ path, source }: { path: string; source: string }, hash: string): string {
  return source === "sessions"
    ? sessionAddress(path.replace(/^sessions\//, ""), hash)
    : noteAddress(path, hash);
}

/** Resolves a link of a note to an address of the page, relative to that note; null if it does not lead to a note. */
export function resolveNoteLink(from: string, href: string): string | null {
  const [, target = "", hash = ""] = /^([^#?]*)(#[^#]*)?$/.exec(href) ?? [];
  if (!/\.md$/i.test(target) || /^[a-z][a-z\d+.-]*:/i.test(target) || target.startsWith("//")) return null;
  const parts = target.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const part of target.split("/").map(decode)) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return noteAddress(parts.join("/"), hash);
}

/** An address may contain a lone `%`; it is then taken literally. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
