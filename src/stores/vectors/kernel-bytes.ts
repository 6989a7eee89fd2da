import { assembleBlockKernel } from "./vector-block-kernel.ts";
import { type CodingName, signDigits } from "./vector-codes.ts";
import { assembleKernel } from "./vector-kernel.ts";

/**
 * The loops that compare vectors of this coding, in WebAssembly. The build puts the bytes in the place of this module: to
 * put them together takes longer than to compile them.
 */
export function kernelBytes(coding: CodingName): Uint8Array {
  if (coding === "bytes") return assembleKernel();
  return assembleBlockKernel({ digits: signDigits[coding], hasFactors: coding === "centred" });
}
