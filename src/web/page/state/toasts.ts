import { signal } from "@preact/signals";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly href?: string;
  /** Undoes what the message reports. */
  readonly undo?: () => void;
}

export const toasts = signal<readonly Toast[]>([]);

const shownMs = 8000;

export function showToast(text: string, more: Pick<Toast, "href" | "undo"> = {}): void {
  const id = (toasts.value.at(-1)?.id ?? 0) + 1;
  toasts.value = [...toasts.value.slice(-2), { id, text, ...more }];
  setTimeout(() => dismissToast(id), shownMs);
}

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
