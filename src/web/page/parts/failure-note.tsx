import { failure } from "../state/memory-state.ts";
import { WithCode } from "./with-code.tsx";

/** What went wrong last, and what to do about it. */
export function FailureNote() {
  const found = failure.value;
  if (found === null) return null;
  return (
    <div class="failure" role="alert">
      <p>
        <strong>
          <WithCode text={found.message} />
        </strong>{" "}
        <WithCode text={found.hint} />
      </p>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          failure.value = null;
        }}
      >
        Close
      </button>
    </div>
  );
}
