import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { findOpenclawDirs, locateHosts, locateTranscripts, namedOpenclawFile } from "./host-locations.ts";

const home = resolve("/home/ines");
const elsewhere = resolve("/data");

test("a host's own variable sets the location of its transcripts and settings", () => {
  const plain = locateTranscripts({ HOME: home, USERPROFILE: home });
  assert.equal(plain.codexHome, join(home, ".codex"));
  assert.equal(plain.opencodeHome, join(home, ".local", "share", "opencode"));
  const moved = locateTranscripts({
    HOME: home,
    USERPROFILE: home,
    CODEX_HOME: elsewhere,
    XDG_DATA_HOME: elsewhere,
    OPENCLAW_STATE_DIR: elsewhere,
  });
  assert.equal(moved.codexHome, elsewhere);
  assert.equal(moved.opencodeHome, join(elsewhere, "opencode"));
  assert.equal(moved.openclawDirs[0], elsewhere);
});

test("a variable may name the folder above a host's settings", () => {
  const { homeOf } = locateHosts({ HOME: home, USERPROFILE: home, GEMINI_CLI_HOME: elsewhere });
  const gemini = { folder: ".gemini", variables: [{ name: "GEMINI_CLI_HOME", folder: ".gemini" }] };
  assert.equal(homeOf(gemini), join(elsewhere, ".gemini"));
  assert.equal(homeOf({ folder: ".cursor" }), join(home, ".cursor"));
});

test("OpenClaw's own variables name its home, its state folder and its configuration", () => {
  const base = { HOME: home, USERPROFILE: home };
  assert.equal(findOpenclawDirs(base)[0], join(home, ".openclaw"));
  assert.equal(namedOpenclawFile(base), null);
  const env = { ...base, OPENCLAW_HOME: "~/claw", OPENCLAW_CONFIG_PATH: "~/claw.json" };
  assert.equal(findOpenclawDirs(env)[0], join(home, "claw", ".openclaw"));
  assert.equal(namedOpenclawFile(env), join(home, "claw.json"));
  assert.equal(findOpenclawDirs({ ...env, OPENCLAW_STATE_DIR: elsewhere })[0], elsewhere);
});
