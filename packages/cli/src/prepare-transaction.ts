import { bandwidthOf, estimateCall, estimateTransfer, suggestedFeeLimit } from "@finality/client/estimates";
import { coinSymbolOf, type Gateway } from "@finality/client/gateway";
import {
  authorityProblem,
  estimateLabels,
  lookalikeLines,
  noSendingOf,
  type SigningLabels,
} from "@finality/client/labels";
import { checkAuthority, isDefaultSetup, ownKeyAlone } from "@finality/client/permissions";
import { proofCost } from "@finality/client/proof";
import {
  approvalDoubt,
  codeDoubt,
  effectOf,
  type ReviewedTransaction,
  readSystemFacts,
  reviewCode,
  reviewSystemContract,
  reviewTransfer,
  systemCost,
  type TitledReview,
} from "@finality/client/reviews";
import { conflictError, findDuplicates, type IntendedTransaction } from "@finality/client/tracking";
import { systemClock as clock } from "@finality/node/system-clock";
import { ChainError, isChainError } from "@finality/tron/errors";
import { type Address, defined, type TxId } from "@finality/tron/primitives";
import {
  type BuiltTransaction,
  builtFromIntent,
  DEFAULT_EXPIRATION_AHEAD_MS,
  type Intent,
  lookalikesOf,
  partiesOf,
  type VerifiedTransaction,
  verifyAgainstIntent,
  withExpiration,
} from "@finality/tron/transaction";
import type { CodeOrder, Order } from "./send-request.ts";
import { paidAddresses, type Sender } from "./sender.ts";

const MARGIN_PERCENT = 20n;
/** The key of the command signs alone. */
const SIGNATURES = 1;

/** A verified transaction that is not signed yet, with its review. */
export interface PreparedTransaction extends TitledReview {
  readonly verified: VerifiedTransaction;
  readonly solidHeight: number;
  readonly estimatedEnergy?: number | undefined;
  readonly functionSignature?: string | undefined;
  /** Equal transactions that are certainly on another chain. */
  readonly acknowledged: readonly TxId[];
  /** True if the review warns, so that a user has to read it. */
  readonly isDoubtful: boolean;
}

interface PreparationOptions {
  /** Address of the key that signs. */
  readonly signer: Address;
  /** Addresses that the user knows besides those of the journal. */
  readonly known: readonly Address[];
  /** Chain time from the newest block to the expiration, ms. */
  readonly lifetimeMs: number;
}

/**
 * Builds a transaction, verifies its bytes against the order, and estimates its cost. Nothing is signed.
 *
 * @throws {ChainError} `EQUAL_TRANSACTION_ALIVE`, `CALL_WOULD_FAIL`, `PERMISSION_REFUSED`, `TRANSACTION_DIFFERS`,
 *   `TRANSACTION_KNOWN`, and the errors of the gateway
 */
export async function prepareTransaction(
  sender: Sender,
  order: Order,
  { signer, known, lifetimeMs }: PreparationOptions,
): Promise<PreparedTransaction> {
  const { connection, tracker, isRealMoney } = sender;
  await passDuplicates(sender, order.intent);
  const signing = await signingOf(connection.gateway, order.intent, signer);
  const lookalikes = lookalikesIn(sender, order.intent, known);
  const draft = await draftOf(sender, order, { signing, lookalikes, lifetimeMs });
  const { verified } = draft;
  const { txId, rawDataHex } = verified;
  // Only the bytes show whether another network has their reference block.
  const acknowledged = await passDuplicates(sender, verified.intent, { rawDataHex });
  const same = tracker.get(txId);
  if (same !== undefined) throw new ChainError("TRANSACTION_KNOWN", { txId, state: same.state.kind });
  const { title, detail } = draft.review({
    network: { ...connection.profile, production: isRealMoney },
    nameOf: () => undefined,
    signing,
    verified,
    lifetimeMs: verified.expiration - draft.headTimestamp,
    now: clock.now(),
  });
  const { solidHeight, estimatedEnergy } = draft;
  const isDoubtful = lookalikes.length > 0 || draft.isDoubtful;
  const functionSignature = order.kind === "code" ? order.functionSignature : undefined;
  return { verified, solidHeight, estimatedEnergy, functionSignature, acknowledged, title, detail, isDoubtful };
}

