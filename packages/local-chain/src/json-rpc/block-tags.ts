import type { Block } from "../chain/block.ts";
import type { View } from "../routes/route.ts";
import { invalidParams } from "./rpc-error.ts";

const NUMBER = /^(?:0x[0-9a-f]+|\d+)$/i;

/**
 * The block that a number or a tag names; without 0x a number is decimal.
 *
 * @throws {RpcError} `pending`, or neither a tag nor a number
 */
export function blockOf(view: View, input: string | undefined): Block | undefined {
  switch (input?.toLowerCase()) {
    case "latest":
      return view.newest;
    case "earliest":
      return view.block(0);
    case "finalized":
      return view.solid;
    case "pending":
      throw invalidParams("TAG pending not supported");
    default:
      return view.block(Number(blockNumber(input)));
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
export function checkLatest(input: string | undefined): void {
  switch (input?.toLowerCase()) {
    case "latest":
      return;
    case "earliest":
    case "pending":
    case "finalized":
      throw invalidParams("TAG [earliest | pending | finalized] not supported");
    default:
      blockNumber(input);
      throw invalidParams("QUANTITY not supported, just support TAG as latest");
  }
}

/** @throws {RpcError} */
export function blockNumber(input: string | undefined): bigint {
  if (input === undefined || !NUMBER.test(input)) throw invalidParams("invalid block number");
  return BigInt(input);
}
