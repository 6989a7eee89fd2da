import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { systemErrorCode } from "../errors.ts";
import type { Route } from "../http/listen.ts";
import { renderPlainPage } from "../http/plain-page.ts";
import { type RefusalCode, refusalBody, refusals } from "../http/refusals.ts";
import { packageFile } from "../package-files.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
};

/** The folder of the built page. */
export function pageFolder(): string {
  return packageFile("dist", "web", "page");
}

/**
 * Serves the files of the page. Only a plain name, or one below `assets`, is looked up, so no path leaves the folder.
 * Any other path is a view of the page, which does its own routing.
 */
export function createPageRoute(folder: string): Route {
  return async ({ method }, response, { pathname }) => {
    const send = (status: number, headers: Record<string, string>, body: string | Buffer): void => {
      response.writeHead(status, headers);
      response.end(method === "HEAD" ? undefined : body);
    };
    const refuse = (code: RefusalCode, headers: Record<string, string>): void =>
      send(refusals[code].status, { "content-type": "application/json", ...headers }, refusalBody(code));
    if (method !== "GET" && method !== "HEAD") {
      return refuse("method-not-allowed", { allow: "GET, HEAD" });
    }
    const name = /^\/((?:assets\/)?[\w-][\w.-]*)$/.exec(pathname)?.[1];
    const type = name === undefined ? undefined : types[extname(name)];
    const file = name === undefined || type === undefined ? null : await read(join(folder, name));
    if (file !== null && type !== undefined) {
      // The name of an asset contains a hash of its content.
      const isHashed = name?.startsWith("assets/") ?? false;
      const caching = isHashed ? "private, max-age=31536000, immutable" : "no-cache";
      return send(200, { "content-type": type, "cache-control": caching }, file);
    }
    if (pathname.startsWith("/assets/") || pathname === "/favicon.ico") {
      return refuse("not-found", { "cache-control": "no-store" });
    }
    const index = await read(join(folder, "index.html"));
    const headers = { "content-type": types[".html"]!, "cache-control": "no-cache" };
    if (index !== null) return send(200, headers, index);
    return send(200, headers, renderPlainPage({ title: "longhand", paragraphs: notBuilt }));
  };
}

const notBuilt = [
  "The page is not built in this checkout: run `npm run build`, then open it again. The API works without it.",
];

async function read(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes(systemErrorCode(error) ?? "")) return null;
    throw error;
  }
}
