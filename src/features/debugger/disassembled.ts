import type { RecordedRun } from "@finality/client/debugger";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { addressOf, instructionText, listingOf, readAddress } from "./code-listing.ts";
import type { RunSources } from "./run-sources.ts";

/** Most instructions of one answer. */
const MOST = 10_000;

/** Returns the instructions around an address, exactly as many as requested. */
export function disassembled(
  run: RecordedRun,
  { memoryReference, offset = 0, instructionOffset = 0, instructionCount }: DebugProtocol.DisassembleArguments,
  sources: RunSources,
): DebugProtocol.DisassembledInstruction[] {
  const { code, pc } = readAddress(memoryReference) ?? { code: -1, pc: 0 };
  const { instructions, indexAt } = listingOf(run, code);
  const first = Math.max(indexAt(pc + offset), 0) + instructionOffset;
  const end = instructions.at(-1)?.pc ?? 0;
  return Array.from({ length: Math.min(Math.max(instructionCount, 0), MOST) }, (_, index) => {
    const instruction = instructions[first + index];
    if (instruction === undefined) {
      const beyond = first + index < 0 ? first + index : end + first + index;
      return { address: addressOf(code, beyond), instruction: "", presentationHint: "invalid" };
    }
    const { pushed = "" } = instruction;
    return {
      address: addressOf(code, instruction.pc),
      instruction: instructionText(instruction),
      instructionBytes: `${instruction.opcode.toString(16).padStart(2, "0")}${pushed}`,
      ...sources.locationOf(code, instruction.pc),
    };
  });
}
