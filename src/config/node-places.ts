/** What has to be known to look for a Node; all of it is given, so that tests can build a machine. */
export interface NodeSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly arch: string;
  readonly home: string;
  /** The folder of this package, for a Node that npm installed beside it. */
  readonly packageDir: string;
}

/** A folder that holds one folder for each version, and where the program lies in such a folder. */
interface VersionFolder {
  readonly dir: string;
  readonly inside: string;
}

/**
 * Where version managers keep their Nodes, and the line that installs one with each. Loaded only on a Node that is too
 * old for the rest, so it imports nothing.
 */
export const versionManagers: readonly {
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

/** Programs at fixed places: on the PATH first, then what npm or Homebrew installed. */
export function fixedPlaces(place: NodeSurroundings): readonly string[] {
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

export function programName(platform: string): string {
  return platform === "win32" ? "node.exe" : "node";
}

/** Where the line of `adviceForNode` puts one on a machine without a version manager. */
export function ownNodeDir(home: string): string {
  return `${home}/.longhand/node`;
}

function ancestors(dir: string): string[] {
  const parts = dir.replaceAll("\\", "/").split("/");
  return parts
    .map((_, index) => parts.slice(0, parts.length - index).join("/"))
    .filter((each) => each !== "");
}
