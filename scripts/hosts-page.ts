import { relative } from "node:path";
import type { HostScope } from "../src/hosts/host.ts";
import { type HostEntry, hostList } from "../src/hosts/host-list.ts";
import { hostSetup } from "../src/hosts/hosts.ts";
import { checkTitles } from "../test/hosts/check-titles.ts";
import results from "../test/hosts/results.json" with { type: "json" };
import { replaceSection } from "./replace-section.ts";

/** docs/hosts.md: the files that `init` writes for each host, from the setups themselves. */
export function withHostTables(page: string): string {
  return replaceSection(replaceSection(page, "hosts", hostTable()), "host tests", testTable());
}

/** The results of `npm run test:hosts -- --write`. */
function testTable(): string {
  const { day, load, cores, hosts } = results as HostResults;
  const titles = Object.entries(checkTitles);
  const rows = hosts.map(({ name, version, checks }) => {
    const title = hostList.find((host) => host.name === name)?.title;
    const cells = titles.map(([check]) =>
      checks[check] === undefined ? "–" : checks[check] ? "yes" : "**no**",
    );
    return `| ${title} ${version} | ${cells.join(" | ")} |`;
  });
  return [
    `Result of \`npm run test:hosts\` on ${day}, at a load of ${load.least} to ${load.greatest} on ${cores} cores:`,
    "",
    `| host | ${titles.map(([, title]) => title).join(" | ")} |`,
    `|---|${titles.map(() => "---|").join("")}`,
    ...rows,
  ].join("\n");
}

interface HostResults {
  readonly day: string;
  readonly load: { readonly least: number; readonly greatest: number };
  readonly cores: number;
  readonly hosts: readonly {
    readonly name: string;
    readonly version: string;
    readonly checks: Readonly<Record<string, boolean>>;
  }[];
}

function hostTable(): string {
  const rows = hostList.map((host) => {
    const [project, user] = [filesOf(host, "project"), filesOf(host, "user")];
    return `| \`longhand init --${host.name}\` | ${project} | ${user === project ? "the same" : user} |`;
  });
  return ["| command | writes in the project | with `--user` |", "|---|---|---|", ...rows].join("\n");
}

/** No folder of this machine may get into the page. */
const projectDir = "/project";
const userHome = "/home";

function filesOf({ name, home }: (typeof hostList)[number] & HostEntry, scope: HostScope): string {
  const { parts, steps } = hostSetup(name, {
    scope,
    projectDir,
    hostHome: `${userHome}/${home.folder}`,
    launch: { command: "longhand", args: [] },
    options: [],
    allowsTools: true,
  });
  const files = [...Map.groupBy(parts, ({ path }) => path)].map(([path, inFile]) => {
    const isOnlyConsent = inFile.every(({ purpose }) => purpose === "permissions");
    const isInHome = path.startsWith(userHome);
    const shown = isInHome ? `~/${relative(userHome, path)}` : relative(projectDir, path);
    return `\`${shown}\`${isOnlyConsent ? " (with `--allow-tools`)" : ""}`;
  });
  const isAsked = steps.some((step) => step.startsWith("Add the MCP server: "));
  return [files.join(", "), ...(isAsked ? ["prints the command that adds the server"] : [])]
    .filter((text) => text !== "")
    .join("; ");
}
