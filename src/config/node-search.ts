import type { NodeSearch } from "./find-node.ts";

/** This machine, for `findNode`. Node's modules are imported here and now: the build's shortcut needs a newer Node. */
export async function nodeSearch(
  isSuitable: (version: string) => boolean,
  packageDir: string,
): Promise<NodeSearch> {
  const [{ spawnSync }, fs, { homedir }] = await Promise.all([
    import("node:child_process"),
    import("node:fs"),
    import("node:os"),
  ]);
  return {
    env: process.env,
    platform: process.platform,
    arch: process.arch,
    home: homedir(),
    packageDir,
    isSuitable,
    list: (dir) => {
      try {
        return fs.readdirSync(dir);
      } catch {
        return [];
      }
    },
    exists: (file) => fs.existsSync(file),
    versionOf: (file) => {
      const { status, stdout } = spawnSync(file, ["--version"], { encoding: "utf8", timeout: 5000 });
      return status === 0 ? stdout.trim().replace(/^v/, "") : null;
    },
  };
}
