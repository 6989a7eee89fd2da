/**
 * `npm run docs:pictures`: runs the commands of a first recall in a terminal and draws their output as
 * docs/images/terminal.svg. Needs `script` (util-linux), which provides the pseudo-terminal.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const columns = 92;

/** The commands of the picture; test/docs.test.ts runs them, too, and checks for this output. */
export const shownCommands: readonly { readonly args: readonly string[]; readonly shows: string }[] = [
  { args: ["init"], shows: "MEMORY.md" },
  { args: ["add", "We ship on Fridays only.", "--to", "long-term"], shows: "MEMORY.md:3" },
  { args: ["add", "The cluster for staging is in Helsinki now."], shows: ".md:3" },
  { args: ["search", "when do we ship?"], shows: "We ship on Fridays only." },
  { args: ["search", "which city hosts staging?"], shows: "Helsinki" },
];

export interface Piece {
  readonly text: string;
  /** CSS classes: a colour, `bold`, `dim`, `underline`. */
  readonly style: readonly string[];
}

/** Parses terminal output into lines of styled spans. */
export function readAnsi(output: string): Piece[][] {
  const visible = output
    .replaceAll(/\u001b\]8;[^\u001b\u0007]*(?:\u001b\\|\u0007)/g, "")
    .replaceAll("\r\n", "\n")
    // A progress bar is overwritten until it is erased.
    .replaceAll(/[^\n]*\r\u001b\[2K/g, "");
  let style: readonly string[] = [];
  return visible.split("\n").map((line) =>
    [...line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)].flatMap(({ 1: codes, 2: text }) => {
      if (text !== undefined) return [{ text, style }];
      for (const code of (codes || "0").split(";").map(Number)) style = applyCode(style, code);
      return [];
    }),
  );
}

const colors: Readonly<Record<number, string>> = {
  31: "red",
  32: "green",
  33: "yellow",
  34: "blue",
  35: "magenta",
  36: "cyan",
};
const attributes: Readonly<Record<number, string>> = { 1: "bold", 2: "dim", 4: "underline" };

function applyCode(style: readonly string[], code: number): readonly string[] {
  const without = (names: readonly string[]) => style.filter((name) => !names.includes(name));
  if (code === 0) return [];
  if (code === 22) return without(["bold", "dim"]);
  if (code === 24) return without(["underline"]);
  if (code === 39) return without(Object.values(colors));
  const color = colors[code];
  if (color !== undefined) return [...without(Object.values(colors)), color];
  const attribute = attributes[code];
  return attribute === undefined ? style : [...style, attribute];
}

export function drawTerminal(lines: readonly (readonly Piece[])[]): string {
  const [charWidth, lineHeight, margin, top] = [8.4, 20, 20, 52];
  const width = Math.ceil(columns * charWidth + 2 * margin);
  const height = top + lines.length * lineHeight + 12;
  const rows = lines.map((pieces, index) => {
    const spans = pieces.map(({ text, style }) =>
      style.length === 0 ? escapeXml(text) : `<tspan class="${style.join(" ")}">${escapeXml(text)}</tspan>`,
    );
    return `<text x="${margin}" y="${top + (index + 0.5) * lineHeight}" xml:space="preserve">${spans.join("")}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A first recall with longhand on a terminal">
<style>
  text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #24292f; }
  .window { fill: #f6f8fa; stroke: #d0d7de; } .dot { fill: #c3cad1; }
  .bold { font-weight: 700; } .dim { fill: #656d76; } .underline { text-decoration: underline; }
  .red { fill: #b3261e; } .green { fill: #1a7f37; } .yellow { fill: #7d5600; }
  .blue { fill: #0969da; } .magenta { fill: #8250df; } .cyan { fill: #0b6e7c; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .window { fill: #161b22; stroke: #30363d; } .dot { fill: #484f58; } .dim { fill: #8d96a0; }
    .red { fill: #ff7b72; } .green { fill: #56d364; } .yellow { fill: #e3b341; }
    .blue { fill: #79c0ff; } .magenta { fill: #d2a8ff; } .cyan { fill: #56d4dd; }
  }
</style>
<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
${[20, 40, 60].map((x) => `<circle class="dot" cx="${x + 4}" cy="22" r="6"/>`).join("")}
${rows.join("\n")}
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** As a user would type it. */
export function typed(args: readonly string[]): string {
  return ["longhand", ...args.map((word) => (/^[\w.-]+$/.test(word) ? word : `"${word}"`))].join(" ");
}

/** The built command, because starting it from its sources takes several times as long. */
function buildPackage(place: string): string {
  mkdirSync(place);
  execFileSync(process.execPath, [join(root, "scripts", "build.ts"), join(place, "dist")], {
    stdio: "ignore",
  });
  cpSync(join(root, "package.json"), join(place, "package.json"));
  for (const name of ["models", "node_modules"]) symlinkSync(join(root, name), join(place, name));
  return join(place, "dist", "cli", "bin.js");
}

function record(): Piece[][] {
  const home = mkdtempSync(join(tmpdir(), "longhand-picture-"));
  const project = join(home, "my-project");
  mkdirSync(project);
  try {
    const cli = `'${process.execPath}' '${buildPackage(join(home, "package"))}'`;
    return shownCommands.flatMap(({ args }) => {
      const command = `stty cols ${columns}; ${cli} ${args.map((word) => `'${word}'`).join(" ")}`;
      const output = execFileSync("script", ["-qec", command, "/dev/null"], {
        cwd: project,
        env: { PATH: process.env["PATH"], HOME: home, TERM: "xterm-256color", LANG: "C.UTF-8" },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
      });
      // The temporary folder differs in each run.
      const told = output.replaceAll(project, "~/my-project").replaceAll(home, "~").trimEnd();
      return [
        [
          { text: "$ ", style: ["green"] },
          { text: typed(args), style: ["bold"] },
        ],
        ...readAnsi(told),
        [],
      ];
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const file = join(root, "docs", "images", "terminal.svg");
  mkdirSync(join(root, "docs", "images"), { recursive: true });
  writeFileSync(file, drawTerminal(record().slice(0, -1)));
  console.log("wrote docs/images/terminal.svg");
}