/**
 * Returns equal transactions that are certainly on another chain.
 *
 * @throws {ChainError} `EQUAL_TRANSACTION_ALIVE` if an equal one may be executed
 */
async function passDuplicates(
  { tracker, network, sources }: Sender,
  intent: Intent,
  bytes: Pick<IntendedTransaction, "rawDataHex"> = {},
): Promise<readonly TxId[]> {
  const { conflicting, onOtherChains } = await findDuplicates(tracker, { ...network, intent, ...bytes }, sources);
  const [duplicate] = conflicting;
  if (duplicate === undefined) return onOtherChains;
  const { tracked, relation } = duplicate;
  throw conflictError(tracked, relation === "unknown" ? tracked.network : undefined);
}

/** @throws {ChainError} `PERMISSION_REFUSED` if the key alone may not sign */
async function signingOf(gateway: Gateway, intent: Intent, signer: Address): Promise<SigningLabels> {
  const account = await gateway.account(intent.owner);
  const permissions = account?.permissions ?? ownKeyAlone(intent.owner);
  const missingPath = account?.permissions === undefined ? account?.missingPath : undefined;
  const here = { ours: new Set([signer]), nameOf: () => undefined };
  const authority = checkAuthority(permissions, intent, here.ours);
  if (authority.kind !== "enough")
    throw new ChainError("PERMISSION_REFUSED", { reason: authorityProblem(authority, [], here) });
  const { permission, signers } = authority;
  return { permission, signers, isUsual: isDefaultSetup(intent.owner, permissions), missingPath, here };
}

/** Returns known accounts whose address looks like a recipient: those of the journal and of the configuration. */
function lookalikesIn(sender: Sender, intent: Intent, known: readonly Address[]): readonly Address[] {
  const all = [...paidAddresses(sender), ...known];
  return partiesOf(intent).flatMap((it) => lookalikesOf(it, all));
}

/** Verified bytes, and the review that they get. */
interface Draft {
  readonly verified: VerifiedTransaction;
  readonly headTimestamp: number;
  readonly solidHeight: number;
  readonly estimatedEnergy?: number | undefined;
  /** True if the review has warnings besides similar addresses. */
  readonly isDoubtful: boolean;
  readonly review: (transaction: ReviewedTransaction) => TitledReview;
}

interface DraftOptions {
  readonly signing: SigningLabels;
  readonly lookalikes: readonly Address[];
  readonly lifetimeMs: number;
}

function draftOf(sender: Sender, order: Order, options: DraftOptions): Promise<Draft> {
  switch (order.kind) {
    case "transfer":
      return draftTransfer(sender, order, options);
    case "token-transfer":
      return draftTokenTransfer(sender, order, options);
    case "code":
      return draftCode(sender, order, options);
  }
}

/** The gateway builds the bytes, and refuses a transfer that cannot be executed. */
async function draftTransfer(
  { connection: { gateway } }: Sender,
  { intent }: Extract<Order, { kind: "transfer" }>,
  { lookalikes, lifetimeMs }: DraftOptions,
): Promise<Draft> {
  const { kind: _kind, ...transfer } = intent;
  const [solid, head, built] = await Promise.all([
    gateway.solidBlock(),
    gateway.headBlock(),
    gateway.buildTransfer(transfer),
  ]);
  const headTimestamp = head.timestamp;
  const asBuilt = verify(built, intent, headTimestamp);
  const verified =
    lifetimeMs === DEFAULT_EXPIRATION_AHEAD_MS
      ? asBuilt
      : verify(withExpiration(asBuilt, headTimestamp + lifetimeMs), intent, headTimestamp);
  const cost = await estimateTransfer(gateway, intent, sizeOf(verified));
  return {
    verified,
    headTimestamp,
    solidHeight: solid.number,
    isDoubtful: false,
    review: (transaction) =>
      reviewTransfer(transaction, {
        intent,
        cost,
        proofCost: proofCost({ ...verified, solidHeight: solid.number }, solid),
        lookalikes,
      }),
  };
}

