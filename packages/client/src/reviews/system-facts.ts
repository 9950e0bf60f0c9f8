import { isChainError } from "@finality/tron/errors";
import { localTime, type NameOf } from "@finality/tron/format";
import { type Address, defined, type ForeignText, foreignText } from "@finality/tron/primitives";
import type { IntentOf } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { type TransferCost, type TransferFacts, transferCost } from "../estimates/costs.ts";
import { rankWitnesses } from "../estimates/stakes.ts";
import { coinSymbolOf } from "../gateway/chain-identity.ts";
import { requireCompleteAccount } from "../gateway/gateway.ts";
import type { HttpGateway } from "../gateway/http/http-gateway.ts";
import type { Party } from "../labels/reviews.ts";
import type { AccountFacts, SystemFacts, SystemIntent, Voting } from "./system-effect.view.ts";

/**
 * State of the chain and of the accounts of an intent.
 *
 * @throws the reason of the signal
 */
export async function readSystemFacts(
  gateway: HttpGateway,
  intent: SystemIntent,
  nameOf: NameOf,
  signal: AbortSignal,
): Promise<SystemFacts> {
  const other = otherParty(intent);
  const [head, parameters, owner, receiver, contract, reward, token, voting, refusal] = await Promise.all([
    gateway.headBlock(signal),
    gateway.chainParameters(signal),
    factsOf(gateway, intent.owner, signal),
    other && receiverOf(gateway, other, nameOf, signal),
    "contract" in intent ? gateway.deployedContract(intent.contract, signal) : undefined,
    intent.kind === "claim-reward" ? gateway.reward(intent.owner, signal) : undefined,
    "tokenId" in intent ? gateway.trc10Token(intent.tokenId, signal) : undefined,
    "votes" in intent
      ? readVoting(
          gateway,
          intent.votes.map(({ witness }) => witness),
          signal,
        )
      : undefined,
    intent.kind === "permission-update" ? refusalOf(gateway, intent, signal) : undefined,
  ]);
  const { endpoint } = gateway;
  const purpose = PURPOSES[intent.kind];
  if (purpose !== undefined) requireCompleteAccount(owner.account, { endpoint, purpose });
  const { timestamp: headTimestamp } = head;
  const others = { receiver, contract, reward, token, voting, refusal };
  const symbol = coinSymbolOf(endpoint);
  return { owner, ...others, parameters, symbol, headTimestamp, timeOf: localTime };
}

/** Parts of an account that a review needs besides the balance. */
const PURPOSES: { readonly [K in SystemIntent["kind"]]?: string } = {
  unstake: t`what is staked`,
  withdraw: t`pending unstakes`,
  "cancel-unstakes": t`pending unstakes`,
  delegate: t`what is staked`,
  undelegate: t`delegations`,
  vote: t`votes of the account`,
  "claim-reward": t`the last withdrawal of rewards`,
  "token-transfer": t`the TRC-10 tokens of an account`,
  "permission-update": t`permissions of an account`,
};

/** Returns the node's refusal; undefined if the gateway does not check. */
async function refusalOf(
  gateway: HttpGateway,
  intent: IntentOf<"permission-update">,
  signal: AbortSignal,
): Promise<ForeignText | undefined> {
  try {
    await gateway.checkPermissionUpdate(intent, signal);
    return undefined;
  } catch (error) {
    if (!isChainError(error)) throw error;
    if (error.code === "NODE_REFUSED") return foreignText(error.details.message);
    if (error.code === "GATEWAY_HTTP_STATUS" || error.code === "PATH_NOT_SERVED") return undefined;
    throw error;
  }
}

/** Each rate costs a request. */
const RATES_AT_ONCE = 10;

/** @param chosen - Witnesses whose rates are read; if empty, those of the highest rank. */
async function readVoting(gateway: HttpGateway, chosen: readonly Address[], signal: AbortSignal): Promise<Voting> {
  const witnesses = await gateway.witnesses(signal);
  const witnessesToRead = chosen.length > 0 ? chosen : rankWitnesses(witnesses).map(({ address }) => address);
  const rates = await Promise.all(witnessesToRead.slice(0, RATES_AT_ONCE).map((it) => rateOf(gateway, it, signal)));
  return { witnesses, rates: new Map(rates.flat()) };
}

/** A missing rate does not prevent a vote. */
async function rateOf(
  gateway: HttpGateway,
  witness: Address,
  signal: AbortSignal,
): Promise<readonly [Address, bigint][]> {
  const rate = await gateway.brokerage(witness, signal).catch(() => undefined);
  return rate === undefined ? [] : [[witness, rate]];
}

/** The receiver, or the account that is created. */
export function otherParty(intent: SystemIntent): Address | undefined {
  if ("receiver" in intent) return intent.receiver;
  if ("to" in intent) return intent.to;
  return "account" in intent ? intent.account : undefined;
}

async function receiverOf(
  gateway: HttpGateway,
  address: Address,
  nameOf: NameOf,
  signal: AbortSignal,
): Promise<SystemFacts["receiver"]> {
  return { ...(await factsOf(gateway, address, signal)), party: partyOf(nameOf, address) };
}

async function factsOf(gateway: HttpGateway, address: Address, signal: AbortSignal): Promise<AccountFacts> {
  const [account, resources] = await Promise.all([
    gateway.account(address, signal),
    gateway.accountResources(address, signal),
  ]);
  return { account, resources };
}

/** Returns an address with the user's name for it. */
export function partyOf(nameOf: NameOf, address: Address): Party {
  const name = nameOf(address);
  return { address, ...defined({ name }) };
}

/** Returns the cost of a system contract. A new account costs as much as a transfer to one. */
export function systemCost(
  intent: SystemIntent,
  { owner, receiver, parameters }: SystemFacts,
  size: Pick<TransferFacts, "bandwidth" | "signatures">,
): TransferCost {
  const { kind, memo } = intent;
  const createsAccount = kind === "account-creation" || (kind === "token-transfer" && receiver?.account === undefined);
  const facts = {
    ...size,
    hasMemo: memo !== undefined,
    resources: owner.resources,
    updatesPermissions: kind === "permission-update",
    recipientExists: !createsAccount,
  };
  return transferCost(facts, parameters);
}
