import { LonghandError } from "../errors.ts";

/** For a call that comes, or is still running, when its index is closed: nothing is wrong with the index itself. */
export function closedIndexError(): LonghandError {
  return new LonghandError("aborted", "Could not use the index: it is closed.", {
    hint: "Open the memory again with openMemory, and close it when no call is left.",
  });
}
