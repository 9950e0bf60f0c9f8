import type { JsonObject } from "../../core/primitives/json.ts";
import type { Block } from "../chain/block.ts";
import { ownerOf, type TransactionInfo } from "../chain/transaction.ts";
import type { View } from "../routes/route.ts";
import { receiverIn } from "./contract-fields.ts";
import { logsIn, printRpcLog } from "./log-json.ts";
import { quantity, shortAddress, zeros } from "./quantities.ts";
import { fieldsOf } from "./transaction-json.ts";

/** The receipt of a transaction of a block. Gas is energy; what runs no code always succeeds. */
export function printRpcReceipt(view: View, block: Block, index: number): JsonObject | null {
  const included = block.transactions[index];
  if (included?.info === undefined) return null;
  const { transaction, info } = included;
  const { contract } = transaction;
  const sender = contract && ownerOf(contract);
  const receiver = receiverIn(fieldsOf(included));
  const made = contract?.type?.name === "CreateSmartContract" ? info.outcome?.contractAddress : undefined;
  const before = block.transactions.slice(0, index + 1).map((it) => energyOf(it.info));
  return {
    blockHash: `0x${block.id}`,
    blockNumber: quantity(block.header.number),
    contractAddress: made === undefined ? null : shortAddress(made),
    cumulativeGasUsed: quantity(before.reduce((sum, it) => sum + it, 0n)),
    effectiveGasPrice: quantity(view.chain.parameters.getEnergyFee),
    from: sender === undefined ? null : shortAddress(sender),
    gasUsed: quantity(energyOf(info)),
    logs: logsIn(block).flatMap((it) => (it.transactionIndex === index ? [printRpcLog(it)] : [])),
    logsBloom: zeros(256),
    status: info.outcome === undefined || info.result === "SUCCESS" ? "0x1" : "0x0",
    to: receiver === undefined ? null : shortAddress(receiver),
    transactionHash: `0x${transaction.id}`,
    transactionIndex: quantity(index),
    type: "0x0",
  };
}

function energyOf(info: TransactionInfo | undefined): bigint {
  return info?.outcome?.energy.total ?? 0n;
}
