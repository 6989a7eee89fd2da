import { LonghandError } from "../../errors.ts";
import type { CommandContext } from "../command.ts";
import { commands } from "../commands.ts";
import { globalOptions } from "../global-options.ts";
import { completionScript, type Shell, shells } from "../shell-completion.ts";

export async function runCompletion({ output }: CommandContext, { shell }: { shell: string }): Promise<void> {
  if (!shells.some((each) => each === shell)) {
    throw new LonghandError("usage", `There is no completion for the shell ${JSON.stringify(shell)}.`, {
      hint: `Write one of: ${shells.join(", ")}.`,
    });
  }
  const script = completionScript(shell as Shell, { commands, globalOptions });
  output.show({ shell, script }, () => script);
}
