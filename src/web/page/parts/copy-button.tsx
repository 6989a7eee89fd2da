import { showToast } from "../state/toasts.ts";
import { Icon } from "./icon.tsx";

/** Copies a command. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  return (
    <button type="button" class="quiet square" aria-label={name} onClick={() => copyText(text)}>
      <Icon name="copy" />
    </button>
  );
}

/** Copies and reports it. If the browser refuses, the message contains the text, to be copied by hand. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(`Copied ${text}`);
  } catch {
    showToast(`This browser blocked copying. Copy this by hand: ${text}`);
  }
}
