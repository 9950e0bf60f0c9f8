import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Address } from "../../core/primitives/address.ts";
import type { Frame } from "./frame.ts";
import { denyStatic } from "./frame-operations.ts";
import type { Instruction } from "./operation.ts";
import { addressOf, wordOfBytes } from "./words.ts";

/** Operations on storage, other contracts' code, and the end of a contract. */

export const load: Instruction = ({ stack, ledger, storage }) => {
  stack.push(ledger.row(storage, stack.pop()) ?? 0n);
};

export const store: Instruction = (frame) => {
  denyStatic(frame);
  const [slot, word] = [frame.stack.pop(), frame.stack.pop()];
  frame.ledger.putRow(frame.storage, slot, word);
};

export const loadTransient: Instruction = ({ stack, call }) => {
  stack.push(call.transient.get(call.address, stack.pop()));
};

export const storeTransient: Instruction = (frame) => {
  denyStatic(frame);
  const [slot, word] = [frame.stack.pop(), frame.stack.pop()];
  frame.call.transient.put(frame.call.address, slot, word);
};

export const codeSizeOf: Instruction = (frame) => {
  frame.stack.push(BigInt(codeAt(frame, addressOf(frame.stack.pop())).length));
};

export const copyCodeOf: Instruction = (frame) => {
  const { stack, memory } = frame;
  const code = codeAt(frame, addressOf(stack.pop()));
  const [to, offset, size] = [stack.pop(), stack.pop(), Number(stack.pop())];
  const copy = new Uint8Array(size);
  if (offset < BigInt(code.length)) copy.set(code.subarray(Number(offset), Number(offset) + size));
  memory.write(Number(to), size, copy);
};

/** An account without code has the hash of nothing, and nobody has 0. */
export const codeHashOf: Instruction = (frame) => {
  const address = addressOf(frame.stack.pop());
  const known = frame.ledger.account(address) !== undefined;
  frame.stack.push(known ? wordOfBytes(keccak_256(codeAt(frame, address))) : 0n);
};

export const isContract: Instruction = ({ stack, ledger }) => {
  stack.push(ledger.contract(addressOf(stack.pop())) === undefined ? 0n : 1n);
};

export function codeAt({ ledger }: Frame, address: Address): Uint8Array {
  return ledger.contract(address)?.code ?? new Uint8Array();
}
