import { coinSymbolOf, type HttpGateway, type NetworkProfile } from "@finality/client/gateway";
import { describeIntent, keyText, permissionText, quorumText } from "@finality/client/labels";
import { weightOf } from "@finality/client/permissions";
import { decideActions, sinceSigned, type TrackedTransaction } from "@finality/client/tracking";
import { ChainError, isChainError } from "@finality/tron/errors";
import { localTime } from "@finality/tron/format";
import { type Address, type Hex, parseAddress, type TxId, visibleLine } from "@finality/tron/primitives";
import { partiesOf, type SharedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { readAs } from "../../host/commands/command-arguments.ts";
import { askModal, whileSending } from "../../host/prompts/notify.ts";
import { pickValue } from "../../host/prompts/quick-input.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import { lookalikesHere } from "../../sending/addresses-here.ts";
import type { Review } from "../../sending/consent.ts";
import { handOver } from "../../sending/export-file.ts";
import { keysHere } from "../../sending/signing-plan.ts";
import type {
  DeliveredFile,
  Draft,
  SendRequest,
  SentTransaction,
  SigningChoice,
  StepContext,
  StoredTransaction,
  TransactionKind,
} from "../../sending/transaction-kind.ts";
import type { SharedFileServices } from "./services.ts";
import { countingSignatures, readSharedFacts, type SharedFacts } from "./shared-facts.ts";
import { type Purpose, sharedReviewText } from "./shared-review.view.ts";
import { type Source, writeBack } from "./source.ts";

/** Existing bytes, and the action on them. */
export interface ShareOrder {
  readonly purpose: Purpose;
  readonly network: NetworkProfile;
  readonly source: Source;
  /** Account that signs; undefined to prompt if a signature is needed. */
  readonly signer?: string | undefined;
  /** A program requests a broadcast once there are enough signatures. */
  readonly broadcast?: boolean | undefined;
  /** Path that a program chose. */
  readonly file?: string | undefined;
  readonly label?: string | undefined;
  readonly acknowledgeUnknown?: readonly TxId[] | undefined;
  /** A program passed all arguments: the review is the only dialog, and the local chain shows none. */
  readonly unattended: boolean;
}

/** Request of the send pipeline for existing bytes. */
interface SharedRequest extends SendRequest, Pick<ShareOrder, "purpose" | "source" | "signer" | "broadcast" | "file"> {
  readonly gateway: HttpGateway;
  readonly tracked: TrackedTransaction | undefined;
  readonly explain: SharedFileServices["explain"];
}

interface SharedDraft extends SharedFacts, Draft {
  /** Description of a contract call, one item per line. */
  readonly call: readonly string[];
}

const BROADCAST = t`Broadcast`;

/**
 * Reviews existing bytes, signs them if requested, stores them, and broadcasts them if the signatures suffice and the
 * user agrees. Tracked bytes update their entry. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `SIGN_AGAIN_REFUSED`, `PERMISSION_REFUSED`, `TRANSACTION_FILE_REFUSED`, and the errors of
 *   sending
 */
export async function shareTransaction(
  services: SharedFileServices,
  { source, network, ...order }: ShareOrder,
): Promise<SentTransaction | undefined> {
  const { txId, intent } = source.transaction;
  await services.transactions.ready();
  const tracked = services.transactions.get(txId);
  if (tracked !== undefined) requireOpen(tracked);
  const sender = await services.sender();
  return await sender.send(sharedTransaction, {
    ...order,
    source,
    network,
    gateway: await services.gateways.for(network),
    txId,
    intent: tracked?.signed?.intent ?? intent,
    nameOf: services.nameOf,
    since: tracked && sinceSigned(tracked),
    tracked,
    explain: services.explain,
  });
}

/** Steps for existing bytes of a file, the clipboard or the list. */
const sharedTransaction: TransactionKind<SharedRequest, SharedFacts, SigningChoice, SharedDraft> = {
  progress: ({ intent, nameOf, network }) =>
    t`Checking: ${describeIntent(intent, nameOf, coinSymbolOf(network.baseUrl))}`,
  read: async ({ services, request }, signal) => {
    const { gateway, source, tracked, intent } = request;
    const { transaction } = source;
    const signatures = await unitedSignatures(transaction, tracked);
    return await readSharedFacts(gateway, services.clock, { transaction, intent, signatures }, signal);
  },
  plan: async ({ services, request }, facts) => {
    const { intent, purpose } = request;
    const { permission } = facts;
    if (purpose !== "add" && purpose !== "again") return { intent, permission, signers: [] };
    const signer = await chooseSigner(services.keys, request, facts);
    return signer && { intent, permission, signers: [signer] };
  },
  build: async ({ request }, facts, plan) => ({ ...facts, plan, call: await callLines(request) }),
  review: reviewOf,
  delivery: {
    coSigning: ({ purpose, broadcast }, draft, button) => {
      const { signers } = draft.plan;
      const sends = button === BROADCAST || (button === undefined && broadcast === true);
      const counting = countingSignatures(draft);
      const all = [...draft.signatures.values()];
      const renews = purpose === "again" || (purpose === "import" && sends && counting.length < all.length);
      return { signers, before: withoutThose(renews ? counting : all, draft), renews };
    },
    deliver,
  },
};

/** @throws {ChainError} `SIGN_AGAIN_REFUSED` */
function requireOpen(tracked: TrackedTransaction): void {
  if (tracked.signed === undefined && tracked.state.kind === "unknown") return;
  const { signAgain } = decideActions(tracked);
  const isUnsent = tracked.state.kind === "signed" && tracked.replacedBy === undefined;
  if (!signAgain.allowed && !isUnsent)
    throw new ChainError(signAgain.code, { txId: tracked.txId, reason: signAgain.why });
}

/** A new signature replaces the earlier one of the same key. */
function withoutThose(all: readonly Hex[], { plan, signatures }: SharedDraft): readonly Hex[] {
  const theirs = new Set(plan.signers.map((it) => signatures.get(it)));
  return all.filter((it) => !theirs.has(it));
}

/** Returns the readable signatures of the file and the journal, one per key. */
async function unitedSignatures(
  { txId, signatures }: SharedTransaction,
  tracked: TrackedTransaction | undefined,
): Promise<ReadonlyMap<Address, Hex>> {
  const { oneOfEach } = await import("../../host/secrets/lazy-signing.ts");
  const readable = [...signatures, ...(tracked?.signed?.signatures ?? [])].filter((it) => {
    try {
      return oneOfEach(txId, [it]).size === 1;
    } catch (error) {
      if (!isChainError(error)) throw error;
      return false;
    }
  });
  return oneOfEach(txId, readable);
}

/**
 * Chooses a local key that is part of the permission and has not signed yet.
 *
 * @throws {ChainError} `PERMISSION_REFUSED` if there is none, `SIGNATURE_DUPLICATE`, `COMMAND_ARGUMENT_MALFORMED`
 */
async function chooseSigner(
  keys: SigningKeys,
  { network, nameOf, signer, purpose, unattended }: SharedRequest,
  { permission, signatures }: SharedFacts,
): Promise<Address | undefined> {
  const here = keysHere(keys, network, nameOf);
  const part = permission.keys.filter(({ address }) => here.ours.has(address));
  const open = part.filter(({ address }) => purpose === "again" || !signatures.has(address));
  const which = t`${permissionText(permission)}. It is signed by ${quorumText(permission, here)}`;
  const refused = (reason: string): ChainError => new ChainError("PERMISSION_REFUSED", { reason });
  if (signer !== undefined) {
    const address = keys.addressOf(signer) ?? readAs("signer", signer, parseAddress);
    if (open.some((it) => it.address === address)) return address;
    if (signatures.has(address)) throw new ChainError("SIGNATURE_DUPLICATE", { address: keyText(address, here) });
    throw refused(t`${keyText(address, here)} has no key in the permission ${which}.`);
  }
  const [first, ...more] = open;
  if (first === undefined && part.length > 0) throw refused(t`Every key here has signed this transaction already.`);
  if (first === undefined) throw refused(t`You have no key in the permission ${which}.`);
  if (more.length === 0 || unattended) return first.address;
  const items = open.map(({ address, weight }) => ({
    label: keyText(address, here),
    description: t`weight ${String(weight)} of ${String(permission.threshold)}${signatures.has(address) ? t`, signed before` : ""}`,
    value: address,
  }));
  const picked = await pickValue(
    { title: t`Add Signature`, step: 0, totalSteps: 0 },
    { placeholder: t`Which key signs?`, items },
  );
  return picked.kind === "value" ? picked.value : undefined;
}

const WIDE = 120;

/** Describes a contract call by the names of the workspace and the dictionary. */
async function callLines({ explain, intent }: SharedRequest): Promise<readonly string[]> {
  if (intent.kind !== "contract-call") return [];
  const { title, decoded } = await explain(intent.data);
  const fields = decoded.map(({ name, value }) => `  ${visibleLine(`${name}: ${value}`, WIDE)}`);
  return [visibleLine(t`Calls: ${title}`, WIDE), ...fields];
}

function reviewOf({ services, request }: StepContext<SharedRequest>, draft: SharedDraft): Review {
  const { network, purpose, nameOf } = request;
  const { lifetimeMs, verified, plan, call } = draft;
  const here = keysHere(services.keys, network, nameOf);
  const now = services.clock.now();
  const text = sharedReviewText({
    purpose,
    network,
    symbol: coinSymbolOf(network.baseUrl),
    facts: draft,
    signers: plan.signers,
    here,
    expiry: { lifetimeMs, expiration: verified.expiration, now, isLocalChain: network.local, timeOf: localTime },
    call,
    lookalikes: partiesOf(verified.intent).flatMap((it) => lookalikesHere(services, network, it)),
  });
  const isReal = network.production;
  const buttons = buttonsOf(purpose, isEnough(draft));
  return { ...text, ...buttons, severity: isReal ? "warning" : "information", isRealMoney: isReal };
}

/** Returns whether the signatures reach the threshold, including those of this request. */
function isEnough({ permission, signatures, plan: { signers } }: SharedDraft): boolean {
  return weightOf(permission, [...signatures.keys(), ...signers]) >= permission.threshold;
}

function buttonsOf(purpose: Purpose, enough: boolean): Pick<Review, "buttons" | "sign" | "alsoConsent"> {
  const only = (sign: string) => ({ buttons: [sign], sign });
  switch (purpose) {
    case "import": {
      const saveLabel = t`Save and Track`;
      return enough ? { buttons: [BROADCAST, saveLabel], sign: BROADCAST, alsoConsent: [saveLabel] } : only(saveLabel);
    }
    case "export":
      return only(t`Export`);
    case "again":
      return only(enough ? t`Sign and Send` : t`Sign`);
    case "add":
      return only(t`Sign`);
  }
}

/** Writes back, exports or broadcasts bytes that are in the journal. */
async function deliver(
  { services, request }: StepContext<SharedRequest>,
  draft: SharedDraft,
  stored: StoredTransaction,
): Promise<DeliveredFile | undefined> {
  const { purpose, source, unattended, broadcast } = request;
  const { signed, button } = stored;
  const enough = isEnough(draft);
  const send = () => whileSending(t`Sending`, () => services.transactions.resend(stored.consent, stored.acknowledged));
  if (purpose === "export") return await handOver(signed, request.file, unattended);
  if (purpose === "import") {
    const sends = button === BROADCAST || (button === undefined && broadcast === true);
    if (sends && enough) await send();
    return undefined;
  }
  if (purpose === "again") {
    if (enough) await send();
    return undefined;
  }
  const file = source.uri && { transaction: await writeBack(source.uri, signed), file: source.uri.fsPath };
  const allCount = countingSignatures(draft).length === draft.signatures.size;
  if (enough && allCount && (await mayBroadcast(request, stored))) await send();
  else if (source.uri === undefined) return await handOver(signed, undefined, unattended);
  return file ?? { transaction: await printed(stored) };
}

/** Returns whether to broadcast. A program is not asked if it acts on the local chain. */
async function mayBroadcast({ unattended, broadcast }: SharedRequest, { button }: StoredTransaction): Promise<boolean> {
  if (unattended && (broadcast !== true || button === undefined)) return broadcast === true;
  const title = t`There are enough signatures. Send the transaction now?`;
  const detail = t`The chain executes it at most once, even if others send it too.`;
  return (await askModal("information", { title, detail }, BROADCAST, t`Not Yet`)) === BROADCAST;
}

async function printed({ signed }: StoredTransaction): Promise<string> {
  const { printTransactionFile } = await import("../../host/secrets/lazy-signing.ts");
  return printTransactionFile(signed);
}
