import { create, type Message } from "@bufbuild/protobuf";
import { contractTypeByName } from "../../core/transaction/contract-types.ts";
import { RawSchema } from "../../core/transaction/gen/transaction_pb.js";
import { contractEntry } from "../../core/transaction/raw-data-codec.ts";
import { DEFAULT_EXPIRATION_AHEAD_MS, referenceTo } from "../../core/transaction/reference-block.ts";
import { type ChainTransaction, chainTransaction } from "../chain/transaction.ts";
import type { View } from "./route.ts";

/** What stands in a transaction besides what the chain decides. */
export interface Unsigned {
  readonly type: "TriggerSmartContract" | "CreateSmartContract";
  readonly message: Message;
  readonly permissionId: number;
  /** Sun. */
  readonly feeLimit: bigint;
  readonly memo?: Uint8Array;
}

/** A transaction as the node builds it; whether it would do is not asked. */
export function unsignedTransaction({ chain, solid, head }: View, contents: Unsigned): ChainTransaction {
  const type = contractTypeByName(contents.type);
  if (type === undefined) throw new TypeError(`The codec does not know ${contents.type}.`);
  const reference = referenceTo(solid.id);
  const rawData = create(RawSchema, {
    refBlockBytes: reference.bytes,
    refBlockHash: reference.hash,
    expiration: BigInt(head.header.timestamp + DEFAULT_EXPIRATION_AHEAD_MS),
    timestamp: BigInt(chain.buildTime()),
    data: contents.memo ?? new Uint8Array(),
    contract: [contractEntry(type, contents.message, Math.max(0, contents.permissionId))],
    feeLimit: contents.feeLimit,
  });
  return chainTransaction({ rawData, signature: [] });
}
