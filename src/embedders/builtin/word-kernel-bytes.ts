import { assembleWordKernel } from "./word-kernel.ts";

/** Like `kernelBytes` of the vector stores: the build replaces this module by the bytes. */
export function wordKernelBytes(): Uint8Array {
  return assembleWordKernel();
}
