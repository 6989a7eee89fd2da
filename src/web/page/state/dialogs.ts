import { signal } from "@preact/signals";

export type DialogName = "add" | "connect" | "keys" | "palette";

/** The dialog that is open, of those that can be opened from everywhere. */
export const openedDialog = signal<DialogName | null>(null);

export function openDialog(name: DialogName): void {
  openedDialog.value = name;
}

/** What tells of its closing comes late: another one may be open by then, and stays. */
export function closeDialog(name: DialogName): void {
  if (openedDialog.value === name) openedDialog.value = null;
}
