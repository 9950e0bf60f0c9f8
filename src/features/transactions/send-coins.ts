import * as vscode from "vscode";
import { ChainError, isChainError } from "../../core/errors/chain-error.ts";
import type { Gateway, TransferRequest } from "../../core/gateway/gateway.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import { type Address, toBase58 } from "../../core/primitives/address.ts";
import { bytesToHex } from "../../core/primitives/bytes.ts";
import type { TxId } from "../../core/primitives/hash.ts";
import { isJsonObject } from "../../core/primitives/json.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { TrackingState } from "../../core/tracking/tracking-state.ts";
import type { NameOf } from "../../core/transaction/describe-intent.ts";
import { DEFAULT_EXPIRATION_AHEAD_MS } from "../../core/transaction/reference-block.ts";
import { expirySeconds } from "../../host/expiration-setting.ts";
import type { SigningAccount } from "../../host/signing-keys.ts";
import { askPayment } from "./ask-payment.ts";
import { confirmReview, confirmTwin, showDifferences, whileWorking } from "./dialogs.ts";
import { draftTransfer, type TransferDraft } from "./draft-transfer.ts";
import { aliveError, type EqualPayments } from "./equal-payments.ts";
import { isComplete, networkNameOf, parseSendArguments, type SendArguments } from "./send-arguments.ts";
import type { Review, ShownAccount } from "./send-coins.view.ts";
import { accountsOn, namesOf, type TransactionServices } from "./services.ts";

/** What Send Coins gives to who called it. */
export interface SentTransaction {
  readonly txId: TxId;
  readonly state: TrackingState;
}

const BALANCES_WITHIN_MS = 3_000;

/** A payment that is decided but for the confirmation. */
export interface Order {
  readonly network: NetworkProfile;
  readonly gateway: Gateway;
  readonly nameOf: NameOf;
  readonly request: TransferRequest;
  readonly told: SendArguments;
  /** Chain time from the newest block to the expiration, ms; absent leaves it to the gateway. */
  readonly expiresInMs?: number;
  /** Everything was said in advance, so nobody may sit in front of the screen. */
  readonly unattended: boolean;
  /** The transaction whose place it takes. */
  readonly replaces?: TxId;
  /** The solidified height before that one was signed. */
  readonly since?: number;
}

/**
 * Sends coins: asks for what is missing, lets the gateway build, verifies, shows, signs, remembers, broadcasts.
 *
 * @returns undefined when the person left
 */
export async function sendCoins(
  services: TransactionServices,
  equals: EqualPayments,
  argument: unknown,
): Promise<SentTransaction | undefined> {
  await services.desk.ready();
  const order = await takeOrder(services, argument);
  return order === undefined ? undefined : await sendOrder(services, equals, order);
}

/**
 * What follows when it is known what to pay: build, verify, show, sign, remember, broadcast.
 *
 * @returns undefined when the person left
 */
export async function sendOrder(
  services: TransactionServices,
  equals: EqualPayments,
  order: Order,
): Promise<SentTransaction | undefined> {
  const acknowledged = await passEquals(equals, order);
  if (acknowledged === undefined) return undefined;
  const draft = await draftOrder(order);
  if (draft === undefined) return undefined;
  if (!(order.unattended && order.network.local) && !(await confirmReview(reviewOf(order, draft)))) return undefined;
  const payment = {
    network: order.network.name,
    intent: draft.verified.intent,
    txId: draft.verified.txId,
    acknowledged,
    since: order.since,
  };
  const { txId, state } = await equals.alone(payment, () => signAndSubmit(services, order, draft, acknowledged));
  if (!order.unattended) await vscode.commands.executeCommand("finality.showTransaction", { txId, focus: false });
  return { txId, state };
}

