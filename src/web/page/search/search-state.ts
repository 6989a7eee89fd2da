import { computed, signal } from "@preact/signals";
import { api, type MarkedAnswer } from "../api.ts";
import { navigate, pageLocation, route } from "../state/location.ts";
import { failure, report } from "../state/memory-state.ts";
import { readSearch, type SearchState, writeSearch } from "./search-address.ts";

/** The search as typed; address and answer follow after a debounce. */
export const searchState = signal<SearchState>(
  readSearch(route.value.view === "search" ? pageLocation.value.search : ""),
);
export const answer = signal<{ readonly to: SearchState; readonly value: MarkedAnswer } | null>(null);
export const isSearching = signal(false);

/** The address of the search, whatever view is open. */
export const searchAddress = computed(() => `/${writeSearch(searchState.value)}`);

export const hits = computed(() => answer.value?.value.results ?? []);

/** The key of the hit shown in the preview; the first hit if the key is not among the hits. */
export const previewed = signal("");

/** Whether the hits belong to the current query and not to an earlier one. */
export const isAnswered = computed(
  () => answer.value !== null && writeSearch(answer.value.to) === writeSearch(searchState.value),
);

const pauseMs = 120;
const running: {
  timer?: ReturnType<typeof setTimeout>;
  request?: AbortController;
  /** The search that was last written to the address from here. */
  written?: string;
} = {};

/** Changes the search; it runs after the debounce. */
export function updateSearch(
  change: Partial<SearchState>,
  { immediately = false }: { immediately?: boolean } = {},
): void {
  searchState.value = { ...searchState.value, ...change };
  clearTimeout(running.timer);
  running.timer = setTimeout(begin, immediately ? 0 : pauseMs);
}

/** Reads the search from the address. Returning to the view searches again, so that the hits are up to date. */
export function followAddress(search: string, { isArriving }: { isArriving: boolean }): void {
  // Text typed since the address was written must not be lost.
  if (search !== running.written) searchState.value = readSearch(search);
  else if (!isArriving) return;
  begin();
}

function begin(): void {
  const state = searchState.value;
  // Only the latest query counts: the answer to an earlier one would replace the pending one.
  running.request?.abort();
  running.written = writeSearch(state);
  if (route.value.view === "search") navigate(`/${running.written}`, { replace: true });
  if (state.query.trim() === "") {
    answer.value = null;
    isSearching.value = false;
    return;
  }
  const request = new AbortController();
  running.request = request;
  isSearching.value = true;
  api
    .search(state, request.signal)
    .then((value) => {
      if (request.signal.aborted) return;
      answer.value = { to: state, value };
      failure.value = null;
    })
    .catch((error: unknown) => {
      if (!request.signal.aborted) report(error);
    })
    .finally(() => {
      if (running.request === request) isSearching.value = false;
    });
}
