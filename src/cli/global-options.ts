import type { OptionDefinition } from "./command.ts";

/** Accepted before and after every command. */
export const globalOptions: readonly OptionDefinition[] = [
  {
    flags: "--workspace <DIR>",
    type: { kind: "folder" },
    description: "the folder that holds MEMORY.md and memory/",
  },
  {
    flags: "--agent <ID>",
    type: { kind: "name" },
    description: "whose memory: an agent of the configuration",
  },
  { flags: "--config <FILE>", type: { kind: "file" }, description: "another configuration file" },
  {
    flags: "--state-dir <DIR>",
    type: { kind: "folder" },
    description: "configuration and index (default: ~/.longhand)",
  },
  { flags: "--json", description: "print one JSON value on stdout, failures too" },
  { flags: "--quiet", description: "print data and errors only" },
  { flags: "--no-color", description: "print without colours and links" },
  { flags: "--debug", description: "print versions; on failure also code, cause and stack" },
];

export const sessionKey: OptionDefinition = {
  flags: "--session-key <KEY>",
  type: { kind: "name" },
  description:
    "who asks: agent:ID:… means the memory of that agent, and in a group or channel session private notes stay private",
};
