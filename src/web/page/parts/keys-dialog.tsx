import { closeDialog, openedDialog } from "../state/dialogs.ts";
import { keyHelp } from "../state/keys.ts";
import { Dialog } from "./dialog.tsx";

export function KeysDialog() {
  if (openedDialog.value !== "keys") return null;
  return (
    <Dialog title="Keys" onClose={() => closeDialog("keys")}>
      <dl class="keys">
        {keyHelp.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
