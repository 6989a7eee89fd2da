import type { Cue } from "./cue.ts";
import { deadlineCues } from "./deadlines.ts";
import { decisionCues } from "./decisions.ts";
import { identifierCues } from "./identifiers.ts";
import { identityCues } from "./identities.ts";
import { preferenceCues } from "./preferences.ts";

/**
 * Phrases by which people say what is settled, liked, who they are, when something is due, and what a thing is called.
 * They are families of wording rather than sentences: who, does what, from when on. English first; then German,
 * Spanish, French, Chinese and Japanese.
 */
export const cues: readonly Cue[] = [
  ...decisionCues,
  ...preferenceCues,
  ...identityCues,
  ...deadlineCues,
  ...identifierCues,
];
