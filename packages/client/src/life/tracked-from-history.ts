import type { Hex } from "@finality/tron/primitives";
import { answersInOrder, attemptsOf } from "./attempts.ts";
import { type EntryOf, type History, isShared } from "./history.ts";
import { stateOfHistory } from "./state-of-history.ts";
import type { ProvenAbsence, SignedPart, TrackedTransaction } from "./tracked-transaction.ts";

/** A network that nobody noted, because the line with it cannot be read. Such a transaction is shown and not polled. */
export const UNKNOWN_NETWORK = "";

/** What people see of a history. */
export function trackedFromHistory(history: History): TrackedTransaction {
  const origins = [...history.signed, ...history.adopted].toSorted(byAge);
  const { state, since } = stateOfHistory(history);
  const [oldest] = origins;
  const newest = origins.at(-1);
  const chain = [...history.signed.toSorted(byAge), ...origins].find((it) => it.chain !== undefined)?.chain;
  const label = origins.findLast((it) => it.label !== undefined)?.label;
  const signed = history.signed.toSorted(byAge).at(-1);
  return {
    txId: history.txId,
    network: oldest?.network ?? UNKNOWN_NETWORK,
    ...(chain === undefined ? {} : { chain }),
    ...(label === undefined ? {} : { label }),
    state,
    ...(signed === undefined ? {} : { signed: signedPart(signed, history) }),
    attempts: attemptsOf(history),
    ...linksOf(history),
    ...secondWordOf(history),
    ...chainTimeIn(history),
    createdAt: oldest?.at ?? since,
    changedAt: since,
    hidden: history.hidden !== undefined && history.hidden.at >= (newest?.at ?? 0),
  };
}

/** What was looked for in vain, and what leads to a replacement and to what it replaces. */
function linksOf({ absent, notFound, replaced, signed }: History): Partial<TrackedTransaction> {
  const replaces = signed.toSorted(byAge).find((it) => it.replaces !== undefined)?.replaces;
  return {
    ...(absent === undefined ? {} : { absence: provenAbsence(absent) }),
    ...(notFound === undefined ? {} : { notFoundAt: notFound.time }),
    ...(replaced[0] === undefined ? {} : { replacedBy: replaced[0].by }),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

function chainTimeIn({ headTime, notFound }: History): Pick<TrackedTransaction, "chainTime"> {
  const times = [headTime?.time, notFound?.time].filter((it) => it !== undefined);
  return times.length === 0 ? {} : { chainTime: Math.max(...times) };
}

/** One that says success is heard above any number of others. */
function secondWordOf({ secondWords }: History): Pick<TrackedTransaction, "secondWord"> {
  const word = secondWords.find(({ outcome }) => outcome.kind === "success") ?? secondWords[0];
  return word === undefined ? {} : { secondWord: { endpoint: word.endpoint, outcome: word.outcome } };
}

function provenAbsence({ kind: _kind, txId: _txId, at, ...evidence }: EntryOf<"proven-absent">): ProvenAbsence {
  return { ...evidence, provenAt: at };
}

/** The newest signatures; the height is that before the first of them, because the first may have been released. */
function signedPart(newest: EntryOf<"signed">, history: History): SignedPart {
  const { intent, rawDataHex, expiration } = newest;
  const solidHeight = Math.min(...history.signed.map((it) => it.solidHeight));
  const estimatedEnergy = history.signed
    .toSorted(byAge)
    .findLast((it) => it.estimatedEnergy !== undefined)?.estimatedEnergy;
  return {
    ...{ intent, rawDataHex, ...unitedSignatures(history), expiration, solidHeight },
    ...(estimatedEnergy === undefined ? {} : { estimatedEnergy }),
    ...(isShared(history) ? { shared: true } : {}),
    ...(isRenewed(newest, history) ? { renewed: true } : {}),
  };
}

/** What was collected since the last line that took the place of all before, one of each signer, the newest. */
function unitedSignatures({ signed }: History): Pick<SignedPart, "signatures" | "quorum"> {
  const lines = signed.toSorted(byAge);
  const found = new Map<string, { readonly signature: Hex; readonly weight: bigint | undefined }>();
  for (const { signatures, signers, quorum } of lines) {
    if (signers === undefined) found.clear();
    signatures.forEach((signature, index) => {
      found.set(signers?.[index] ?? signature, { signature, weight: quorum?.weights[index] });
    });
  }
  const all = [...found.values()];
  const threshold = lines.findLast(({ quorum }) => quorum !== undefined)?.quorum?.threshold;
  const weight = sumOf(all.map((it) => it.weight));
  return {
    signatures: [...new Set(all.map(({ signature }) => signature))],
    ...(threshold === undefined || weight === undefined ? {} : { quorum: { weight, threshold } }),
  };
}

/** A node refuses a transaction with a signature of no weight, so such a sum says nothing. */
function sumOf(weights: readonly (bigint | undefined)[]): bigint | undefined {
  let sum = 0n;
  for (const weight of weights) {
    if (weight === undefined || weight === 0n) return undefined;
    sum += weight;
  }
  return sum;
}

function isRenewed(newest: EntryOf<"signed">, history: History): boolean {
  const last = answersInOrder(history).at(-1);
  return last?.outcome.kind === "rejected" && newest.at > last.at;
}

type Origin = EntryOf<"signed" | "adopted">;

function byAge(a: Origin, b: Origin): number {
  return a.at - b.at || (printed(a) < printed(b) ? -1 : 1);
}

function printed(origin: Origin): string {
  return JSON.stringify(origin, (_name, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
}
