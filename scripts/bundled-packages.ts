import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packagesListed } from "./licences.ts";

/** `name@version` of each package whose code is in the built package. */
export function bundledPackages(dist: string): string[] {
  const folders = ["", "openclaw-plugin", join("web", "page")];
  const listed = folders.flatMap((folder) =>
    packagesListed(readFileSync(join(dist, folder, "licences.txt"), "utf8")),
  );
  return [...new Set(listed)].sort();
}

/** The part of a CycloneDX document that is used here. */
interface Sbom {
  readonly metadata: { readonly component: { readonly "bom-ref": string } };
  readonly components: readonly { readonly "bom-ref": string; readonly properties?: unknown }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/**
 * npm lists everything that it installs for development. Of that, these packages are bundled, so users do not install
 * them.
 */
export function sbomOfBundled<Document extends Sbom>(all: Document, packages: readonly string[]): Document {
  const isBundled = (ref: string): boolean => packages.includes(ref);
  const own = all.metadata.component["bom-ref"];
  const components = all.components.filter((each) => isBundled(each["bom-ref"]));
  const missing = packages.filter((name) => !components.some((each) => each["bom-ref"] === name));
  if (missing.length > 0) throw new Error(`npm does not know ${missing.join(", ")}.`);
  return {
    ...all,
    components: components.map(({ properties: _, ...component }) => component),
    dependencies: all.dependencies
      .filter(({ ref }) => ref === own || isBundled(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isBundled) })),
  };
}
