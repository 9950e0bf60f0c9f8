import type { BlockId } from "../../primitives/block.ts";
import type { Json } from "../../primitives/json.ts";
import type { Block } from "../gateway.ts";
import * as read from "./fields.ts";
import { isAbsent, parseBlockTransaction } from "./transaction.ts";

/** How many hex digits of a block's id are its height. */
const HEIGHT_DIGITS = 16;

/** `{}` is a block that this view does not have (yet). */
export function parseOptionalBlock(json: Json): Block | undefined {
  const object = read.asObject(json, "the block");
  if (isAbsent(object)) return undefined;
  const header = read.objectField(read.objectField(object, "block_header"), "raw_data");
  const number = read.numberField(header, "number");
  const id = read.hashField<BlockId>(object, "blockID");
  if (BigInt(`0x${id.slice(0, HEIGHT_DIGITS)}`) !== BigInt(number)) {
    throw read.fault("blockID", `does not belong to height ${number}`);
  }
  return {
    number,
    id,
    timestamp: read.numberField(header, "timestamp"),
    parentId: read.hashField<BlockId>(header, "parentHash"),
    witness: read.optionalAddressField(header, "witness_address"),
    transactions: read.listField(object, "transactions").map(parseBlockTransaction),
  };
}

export function parseBlock(json: Json): Block {
  const block = parseOptionalBlock(json);
  if (block === undefined) throw read.fault("the block", "is missing");
  return block;
}

/** The answer for a range: ascending heights, without those that do not exist (yet). */
export function parseBlocks(json: Json): readonly Block[] {
  const blocks = read.listField(read.asObject(json, "the range of blocks"), "block").map(parseBlock);
  return blocks.sort((left, right) => left.number - right.number);
}
