import path from "node:path";
import { resolveSettings } from "../../config/settings.ts";
import { LonghandError } from "../../errors.ts";
import { createModels, type ModelList, type Models } from "../../memory/local-models.ts";
import { formatBytes } from "../../text/figures.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import type { View } from "../output.ts";
import { withProgress } from "../progress-bar.ts";
import { locationsOf } from "../with-memory.ts";

interface ModelsInput {
  readonly action: string;
  readonly model?: string;
  readonly from?: string;
}

export async function runModels(context: CommandContext, input: ModelsInput): Promise<void> {
  const { output, globals } = context;
  if (input.action !== "install" && (input.model ?? input.from) !== undefined) throw tooMuch(input.action);
  const settings = await resolveSettings(locationsOf(globals));
  const models = createModels(settings);
  switch (input.action) {
    case "install": {
      await install(context, models, input);
      const { provider } = settings.memorySearch;
      if (provider !== "local" && provider !== "auto")
        output.note(`The provider is ${provider}; to embed on this machine: longhand init --provider local`);
      return;
    }
    case "path": {
      const found = models.path();
      output.show(found, () => found.path);
      if (!found.exists) output.note("Not installed yet. Fetch it with `longhand models install`.");
      return;
    }
    default: {
      const list = await models.list();
      output.show(list, (view) => renderList(list, view));
      if (list.models.length === 0) {
        output.note(
          `There are no model files in ${list.modelCacheDir}. Fetch one with \`longhand models install\`.`,
        );
      }
    }
  }
}

async function install(
  { output, signal, currentDir }: CommandContext,
  models: Models,
  { model, from }: ModelsInput,
): Promise<void> {
  const installed = await withProgress(output.bar, (progress) =>
    models.install({
      model: model === undefined || /^(?:hf|https?):/i.test(model) ? model : path.resolve(currentDir, model),
      from: from === undefined ? undefined : path.resolve(currentDir, from),
      signal,
      progress: progress.report,
    }),
  );
  output.show(installed, () => installed.path);
  const size = formatBytes(installed.sizeBytes);
  output.note(installed.alreadyThere ? `Already installed (${size}).` : `Installed (${size}).`);
  if (model !== undefined && installed.path !== models.path().path) {
    output.note(`To use it, set local.modelPath to ${showOnOneLine(installed.path)}`);
  }
}

function renderList({ models, modelCacheDir }: ModelList, { paint }: View): string {
  const lines = models.map((model) => {
    const shown = model.path.startsWith(`${modelCacheDir}${path.sep}`)
      ? path.relative(modelCacheDir, model.path)
      : model.path;
    const marks = [
      model.state === "ready" ? `${model.dimensions} dimensions` : "",
      model.state === "partial" ? "not complete; install continues it" : "",
      model.inUse ? paint("green", "in use") : model.configured ? "configured" : "",
    ].filter((mark) => mark !== "");
    const problem = model.problem === undefined ? "" : `\n  ${paint("red", showOnOneLine(model.problem))}`;
    return `${paint("bold", showOnOneLine(shown))}  ${[formatBytes(model.sizeBytes), ...marks].join(", ")}${problem}`;
  });
  return lines.length === 0 ? "" : [paint("dim", showOnOneLine(modelCacheDir)), ...lines].join("\n");
}

function tooMuch(action: string): LonghandError {
  return new LonghandError("usage", `\`longhand models ${action}\` takes no further arguments.`, {
    hint: `Write \`longhand models ${action}\`; a model or --from FILE is for \`longhand models install\`.`,
  });
}
