import { computed, signal } from "@preact/signals";
import { api, type MarkedAnswer } from "../api.ts";
import { navigate, pageLocation, route } from "../state/location.ts";
import { failure, report } from "../state/memory-state.ts";
import { readSearch, type SearchState, writeSearch } from "./search-address.ts";

/** As typed; the address and the answer follow a moment later. */
export const wanted = signal<SearchState>(
  readSearch(route.value.view === "search" ? pageLocation.value.search : ""),
);
export const answer = signal<{ readonly to: SearchState; readonly value: MarkedAnswer } | null>(null);
export const isSearching = signal(false);

/** The state of the search, whatever view is open. */
export const searchAddress = computed(() => `/${writeSearch(wanted.value)}`);

export const hits = computed(() => answer.value?.value.results ?? []);

/** The hit that is shown beside the list, by its key; the first one when it is not among the hits. */
export const previewed = signal("");

/** Whether the hits are those of the question in the box, and not of one before it. */
export const isAnswered = computed(
  () => answer.value !== null && writeSearch(answer.value.to) === writeSearch(wanted.value),
);

const pauseMs = 120;
const running: {
  timer?: ReturnType<typeof setTimeout>;
  request?: AbortController;
  /** The search that was last put into the address from here. */
  written?: string;
} = {};

/** Changes what is searched for; the search begins when typing pauses. */
export function want(change: Partial<SearchState>, { atOnce = false }: { atOnce?: boolean } = {}): void {
  wanted.value = { ...wanted.value, ...change };
  clearTimeout(running.timer);
  running.timer = setTimeout(begin, atOnce ? 0 : pauseMs);
}

/** Takes the search from the address. Whoever comes back to it finds the notes as they are by now. */
export function followAddress(search: string, { isArriving }: { isArriving: boolean }): void {
  // What was typed since it was written there must not be lost.
  if (search !== running.written) wanted.value = readSearch(search);
  else if (!isArriving) return;
  begin();
}

function begin(): void {
  const state = wanted.value;
  // Only the latest question counts: an answer to an earlier one would replace what is on its way.
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
