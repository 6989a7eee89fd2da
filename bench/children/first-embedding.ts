import { enableCompileCache } from "node:module";
import { openBuiltModel } from "../built-package.ts";
import { timeMs } from "../measure.ts";

export interface FirstEmbedding {
  /** Where Node keeps compiled code, as it does for the command. */
  readonly cacheDir: string;
}

/** From the import of the package's code to the first vector. */
export async function measure({ cacheDir }: FirstEmbedding): Promise<number> {
  enableCompileCache(cacheDir);
  return await timeMs(async () => {
    const embedder = await openBuiltModel();
    await embedder.embedQuery("Which physician did we recommend?");
  });
}
