import { enableCompileCache } from "node:module";
import { openBuiltModel } from "../built-package.ts";
import { timeMs } from "../measure.ts";

export interface FirstEmbedding {
  /** Node's compile cache, as the command uses it. */
  readonly cacheDir: string;
}

/** From importing the package to the first vector. */
export async function measure({ cacheDir }: FirstEmbedding): Promise<number> {
  enableCompileCache(cacheDir);
  return await timeMs(async () => {
    const embedder = await openBuiltModel();
    await embedder.embedQuery("Which physician did we recommend?");
  });
}
