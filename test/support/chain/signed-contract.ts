import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import type { Blockchain } from "../../../packages/local-chain/src/chain/blockchain.ts";
import { type ChainTransaction, chainTransaction } from "../../../packages/local-chain/src/chain/transaction.ts";
import { hexToBytes, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { referenceTo } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { contractTypeByName } from "../../../packages/tron/src/transaction/contract-types.ts";
import { RawSchema, TransactionSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import { contractEntry, encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import { type PrivateKey, signTransactionId } from "../../../packages/tron/src/transaction/signature.ts";

const RUNS_CODE: ReadonlySet<string> = new Set(["CreateSmartContract", "TriggerSmartContract"]);
/** Sun. */
const FEE_LIMIT = 100_000_000n;

/** A signed transaction of any contract that the codec knows, fit for the next block of a chain. */
export function signedContract<Schema extends DescMessage>(
  chain: Blockchain,
  key: PrivateKey,
  schema: Schema,
  message: MessageInitShape<Schema>,
): ChainTransaction {
  const type = contractTypeByName(schema.name);
  if (type === undefined) throw new TypeError(`The codec does not know ${schema.name}.`);
  const reference = referenceTo(chain.solid.id);
  const rawData = create(RawSchema, {
    refBlockBytes: reference.bytes,
    refBlockHash: reference.hash,
    expiration: BigInt(chain.head.header.timestamp + 60_000),
    timestamp: BigInt(chain.buildTime()),
    contract: [contractEntry(type, create(schema, message), 0)],
    feeLimit: RUNS_CODE.has(schema.name) ? FEE_LIMIT : 0n,
  });
  const signature = hexToBytes(signTransactionId(transactionId(encodeRawData(rawData)), key));
  return chainTransaction(create(TransactionSchema, { rawData, signature: [signature] }));
}
