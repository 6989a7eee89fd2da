import assert from "node:assert/strict";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { isAgentId, projectIdFor } from "./agent-id.ts";
import { findRepository, normaliseRemote, withoutScheme } from "./repository.ts";
import { resolveSettings } from "./settings.ts";

const first = "1f".repeat(20);
const initial = `${"0".repeat(40)} ${first} A <a@example.org> 1700000000 +0000\tcommit (initial): begin\n`;

function makeFixture(t: TestContext) {
  const folder = makeTemporaryFolder(t);
  const write = (name: string, text: string): string => {
    mkdirSync(dirname(folder.at(name)), { recursive: true });
    writeFileSync(folder.at(name), text);
    return folder.at(name);
  };
  /** The layout after `git init` and `git remote add origin`. */
  const repository = (name: string, { origin, log = "" }: { origin?: string; log?: string } = {}): string => {
    write(`${name}/.git/HEAD`, "ref: refs/heads/main\n");
    const remote =
      origin === undefined ? "" : `[remote "origin"]\n\turl = ${origin}\n\tfetch = +refs/heads/*\n`;
    write(
      `${name}/.git/config`,
      `[core]\n\tbare = false\n[remote "fork"]\n\turl = https://x.org/f\n${remote}`,
    );
    if (log !== "") write(`${name}/.git/logs/HEAD`, log);
    return folder.at(name);
  };
  /** The layout after `git worktree add`. */
  const worktree = (name: string, of: string): string => {
    write(`${name}/.git`, `gitdir: ${folder.at(of)}/.git/worktrees/w\n`);
    write(`${of}/.git/worktrees/w/HEAD`, "ref: refs/heads/other\n");
    write(`${of}/.git/worktrees/w/commondir`, "../..\n");
    return folder.at(name);
  };
  const idOf = (path: string): string | null => {
    const found = findRepository(path);
    return found && projectIdFor(found);
  };
  return { ...folder, write, repository, worktree, idOf };
}

