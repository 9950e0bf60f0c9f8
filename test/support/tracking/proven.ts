import { type AbsenceEvidence, digestOf } from "../../../packages/client/src/proof/evidence.ts";
import { type ProofDocument, proofDocument } from "../../../packages/client/src/proof/proof-document.ts";
import { BLOCK_INTERVAL_MS, type BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { type Hex, type TxId, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { rawDataFor } from "../random/random-chains.ts";

const TIME = Date.UTC(2026, 0, 1);

function idAt(height: number): BlockId {
  return `${height.toString(16).padStart(16, "0")}${"c".repeat(48)}` as BlockId;
}

/** Evidence of blocks 101 to 121 for a transaction that expires with the last of them. */
export function evidence(changes: Partial<AbsenceEvidence> = {}): AbsenceEvidence {
  const blockIds = Array.from({ length: 21 }, (_, index) => idAt(101 + index));
  return {
    network: "Main",
    endpoint: "https://gateway.test",
    expiration: TIME + 20 * BLOCK_INTERVAL_MS,
    solidHeight: 100,
    parentId: idAt(100),
    first: { number: 101, id: idAt(101), timestamp: TIME },
    count: 21,
    blockIds,
    last: { number: 121, id: idAt(121), timestamp: TIME + 20 * BLOCK_INTERVAL_MS },
    digest: digestOf(blockIds),
    ...changes,
  };
}

/** The document of that evidence, with real bytes. */
export function proof(changes: Partial<ProofDocument> = {}): ProofDocument {
  const rawDataHex: Hex = rawDataFor(idAt(100), evidence().expiration, 1);
  const txId: TxId = transactionId(Buffer.from(rawDataHex, "hex"));
  return { ...proofDocument({ ...evidence(), txId, rawDataHex, provenAt: TIME }), ...changes };
}
