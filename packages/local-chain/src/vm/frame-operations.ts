import { bytesToHex, type Hex } from "@finality/tron/primitives";
import { badJump, changeInStaticCall, returnDataOutOfBounds } from "../chain/halt.ts";
import type { Frame } from "./frame.ts";
import type { Instruction } from "./operation.ts";

const INT_MASK = 0xffff_ffffn;

/** Operations on the frame alone whose limits or words are the chain's own. */

export const stop: Instruction = (frame) => {
  frame.ending = "returned";
};

export const jump: Instruction = (frame) => {
  frame.programCounter = destination(frame, frame.stack.pop());
};

export const jumpIf: Instruction = (frame) => {
  const [to, condition] = [frame.stack.pop(), frame.stack.pop()];
  if (condition !== 0n) frame.programCounter = destination(frame, to);
};

export const nothing: Instruction = () => undefined;

/** The word that stands in the code behind the opcode, in so many bytes. */
export function push(length: number): Instruction {
  return (frame) => {
    frame.stack.push(frame.analysis.pushes[frame.programCounter] ?? 0n);
    frame.programCounter += length;
  };
}

export const position: Instruction = (frame) => frame.stack.push(BigInt(frame.programCounter - 1));
export const memorySize: Instruction = (frame) => frame.stack.push(BigInt(frame.memory.size));
export const energyLeft: Instruction = (frame) => frame.stack.push(BigInt(frame.left));

export const returnDataSize: Instruction = (frame) => frame.stack.push(BigInt(frame.returnData.length));

export const returnDataCopy: Instruction = ({ stack, memory, returnData }) => {
  const [to, offset, size] = [stack.pop(), stack.pop(), stack.pop()];
  if (offset + size > BigInt(returnData.length)) throw returnDataOutOfBounds(offset, size, returnData.length);
  const from = Number(offset);
  memory.write(Number(to), Number(size), returnData.subarray(from, from + Number(size)));
};

export const returnOutput: Instruction = (frame) => finish(frame, "returned");
export const revert: Instruction = (frame) => finish(frame, "reverted");

export function log(topicCount: number): Instruction {
  return (frame) => {
    denyStatic(frame);
    const [offset, size] = [frame.stack.pop(), frame.stack.pop()];
    const topics = frame.stack.popN(topicCount).map((it) => it.toString(16).padStart(64, "0") as Hex);
    const data = bytesToHex(frame.memory.read(Number(offset), Number(size), true));
    frame.machine.logs.push({ address: frame.call.address, topics, data });
  };
}

/** @throws {Halt} the frame may not change anything */
export function denyStatic(frame: Frame): void {
  if (frame.call.isStatic) throw changeInStaticCall();
}

function finish(frame: Frame, ending: "returned" | "reverted"): void {
  const [offset, size] = [frame.stack.pop(), frame.stack.pop()];
  frame.output = frame.memory.read(Number(offset), Number(size));
  frame.ending = ending;
}

/** More than four bytes are never a position; four bytes are one with a sign. */
function destination({ analysis }: Frame, word: bigint): number {
  if (word > INT_MASK) throw badJump(-1);
  const to = Number(BigInt.asIntN(32, word));
  if (analysis.destinations[to] !== 1) throw badJump(to);
  return to;
}
