import { homeOf } from "./expand-path.ts";
import { findHostPlaces } from "./host-places.ts";
import { findOpenclawDirs } from "./openclaw-places.ts";
import type { Environment } from "./variables.ts";

/** Where agent hosts keep the conversations of this user. */
export function findTranscriptPlaces(env: Environment = process.env) {
  const places = findHostPlaces(env);
  return {
    home: homeOf(env),
    codexHome: places.homeOf({ folder: ".codex", variable: { name: "CODEX_HOME", folder: "" } }),
    opencodeHome: places.homeOf({
      folder: ".local/share/opencode",
      variable: { name: "XDG_DATA_HOME", folder: "opencode" },
    }),
    openclawDirs: findOpenclawDirs(env),
  };
}
