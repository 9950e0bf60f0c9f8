import { hexToBytes } from "@finality/tron/primitives";
import type { RecordedRun } from "./recorded-run.ts";

/** Returns the memory of a frame before an instruction; undefined if the record has no memory. */
export function memoryBefore({ trace }: RecordedRun, frame: number, step: number): Uint8Array | undefined {
  const { steps } = trace;
  if (steps?.memory === undefined) return undefined;
  let memory = new Uint8Array();
  for (const change of steps.memory) {
    if (change.step >= step) break;
    if (steps.frame[change.step] !== frame) continue;
    if (change.size > memory.length) {
      const grown = new Uint8Array(change.size);
      grown.set(memory);
      memory = grown;
    }
    memory.set(hexToBytes(change.data), change.offset);
  }
  return memory;
}
