import { LonghandError } from "../errors.ts";
import { type CheckGroup, unwell, well } from "./check.ts";

export const checkConfiguration: CheckGroup = ({ settings }) => {
  if (settings instanceof LonghandError) return [unwell("config", settings.message, settings.hint)];
  const { configPath, disabled, leftSettings } = settings;
  const where = configPath ?? "no file; every setting has its default";
  const unused = leftSettings.map(({ key, reason }) => `${key} (${reason})`).join(", ");
  if (!disabled) return [well("config", unused === "" ? where : `${where}; not used: ${unused}`)];
  const fix = 'Set memorySearch.enabled to true and plugins.slots.memory to "memory-core".';
  return [unwell("config", `${where}: memory is switched off`, fix)];
};
