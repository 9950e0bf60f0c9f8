import type { BoundCall } from "@finality/client/call-sites";
import { estimateCall, suggestedFeeLimit } from "@finality/client/estimates";
import { coinSymbolOf, type Gateway, type NetworkRef } from "@finality/client/gateway";
import {
  authorityProblem,
  type EstimateLabels,
  estimateLabels,
  noSendingOf,
  quoted,
  type SigningLabels,
} from "@finality/client/labels";
import { checkAuthority, isDefaultSetup, ownKeyAlone } from "@finality/client/permissions";
import { argumentLines, codeReviewText, tokenLines } from "@finality/client/reviews";
import {
  type ChainSources,
  checkExpiry,
  conflictError,
  findDuplicates,
  type IntendedTransaction,
  recheckRejected,
  rejectedEquals,
  resubmitTransaction,
  storeTransaction,
  submitTransaction,
  TransactionTracker,
} from "@finality/client/tracking";
import { Chains } from "@finality/node/chains";
import { JournalFile } from "@finality/node/journal";
import { systemClock as clock } from "@finality/node/system-clock";
import { type AbiIndex, typedValues } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { localTime } from "@finality/tron/format";
import { type Address, defined, foreignText, type TxId } from "@finality/tron/primitives";
import { builtFromIntent, type VerifiedTransaction, verifyAgainstIntent } from "@finality/tron/transaction";
import type { KeySource } from "./key-source.ts";
import type { Connection } from "./network.ts";

const MARGIN_PERCENT = 20n;

/** Journal of this computer with its tracker, and the network to send to. */
export interface Sender {
  readonly tracker: TransactionTracker;
  readonly connection: Connection;
  readonly network: NetworkRef;
  /** True for Mainnet and for networks of the configuration that are marked, whatever else is marked. */
  readonly isRealMoney: boolean;
  readonly sources: ChainSources;
  close(): Promise<void>;
}

/**
 * Opens the journal for sending.
 *
 * @throws {ChainError} `JOURNAL_UNWRITABLE`, `JOURNAL_NEWER`, `CHAIN_CHANGED`, `CHAINS_DIFFER`
 */
export async function openSender(
  folder: string,
  connection: Connection,
  warn: (message: string) => void,
): Promise<Sender> {
  const { profile, gateway, sources } = connection;
  const chains = chainsOf(folder, connection);
  const { chain } = await chains.networkRefOf(profile);
  const journal = new JournalFile(folder);
  const networkOf = (ref: NetworkRef): string =>
    ref.chain !== undefined && ref.chain === chain ? profile.name : ref.network;
  const gatewayFor = async (name: string): Promise<Gateway> => {
    if (name === profile.name) return gateway;
    throw new ChainError("NETWORK_UNKNOWN", { network: name });
  };
  const tracker = new TransactionTracker({
    store: journal,
    gatewayFor,
    networkFor: networkOf,
    sourcesFor: async () => sources,
    clock,
  });
  // Follows the lines of other programs, which decide who may send.
  for (const warning of await tracker.load()) warn(warning);
  journal.requireReadable();
  const urlsOf = async (name: string): Promise<readonly Gateway[]> => [await gatewayFor(name), ...sources.others];
  return {
    tracker,
    connection,
    isRealMoney: profile.production || chains.isRealMoney(profile, connection.configuration.networks),
    network: { network: profile.name, ...defined({ chain }) },
    sources: { urlsOf, networkOf, clock, signal: new AbortController().signal },
    close: async () => {
      tracker.dispose();
      await journal.close();
    },
  };
}

/** Chains of the URLs, as the journal's folder has them since their first use. */
function chainsOf(folder: string, { profile, gateway, gatewayAt, configuration }: Connection): Chains {
  const networks = [profile, ...configuration.networks.filter(({ name }) => name !== profile.name)];
  return new Chains({
    folder,
    networks: { list: () => networks, find: (name) => networks.find((it) => it.name === name) },
    gateways: { for: async () => gateway, at: async (_network, url) => gatewayAt(url) },
    now: () => clock.now(),
    log: { info: () => undefined, error: () => undefined },
    learned: () => undefined,
  });
}

