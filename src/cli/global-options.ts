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
    description: "the agent whose memory to use, as configured",
  },
  { flags: "--config <FILE>", type: { kind: "file" }, description: "the configuration file to use" },
  {
    flags: "--state-dir <DIR>",
    type: { kind: "folder" },
    description: "the folder for configuration and index (default: ~/.longhand)",
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
    "the caller's session: agent:ID:… selects the memory of that agent; in a group or channel, private notes stay hidden",
};
