import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import remapping from "@jridgewell/remapping";
import MagicString from "magic-string";
import { parseAst } from "rolldown/parseAst";

const root = join(import.meta.dirname, "..");

/**
 * Makes Node cache the compiled form of the functions that a cold command runs. Its compile cache holds a module as it is
 * right after loading, when V8 has compiled only the top-level code, so each process would compile a thousand functions
 * again. V8 eagerly compiles a function in parentheses, because most of those are called at once. So the most common
 * commands are run, and the functions that they use are put in parentheses.
 */
export function compileUsedFunctionsEagerly(dist: string): void {
  refuseCycles(join(dist, "parts"));
  for (const [file, used] of findUsedFunctions(dist)) {
    const code = readFileSync(file, "utf8");
    const eager = putInParentheses(code, (start, end) => used.has(`${start}-${end}`));
    writeFileSync(file, eager.toString());
    // Code that the bundler itself adds has no source.
    if (!existsSync(`${file}.map`)) continue;
    const steps = [eager.generateMap({ hires: "boundary" }), JSON.parse(readFileSync(`${file}.map`, "utf8"))];
    writeFileSync(`${file}.map`, remapping(steps as Parameters<typeof remapping>[0], () => null).toString());
  }
}

type SyntaxNode = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;

/**
 * Turns used functions into expressions in parentheses. Declarations move to the start of their block, where the language
 * hoists their values anyway. Methods of classes, accessors and generators stay as they are.
 */
