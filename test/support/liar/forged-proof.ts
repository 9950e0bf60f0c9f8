import { digestOf } from "../../../packages/client/src/proof/evidence.ts";
import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import type { AdversarySimulation } from "./adversary-simulation.ts";

/** A file that says of a transaction that no block holds it, with honest blocks that came after it. */
export function forgedProof(simulation: AdversarySimulation, txId: string): string | undefined {
  const signed = simulation.journal().find((it) => it.kind === "signed" && it.txId === txId);
  if (signed?.kind !== "signed") return undefined;
  const { chain } = simulation.stage.chain;
  const last = chain.solid;
  const holder = chain.find(signed.txId)?.block.header.number ?? signed.solidHeight;
  const first = chain.block(Math.min(holder + 1, last.header.number));
  if (first === undefined) return undefined;
  const ids: BlockId[] = [];
  for (let height = first.header.number; height <= last.header.number; height++) {
    const id = chain.blockId(height);
    if (id !== undefined) ids.push(id);
  }
  const place = (it: typeof last) => ({ number: it.header.number, id: it.id, timestamp: it.header.timestamp });
  const { network, rawDataHex, expiration } = signed;
  return JSON.stringify({
    format: "finality.proof-of-absence/1",
    txId,
    network,
    endpoint: "http://127.0.0.1:1",
    rawDataHex,
    expiration,
    solidHeight: first.header.number - 1,
    parentId: first.header.parentId,
    first: place(first),
    last: place(last),
    count: ids.length,
    digest: digestOf(ids),
    blockIds: ids,
    provenAt: simulation.clock.now(),
  });
}
