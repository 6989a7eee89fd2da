import type { CommandContext } from "../command.ts";
import { createProgress } from "../progress-bar.ts";
import { renderVerify } from "../render-verify.ts";
import { withMemory } from "../with-memory.ts";

export async function runVerify(context: CommandContext): Promise<void> {
  const { output, signal } = context;
  await withMemory(context, async (memory) => {
    const progress = createProgress(output.bar);
    const report = await memory.verify({ signal, progress: progress.report }).finally(progress.clear);
    output.show(report, (view) => renderVerify(report, view));
    if (report.equal) return;
    context.markFailed();
    output.note(output.paintNote("dim", "Repair the index with: longhand status --fix"));
  });
}
