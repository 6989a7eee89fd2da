import { signal } from "@preact/signals";

type DialogName = "add" | "connect" | "keys" | "palette";

/** Which of the global dialogs is open. */
export const openedDialog = signal<DialogName | null>(null);

export function openDialog(name: DialogName): void {
  openedDialog.value = name;
}

/** The close event arrives late, when another dialog may already be open; that one stays open. */
export function closeDialog(name: DialogName): void {
  if (openedDialog.value === name) openedDialog.value = null;
}
