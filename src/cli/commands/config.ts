import { existsSync } from "node:fs";
import { type DescribedSetting, describeSettings, selectSettings } from "../../config/describe.ts";
import { createConfigSchema } from "../../config/json-schema.ts";
import { findConfigPath } from "../../config/places.ts";
import { resolveSettings } from "../../config/settings.ts";
import { LonghandError } from "../../errors.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import type { View } from "../output.ts";
import { placeOf } from "../with-memory.ts";

export interface ConfigInput {
  readonly action?: string;
  readonly key?: string;
}

export async function runConfig(context: CommandContext, { action, key }: ConfigInput): Promise<void> {
  const { output, globals } = context;
  const place = placeOf(globals);
  if (key !== undefined && action !== "get") throw wrongWords(action ?? "", key);
  switch (action) {
    case undefined: {
      const resolved = await resolveSettings(place);
      const settings = describeSettings(resolved);
      output.show(settings, (view) => renderSettings(settings, view));
      for (const { key, reason } of resolved.leftSettings) {
        output.note(`Not used: ${showOnOneLine(key)}: ${showOnOneLine(reason)}.`);
      }
      return;
    }
    case "get": {
      if (key === undefined) throw missingKey();
      const { exact, settings } = selectSettings(await resolveSettings(place), key);
      const [first] = settings;
      if (exact && first !== undefined) output.show(first, () => renderValue(first.value));
      else output.show(settings, (view) => renderSettings(settings, view));
      return;
    }
    case "schema": {
      const schema = createConfigSchema();
      output.show(schema, () => JSON.stringify(schema, null, 2));
      return;
    }
    case "path": {
      const path = findConfigPath(place);
      const exists = existsSync(path);
      output.show({ path, exists }, () => path);
      if (!exists)
        output.note("It is not there yet; `longhand init` makes one. Until then all defaults hold.");
      return;
    }
    default:
      throw wrongWords(action, undefined);
  }
}

/** Looks like a configuration: what differs from the defaults stands out. */
function renderSettings(settings: readonly DescribedSetting[], { paint, width }: View): string {
  const lines = settings.map(({ key, value, origin }) => {
    const isDefault = origin === "default";
    const room =
      width === null ? Number.POSITIVE_INFINITY : Math.max(20, width - key.length - origin.length - 7);
    const shown = cut(showOnOneLine(JSON.stringify(value)), room);
    const line = `${isDefault ? key : paint("bold", key)} = ${isDefault ? shown : paint("green", shown)}`;
    return `${line}  ${paint("dim", `# ${showOnOneLine(origin)}`)}`;
  });
  return lines.join("\n");
}

function renderValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function cut(text: string, room: number): string {
  return text.length > room ? `${text.slice(0, room - 1)}…` : text;
}

function missingKey(): LonghandError {
  return new LonghandError("usage", "`longhand config get` needs the key of a setting.", {
    hint: "Write for example `longhand config get memorySearch.query.maxResults`; `longhand config` lists all.",
  });
}

function wrongWords(action: string, key: string | undefined): LonghandError {
  const words = [action, ...(key === undefined ? [] : [key])].join(" ");
  return new LonghandError("usage", `\`longhand config ${words}\` is not understood.`, {
    hint: `Write \`longhand config\`, \`longhand config get ${key ?? (action.includes(".") ? action : "KEY")}\`, \`… schema\` or \`… path\`.`,
  });
}
