import { tell } from "../state/toasts.ts";
import { Icon } from "./icon.tsx";

/** Copies a command. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  return (
    <button type="button" class="quiet square" aria-label={name} onClick={() => copyText(text)}>
      <Icon name="copy" />
    </button>
  );
}

/** Copies and says so. Some browsers refuse: then the text is in the message, to be copied by hand. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(`Copied ${text}`);
  } catch {
    tell(`This browser does not let the page copy. Copy this by hand: ${text}`);
  }
}
