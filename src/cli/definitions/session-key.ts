import type { OptionDefinition } from "../command.ts";

export const sessionKey: OptionDefinition = {
  flags: "--session-key <KEY>",
  type: { kind: "text" },
  description:
    "who asks: agent:ID:… means the memory of that agent, and in a group or channel session private notes stay private",
};
