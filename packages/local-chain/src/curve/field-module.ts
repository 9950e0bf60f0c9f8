import { fieldCode, wasmModule } from "./field-arithmetic.ts";

/** Returns the WebAssembly of the field arithmetic. The build replaces this module by the bytes. */
export function fieldModule(): Uint8Array<ArrayBuffer> {
  return wasmModule(fieldCode());
}
