import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import type { Block } from "../../../packages/client/src/gateway/gateway.ts";
import { BLOCK_INTERVAL_MS, type BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { bytesToHex, type Hex, type TxId, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { referenceTo } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { RawSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import { encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import { FakeGateway } from "../fakes/fake-gateway.ts";

/** The blocks that every chain begins with: whatever is signed refers to one of them. */
const YOUTH = 10;

/** A transaction, and the height that holds it unless it is in none. */
export interface Placed {
  readonly txId: TxId;
  readonly rawDataHex: Hex;
  readonly expiration: number;
  readonly solidHeight: number;
  readonly height: number | undefined;
  /** The heights that may hold it, by the rules of the protocol alone. */
  readonly interval: readonly [first: number, last: number];
}

export interface RandomChain {
  readonly gateway: FakeGateway;
  readonly transactions: readonly Placed[];
}

interface Plan {
  readonly solid: number;
  readonly reference: number;
  readonly lifetimeMs: number;
  /** Index among the legal heights; undefined for none. */
  readonly place: number | undefined;
}

const anyPlan: fc.Arbitrary<Plan> = fc.record({
  // The narrowest intervals have to come often: nothing before them is read by chance.
  solid: fc.oneof(fc.constant(YOUTH), fc.integer({ min: 1, max: YOUTH })),
  reference: fc.integer({ min: 1, max: YOUTH }),
  lifetimeMs: fc.integer({ min: 1, max: 40 * BLOCK_INTERVAL_MS }),
  // So have the first of the legal heights, and the last, whose time may be later than the expiration.
  place: fc.option(fc.oneof(fc.constant(0), fc.constant(Number.MAX_SAFE_INTEGER), fc.nat()), { nil: undefined }),
});

/** Chains with missed slots and transactions at any legal height, all solidified beyond every expiration. */
export const anyChain: fc.Arbitrary<RandomChain> = fc
  .record({
    gaps: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 60, maxLength: 60 }),
    plans: fc.array(anyPlan, { minLength: 1, maxLength: 12 }),
  })
  .map(({ gaps, plans }) => build(gaps, plans));

/** The bytes of a transaction that refers to a block. */
export function rawDataFor(reference: BlockId, expiration: number, salt: number): Hex {
  const { bytes, hash } = referenceTo(reference);
  const raw = create(RawSchema, {
    refBlockBytes: bytes,
    refBlockHash: hash,
    expiration: BigInt(expiration),
    timestamp: BigInt(salt + 1),
  });
  return bytesToHex(encodeRawData(raw));
}

function build(gaps: readonly number[], plans: readonly Plan[]): RandomChain {
  const gateway = new FakeGateway();
  const times = [gateway.head.timestamp];
  for (const gap of gaps) times.push((times.at(-1) ?? 0) + BLOCK_INTERVAL_MS * (1 + gap));
  const blocks: Block[] = [gateway.head];
  const held = new Map<number, TxId[]>();
  let transactions: readonly Placed[] = [];
  for (let height = 1; height < times.length; height++) {
    blocks.push(gateway.mine(held.get(height) ?? [], times[height]));
    if (height !== YOUTH) continue;
    transactions = plans.map((plan, index) => place(plan, index, { blocks, times }));
    for (const it of transactions) {
      if (it.height !== undefined) held.set(it.height, [...(held.get(it.height) ?? []), it.txId]);
    }
  }
  gateway.solidify();
  return { gateway, transactions };
}

function place(
  { solid, reference, lifetimeMs, place: wish }: Plan,
  index: number,
  { blocks, times }: { blocks: readonly Block[]; times: readonly number[] },
): Placed {
  const expiration = (times[YOUTH] ?? 0) + lifetimeMs;
  const rawDataHex = rawDataFor(blocks[reference]?.id ?? ("" as BlockId), expiration, index);
  // Later than the youth: that part was mined before anything was signed. Legal is what the parent's time allows.
  const legal = times.flatMap((_, height) => {
    return height > YOUTH && (times[height - 1] ?? Infinity) < expiration ? [height] : [];
  });
  const chosen = wish === undefined ? undefined : wish === Number.MAX_SAFE_INTEGER ? -1 : wish % legal.length;
  const height = chosen === undefined ? undefined : legal.at(chosen);
  const txId = transactionId(Buffer.from(rawDataHex, "hex"));
  const last = times.findIndex((time) => time >= expiration);
  const interval = [reference + 1, last] as const;
  return { txId, rawDataHex, expiration, solidHeight: solid, height, interval };
}
