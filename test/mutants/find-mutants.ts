import { parseAst } from "rolldown/parseAst";
import type { Mutant } from "./mutant.ts";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

type Replace = (part: { start: number; end: number }, replacement: string) => void;

const operators = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["===", "!=="],
  ["!==", "==="],
  ["&&", "||"],
  ["||", "&&"],
  ["??", "&&"],
  ["+", "-"],
  ["-", "+"],
  ["*", "/"],
  ["/", "*"],
]);

const methods = new Map([
  ["every", "some"],
  ["some", "every"],
  ["min", "max"],
  ["max", "min"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["floor", "ceil"],
  ["ceil", "floor"],
]);

/** Every mutant of a file, by its place in the text. Types are left alone: no test can notice them. */
export function findMutants(source: string): Mutant[] {
  const mutants: Mutant[] = [];
  const replace: Replace = ({ start, end }, replacement) => {
    const line = source.slice(0, start).split("\n").length;
    const change = `${shorten(source.slice(start, end))} → ${shorten(replacement) || "nothing"}`;
    mutants.push({ start, end, replacement, line, change });
  };
  visit(parseAst(source, { lang: "ts" }) as unknown as Node, (node) => mutate(node, source, replace));
  return mutants.sort((a, b) => a.start - b.start);
}

function mutate(node: Node, source: string, replace: Replace): void {
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression": {
      const other = operators.get(node["operator"] as string);
      // `"a" + b` joins texts; the difference of two texts fails at once and says nothing about the tests.
      if (other === undefined || (node["operator"] === "+" && /["'`]/.test(textOf(node, source)))) return;
      const [left, right] = [node["left"] as Node, node["right"] as Node];
      const at = source.indexOf(node["operator"] as string, left.end);
      if (at < right.start) replace({ start: at, end: at + (node["operator"] as string).length }, other);
      return;
    }
    case "UnaryExpression":
      if (node["operator"] === "!") replace({ start: node.start, end: node.start + 1 }, "!!");
      return;
    case "Literal":
      if (typeof node["value"] === "boolean") replace(node, String(!node["value"]));
      else if (typeof node["value"] === "number") replace(node, node["value"] === 0 ? "1" : "0");
      return;
    case "IfStatement":
    case "ConditionalExpression":
      replace(node["test"] as Node, "true");
      replace(node["test"] as Node, "false");
      return;
    case "ExpressionStatement":
      if (isCall(node["expression"] as Node)) replace(node, ";");
      return;
    case "CallExpression": {
      const callee = node["callee"] as Node;
      const property = callee["property"] as Node | undefined;
      const other = methods.get((property?.["name"] as string) ?? "");
      if (callee.type === "MemberExpression" && property && other) replace(property, other);
    }
  }
}

function isCall(node: Node): boolean {
  return (
    node.type === "CallExpression" || (node.type === "AwaitExpression" && isCall(node["argument"] as Node))
  );
}

function visit(node: Node, look: (node: Node) => void): void {
  if (node.type.startsWith("TS") && !hasValue.has(node.type)) return;
  look(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === "object" && child !== null && "type" in child) visit(child as Node, look);
    }
  }
}

/** Nodes of TypeScript that hold an expression. */
const hasValue = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

function textOf({ start, end }: Node, source: string): string {
  return source.slice(start, end);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 50 ? line : `${line.slice(0, 49)}…`;
}
