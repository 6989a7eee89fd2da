import { LonghandError } from "../../errors.ts";
import { isLoopback } from "../../text/loopback.ts";
import { choosePrompts, type NamedPrompts, type Prompts, plainFamily } from "../local/model-family.ts";
import { hashProvider } from "./hash-provider.ts";
import { createMask, type Redact } from "./mask.ts";
import type { ServiceLimits, ServiceOptions } from "./service.ts";

/** The constants of a provider. */
export interface ProviderFacts {
  readonly provider: string;
  readonly baseUrl: string;
  /** The first is the default. A model that is not listed works too. */
  readonly models: Readonly<Record<string, KnownModel>>;
  readonly limits: ServiceLimits;
  /** Environment variable of the key, for the hint. */
  readonly keyVariable: string;
  /** The default prompts of a model; absent if the service adds them itself. */
  readonly promptsOf?: (model: string) => NamedPrompts;
  readonly authorise: (key: string) => readonly [header: string, value: string];
}

interface KnownModel {
  readonly dimensions: number;
  /** List price when this was written, for estimates. */
  readonly usdPerMillionTokens: number;
}

/** A provider at an address, with what the user has set. */
export interface HttpAccess {
  readonly provider: string;
  readonly model: string;
  /** The name of the service, for messages. */
  readonly from: string;
  readonly providerKey: string;
  readonly prompts: Prompts;
  readonly limits: ServiceLimits;
  /** The requested number; undefined means the model's default. */
  readonly askedDimensions: number | undefined;
  /** Null if only responses show it. */
  readonly dimensions: number | null;
  readonly usdPerMillionTokens: number | null;
  readonly headers: Headers;
  /** Hides keys and what looks like a secret. */
  readonly mask: Redact;
  /** Below the base address, with its query string. `before` goes before the version: `/upload/v1beta/…`. */
  readonly urlOf: (path: string, options?: UrlOptions) => URL;
}

export interface UrlOptions {
  readonly before?: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** Throws when the key is missing or cannot be sent. */
export function createHttpAccess(
  facts: ProviderFacts,
  options: ServiceOptions,
  redact?: Redact | undefined,
): HttpAccess {
  const { provider, models, limits, authorise } = facts;
  const model = options.model ?? Object.keys(models)[0]!;
  const isOwnAddress = options.baseUrl === undefined || sameAddress(options.baseUrl, facts.baseUrl);
  const baseUrl = options.baseUrl ?? facts.baseUrl;
  const askedDimensions = options.outputDimensionality;
  const known = isOwnAddress ? models[model] : undefined;
  const usual = facts.promptsOf?.(model);
  const prompts = usual === undefined ? noPrompts : choosePrompts(usual, options.prompts);
  const key = options.apiKey?.reveal().trim() || undefined;
  const given = Object.entries(options.headers ?? {}).map(
    ([header, value]) => [header, value.reveal()] as const,
  );
  if (key === undefined && isOwnAddress && given.length === 0) throw keyMissing(facts);
  const { protocol, hostname, host } = new URL(baseUrl);
  const isSecret = key !== undefined || given.length > 0;
  if (isSecret && protocol === "http:" && !isLoopback(hostname) && !options.allowPlainHttp) {
    throw plainHttp(provider, host);
  }
  const queryValues = [...new URL(baseUrl).searchParams.values()];
  return {
    provider,
    model,
    from: `${provider} ${model}`,
    providerKey: hashProvider({
      provider,
      baseUrl,
      model,
      headerNames: given.map(([header]) => header),
      dimensions: askedDimensions,
      prompts: prompts.name === plainFamily ? undefined : prompts.name,
    }),
    prompts,
    limits,
    askedDimensions,
    dimensions: askedDimensions ?? known?.dimensions ?? null,
    usdPerMillionTokens: known?.usdPerMillionTokens ?? null,
    headers: makeHeaders(
      [["content-type", "application/json"], ...(key === undefined ? [] : [authorise(key)]), ...given],
      provider,
    ),
    mask: createMask(
      [...(key === undefined ? [] : [key]), ...given.map(([, value]) => value), ...queryValues],
      redact,
    ),
    urlOf: (path, { before, query = {} } = {}) => {
      const url = new URL(baseUrl);
      const base = url.pathname.replace(/\/+$/, "");
      const at = base.lastIndexOf("/");
      const folder = before === undefined ? base : `${base.slice(0, at)}/${before}${base.slice(at)}`;
      url.pathname = `${folder}/${path}`;
      url.hash = "";
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url;
    },
  };
}

const noPrompts: NamedPrompts = { name: plainFamily, query: "", document: "" };

function sameAddress(a: string, b: string): boolean {
  return a.replace(/\/+$/, "") === b;
}

/** Later headers replace earlier ones of the same name, so the user's headers win. */
function makeHeaders(entries: readonly (readonly [string, string])[], provider: string): Headers {
  const headers = new Headers();
  for (const [name, value] of entries) {
    try {
      headers.set(name, value);
    } catch {
      // The error of the platform shows the value.
      throw new LonghandError(
        "config-invalid",
        `The header "${name}" of ${provider} cannot be sent: its name or value has characters that no header may have.`,
        {
          hint: "Check remote.apiKey, remote.headers and the key in the environment for line breaks and quotes.",
        },
      );
    }
  }
  return headers;
}

function plainHttp(provider: string, host: string): LonghandError {
  return new LonghandError(
    "config-invalid",
    `The key of ${provider} is not sent to http://${host}: everyone in between could read it.`,
    {
      hint: "Use an https:// address, or leave the key out. To send it anyway, set remote.allowPlainHttp to true.",
    },
  );
}

function keyMissing({ provider, keyVariable }: ProviderFacts): LonghandError {
  return new LonghandError("key-missing", `${provider} needs a key, and none is set.`, {
    hint: `Set ${keyVariable} in the environment, or remote.apiKey in the configuration.`,
  });
}
