import type { JsonObject } from "../../core/primitives/json.ts";
import type { Block } from "../chain/block.ts";
import { type ChainTransaction, type IncludedTransaction, ownerOf } from "../chain/transaction.ts";
import type { View } from "../routes/route.ts";
import { type ContractFields, dataIn, receiverIn, valueIn } from "./contract-fields.ts";
import { dataOf, quantity, shortAddress, zeros } from "./quantities.ts";

const ADDRESS_BYTES = 20;
const NONCE_BYTES = 8;

/** A transaction of a block. The node has no nonces, and says of gas what was used. */
export function printRpcTransaction(view: View, block: Block, index: number): JsonObject | null {
  const included = block.transactions[index];
  if (included === undefined) return null;
  const { transaction, info } = included;
  const fields = fieldsOf(included);
  const receiver = receiverIn(fields);
  return {
    blockHash: `0x${block.id}`,
    blockNumber: quantity(block.header.number),
    from: senderOf(transaction, block),
    gas: quantity(info?.outcome?.energy.total ?? 0n),
    gasPrice: quantity(view.chain.parameters.getEnergyFee),
    hash: `0x${transaction.id}`,
    input: dataOf(dataIn(fields)),
    nonce: zeros(NONCE_BYTES),
    ...signatureOf(transaction),
    to: receiver === undefined ? null : shortAddress(receiver),
    transactionIndex: quantity(index),
    type: "0x0",
    value: quantity(valueIn(fields)),
  };
}

export function fieldsOf({ transaction, info }: IncludedTransaction): ContractFields {
  return { contract: transaction.contract, stake: info?.stake };
}

/** Nobody sends what a genesis block gives away. */
function senderOf({ contract }: ChainTransaction, { header }: Block): string {
  const owner = contract && ownerOf(contract);
  return owner === undefined || header.number === 0 ? zeros(ADDRESS_BYTES) : shortAddress(owner);
}

/** The first signature; what is below 27 gets it. */
function signatureOf({ signatures: [signature] }: ChainTransaction): JsonObject {
  if (signature === undefined) return { r: zeros(32), s: zeros(32), v: zeros(1) };
  const recovery = signature[64] ?? 0;
  return {
    r: dataOf(signature.subarray(0, 32)),
    s: dataOf(signature.subarray(32, 64)),
    v: quantity(recovery < 27 ? recovery + 27 : recovery),
  };
}
