import { coinSymbolOf, type NetworkProfile } from "@finality/client/gateway";
import { weightOf } from "@finality/client/permissions";
import { judge, sinceSigned, type TrackedTransaction } from "@finality/client/tracking";
import { ChainError, isChainError } from "@finality/tron/errors";
import { localTime } from "@finality/tron/format";
import { type Address, type Hex, parseAddress, type TxId, visibleLine } from "@finality/tron/primitives";
import { partiesOf, type SharedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { readAs } from "../../host/commands/command-arguments.ts";
import { pickValue } from "../../host/prompts/ask-account.ts";
import { askModal } from "../../host/prompts/notify.ts";
import { type During, whileSending } from "../../host/prompts/while-working.ts";
import { describeIntent } from "../../labels/intents.ts";
import { keyText, permissionText, quorumText } from "../../labels/permission-words.ts";
import { lookalikesHere } from "../../sending/addresses-here.ts";
import type { Review } from "../../sending/consent.ts";
import type { KeptTransaction, SentTransaction } from "../../sending/intent-sender.ts";
import { handOver } from "../../sending/share-file.ts";
import { keysHere } from "../../sending/signing-plan.ts";
import type { SharedFileServices } from "./services.ts";
import { countingSignatures, readSharedFacts, type SharedFacts } from "./shared-facts.ts";
import { type Purpose, sharedReviewText } from "./shared-review.view.ts";
import { type Source, writeBack } from "./source.ts";

/** What is to be done with bytes that somebody has already. */
export interface ShareOrder {
  readonly purpose: Purpose;
  readonly network: NetworkProfile;
  readonly source: Source;
  /** Whose key signs; absent is asked for, where one has to. */
  readonly signer?: string | undefined;
  /** A program wants it sent as soon as the signatures are enough. */
  readonly broadcast?: boolean | undefined;
  /** Where a program wants the file. */
  readonly file?: string | undefined;
  readonly label?: string | undefined;
  readonly acknowledgeUnknown?: readonly TxId[] | undefined;
  /** A program passed every argument: the review is the only dialog, and there is none on the local chain. */
  readonly unattended: boolean;
}

interface Draft extends SharedFacts {
  readonly plan: Pick<SharedFacts, "permission">;
  readonly signers: readonly Address[];
  readonly call: readonly string[];
}

const BROADCAST = t`Broadcast`;

/**
 * Shows bytes that somebody has already, signs them where that is wanted, keeps them, and sends them where there are
 * signatures enough and the person wants it. Bytes that are tracked join their row.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `SIGN_AGAIN_REFUSED`, `PERMISSION_REFUSED`, `TRANSACTION_FILE_REFUSED`, and what sending throws
 */
export async function shareTransaction(
  services: SharedFileServices,
  order: ShareOrder,
): Promise<SentTransaction | undefined> {
  const { network, source, unattended, label, acknowledgeUnknown, purpose } = order;
  const { transaction } = source;
  await services.transactions.ready();
  const tracked = services.transactions.get(transaction.txId);
  if (tracked !== undefined) requireOpen(tracked);
  const intent = tracked?.signed?.intent ?? transaction.intent;
  const sender = await services.sender();
  let drafted: Draft | undefined;
  return await sender.send({
    network,
    intent,
    nameOf: services.nameOf,
    unattended,
    label,
    acknowledgeUnknown,
    since: tracked && sinceSigned(tracked),
    progress: t`Checking: ${describeIntent(intent, services.nameOf, coinSymbolOf(network.baseUrl))}`,
    share: {
      txId: transaction.txId,
      coSigning: (signers, button) => {
        const sends = button === BROADCAST || (button === undefined && order.broadcast === true);
        const counting = drafted === undefined ? [] : countingSignatures(drafted);
        const all = drafted === undefined ? [] : [...drafted.signatures.values()];
        const renews = purpose === "again" || (purpose === "import" && sends && counting.length < all.length);
        return { signers, before: withoutThose(renews ? counting : all, drafted, signers), renews };
      },
      finish: (kept) => finish(services, order, drafted, kept),
    },
    draft: async (during) => {
      drafted = await draft(services, order, { intent, tracked, during });
      return drafted;
    },
    confirm: async (it, ask, known) => (await ask(reviewOf(services, { ...order, network: known }, it))).consent,
  });
}

/** @throws {ChainError} `SIGN_AGAIN_REFUSED` */
function requireOpen(tracked: TrackedTransaction): void {
  if (tracked.signed === undefined && tracked.state.kind === "unknown") return;
  const { signAgain } = judge(tracked);
  const isUnsent = tracked.state.kind === "signed" && tracked.replacedBy === undefined;
  if (!signAgain.allowed && !isUnsent)
    throw new ChainError(signAgain.code, { txId: tracked.txId, reason: signAgain.why });
}

/** Whoever signs again takes the place of their earlier signature. */
function withoutThose(all: readonly Hex[], drafted: Draft | undefined, signers: readonly Address[]): readonly Hex[] {
  const theirs = new Set(signers.map((it) => drafted?.signatures.get(it)));
  return all.filter((it) => !theirs.has(it));
}

interface Drafting {
  readonly intent: SharedTransaction["intent"];
  readonly tracked: TrackedTransaction | undefined;
  readonly during: During;
}

async function draft(
  services: SharedFileServices,
  order: ShareOrder,
  { intent, tracked, during }: Drafting,
): Promise<Draft | undefined> {
  const { network, source } = order;
  const { transaction } = source;
  const signatures = await united(transaction, tracked);
  const gateway = await services.gateways.for(network);
  const known = { transaction, intent, signatures };
  const facts = await during((signal) => readSharedFacts(gateway, services.clock, known, signal));
  const signs = order.purpose === "add" || order.purpose === "again";
  const signer = signs ? await chooseSigner(services, order, facts) : undefined;
  if (signs && signer === undefined) return undefined;
  const signers = signer === undefined ? [] : [signer];
  return { ...facts, plan: { permission: facts.permission }, signers, call: await callLines(services, intent) };
}

/** Of the file and of the journal, one of each key; what cannot be read counts nowhere. */
async function united(
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
 * A key that is here, has a part in the permission, and is missing.
 *
 * @throws {ChainError} `PERMISSION_REFUSED` there is none, `SIGNATURE_DUPLICATE`, `COMMAND_ARGUMENT_MALFORMED`
 */
async function chooseSigner(
  services: SharedFileServices,
  { network, signer, purpose, unattended }: ShareOrder,
  { permission, signatures }: SharedFacts,
): Promise<Address | undefined> {
  const here = keysHere(services.keys, network, services.nameOf);
  const part = permission.keys.filter(({ address }) => here.ours.has(address));
  const open = part.filter(({ address }) => purpose === "again" || !signatures.has(address));
  const which = t`${permissionText(permission)}. It is signed by ${quorumText(permission, here)}`;
  const refused = (reason: string): ChainError => new ChainError("PERMISSION_REFUSED", { reason });
  if (signer !== undefined) {
    const address = services.keys.addressOf(signer) ?? readAs("signer", signer, parseAddress);
    if (open.some((it) => it.address === address)) return address;
    if (signatures.has(address)) throw new ChainError("SIGNATURE_DUPLICATE", { address: keyText(address, here) });
    throw refused(t`${keyText(address, here)} has no part in the permission ${which}.`);
  }
  const [first, ...more] = open;
  if (first === undefined && part.length > 0) throw refused(t`Every key here has signed this transaction already.`);
  if (first === undefined) throw refused(t`No key here has a part in the permission ${which}.`);
  if (more.length === 0 || unattended) return first.address;
  const items = open.map(({ address, weight }) => ({
    label: keyText(address, here),
    description: t`weight ${String(weight)} of ${String(permission.threshold)}${signatures.has(address) ? t`, signed before` : ""}`,
    value: address,
  }));
  const picked = await pickValue(
    { title: t`Add Signature`, step: 1, totalSteps: 1 },
    { placeholder: t`Which key signs?`, items },
  );
  return picked.kind === "value" ? picked.value : undefined;
}

const WIDE = 120;

/** The call by the names of the workspace and of the dictionary: each is on one line. */
async function callLines(
  { explain }: SharedFileServices,
  intent: SharedTransaction["intent"],
): Promise<readonly string[]> {
  if (intent.kind !== "contract-call") return [];
  const { title, decoded } = await explain(intent.data);
  const fields = decoded.map(({ name, value }) => `  ${visibleLine(`${name}: ${value}`, WIDE)}`);
  return [visibleLine(t`Calls: ${title}`, WIDE), ...fields];
}

function reviewOf(services: SharedFileServices, order: ShareOrder, drafted: Draft): Review {
  const { network, purpose } = order;
  const { lifetimeMs, verified, signers, call } = drafted;
  const here = keysHere(services.keys, network, services.nameOf);
  const now = services.clock.now();
  const text = sharedReviewText({
    purpose,
    network: network.name,
    production: network.production,
    symbol: coinSymbolOf(network.baseUrl),
    facts: drafted,
    signers,
    here,
    expiry: { lifetimeMs, expiration: verified.expiration, now, isLocalChain: network.local, timeOf: localTime },
    call,
    lookalikes: partiesOf(verified.intent).flatMap((it) => lookalikesHere(services, network, it)),
  });
  const isReal = network.production;
  const buttons = buttonsOf(purpose, isEnough(drafted));
  return { ...text, ...buttons, severity: isReal ? "warning" : "information", isRealMoney: isReal };
}

/** Whether the signatures reach the threshold once those that sign now have signed. */
function isEnough({ permission, signatures, signers }: Draft): boolean {
  return weightOf(permission, [...signatures.keys(), ...signers]) >= permission.threshold;
}

function buttonsOf(purpose: Purpose, enough: boolean): Pick<Review, "buttons" | "sign" | "alsoConsent"> {
  const only = (sign: string) => ({ buttons: [sign], sign });
  switch (purpose) {
    case "import": {
      const keep = t`Keep and Watch`;
      return enough ? { buttons: [BROADCAST, keep], sign: BROADCAST, alsoConsent: [keep] } : only(keep);
    }
    case "export":
      return only(t`Export`);
    case "again":
      return only(enough ? t`Sign and Send` : t`Sign`);
    case "add":
      return only(t`Sign`);
  }
}

/** Writes back, hands over, or sends: everything is on disk by now. */
async function finish(
  services: SharedFileServices,
  order: ShareOrder,
  drafted: Draft | undefined,
  kept: KeptTransaction,
): Promise<Pick<SentTransaction, "file" | "transaction"> | undefined> {
  const { purpose, source, unattended, broadcast } = order;
  const enough = drafted !== undefined && isEnough(drafted);
  if (purpose === "export") return await handOver(kept.signed, order.file, unattended);
  if (purpose === "import") {
    const wanted = kept.button === BROADCAST || (kept.button === undefined && broadcast === true);
    if (wanted && enough) await send(services, kept);
    return undefined;
  }
  if (purpose === "again") {
    if (enough) await send(services, kept);
    return undefined;
  }
  const file = source.uri && { transaction: await writeBack(source.uri, kept.signed), file: source.uri.fsPath };
  const counts = drafted !== undefined && countingSignatures(drafted).length === drafted.signatures.size;
  if (enough && counts && (await mayBroadcast(order, kept))) await send(services, kept);
  else if (source.uri === undefined) return await handOver(kept.signed, undefined, unattended);
  return file ?? { transaction: await printed(kept) };
}

async function send({ transactions }: SharedFileServices, { consent, acknowledged }: KeptTransaction): Promise<void> {
  await whileSending(t`Sending`, () => transactions.resend(consent, acknowledged));
}

/** A program that was not asked about acts on the local chain. */
async function mayBroadcast({ unattended, broadcast }: ShareOrder, { button }: KeptTransaction): Promise<boolean> {
  if (unattended && (broadcast !== true || button === undefined)) return broadcast === true;
  return await wantsToSend();
}

async function wantsToSend(): Promise<boolean> {
  const title = t`The signatures are enough. Send the transaction now?`;
  const detail = t`The chain executes it at most once, whoever sends it.`;
  return (await askModal("information", { title, detail }, BROADCAST, t`Not Yet`)) === BROADCAST;
}

async function printed({ signed }: KeptTransaction): Promise<string> {
  const { printTransactionFile } = await import("../../host/secrets/lazy-signing.ts");
  return printTransactionFile(signed);
}
