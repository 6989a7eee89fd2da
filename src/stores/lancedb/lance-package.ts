import { createRequire } from "node:module";
import { loadOptionalPackage } from "../optional-package.ts";

export type Lance = typeof import("@lancedb/lancedb");
export type Arrow = typeof import("apache-arrow");
export type LanceConnection = import("@lancedb/lancedb").Connection;
export type LanceTable = import("@lancedb/lancedb").Table;
export type FullTextQuery = import("@lancedb/lancedb").FullTextQuery;
export type ArrowTable = import("apache-arrow").Table;
export type ArrowSchema = import("apache-arrow").Schema;

export interface LoadLanceOptions {
  /** What needs the package, as the start of a sentence: `memory_store`, `store.driver "lancedb"`. */
  readonly user: string;
  /** Lets tests name a package that does not exist. */
  readonly packageName?: string;
}

/** The only place that imports LanceDB: an optional package with native code, loaded on first use. */
export function loadLance({
  user,
  packageName: name = "@lancedb/lancedb",
}: LoadLanceOptions): Promise<Lance> {
  return loadOptionalPackage({ user, name, install: `${name} ${arrowToInstall}` }, () => import(name));
}

/**
 * Arrow holds rows on their way in and out of LanceDB. LanceDB accepts only objects of its own copy, so the package is
 * resolved from there.
 */
export function loadArrow(user: string): Promise<Arrow> {
  const install = `@lancedb/lancedb ${arrowToInstall}`;
  return loadOptionalPackage({ user, name: "apache-arrow", install }, () => {
    const fromHere = createRequire(import.meta.url);
    return createRequire(fromHere.resolve("@lancedb/lancedb"))("apache-arrow");
  });
}

const arrowToInstall = "apache-arrow@18";
