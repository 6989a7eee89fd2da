import { showHidden } from "../../../text/visible.ts";
import { dismissToast, toasts } from "../state/toasts.ts";

/** Short news about what was just done, also read out. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, href }) => (
        <div class="toast" key={id}>
          <span>{showHidden(text)}</span>
          {href === undefined ? null : (
            <a href={href} onClick={() => dismissToast(id)}>
              Show
            </a>
          )}
          <button
            type="button"
            class="quiet"
            onClick={() => dismissToast(id)}
            aria-label="Close this message"
          >
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