/** @throws {ChainError} `CALL_WOULD_FAIL`, `PATH_NOT_SERVED` if the gateway does not serve the tokens of an account */
async function draftTokenTransfer(
  { connection: { gateway } }: Sender,
  { intent }: Extract<Order, { kind: "token-transfer" }>,
  { signing, lookalikes, lifetimeMs }: DraftOptions,
): Promise<Draft> {
  const [solid, read] = await Promise.all([
    gateway.solidBlock(),
    readSystemFacts(gateway, intent, () => undefined, new AbortController().signal),
  ]);
  const facts = { ...read, keysHere: signing.here };
  const { headTimestamp } = facts;
  const words = effectOf(intent, facts);
  if (words.doubts.length > 0) throw new ChainError("CALL_WOULD_FAIL", { reason: words.doubts.join(" ") });
  const times = { expiration: headTimestamp + lifetimeMs, timestamp: clock.now() };
  const verified = verify(builtFromIntent(intent, { referenceBlock: solid.id, ...times }), intent, headTimestamp);
  const cost = systemCost(intent, facts, sizeOf(verified));
  return {
    verified,
    headTimestamp,
    solidHeight: solid.number,
    isDoubtful: (words.alarms ?? []).length > 0,
    review: (transaction) =>
      reviewSystemContract(transaction, {
        intent,
        words,
        cost,
        proofCost: proofCost({ ...verified, solidHeight: solid.number }, solid),
        lookalikes,
      }),
  };
}

/** Simulates the code. Without a `fee_limit`, the figure of the simulation and a margin is used. */
async function draftCode(
  { connection: { gateway, profile } }: Sender,
  { intent: ordered, hasFeeLimit, code, compiled, abi, mutability }: CodeOrder,
  { lookalikes, lifetimeMs }: DraftOptions,
): Promise<Draft> {
  const first = await estimateCall(gateway, ordered);
  const isPriced = hasFeeLimit || first.kind !== "estimated";
  const intent = isPriced ? ordered : { ...ordered, feeLimit: suggestedFeeLimit(first, MARGIN_PERCENT) };
  const estimate = isPriced ? first : await estimateCall(gateway, intent);
  const symbol = coinSymbolOf(profile.baseUrl);
  const words = estimateLabels(estimate, intent, { abi, mutability, marginPercent: MARGIN_PERCENT, symbol });
  const reason = noSendingOf(words);
  if (reason !== undefined) throw new ChainError("CALL_WOULD_FAIL", { reason });
  const isCall = intent.kind === "contract-call";
  const [head, solid, deployed, approval] = await Promise.all([
    gateway.headBlock(),
    gateway.solidBlock(),
    isCall ? gateway.deployedContract(intent.contract).catch(unlessDefect) : undefined,
    isCall ? approvalDoubt(gateway, intent) : undefined,
  ]);
  const other = compiled && deployed && codeDoubt(deployed.created, compiled);
  const doubts = [other, approval].filter((it) => it !== undefined);
  const headTimestamp = head.timestamp;
  const times = { expiration: headTimestamp + lifetimeMs, timestamp: clock.now() };
  const verified = verify(builtFromIntent(intent, { referenceBlock: solid.id, ...times }), intent, headTimestamp);
  return {
    verified,
    headTimestamp,
    solidHeight: solid.number,
    isDoubtful: doubts.length > 0,
    ...defined({ estimatedEnergy: words.energy === undefined ? undefined : Number(words.energy) }),
    review: (transaction) =>
      reviewCode(transaction, {
        intent,
        code: { ...code, money: [...similarTo(intent, lookalikes), ...code.money] },
        words,
        doubts,
      }),
  };
}

/** Without an answer about its code, a contract is not compared with the artifact. */
function unlessDefect(error: unknown): undefined {
  if (!isChainError(error)) throw error;
}

/** Returns the warnings about a recipient or spender in call data. */
function similarTo(intent: Intent, lookalikes: readonly Address[]): readonly string[] {
  const [party] = partiesOf(intent);
  return party === undefined ? [] : lookalikes.flatMap((it) => lookalikeLines(party, it));
}

/** @throws {ChainError} `TRANSACTION_DIFFERS` */
function verify(built: BuiltTransaction, intent: Intent, headTimestamp: number): VerifiedTransaction {
  const verified = verifyAgainstIntent(built, intent, { headTimestamp });
  if (verified.kind === "same") return verified;
  throw new ChainError("TRANSACTION_DIFFERS", { differences: verified.differences });
}

function sizeOf({ rawDataHex }: VerifiedTransaction) {
  return { bandwidth: bandwidthOf(rawDataHex.length / 2, SIGNATURES), signatures: SIGNATURES };
}
