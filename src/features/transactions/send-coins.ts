import {
  type Account,
  coinSymbolOf,
  type Gateway,
  type NetworkProfile,
  type TransferRequest,
} from "@finality/client/gateway";
import type { Since } from "@finality/client/tracking";
import { localTime, type NameOf } from "@finality/tron/format";
import { type Address, bytesToHex, type TxId } from "@finality/tron/primitives";
import { DEFAULT_EXPIRATION_AHEAD_MS } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { isUnattended } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-shapes.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { whileWorking } from "../../host/prompts/while-working.ts";
import type { SigningAccount } from "../../host/secrets/signing-keys.ts";
import { expirySeconds } from "../../host/settings/feature-settings.ts";
import { lookalikesHere } from "../../sending/addresses-here.ts";
import type { Review as SignReview } from "../../sending/consent.ts";
import type { SentTransaction, Share } from "../../sending/intent-sender.ts";
import { accountsToSign, mayBeSignedFor } from "../../sending/possible-signers.ts";
import { shareAsked } from "../../sending/share-file.ts";
import { planSigning, requirePart } from "../../sending/signing-plan.ts";
import { askPayment } from "./ask-payment.ts";
import { draftTransfer, type PlanTransfer, type TransferDraft } from "./draft-transfer.ts";
import { isComplete, readSendArguments, type SendArguments } from "./send-arguments.ts";
import { type Review, reviewText, type ShownAccount, validityButton, validityItems } from "./send-coins.view.ts";
import { namesOf, type TransactionServices } from "./services.ts";

const BALANCES_WITHIN_MS = 3_000;

type SendCoinsArgument = CommandArguments["finality.sendCoins"];

/** A payment that is decided but for the confirmation. */
export interface Order {
  readonly network: NetworkProfile;
  readonly gateway: Gateway;
  readonly nameOf: NameOf;
  readonly request: TransferRequest;
  readonly fields: SendArguments;
  /** Chain time from the newest block to the expiration, ms; absent leaves it to the gateway. */
  readonly expiresInMs?: number | undefined;
  /** A program passed every argument: the review is the only dialog, and there is none on the local chain. */
  readonly unattended: boolean;
  /** The transaction whose place it takes. */
  readonly replaces?: TxId;
  /** The solidified height before that one was signed. */
  readonly since?: Since | undefined;
  /** It leaves as a file instead of being broadcast. */
  readonly share?: Share | undefined;
}

/**
 * Sends coins: asks for what is missing, lets the gateway build, verifies, shows, signs, remembers, broadcasts.
 *
 * @returns undefined when the person left
 */
export async function sendCoins(
  services: TransactionServices,
  argument: SendCoinsArgument,
): Promise<SentTransaction | undefined> {
  await services.transactions.ready();
  const order = await takeOrder(services, argument);
  return order === undefined ? undefined : await sendOrder(services, order);
}

/**
 * What follows when it is known what to pay.
 *
 * @returns undefined when the person left
 */
export async function sendOrder(services: TransactionServices, order: Order): Promise<SentTransaction | undefined> {
  const { network, gateway, request, fields, nameOf, unattended, replaces, since, expiresInMs, share } = order;
  const sender = await services.sender();
  const planFor: PlanTransfer = (wanted, account) =>
    planSigning(services.keys, { ...order, intent: { kind: "transfer", ...wanted } }, account);
  let changed: Order | undefined;
  const sent = await sender.send({
    network,
    intent: { kind: "transfer", ...request },
    nameOf,
    unattended,
    replaces,
    since,
    share,
    label: fields.label,
    acknowledgeUnknown: fields.acknowledgeUnknown,
    progress: t`Building the transfer`,
    draft: (during) => draftTransfer(gateway, request, { planFor, during, expiresInMs }),
    confirm: async (draft, ask, known) => {
      const { chosen, consent } = await ask(signReview(reviewOf(services, { ...order, network: known }, draft)));
      const isOther = chosen !== undefined && consent === undefined;
      const { permissionId } = draft.plan.intent;
      if (isOther)
        changed = {
          ...order,
          request: { ...request, ...optional("permissionId", permissionId) },
          expiresInMs: await chooseValidity(order, draft),
        };
      return consent;
    },
  });
  return changed === undefined ? sent : await sendOrder(services, changed);
}