/** A verified call that is not signed yet, with its review. */
export interface PreparedCall {
  readonly verified: VerifiedTransaction;
  readonly solidHeight: number;
  readonly estimatedEnergy?: number;
  readonly functionSignature: string;
  /** Equal transactions that are certainly on another chain. */
  readonly acknowledged: readonly TxId[];
  readonly title: string;
  readonly detail: string;
}

/**
 * Simulates and builds a call, and verifies the bytes against it. Nothing is signed.
 *
 * @throws {ChainError} `EQUAL_TRANSACTION_ALIVE`, `CALL_WOULD_FAIL`, `PERMISSION_REFUSED`, `TRANSACTION_DIFFERS`,
 *   `TRANSACTION_KNOWN`, and the errors of the gateway
 */
export async function prepareCall(
  sender: Sender,
  bound: BoundCall,
  { key, abi, lifetimeMs }: { readonly key: KeySource; readonly abi: AbiIndex; readonly lifetimeMs: number },
): Promise<PreparedCall> {
  const { gateway, profile } = sender.connection;
  await passDuplicates(sender, bound.intent);
  const signing = await signingOf(gateway, bound, key.address);
  const first = await estimateCall(gateway, bound.intent);
  const isPriced = bound.limit.isReal || first.kind !== "estimated";
  const intent = isPriced ? bound.intent : { ...bound.intent, feeLimit: suggestedFeeLimit(first, MARGIN_PERCENT) };
  const estimate = isPriced ? first : await estimateCall(gateway, intent);
  const symbol = coinSymbolOf(profile.baseUrl);
  const { mutability } = bound.called;
  const words = estimateLabels(estimate, intent, { abi, mutability, marginPercent: MARGIN_PERCENT, symbol });
  const reason = noSendingOf(words);
  if (reason !== undefined) throw new ChainError("CALL_WOULD_FAIL", { reason });
  const [head, solid] = await Promise.all([gateway.headBlock(), gateway.solidBlock()]);
  const headTimestamp = head.timestamp;
  const times = { expiration: headTimestamp + lifetimeMs, timestamp: clock.now() };
  const built = builtFromIntent(intent, { referenceBlock: solid.id, ...times });
  const verified = verifyAgainstIntent(built, intent, { headTimestamp });
  if (verified.kind !== "same") throw new ChainError("TRANSACTION_DIFFERS", { differences: verified.differences });
  const { txId, rawDataHex } = verified;
  // Only the bytes show whether another network has their reference block.
  const acknowledged = await passDuplicates(sender, intent, { rawDataHex });
  const known = sender.tracker.get(txId);
  if (known !== undefined) throw new ChainError("TRANSACTION_KNOWN", { txId, state: known.state.kind });
  const { title, detail } = reviewOf(sender, { bound: { ...bound, intent }, signing, words, verified, lifetimeMs });
  return {
    verified,
    solidHeight: solid.number,
    acknowledged,
    title,
    detail,
    ...(words.energy !== undefined && { estimatedEnergy: Number(words.energy) }),
    functionSignature: bound.called.signature,
  };
}

/**
 * Returns equal transactions that are certainly on another chain.
 *
 * @throws {ChainError} `EQUAL_TRANSACTION_ALIVE` if an equal one may be executed
 */
async function passDuplicates(
  { tracker, network, sources }: Sender,
  intent: IntendedTransaction["intent"],
  bytes: Pick<IntendedTransaction, "rawDataHex"> = {},
): Promise<readonly TxId[]> {
  const { conflicting, onOtherChains } = await findDuplicates(tracker, { ...network, intent, ...bytes }, sources);
  const [duplicate] = conflicting;
  if (duplicate === undefined) return onOtherChains;
  const { tracked, relation } = duplicate;
  throw conflictError(tracked, relation === "unknown" ? tracked.network : undefined);
}

/** @throws {ChainError} `PERMISSION_REFUSED` if the key alone may not sign */
async function signingOf(gateway: Gateway, { intent }: BoundCall, address: Address): Promise<SigningLabels> {
  const account = await gateway.account(intent.owner);
  const permissions = account?.permissions ?? ownKeyAlone(intent.owner);
  const missingPath = account?.permissions === undefined ? account?.missingPath : undefined;
  const here = { ours: new Set([address]), nameOf: () => undefined };
  const authority = checkAuthority(permissions, intent, here.ours);
  if (authority.kind !== "enough")
    throw new ChainError("PERMISSION_REFUSED", { reason: authorityProblem(authority, [], here) });
  const { permission, signers } = authority;
  return { permission, signers, isUsual: isDefaultSetup(intent.owner, permissions), missingPath, here };
}

