import { signal } from "@preact/signals";

export type DialogName = "add" | "keys";

/** The dialog that is open, of those that can be opened from everywhere. */
export const openedDialog = signal<DialogName | null>(null);

export function openDialog(name: DialogName): void {
  openedDialog.value = name;
}

export function closeDialog(): void {
  openedDialog.value = null;
}