suite("The project of a folder", () => {
  test("is the same in every clone and worktree, and another one elsewhere", (t) => {
    const { repository, worktree, idOf, write } = makeFixture(t);
    const clone = repository("a/shop", { origin: "git@github.com:Acme/shop.git" });
    const other = repository("b/else", { origin: "https://token@github.com/acme/shop" });
    const tree = worktree("c/branch", "a/shop");
    assert.equal(idOf(clone), idOf(other));
    assert.equal(idOf(clone), idOf(tree));
    assert.match(idOf(clone)!, /^shop-[0-9a-f]{10}$/);
    assert.ok(!JSON.stringify(findRepository(other)).includes("token"));
    assert.notEqual(idOf(clone), idOf(repository("d", { origin: "https://github.com/acme/other" })));
    // A nested workspace, the same in both.
    for (const top of ["a/shop", "c/branch"]) write(`${top}/docs/team/MEMORY.md`, "");
    assert.equal(idOf(join(clone, "docs/team")), idOf(join(tree, "docs/team")));
    assert.notEqual(idOf(join(clone, "docs/team")), idOf(clone));
    assert.match(idOf(join(clone, "docs/team"))!, /^team-/);
  });

  test("without a remote is named by its first commit, wherever it is moved", (t) => {
    const { repository, worktree, idOf, at } = makeFixture(t);
    const top = repository("notes", { log: `${initial}${first} ${"2".repeat(40)} A\tcommit: more\n` });
    const id = idOf(top);
    assert.equal(findRepository(top)?.key, `commit ${first}`);
    assert.equal(idOf(worktree("tree", "notes")), id);
    assert.equal(idOf(repository("copy", { origin: top })), id, "a clone of the folder");
    assert.equal(idOf(repository("url", { origin: pathToFileURL(top).href })), id);
    renameSync(top, at("moved"));
    assert.match(findRepository(at("moved"))!.key, /^commit /);
    const cloned = repository("log", { log: `${"0".repeat(40)} ${first} A\tclone: from x\n` });
    assert.match(findRepository(cloned)!.key, /^folder /);
  });

  test("is null outside a repository, and hostile content in .git does no harm", (t) => {
    const { makeFolder, write, idOf, repository, at } = makeFixture(t);
    assert.equal(idOf(makeFolder("plain")), null);
    write("broken/.git", "gitdir: /nowhere/at/all\n");
    write("long/.git", `gitdir: ${"x".repeat(10_000)}\n`);
    write("empty/.git/other", "");
    for (const name of ["broken", "long", "empty"]) assert.equal(idOf(at(name)), null, name);
    const huge = repository("huge");
    writeFileSync(
      join(huge, ".git/config"),
      `[remote "origin"]\nurl = https://x.org/a\n${"#".repeat(300_000)}`,
    );
    assert.match(findRepository(huge)!.key, /^folder /);
    // Two folders that are each other's origin.
    repository("one", { origin: at("two") });
    repository("two", { origin: at("one") });
    assert.ok(isAgentId(idOf(at("one"))!));
    for (const name of ["../../../etc", "$(touch x)", "a\u0000b", "x".repeat(500), "…"]) {
      const id = idOf(
        repository(`odd/${Buffer.from(name).toString("hex").slice(0, 20)}`, {
          origin: `https://h.org/${name}`,
        }),
      );
      assert.ok(isAgentId(id!), name);
    }
    if (process.platform !== "win32") {
      mkdirSync(at("link"));
      symlinkSync(join(huge, ".git"), at("link/.git"));
      assert.equal(idOf(at("link")), null);
    }
  });

  test("equivalent spellings of an address are the same project", () => {
    for (const remote of [
      "git@github.com:acme/shop.git",
      "github.com:acme/shop",
      "ssh://git@github.com/acme/shop.git",
      "ssh://git@github.com:22/acme/shop",
      "https://github.com/acme/shop.git/",
      "https://user:secret@GitHub.com:443/Acme/Shop",
      "git://github.com//acme/shop.git",
      "http://github.com/acme/shop?x=1",
    ])
      assert.equal(normaliseRemote(remote), "github.com/acme/shop", remote);
    assert.equal(normaliseRemote("ssh://git@host:2222/a/b"), "host:2222/a/b");
    for (const local of [
      "/srv/shop.git",
      "../shop",
      "file:///srv/shop",
      "C:\\shop",
      "C:/shop",
      "",
      "https://",
      "x:",
    ])
      assert.equal(normaliseRemote(local), null, local);
    fc.assert(
      fc.property(fc.string(), (remote) => {
        const address = normaliseRemote(remote);
        assert.ok(address === null || !/^[a-z]+:\/\//.test(address));
      }),
    );
  });
});

suite("Settings of a project", () => {
  const list = (id: string, maxResults: number) => ({ id, memorySearch: { query: { maxResults } } });

  test("hold in its clones and worktrees, which keep agents of their own; a named agent wins", async (t) => {
    const { repository, worktree, idOf, at } = makeFixture(t);
    const clone = repository("a/shop", { origin: "git@github.com:acme/shop.git" });
    const tree = worktree("b", "a/shop");
    const plain = repository("c", { origin: "https://github.com/acme/other" });
    const id = idOf(clone)!;
    const resolve = (workspace: string, entries: object[], agent?: string) =>
      resolveSettings({
        workspace,
        stateDir: at("state"),
        env: {},
        overrides: { agents: { list: entries as never } },
        ...(agent && { agent }),
      });
    const [one, two] = [await resolve(clone, [list(id, 11)]), await resolve(tree, [list(id, 11)])];
    for (const { memorySearch, project } of [one, two]) {
      assert.equal(memorySearch.query.maxResults, 11);
      assert.equal(project?.id, id);
    }
    assert.notEqual(one.agentId, two.agentId);
    assert.notEqual(one.memorySearch.store.path, two.memorySearch.store.path);
    assert.equal((await resolve(plain, [list(id, 11)])).memorySearch.query.maxResults, 6);
    const named = await resolve(clone, [list(id, 11), list("work", 12)], "work");
    assert.deepEqual([named.memorySearch.query.maxResults, named.project], [12, null]);
    // The entry of the folder itself.
    const own = await resolve(clone, [list(id, 11), { ...list("mine", 13), workspace: clone }]);
    assert.deepEqual([own.agentId, own.memorySearch.query.maxResults, own.project], ["mine", 13, null]);
  });
});

test("a clone of a file URL belongs to the folder that the URL names", () => {
  assert.equal(withoutScheme("file:///srv/shop", "linux"), "/srv/shop");
  assert.equal(withoutScheme("file:///C:/repos/shop", "win32"), "C:/repos/shop");
  assert.equal(withoutScheme("file://nas/repos/shop", "win32"), "//nas/repos/shop");
  for (const platform of ["linux", "win32"] as const)
    for (const path of ["../shop", "C:\\repos\\shop"]) assert.equal(withoutScheme(path, platform), path);
});