interface Reviewed {
  readonly bound: BoundCall;
  readonly signing: SigningLabels;
  readonly words: EstimateLabels;
  readonly verified: VerifiedTransaction;
  readonly lifetimeMs: number;
}

/** Returns the review of the editor. */
function reviewOf(sender: Sender, { bound, signing, words, verified, lifetimeMs }: Reviewed) {
  const { profile } = sender.connection;
  const { intent, called } = bound;
  const typed = typedValues(called.parameters, bound.arguments, () => undefined);
  const isCall = intent.kind === "contract-call";
  return codeReviewText({
    action: `Call ${quoted(called.name)}`,
    network: { name: profile.name, production: sender.isRealMoney },
    symbol: coinSymbolOf(profile.baseUrl),
    from: { address: intent.owner },
    signing,
    contract: isCall ? { address: intent.contract, name: foreignText("") } : undefined,
    money: isCall ? tokenLines(intent.tokenId, intent.tokenValue) : [],
    details: [...(typed.ok ? argumentLines(called.parameters, typed.value) : []), ...bound.assumptions],
    callValue: intent.callValue,
    feeLimit: intent.feeLimit,
    words,
    expiry: {
      lifetimeMs,
      expiration: verified.expiration,
      now: clock.now(),
      timeOf: localTime,
      isLocalChain: profile.local,
    },
    matchingFields: verified.fields.length,
    doubts: [],
  });
}

/**
 * Signs, writes the signed bytes to the journal, and sends them. The caller has the consent of the user.
 *
 * @throws {ChainError} the errors of signing and submission, after which nothing was sent
 */
export async function signAndSubmit(
  { tracker, network, sources, connection }: Sender,
  { verified, solidHeight, estimatedEnergy, functionSignature, acknowledged }: PreparedCall,
  { key, label }: { readonly key: KeySource; readonly label: string | undefined },
): Promise<TxId> {
  const { txId, rawDataHex, intent, expiration } = verified;
  const intended = { ...network, txId, intent, acknowledged };
  const rechecked = rejectedEquals(tracker.list(), network, intent).map((it) => it.txId);
  const [refused] = await recheckRejected(tracker, intended, sources);
  if (refused !== undefined) throw conflictError(refused);
  const context = {
    ...network,
    intent,
    expiration,
    solidHeight,
    acknowledged,
    rechecked,
    functionSignature,
    ...defined({ estimatedEnergy, label }),
  };
  const services = { log: tracker, gateway: connection.gateway, clock };
  // An external signer may send the bytes itself, so the journal has them before it does.
  if (key.isExternal) {
    const bytes = { txId, rawDataHex, signatures: [] };
    await storeTransaction(services, bytes, { ...context, signers: [], isNew: true });
  }
  const signed = await key.sign(verified);
  await submitTransaction(services, signed, context);
  return txId;
}

/**
 * Sends the signed bytes of the journal again.
 *
 * @throws {ChainError} `RESEND_REFUSED`, `EQUAL_TRANSACTION_ALIVE`, after which nothing was sent
 */
export async function resend({ tracker, network, sources, connection }: Sender, txId: TxId): Promise<void> {
  const refused = (reason: string): ChainError => new ChainError("RESEND_REFUSED", { txId, reason });
  const tracked = tracker.get(txId);
  if (tracked?.signed === undefined) throw refused("The journal does not have its signed bytes.");
  const { intent, rawDataHex } = tracked.signed;
  const intended = { ...network, txId, intent, rawDataHex };
  const { onOtherChains: acknowledged } = await findDuplicates(tracker, intended, sources);
  const rechecked = rejectedEquals(tracker.list(), network, intent).map((it) => it.txId);
  const services = { log: tracker, gateway: connection.gateway, clock };
  await checkExpiry(services, txId);
  const result = await resubmitTransaction(services, txId, { acknowledged, rechecked });
  if (result.kind === "refused") throw refused(result.reason);
}
