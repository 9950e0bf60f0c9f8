import { bytesToHex } from "@finality/tron/primitives";
import { JavaError } from "../http/java-error.ts";
import { looseHex } from "../http/java-values.ts";
import { storageOf } from "../vm/frame.ts";
import { wordOfBytes } from "../vm/words.ts";
import { checkLatest } from "./block-tags.ts";
import type { RpcContext, RpcMethods } from "./rpc-method.ts";
import { addressOf, dataOf, quantity, text, zeros } from "./values.ts";

/** What accounts and contracts have now. */
export const stateMethods: RpcMethods = {
  eth_getBalance: { parameters: 2, answer: (context, [address, tag]) => balance(context, text(address), text(tag)) },
  eth_getCode: { parameters: 2, answer: (context, [address, tag]) => code(context, text(address), text(tag)) },
  eth_getStorageAt: {
    parameters: 3,
    answer: (context, [address, slot, tag]) => storedWord(context, text(address), text(slot), text(tag)),
  },
};

function balance({ view }: RpcContext, address: string | undefined, tag: string | undefined): string {
  checkLatest(tag);
  return quantity(BigInt.asUintN(64, view.state.account(addressOf(address))?.balance ?? 0n));
}

function code({ view }: RpcContext, address: string | undefined, tag: string | undefined): string {
  checkLatest(tag);
  return dataOf(view.state.contract(addressOf(address))?.code ?? new Uint8Array());
}

const WORD_BYTES = 32;

function storedWord(
  { view: { state } }: RpcContext,
  address: string | undefined,
  slot: string | undefined,
  tag: string | undefined,
): string {
  checkLatest(tag);
  const known = addressOf(address);
  if (state.contract(known) === undefined) return zeros(WORD_BYTES);
  const word = state.row(storageOf(state, known), slotOf(slot ?? "")) ?? 0n;
  return `0x${word.toString(16).padStart(2 * WORD_BYTES, "0")}`;
}

/** @throws {JavaError} no hex, or more than a word */
function slotOf(input: string): bigint {
  const bytes = looseHex(input);
  if (bytes.length <= WORD_BYTES) return wordOfBytes(bytes);
  throw new JavaError("java.lang.RuntimeException", `Data word can't exceed 32 bytes: ${bytesToHex(bytes)}`);
}