async function takeOrder(services: TransactionServices, argument: unknown): Promise<Order | undefined> {
  const { networks, gateways, keys } = services;
  const network = networks.get(networkNameOf(argument));
  const gateway = await gateways.for(network);
  const accounts = accountsOn(keys, network);
  const signers = accounts.filter(({ watchOnly }) => !watchOnly);
  if (signers.length === 0) throw new ChainError("SIGNING_ACCOUNT_MISSING", { network: network.name });
  const told = parseSendArguments(argument, (name) => accounts.find(({ label }) => label === name)?.address);
  const payment = isComplete(told) ? told : await askPayment(told, await withBalances(gateway, accounts));
  if (payment === undefined) return undefined;
  const { from: owner, to, amount } = payment;
  if (!signers.some(({ address }) => address === owner)) {
    throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(owner) });
  }
  const memo = told.memo === undefined ? {} : { memo: bytesToHex(Buffer.from(told.memo, "utf8")) };
  return {
    network,
    gateway,
    nameOf: namesOf(services),
    told,
    unattended: isComplete(told),
    request: { owner, to, amount, ...memo },
    ...expirationOf(argument),
  };
}

/** Builders of the node give a minute: only another wish has bytes of our own. @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
export function expirationOf(argument: unknown): Pick<Order, "expiresInMs"> {
  const told = isJsonObject(argument) ? argument.expirySeconds : undefined;
  const ms = expirySeconds(told === undefined || told === null ? undefined : String(told)) * 1000;
  return ms === DEFAULT_EXPIRATION_AHEAD_MS ? {} : { expiresInMs: ms };
}

/** The balances help to choose; without them the choice is still possible, so nobody waits long for them. */
async function withBalances(gateway: Gateway, accounts: readonly SigningAccount[]): Promise<readonly ShownAccount[]> {
  const signal = AbortSignal.timeout(BALANCES_WITHIN_MS);
  return await whileWorking("Reading balances", () =>
    Promise.all(
      accounts.map(async ({ address, label: name, watchOnly }) => {
        const account = await gateway.account(address, signal).catch(() => undefined);
        return { address, name, canSign: !watchOnly, ...optional("balance", account?.balance) };
      }),
    ),
  );
}

/** @returns the equal transactions that the sender knows of; undefined when the person left */
async function passEquals(equals: EqualPayments, order: Order): Promise<readonly TxId[] | undefined> {
  const acknowledged = order.told.acknowledgeUnknown ?? [];
  const intent = { kind: "transfer", ...order.request } as const;
  const twins = equals.unacknowledged({ network: order.network.name, intent, acknowledged, since: order.since });
  const [twin] = twins;
  if (twin === undefined) return acknowledged;
  if (order.unattended) throw aliveError(twin.txId, twin.state.kind);
  const goOn = await confirmTwin(twin, order.nameOf);
  return goOn ? [...acknowledged, ...twins.map((it) => it.txId)] : undefined;
}

/** @returns undefined when the gateway built something else and a person was shown what */
async function draftOrder({ gateway, request, expiresInMs, unattended }: Order): Promise<TransferDraft | undefined> {
  try {
    return await whileWorking("Building the transfer", () => draftTransfer(gateway, request, expiresInMs));
  } catch (thrown) {
    if (unattended || !isChainError(thrown) || thrown.code !== "TRANSACTION_DIFFERS") throw thrown;
    await showDifferences(thrown.details.differences);
    return undefined;
  }
}

function reviewOf(order: Order, { verified, cost, lifetimeMs, proofCost }: TransferDraft): Review {
  const { owner, to, amount } = order.request;
  const party = (address: Address): Review["from"] => ({ address, ...optional("name", order.nameOf(address)) });
  return {
    ...{ network: order.network.name, production: order.network.production },
    ...{ from: party(owner), to: party(to), amount, cost, lifetimeMs, proofCost },
    ...optional("memo", order.told.memo),
    matchingFields: verified.fields.length,
  };
}

async function signAndSubmit(
  { keys, desk }: TransactionServices,
  { network, told, replaces }: Order,
  { verified, solidHeight }: TransferDraft,
  acknowledged: readonly TxId[],
): Promise<TrackedTransaction> {
  const { signTransaction } = await import("../../host/lazy/signing.ts");
  const signed = await keys.withPrivateKey(verified.intent.owner, (key) => signTransaction(verified, key));
  const { intent, expiration } = verified;
  return await desk.submit(signed, {
    network: network.name,
    intent,
    expiration,
    solidHeight,
    acknowledged,
    ...optional("label", told.label),
    ...optional("replaces", replaces),
  });
}

/** A field that is only there when it has a value. */
function optional<K extends string, T>(key: K, value: T | undefined): { readonly [key in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: T });
}
