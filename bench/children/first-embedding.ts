import { openBuiltinEmbedder } from "../../src/embedders/builtin/builtin-embedder.ts";
import { timeMs } from "../measure.ts";

export async function measure(): Promise<number> {
  return await timeMs(async () => {
    const embedder = await openBuiltinEmbedder();
    await embedder.embedQuery("Which physician did we recommend?");
  });
}
