import type { Block } from "../chain/block.ts";
import type { View } from "../routes/route.ts";
import { invalidParams } from "./rpc-error.ts";

const NUMBER = /^(?:0x[0-9a-f]+|\d+)$/i;

/**
 * The block that a number or a tag names; without 0x a number is decimal.
 *
 * @throws {RpcError} `pending`, or neither a tag nor a number
 */
export function blockOf(view: View, given: string | undefined): Block | undefined {
  switch (given?.toLowerCase()) {
    case "latest":
      return view.newest;
    case "earliest":
      return view.block(0);
    case "finalized":
      return view.solid;
    case "pending":
      throw invalidParams("TAG pending not supported");
    default:
      return view.block(Number(blockNumber(given)));
  }
}

/** The block of an id. */
export function blockOfHash(view: View, id: string): Block | undefined {
  const block = view.block(Number.parseInt(id.slice(0, 16), 16));
  return block?.id === id ? block : undefined;
}

/**
 * State is known as it is now and at no other block.
 *
 * @throws {RpcError} anything but `latest`
 */
export function checkLatest(given: string | undefined): void {
  switch (given?.toLowerCase()) {
    case "latest":
      return;
    case "earliest":
    case "pending":
    case "finalized":
      throw invalidParams("TAG [earliest | pending | finalized] not supported");
    default:
      blockNumber(given);
      throw invalidParams("QUANTITY not supported, just support TAG as latest");
  }
}

/** @throws {RpcError} */
export function blockNumber(given: string | undefined): bigint {
  if (given === undefined || !NUMBER.test(given)) throw invalidParams("invalid block number");
  return BigInt(given);
}
