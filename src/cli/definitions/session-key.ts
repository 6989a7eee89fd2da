import type { OptionDefinition } from "../command.ts";

export const sessionKey: OptionDefinition = {
  flags: "--session-key <KEY>",
  type: { kind: "text" },
  description: "who asks; in a group or channel session private notes stay private",
};
