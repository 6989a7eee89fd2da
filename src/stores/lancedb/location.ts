import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LonghandError } from "../../errors.ts";

/** Where a LanceDB index is. */
export interface LanceLocation {
  /** In LanceDB's form. */
  readonly uri: string;
  /** For messages: without user, password and query. */
  readonly shown: string;
  /** The folder, or null for remote storage. */
  readonly folder: string | null;
  /** Storage options in the address: `?region=…&endpoint=…`. */
  readonly storageOptions: Readonly<Record<string, string>>;
}

/** Query parameters of an address: LanceDB's names for storage options. */
const optionNames = ["region", "endpoint", "allow_http", "virtual_hosted_style_request"];

/** Parses the location of an index: a folder, or `s3://bucket/prefix`. */
export function parseLocation(location: string): LanceLocation {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1]?.toLowerCase();
  if (scheme === undefined || scheme === "file") {
    const folder = resolve(scheme === undefined ? location : fileURLToPath(location));
    return { uri: folder, shown: folder, folder, storageOptions: {} };
  }
  if (scheme !== "s3" || !URL.canParse(location)) throw refuseAddress(scheme);
  const { hostname, pathname, searchParams } = new URL(location);
  const storageOptions: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    const option = name.toLowerCase();
    if (!optionNames.includes(option)) throw refuseOption(name);
    storageOptions[option] = value;
  }
  if (storageOptions["endpoint"]?.startsWith("http://")) storageOptions["allow_http"] ??= "true";
  const uri = `s3://${hostname}${pathname.replace(/\/+$/, "")}`;
  return { uri, shown: uri, folder: null, storageOptions };
}

function refuseAddress(scheme: string): LonghandError {
  return new LonghandError(
    "config-invalid",
    `store.url begins with ${scheme}:, where LanceDB keeps no index.`,
    {
      hint: "Set store.url to a folder, or to s3://bucket/prefix.",
    },
  );
}

function refuseOption(name: string): LonghandError {
  const known = optionNames.join(", ");
  return new LonghandError("config-invalid", `store.url has a part ?${name}=…, which is not known.`, {
    hint: `Known are ${known}. Keys are read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
  });
}