export function putInParentheses(code: string, isUsed: (start: number, end: number) => boolean): MagicString {
  const edited = new MagicString(code);
  const wrap = ({ start, end }: SyntaxNode, before = "(", after = ")"): void => {
    edited.appendRight(start, before);
    edited.appendLeft(end, after);
  };

  function visitDeclaration(node: SyntaxNode, statementsStart: number | null): void {
    if (statementsStart === null) return;
    wrap(node, `var ${(node["id"] as { name: string }).name}=(`, ");\n");
    if (node.start > statementsStart) edited.move(node.start, node.end, statementsStart);
  }

  /** V8 ignores parentheses around `async () => …`, so it becomes a function if that is equivalent. */
  function visitExpression(node: SyntaxNode): void {
    const text = code.slice(node.start, node.end);
    const isAsyncArrow = node.type === "ArrowFunctionExpression" && node["async"];
    if (!isAsyncArrow || /\b(?:this|arguments|super|new\.target)\b/.test(text)) {
      wrap(node);
      return;
    }
    const body = node["body"] as SyntaxNode;
    const isBlock = body.type === "BlockStatement";
    const arrow = code.lastIndexOf("=>", body.start);
    edited.update(node.start, node.start + "async".length, "async function");
    edited.update(arrow, arrow + "=>".length, isBlock ? " " : "{return ");
    wrap(node, "(", isBlock ? ")" : "})");
    const [parameter] = node["params"] as SyntaxNode[];
    if (/^async\s*\(/.test(text) || parameter === undefined) return;
    edited.appendRight(parameter.start, "(");
    edited.appendLeft(parameter.end, ")");
  }

  function visitMethod(property: SyntaxNode): void {
    const value = property["value"] as SyntaxNode;
    if (property["kind"] !== "init" || value["generator"]) return;
    const key = property["key"] as SyntaxNode;
    const name = code.slice(key.start, key.end);
    const kind = value["async"] ? "async function" : "function";
    edited.overwrite(property.start, value.start, `${property["computed"] ? `[${name}]` : name}:(${kind}`);
    edited.appendLeft(value.end, ")");
  }

  /** `statementsStart`: where declarations may move to, if the node is a statement of a module or a function. */
  function visit(node: SyntaxNode, statementsStart: number | null, role?: "body" | "method"): void {
    const { type, start, end } = node;
    const isTaken = isUsed(start, end) && !node["generator"];
    if (type === "FunctionDeclaration" && isTaken) visitDeclaration(node, statementsStart);
    const isExpression = type === "ArrowFunctionExpression" || type === "FunctionExpression";
    if (isExpression && role !== "method" && isTaken) visitExpression(node);
    if (type === "Property" && node["method"] && isTaken) visitMethod(node);
    for (const [key, child] of Object.entries(node)) {
      if (isNode(child)) visit(child, null, roleOf(node, key));
      if (!Array.isArray(child)) continue;
      const nodes = child.filter(isNode);
      const areStatements = key === "body" && (type === "Program" || role === "body");
      for (const each of nodes) visit(each, areStatements ? startOfStatements(nodes) : null);
    }
  }

  visit(parseAst(code) as unknown as SyntaxNode, null);
  return edited;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function roleOf({ type, method, kind }: SyntaxNode, key: string): "body" | "method" | undefined {
  if (key === "body" && /Function/.test(type)) return "body";
  const isMethod = type === "MethodDefinition" || (type === "Property" && (method || kind !== "init"));
  return key === "value" && isMethod ? "method" : undefined;
}

/** After imports and directives. */
function startOfStatements(statements: readonly SyntaxNode[]): number | null {
  const isFirst = (node: SyntaxNode): boolean => node.type !== "ImportDeclaration" && !node["directive"];
  return statements.find(isFirst)?.start ?? null;
}

/** In a cycle of modules, one may call a hoisted function of another before that module has run. */
function refuseCycles(parts: string): void {
  const done = new Set<string>();
  const visit = (name: string, importers: readonly string[]): void => {
    if (importers.includes(name))
      throw new Error(`Parts import each other: ${[...importers, name].join(" → ")}`);
    if (done.has(name)) return;
    done.add(name);
    const code = readFileSync(join(parts, name), "utf8");
    for (const [, other] of code.matchAll(/^(?:import|export)[^"]*?"\.\/([^"]+)"/gm))
      visit(other!, [...importers, name]);
  };
  for (const name of readdirSync(parts)) if (name.endsWith(".js")) visit(name, []);
}

/** The ranges of functions that ran in common commands, by file. */
function findUsedFunctions(dist: string): Map<string, Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), "longhand-used-"));
  try {
    runCommonCommands(dist, folder);
    const found = new Map<string, Set<string>>();
    for (const name of readdirSync(join(folder, "coverage"), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".json")) continue;
      const { result } = JSON.parse(readFileSync(join(folder, "coverage", name), "utf8")) as Coverage;
      for (const { url, functions } of result) {
        const file = url.startsWith("file:") ? fileURLToPath(url) : "";
        if (!file.startsWith(join(dist, "parts"))) continue;
        if (dirname(name) === "brief" && notInBrief.test(basename(file)))
          throw new Error(
            `A search or the hook of a prompt loads ${basename(file)}, which it does not need.`,
          );
        const used = found.get(file) ?? new Set();
        found.set(file, used);
        for (const { ranges } of functions) {
          const [whole] = ranges;
          if (whole && whole.count > 0) used.add(`${whole.startOffset}-${whole.endOffset}`);
        }
      }
    }
    if (found.size === 0) throw new Error("No function of the package was used.");
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const settledMs = 2200;

/** Chunks that a search and the hook of a prompt do without: each would take some hundredths of their time. */
const notInBrief = /^(?:masking|transcripts)-/;

/** The format that Node writes with `NODE_V8_COVERAGE`. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { startOffset: number; endOffset: number; count: number }[];
    }[];
  }[];
}

/** The commands that hosts and people start most, on notes that compare many similar lines. */
function runCommonCommands(dist: string, folder: string): void {
  const workspace = join(folder, "notes");
  cpSync(join(root, "quality", "workspace"), workspace, { recursive: true });
  // Notes that have just been written are read again by each search.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, settledMs);
  const places = ["--workspace", workspace, "--state-dir", join(folder, "state")];
  const run = (
    argv: readonly string[],
    { input = "", coverage = "others" }: { input?: string; coverage?: "brief" | "others" | null } = {},
  ): void => {
    const own = Object.entries(process.env).filter(([name]) => !/^(?:LONGHAND|XDG|NODE)_/.test(name));
    const env = {
      ...Object.fromEntries(own),
      HOME: folder,
      USERPROFILE: folder,
      NODE_V8_COVERAGE: coverage === null ? undefined : join(folder, "coverage", coverage),
    };
    const command = [join(dist, "cli", "bin.js"), ...argv, ...places];
    const { status, stderr } = spawnSync(process.execPath, command, { env, input, encoding: "utf8" });
    if (status !== 0) throw new Error(`longhand ${argv.join(" ")} ended with ${status}: ${stderr}`);
  };
  // With a setting, names, numbers, other scripts, and superseded lines.
  const questions = [
    "Which foods is the user allergic to?",
    "when did we plant potatoes and how many kilos came out?",
    "who wants awnings for the hall?",
    "Odile: Three lots of two hundred, decided on 2026-06-11",
    "When is the office closed now?",
    "Who is Bartek",
  ];
  const config = join(folder, "longhand.json5");
  writeFileSync(config, '{"agents": {"defaults": {"memorySearch": {"provider": "builtin"}}}}');
  const event = (more: object): string => JSON.stringify({ cwd: workspace, session_id: "build", ...more });
  run(["trust"], { coverage: null });
  run(["index"], { coverage: null });
  for (const asked of questions) run(["search", asked, "--config", config], { coverage: "brief" });
  run(["hook", "session-start", "--within", "60"], { input: event({ source: "startup" }) });
  for (const prompt of questions)
    run(["hook", "user-prompt", "--within", "60"], { input: event({ prompt }), coverage: "brief" });
  const call = (id: number, method: string, params: object): string =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const client = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "build", version: "1" },
  };
  const search = { name: "memory_search", arguments: { query: questions[0] } };
  run(["mcp"], { input: call(1, "initialize", client) + call(2, "tools/call", search) });
}
