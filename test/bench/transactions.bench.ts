// Transfers and calls: encoded, signed, verified and recovered, beside TronWeb, which does the same in a script.

import assert from "node:assert/strict";
import { utils } from "tronweb";
import { parseSignature } from "../../packages/tron/src/abi/abi-signature.ts";
import { encodeAbi } from "../../packages/tron/src/abi/encode-abi.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { builtFromIntent } from "../../packages/tron/src/transaction/built-transaction.ts";
import type { Intent } from "../../packages/tron/src/transaction/intent.ts";
import {
  addressOfPrivateKey,
  parsePrivateKey,
  recoverAddress,
  signTransactionId,
} from "../../packages/tron/src/transaction/signature.ts";
import { verifyAgainstIntent } from "../../packages/tron/src/transaction/verify-against-intent.ts";
import { buildWithTronWeb } from "../support/samples/tronweb-builder.ts";
import { blockReference } from "../support/tracking/journal-entries.ts";
import { inTurns, report } from "./row.ts";

const COUNT = 500;
const ROUNDS = 9;
const KEY = "11".repeat(32);
const HEAD = 1_760_000_000_000;
const key = parsePrivateKey(KEY);
const KEY_BYTES = utils.code.hexStr2byteArray(KEY);
const owner = addressOfPrivateKey(key);
const to = parseAddress(`41${"22".repeat(20)}`);

/** So often, to no end but the time that it takes. */
const times = (work: (at: number) => unknown) => async (): Promise<void> => {
  for (let at = 0; at < COUNT; at++) await work(at);
};

const validity = { referenceBlock: blockReference(1).id, expiration: HEAD + 60_000, timestamp: HEAD };
const intents = Array.from(
  { length: COUNT },
  (_, at): Intent => ({ kind: "transfer", owner, to, amount: sun(1n + BigInt(at)) }),
);
const built = intents.map((intent) => builtFromIntent(intent, validity));
const theirs = await Promise.all(intents.map((intent) => buildWithTronWeb(intent, validity)));
assert.deepEqual(
  theirs.map(({ txID }) => txID),
  built.map(({ txId }) => txId),
);
const signatures = built.map(({ txId }) => signTransactionId(txId, key));
const { parameters } = parseSignature("transfer(address,uint256)");
const THEIR_TYPES = ["address", "uint256"];

await compare({
  what: "build and encode a transfer",
  meaning: "Delay between *Send Coins* and its review, without the network.",
  ours: (at) => builtFromIntent(of(intents, at), validity),
  tronWeb: (at) => buildWithTronWeb(of(intents, at), validity),
});
await compare({
  what: "sign",
  meaning: "Delay after *Sign and Send*, per key.",
  reason: "scalars are blinded against timing attacks, and the table is smaller, so that the first signature is faster",
  ours: (at) => signTransactionId(of(built, at).txId, key),
  tronWeb: (at) => utils.crypto.ECKeySign(utils.code.hexStr2byteArray(of(theirs, at).txID), KEY_BYTES),
});
await compare({
  what: "verify what a gateway built",
  meaning: "The extension reads every byte before it uses a key; each field is shown in the review.",
  reason:
    "it parses the bytes, builds the intended transaction again and names each difference with both values; TronWeb encodes the JSON of the gateway again and compares the txID",
  ours: (at) => verifyAgainstIntent(of(built, at), of(intents, at), { headTimestamp: HEAD }),
  tronWeb: (at) => utils.transaction.txCheck(of(theirs, at) as never),
});
await compare({
  what: "find who signed",
  meaning: "Signatures of other people in a file, and of witnesses in a proof.",
  ours: (at) => recoverAddress(of(built, at).txId, of(signatures, at)),
  tronWeb: (at) => utils.crypto.ecRecover(of(built, at).txId, of(signatures, at)),
});
await compare({
  what: "encode the arguments of a call",
  meaning: "Work of a lens for each call before its request.",
  ours: (at) => encodeAbi(parameters, [to, BigInt(at)]),
  tronWeb: (at) => utils.abi.encodeParams(THEIR_TYPES, [to, at]),
});

function of<T>(list: readonly T[], at: number): T {
  const found = list[at];
  assert.ok(found !== undefined);
  return found;
}

interface Contest {
  readonly what: string;
  readonly meaning: string;
  /** Reason why it is slower. */
  readonly reason?: string;
  readonly ours: (at: number) => unknown;
  readonly tronWeb: (at: number) => unknown;
}

async function compare({ ours, tronWeb, ...words }: Contest): Promise<void> {
  const took = await inTurns({ ours: times(ours), tronWeb: times(tronWeb) }, ROUNDS);
  const each = (ms: number): number => (ms / COUNT) * 1_000;
  const figures = { ours: each(took.ours), theirs: each(took.tronWeb) };
  report({ area: "sign, encode, verify", ...words, peer: "TronWeb", unit: "µs", better: "less", ...figures });
}
