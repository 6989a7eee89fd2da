import { closeDialog, openedDialog } from "../state/dialogs.ts";
import { status } from "../state/memory-state.ts";
import { tell } from "../state/toasts.ts";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icon.tsx";

/** The command that connects each agent host to this memory. */
export function ConnectDialog() {
  const known = status.value;
  if (openedDialog.value !== "connect" || known === null) return null;
  const copy = async (command: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(command);
      tell(`Copied ${command}`);
    } catch {
      tell(`This browser does not let the page copy. The command is ${command}`);
    }
  };
  return (
    <Dialog title="Connect an agent" onClose={() => closeDialog("connect")}>
      <p>
        Run one of these in <code>{known.workspaceDir}</code>. The agent can then search this memory and add
        to it. Each command shows what it will change before it changes anything.
      </p>
      <ul class="commands">
        {known.server.hosts.map(({ title, command }) => (
          <li key={title}>
            <span>{title}</span>
            <code>{command}</code>
            <button
              type="button"
              class="quiet square"
              aria-label={`Copy the command for ${title}`}
              onClick={() => copy(command)}
            >
              <Icon name="copy" />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
