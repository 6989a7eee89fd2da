import type { PendingRecovery } from "../consolidate/undo-receipt.ts";
import { LonghandError, messageOf } from "../errors.ts";
import type { ForgetRequest, ForgetResult } from "../forget/forget.ts";
import { labelLayer } from "../search/layered-searcher.ts";
import type { SearchAnswer, SearchOptions } from "../search/search.ts";
import { inUserLayer, isUserPath, pathInLayer, toUserPath } from "../text/layer-path.ts";
import { override } from "../text/override.ts";
import {
  joinForgets,
  joinRepairs,
  joinSyncs,
  joinTags,
  joinVerifies,
  nameForget,
  nameHit,
  nameLinks,
  nameRecovery,
  nameUsage,
} from "./join-reports.ts";
import type { Memory } from "./memory.ts";
import type { AddOptions } from "./note-requests.ts";
import type { UserLayerStatus } from "./status.ts";
import { createUserAccess, named, noUserMemory, type UserMemory } from "./user-memory.ts";

/**
 * The project's memory combined with the user's. Paths of the user's notes start with `user:`, and every call that
 * takes a path accepts them. Shared sessions never reach them.
 */
export function createLayeredMemory(
  project: Memory,
  user: UserMemory,
  { backend }: { readonly backend: "builtin" | "qmd" },
): Memory {
  const { checkPrivate, openFor, memoryFor } = createUserAccess(project, user);
  const close = async (): Promise<void> => {
    try {
      await project.close();
    } finally {
      await user.close();
    }
  };
  /** Runs a call on the layer that the path names. The user's memory has no sessions: only its owner gets there. */
  async function onLayerOf<R extends { sessionKey?: string | undefined }, T extends { path: string }>(
    path: string,
    request: R,
    call: (memory: Memory, path: string, request: Omit<R, "sessionKey">) => Promise<T>,
  ): Promise<T> {
    if (!isUserPath(path)) return await call(project, path, request);
    const memory = await openFor(path, request.sessionKey);
    const { sessionKey: _, ...own } = request;
    const result = await named(() => call(memory, pathInLayer(path), own));
    return inUserLayer(result);
  }

  async function add(text: string, options: AddOptions = {}): ReturnType<Memory["add"]> {
    const { scope, sessionKey, ...entry } = options;
    const to = entry.to ?? "long-term";
    if (scope !== "user" && !isUserPath(to)) return await project.add(text, options);
    if (scope === "project") throw refuseBothLayers(to);
    checkPrivate(to, sessionKey);
    if (entry.origin !== undefined && !project.workspace.isTrusted)
      throw refuseUntrusted(project.workspace.dir);
    const { memory } = await user.make();
    const written = await named(() => memory.add(text, { ...entry, to: pathInLayer(to) }));
    const { supersedes } = written;
    return { ...inUserLayer(written), ...(supersedes && { supersedes: inUserLayer(supersedes) }) };
  }

  async function search(query: string, request: SearchOptions = {}): Promise<SearchAnswer> {
    if (request.sessionKey !== undefined) project.checkSession(request.sessionKey);
    if (request.scope === "user") return await searchUser(query, request);
    if (backend !== "qmd" || request.scope === "project") return await project.search(query, request);
    // qmd has its own scores, so the user's memory is searched separately.
    const own = await project.search(query, { ...request, scope: "project" });
    if ((await memoryFor(request.sessionKey)) === null) return own;
    const theirs = await searchUser(query, request);
    const results = [...own.results.map(labelLayer), ...theirs.results].sort((a, b) => b.score - a.score);
    const surer = theirs.confidence > own.confidence ? theirs : own;
    return {
      ...own,
      results: results.slice(0, request.maxResults ?? project.limits.maxResults),
      confidence: surer.confidence,
      confidenceLevel: surer.confidenceLevel,
      degraded: [...own.degraded, ...theirs.degraded],
      stale: own.stale || theirs.stale,
    };
  }

  async function searchUser(query: string, request: SearchOptions): Promise<SearchAnswer> {
    const memory = await memoryFor(request.sessionKey);
    if (memory === null) return noUserMemory(request, user.dir);
    const { sessionKey: _, scope: __, path, whyNot, ...own } = request;
    const answer = await named(() =>
      memory.search(query, {
        ...own,
        ...(path !== undefined && { path: pathInLayer(path) }),
        ...(whyNot !== undefined && { whyNot: pathInLayer(whyNot) }),
      }),
    );
    return {
      ...answer,
      results: answer.results.map(nameHit),
      ...(answer.whyNot && { whyNot: inUserLayer(answer.whyNot) }),
    };
  }

  async function forget(request: ForgetRequest): Promise<ForgetResult> {
    const { sessionKey, signal, dryRun } = request;
    const options = { signal, dryRun };
    if ("path" in request) {
      if (!isUserPath(String(request.path))) return await project.forget(request);
      const memory = await openFor(request.path, sessionKey);
      const { sessionKey: _, ...own } = request;
      return nameForget(await named(() => memory.forget({ ...own, path: pathInLayer(request.path) })));
    }
    if ("passages" in request) {
      const theirs = request.passages.filter(({ path }) => isUserPath(path));
      if (theirs.length === 0) return await project.forget(request);
      const memory = await openFor(theirs[0]!.path, sessionKey);
      const ours = request.passages.filter(({ path }) => !isUserPath(path));
      const results: ForgetResult[] = [];
      if (ours.length > 0) results.push(await project.forget({ ...request, passages: ours }));
      const passages = theirs.map((passage) => ({ ...passage, path: pathInLayer(passage.path) }));
      results.push(nameForget(await named(() => memory.forget({ ...options, passages }))));
      return joinForgets(results);
    }
    const memory = await memoryFor(sessionKey);
    if (memory === null) return await project.forget(request);
    const { sessionKey: _, ...own } = request;
    // Both layers are checked before anything is removed, so a request that one of them refuses changes nothing.
    if (!dryRun) await memory.forget({ ...own, dryRun: true });
    const ours = await project.forget(request);
    return joinForgets([ours, nameForget(await named(() => memory.forget(own)))]);
  }

  async function describeUser(): Promise<{ userLayer?: UserLayerStatus; pending: PendingRecovery[] }> {
    const nothing = { workspaceDir: user.dir, files: 0, chunks: 0, dirty: false, dbPath: "" };
    try {
      const status = await (await user.get())?.memory.status();
      if (status === undefined) return { pending: [] };
      const { workspaceDir, files, chunks, dirty, dbPath } = status;
      const pending = status.pendingRecoveries.map(nameRecovery);
      return { userLayer: { workspaceDir, files, chunks, dirty, dbPath }, pending };
    } catch (error) {
      if (!(error instanceof LonghandError)) throw error;
      return { userLayer: { ...nothing, problem: error.message }, pending: [] };
    }
  }

  return override(project, {
    search,
    add,
    forget,
    async readFile({ relPath, ...request }) {
      return await onLayerOf(relPath, request, (memory, path, own) =>
        memory.readFile({ ...own, relPath: path }),
      );
    },
    async readNote({ path, ...request }) {
      if (!isUserPath(path)) return await project.readNote({ path, ...request });
      const memory = await openFor(path, request.sessionKey);
      const note = await named(() => memory.readNote({ path: pathInLayer(path) }));
      return note && inUserLayer(note);
    },
    editNote: ({ path, ...request }) =>
      onLayerOf(path, request, (memory, inLayer, own) => memory.editNote({ ...own, path: inLayer })),
    async listNotes(request = {}) {
      const ours = await project.listNotes(request);
      const memory = await memoryFor(request.sessionKey);
      if (memory === null) return ours;
      const theirs = await memory.listNotes({ signal: request.signal });
      return [
        ...ours.map((note) => ({ ...note, layer: "project" as const })),
        ...theirs.map((note) => ({
          ...inUserLayer(note),
          layer: "user" as const,
          scope: "private" as const,
        })),
      ];
    },
    async findNote(name, request = {}) {
      const ours = await project.findNote(name, request);
      if (ours !== null) return ours;
      const theirs = await (await memoryFor(request.sessionKey))?.findNote(name);
      return theirs ? toUserPath(theirs) : null;
    },
    async links(path, request = {}) {
      if (!isUserPath(path)) return await project.links(path, request);
      const memory = await openFor(path, request.sessionKey);
      return nameLinks(await named(() => memory.links(pathInLayer(path))));
    },
    async tags(request = {}) {
      const ours = await project.tags(request);
      const theirs = await (await memoryFor(request.sessionKey))?.tags();
      return theirs ? joinTags(ours, theirs) : ours;
    },
    async usage(request = {}) {
      const { path, sessionKey, signal } = request;
      if (path !== undefined && isUserPath(path)) {
        const memory = await openFor(path, sessionKey);
        return nameUsage(await named(() => memory.usage({ path: pathInLayer(path) })));
      }
      const ours = await project.usage(request);
      if (path !== undefined) return ours;
      const theirs = await (await memoryFor(sessionKey))?.usage({ signal });
      return theirs ? { ...ours, notes: [...ours.notes, ...nameUsage(theirs).notes] } : ours;
    },
    async listIndexed() {
      const [ours, theirs] = [await project.listIndexed(), await (await user.get())?.memory.listIndexed()];
      if (!ours || !theirs) return ours;
      return [...ours, ...theirs.map(inUserLayer)];
    },
    async sync(request) {
      const report = await project.sync(request);
      const memory = (await user.get())?.memory;
      if (memory === undefined) return report;
      try {
        return joinSyncs(report, await memory.sync(request));
      } catch (error) {
        if (!(error instanceof LonghandError) || error.code === "aborted") throw error;
        return {
          ...report,
          degraded: [...report.degraded, `the user's memory is not indexed: ${error.message}`],
        };
      }
    },
    async watch(request) {
      const ours = await project.watch(request);
      const theirs = await (await user.get())?.memory
        .watch(
          request &&
            override(request, { onEvent: (event) => event.kind !== "mode" && request.onEvent?.(event) }),
        )
        .catch((error: unknown) => {
          request?.onEvent?.({
            kind: "warning",
            message: `the user's memory is not watched: ${messageOf(error)}`,
          });
        });
      return {
        async [Symbol.asyncDispose]() {
          await Promise.all([ours[Symbol.asyncDispose](), theirs?.[Symbol.asyncDispose]()]);
        },
      };
    },
    async status() {
      const [status, { pending, ...beside }] = await Promise.all([project.status(), describeUser()]);
      return { ...status, ...beside, pendingRecoveries: [...status.pendingRecoveries, ...pending] };
    },
    async verify(request) {
      const ours = await project.verify(request);
      const theirs = await (await user.get())?.memory.verify(request);
      return theirs ? joinVerifies(ours, theirs) : ours;
    },
    async checkIndex() {
      const theirs = (await (await user.get())?.memory.checkIndex()) ?? [];
      return [...(await project.checkIndex()), ...theirs.map((problem) => `the user's memory: ${problem}`)];
    },
    async repair(request) {
      const ours = await project.repair(request);
      const theirs = await (await user.get())?.memory.repair(request);
      return theirs ? joinRepairs(ours, theirs) : ours;
    },
    close,
    [Symbol.asyncDispose]: close,
  });
}

function refuseBothLayers(to: string): LonghandError {
  return new LonghandError("entry-invalid", `${to} is a note of the user, and the scope says project.`, {
    hint: "Leave the scope out, or name a note of the project.",
  });
}

/** The user's memory is trusted in every project, so untrusted notes must not make an agent write to it. */
function refuseUntrusted(dir: string): LonghandError {
  return new LonghandError(
    "path-outside-memory",
    `The workspace ${dir} is not trusted, so agents in it cannot write to the user's memory.`,
    { hint: "Look at its notes, then run: longhand trust. Until then write to the project." },
  );
}
