import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import preact from "@preact/preset-vite";
import { build, type Rolldown } from "vite";
import { licenceTexts, packagesOf } from "./licences.ts";

const root = path.join(import.meta.dirname, "..");
const pageDir = path.join(root, "src", "web", "page");

export interface PageBundle {
  readonly outDir: string;
  readonly scripts: readonly { readonly name: string; readonly gzipBytes: number }[];
}

/** Builds the page into static files, from the sources and the installed packages alone. */
export async function buildPage({
  outDir = path.join(root, "dist", "web", "page"),
}: {
  outDir?: string;
} = {}): Promise<PageBundle> {
  const lean = (name: string) => path.join(pageDir, "markdown", "lean", name);
  const { output } = (await build({
    root: pageDir,
    configFile: false,
    envDir: false,
    logLevel: "warn",
    publicDir: false,
    plugins: [preact({ devToolsEnabled: false, prefreshEnabled: false })],
    resolve: {
      // Half of markdown-it's size is tables that every browser has, and the detection of bare links.
      alias: {
        entities: lean("entities.ts"),
        "linkify-it": lean("linkify-it.ts"),
        "uc.micro": lean("uc-micro.ts"),
      },
    },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2023",
      // The server's content security policy allows no inline script, and current browsers preload modules themselves.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  })) as Rolldown.RolldownOutput;
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  writeFileSync(path.join(outDir, "licences.txt"), licenceTexts(packagesOf(modules)));
  const scripts = readdirSync(outDir, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => ({ name, gzipBytes: gzipSync(readFileSync(path.join(outDir, name))).length }));
  return { outDir, scripts };
}