async function takeOrder(services: TransactionServices, argument: SendCoinsArgument): Promise<Order | undefined> {
  const { networks, gateways, keys } = services;
  const network = networks.get(argument.network);
  const gateway = await gateways.for(network);
  const accounts = accountsToSign(keys, network, argument.share);
  const parties = keys.knownOn(network);
  const signers = accounts.filter(({ watchOnly }) => !watchOnly);
  const fields = readSendArguments(argument, (name) => parties.find(({ label }) => label === name)?.address);
  const payment = isComplete(fields)
    ? fields
    : await askPayment(fields, await withBalances(gateway, accounts), parties);
  if (payment === undefined) return undefined;
  const { from: owner, to, amount } = payment;
  const canSign = signers.some(({ address }) => address === owner);
  if (!canSign) requirePart(keys, network, owner, await watched(gateway, accounts, owner));
  const unattended = isUnattended(isComplete(fields));
  const memo = fields.memo === undefined ? {} : { memo: bytesToHex(Buffer.from(fields.memo, "utf8")) };
  return {
    network,
    gateway,
    nameOf: namesOf(services),
    fields,
    unattended,
    share: shareAsked(argument, unattended),
    request: { owner, to, amount, ...memo, ...optional("permissionId", fields.permissionId) },
    ...expirationOf(argument, keys.isOutside(owner)),
  };
}

/** A watched account, as the gateway has it; nothing is asked for one that is none of ours. */
async function watched(
  gateway: Gateway,
  accounts: readonly SigningAccount[],
  owner: Address,
): Promise<Account | undefined> {
  if (!accounts.some(({ address }) => address === owner)) return undefined;
  return await whileWorking(t`Reading the account`, (signal) => gateway.account(owner, signal));
}

/**
 * Builders of the node give a minute: only another wish has bytes of our own.
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function expirationOf(
  { expirySeconds: wanted }: Pick<SendCoinsArgument, "expirySeconds">,
  isOutside: boolean,
): Pick<Order, "expiresInMs"> {
  return { expiresInMs: unlessUsual(expirySeconds(wanted, isOutside) * 1000) };
}

function unlessUsual(ms: number): number | undefined {
  return ms === DEFAULT_EXPIRATION_AHEAD_MS ? undefined : ms;
}

/** The balances help to choose; without them the choice is still possible, so nobody waits long for them. */
async function withBalances(gateway: Gateway, accounts: readonly SigningAccount[]): Promise<readonly ShownAccount[]> {
  return await whileWorking(t`Reading balances`, (cancelled) => {
    const signal = AbortSignal.any([cancelled, AbortSignal.timeout(BALANCES_WITHIN_MS)]);
    return Promise.all(
      accounts.map(async ({ address, label: name, watchOnly, signer }) => {
        const account = await gateway.account(address, signal).catch(() => "unknown" as const);
        const symbol = coinSymbolOf(gateway.endpoint);
        const known = { address, name, ...optional("signer", signer), ...optional("symbol", symbol) };
        if (account === "unknown") return { ...known, canSign: watchOnly ? "maybe" : true };
        const canSign = watchOnly ? mayBeSignedFor(address, account, accounts) && ("maybe" as const) : true;
        return { ...known, canSign, ...optional("balance", account?.balance) };
      }),
    );
  });
}

/** The last question before a signature. Escape and Cancel sign nothing. */
function signReview(review: Review): SignReview {
  const [sign, validity] = [t`Sign and Send`, validityButton(review.expiry.lifetimeMs)];
  const severity = review.production ? "warning" : "information";
  return { ...reviewText(review), severity, isRealMoney: review.production, buttons: [sign, validity], sign };
}

/** Escape leaves it as it is; the review comes again either way. */
async function chooseValidity(
  { expiresInMs }: Order,
  { lifetimeMs, proofCostFor }: TransferDraft,
): Promise<number | undefined> {
  const place = { title: t`Send Coins`, placeHolder: t`How long may it wait for a block?`, ignoreFocusOut: true };
  const chosen = await quickPick(validityItems(lifetimeMs, proofCostFor), place);
  const isSame = chosen === undefined || chosen.expiresInMs === lifetimeMs;
  return isSame ? expiresInMs : unlessUsual(chosen.expiresInMs);
}

function reviewOf(
  services: TransactionServices,
  order: Order,
  { verified, plan, cost, lifetimeMs, proofCost }: TransferDraft,
): Review {
  const { owner, to, amount } = order.request;
  const party = (address: Address): Review["from"] => ({ address, ...optional("name", order.nameOf(address)) });
  return {
    network: order.network.name,
    production: order.network.production,
    symbol: coinSymbolOf(order.network.baseUrl),
    from: party(owner),
    signing: plan,
    to: party(to),
    amount,
    cost,
    proofCost,
    expiry: {
      lifetimeMs,
      now: services.clock.now(),
      expiration: verified.expiration,
      isLocalChain: order.network.local,
      timeOf: localTime,
    },
    ...optional("memo", order.fields.memo),
    matchingFields: verified.fields.length,
    lookalikes: lookalikesHere(services, order.network, to),
  };
}

/** A field that is only there when it has a value. */
function optional<K extends string, T>(key: K, value: T | undefined): { readonly [key in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: T });
}
