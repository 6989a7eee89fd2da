import type { MemoryStatus } from "../../status.ts";
import type { CommandContext } from "../command.ts";
import { withMemory } from "../open.ts";
import { renderStatus } from "../render-status.ts";

export async function runStatus(context: CommandContext): Promise<void> {
  const { output, now } = context;
  await withMemory(context, async (memory) => {
    const status: MemoryStatus = await memory.status();
    output.show(status, (view) => renderStatus(status, { view, now }));
    if (status.dirty) output.note(output.paintNote("dim", "Index the changes with: longhand index"));
  });
}
