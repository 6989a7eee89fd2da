/** Everything that a search depends on; it is part of the address, so that a search can be shared and revisited. */
export interface SearchState {
  readonly query: string;
  readonly source: "" | "memory" | "sessions";
  readonly since: string;
  readonly until: string;
  readonly path: string;
  readonly tag: string;
  readonly explain: boolean;
}

export const emptySearch: SearchState = {
  query: "",
  source: "",
  since: "",
  until: "",
  path: "",
  tag: "",
  explain: false,
};

/** The same query without filters. */
export function withoutFilters({ query, explain }: SearchState): SearchState {
  return { ...emptySearch, query, explain };
}

/** Parses `?q=…&source=…`. Invalid parts are ignored, because addresses may be typed by hand. */
export function readSearch(search: string): SearchState {
  const parameters = new URLSearchParams(search);
  const source = parameters.get("source");
  return {
    query: parameters.get("q") ?? "",
    source: source === "memory" || source === "sessions" ? source : "",
    since: readDay(parameters.get("since")),
    until: readDay(parameters.get("until")),
    path: parameters.get("path") ?? "",
    tag: parameters.get("tag") ?? "",
    explain: parameters.get("explain") === "1",
  };
}

/** `?q=…`, with only the differences from an empty search; an empty string for the empty search. */
export function writeSearch({ query, source, since, until, path, tag, explain }: SearchState): string {
  const parameters = new URLSearchParams();
  if (query !== "") parameters.set("q", query);
  if (source !== "") parameters.set("source", source);
  if (since !== "") parameters.set("since", since);
  if (until !== "") parameters.set("until", until);
  if (path !== "") parameters.set("path", path);
  if (tag !== "") parameters.set("tag", tag);
  if (explain) parameters.set("explain", "1");
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

function readDay(text: string | null): string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : "";
}
