import { create } from "@bufbuild/protobuf";
import { type Address, addressToBytes } from "../../core/primitives/address.ts";
import { hexToBytes, transactionId } from "../../core/primitives/bytes.ts";
import { contractTypeByName } from "../../core/transaction/contract-types.ts";
import { RawSchema, TransferContractSchema } from "../../core/transaction/gen/transaction_pb.js";
import { contractEntry, encodeRawData } from "../../core/transaction/raw-data-codec.ts";
import { DEFAULT_EXPIRATION_AHEAD_MS, referenceTo } from "../../core/transaction/reference-block.ts";
import { addressOfPrivateKey, type PrivateKey, signTransactionId } from "../../core/transaction/signature.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import { type ChainTransaction, chainTransaction } from "../chain/transaction.ts";

export interface Payment {
  /** Sun. */
  readonly amount: bigint;
  readonly memo?: Uint8Array;
}

/** A signed transfer of the chain's own: coins come to people as transactions that everybody can see. */
export function faucetTransfer(
  chain: Blockchain,
  key: Uint8Array,
  to: Address,
  { amount, memo = new Uint8Array() }: Payment,
): ChainTransaction {
  const type = contractTypeByName("TransferContract");
  if (type === undefined) throw new TypeError("The codec does not know transfers.");
  const message = create(TransferContractSchema, {
    ownerAddress: addressToBytes(addressOfPrivateKey(key as PrivateKey)),
    toAddress: addressToBytes(to),
    amount,
  });
  const reference = referenceTo(chain.solid.id);
  const rawData = create(RawSchema, {
    refBlockBytes: reference.bytes,
    refBlockHash: reference.hash,
    expiration: BigInt(chain.head.header.timestamp + DEFAULT_EXPIRATION_AHEAD_MS),
    timestamp: BigInt(chain.buildTime()),
    data: memo,
    contract: [contractEntry(type, message)],
  });
  const signature = signTransactionId(transactionId(encodeRawData(rawData)), key as PrivateKey);
  return chainTransaction({ rawData, signature: [hexToBytes(signature)] });
}
