import { assembleBlockKernel } from "./vector-block-kernel.ts";
import { type CodingName, signDigits } from "./vector-codes.ts";
import { assembleKernel } from "./vector-kernel.ts";

/**
 * The WebAssembly kernel for this coding. The build replaces this module by the bytes, because assembling takes longer
 * than compiling them.
 */
export function kernelBytes(coding: CodingName): Uint8Array {
  if (coding === "bytes") return assembleKernel();
  return assembleBlockKernel({ digits: signDigits[coding], hasFactors: coding === "centred" });
}
