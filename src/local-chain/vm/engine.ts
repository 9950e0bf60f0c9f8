import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { getOpcodesForHF, paramsEVM } from "@ethereumjs/evm";
import type { Instruction } from "./operation.ts";

/** The newest rules for instructions that read and write nothing but the frame: they are the same on both chains. */
const common = new Common({ chain: Mainnet, hardfork: Hardfork.Cancun, params: paramsEVM });
const { handlers } = getOpcodesForHF(common);
type Handler = (typeof handlers extends Map<number, infer Each> ? Each : never) & object;

/**
 * The library's instruction for an opcode. Only those that need no state are taken: they run at once, and what they
 * touch of a frame is its stack, memory, code, input and position.
 *
 * @throws {TypeError} the library has none
 */
export function libraryInstruction(opcode: number): Instruction {
  const handler: Handler | undefined = handlers.get(opcode);
  if (handler === undefined) throw new TypeError(`The library has no instruction ${opcode.toString(16)}.`);
  return (frame) => void handler(frame as unknown as Parameters<Handler>[0], common);
}
