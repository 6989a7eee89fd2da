import { assembleRowKernel } from "./row-kernel.ts";

/** Like `kernelBytes` of the vector stores: the build replaces this module by the bytes. */
export function rowKernelBytes(): Uint8Array {
  return assembleRowKernel();
}
