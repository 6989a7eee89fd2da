import { existsSync } from "node:fs";
import { type DescribedSetting, describeSettings, selectSettings } from "../../config/describe.ts";
import { createConfigSchema } from "../../config/json-schema.ts";
import { findConfigPath } from "../../config/locations.ts";
import { resolveSettings } from "../../config/settings.ts";
import { LonghandError } from "../../errors.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import type { View } from "../output.ts";
import { readAll } from "../read-input.ts";
import { locationsOf } from "../with-memory.ts";

interface ConfigInput {
  readonly action?: string;
  readonly key?: string;
  readonly value?: string;
  readonly project?: boolean;
  readonly user?: boolean;
}

export async function runConfig(context: CommandContext, input: ConfigInput): Promise<void> {
  const { action, key } = input;
  const { output, globals } = context;
  const locations = locationsOf(globals);
  refuseWords(input);
  switch (action) {
    case undefined: {
      const resolved = await resolveSettings(locations);
      const settings = describeSettings(resolved);
      output.show(settings, (view) => renderSettings(settings, view));
      for (const { key, reason } of resolved.unsupportedSettings) {
        output.note(`Not used: ${showOnOneLine(key)}: ${showOnOneLine(reason)}.`);
      }
      return;
    }
    case "get": {
      if (key === undefined) throw missingKey("get");
      const { exact, settings } = selectSettings(await resolveSettings(locations), key);
      const [first] = settings;
      if (exact && first !== undefined) output.show(first, () => renderValue(first.value));
      else output.show(settings, (view) => renderSettings(settings, view));
      return;
    }
    case "set":
    case "unset":
      await change(context, input);
      return;
    case "schema": {
      const schema = createConfigSchema();
      output.show(schema, () => JSON.stringify(schema, null, 2));
      return;
    }
    case "path": {
      const path = findConfigPath(locations);
      const exists = existsSync(path);
      output.show({ path, exists }, () => path);
      if (!exists)
        output.note(
          "The file does not exist yet; `longhand config set` creates it. Until then every setting has its default.",
        );
      return;
    }
    default:
      throw wrongWords(action, undefined);
  }
}

async function change(context: CommandContext, { action, key, value, ...scope }: ConfigInput): Promise<void> {
  if (key === undefined) throw missingKey(action!);
  if (action === "set" && value === undefined) throw missingValue(key);
  const { changeSetting } = await import("../edit-config.ts");
  // A dash reads the value from standard input, which keeps a key out of the shell history.
  const text = value === "-" ? await readValue(context) : value;
  const changed = await changeSetting(context, { key, value: text, ...scope });
  const { output } = context;
  const { isOverridden, isShared, ...shown } = changed;
  output.show(shown, (view) => renderSettings([changed], view));
  const own = isShared
    ? `this project with its clones and worktrees (${changed.agent})`
    : `this memory alone (agent ${changed.agent})`;
  const whose = changed.scope === "project" ? own : "all your memories";
  const done =
    action === "set" ? `Set for ${whose}.` : `Unset for ${whose}; the value above is now in effect.`;
  output.note(changed.changed ? done : action === "set" ? "Already set to this." : "It was not set there.");
  if (isOverridden) {
    const why = `this memory uses another value, from ${showOnOneLine(changed.origin)}`;
    output.note(`${output.paintNote("yellow", "note:")} ${why}. Change that one with --project.`);
  }
}

const maxValueBytes = 64 * 1024;

async function readValue(context: CommandContext): Promise<string> {
  const bytes = await readAll(context, maxValueBytes);
  if (bytes !== null) return bytes.toString("utf8").replace(/^\ufeff|\r?\n$/g, "");
  throw new LonghandError("usage", "The value on standard input is over 64 KiB.", {
    hint: "Write one value, such as a key, to standard input.",
  });
}

function refuseWords({ action, key, value, project, user }: ConfigInput): void {
  const isChange = action === "set" || action === "unset";
  if ((project || user) && !isChange) {
    throw new LonghandError(
      "usage",
      "--project and --user say where `config set` and `config unset` write.",
      {
        hint: "Leave it out, or name what to change.",
      },
    );
  }
  if (key !== undefined && action !== "get" && !isChange) throw wrongWords(action ?? "", key);
  if (value !== undefined && action !== "set") throw wrongWords(action ?? "", `${key} ${value}`);
}

/** Formatted like a configuration file; values that differ from their defaults stand out. */
function renderSettings(settings: readonly DescribedSetting[], { paint, width }: View): string {
  const lines = settings.map(({ key, value, origin }) => {
    const isDefault = origin === "default";
    const room = Math.max(20, width - key.length - origin.length - 7);
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

function missingKey(action: string): LonghandError {
  const value = action === "set" ? " 10" : "";
  return new LonghandError("usage", `\`longhand config ${action}\` needs the key of a setting.`, {
    hint: `Write for example \`longhand config ${action} memorySearch.query.maxResults${value}\`; \`longhand config\` lists all.`,
  });
}

function missingValue(key: string): LonghandError {
  return new LonghandError("usage", `\`longhand config set ${key}\` needs a value.`, {
    hint: `See the current value with \`longhand config get ${key}\`; remove it with \`longhand config unset ${key}\`.`,
  });
}

function wrongWords(action: string, key: string | undefined): LonghandError {
  const words = [action, ...(key === undefined ? [] : [key])].join(" ");
  return new LonghandError("usage", `\`longhand config ${words}\` is not understood.`, {
    hint: `Write \`longhand config\`, \`longhand config get ${key ?? (action.includes(".") ? action : "KEY")}\`, \`… set KEY VALUE\`, \`… unset KEY\`, \`… schema\` or \`… path\`.`,
  });
}
