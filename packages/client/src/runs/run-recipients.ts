import { type AbiParameter, elementaryType, encodeCall } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { type Address, foreignText, sun } from "@finality/tron/primitives";
import type { ContractGateway, Gateway } from "../gateway/gateway.ts";
import { tokenBalance } from "../tokens.ts";
import type { BoundRow } from "./run-binding.ts";

/** Queries about accounts and contracts that the validation of a run needs. */
export type RunGateway = Pick<Gateway, "headBlock" | "account" | "accountResources" | "chainParameters"> &
  ContractGateway;

/** State of a recipient on the chain. Undefined is unknown. */
export interface RecipientFacts {
  readonly isActive: boolean | undefined;
  readonly isContract: boolean | undefined;
  /** Tokens of the run that it holds, and those that it does not hold. */
  readonly holds: ReadonlyMap<Address, boolean>;
  /** Tokens of the run whose contract has it on its blacklist. */
  readonly blacklistedBy: readonly Address[];
}

export interface RecipientQueries {
  readonly gateway: RunGateway;
  /** Tokens with a blacklist. */
  readonly blacklists: ReadonlySet<Address>;
  /** Maximum number of recipients that are queried. */
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/** Number of recipients that are queried at once. */
const AT_ONCE = 4;

/** Queries recipients, in the order of the rows, up to the limit. */
export async function queryRecipients(
  rows: readonly BoundRow[],
  queries: RecipientQueries,
): Promise<ReadonlyMap<Address, RecipientFacts>> {
  const byRecipient = new Map<Address, BoundRow[]>();
  for (const row of rows) {
    if (row.recipient === undefined) continue;
    const own = byRecipient.get(row.recipient);
    if (own !== undefined) own.push(row);
    else if (byRecipient.size < queries.limit) byRecipient.set(row.recipient, [row]);
  }
  const waiting = [...byRecipient];
  const facts = new Map<Address, RecipientFacts>();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      queries.signal.throwIfAborted();
      facts.set(next[0], await queryRecipient(next[0], next[1], queries));
      queries.progress(facts.size, byRecipient.size);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return facts;
}

async function queryRecipient(
  address: Address,
  rows: readonly BoundRow[],
  { gateway, blacklists, signal }: RecipientQueries,
): Promise<RecipientFacts> {
  const paysAccount = rows.some(({ token }) => token.kind !== "trc20");
  const contracts = rows.flatMap(({ token }) => (token.kind === "trc20" ? [token.contract] : []));
  const tokens = [...new Set(contracts)];
  const [account, contract, balances, blacklisted] = await Promise.all([
    paysAccount ? unlessRefused(async () => (await gateway.account(address, signal)) !== undefined) : undefined,
    unlessRefused(async () => (await gateway.deployedContract(address, signal)) !== undefined),
    Promise.all(
      tokens.map(async (it) => [it, await unlessRefused(() => tokenBalance(gateway, it, address, signal))] as const),
    ),
    Promise.all(
      tokens.map(async (it) => blacklists.has(it) && (await isBlacklisted(gateway, it, address, signal)) === true),
    ),
  ]);
  return {
    isActive: account,
    isContract: contract,
    holds: new Map(balances.flatMap(([token, balance]) => (balance === undefined ? [] : [[token, balance > 0n]]))),
    blacklistedBy: tokens.filter((_, index) => blacklisted[index]),
  };
}

/** A gateway that does not answer one query leaves its fact unknown. @throws errors of the connection */
async function unlessRefused<T>(query: () => Promise<T>): Promise<T | undefined> {
  try {
    return await query();
  } catch (error) {
    if (isChainError(error) && UNANSWERED.has(error.code)) return undefined;
    throw error;
  }
}

const UNANSWERED: ReadonlySet<string> = new Set(["NODE_REFUSED", "PATH_NOT_SERVED", "CONTRACT_UNKNOWN"]);

const ADDRESS: AbiParameter = { name: foreignText(""), type: elementaryType("address") };

/** Reads the blacklist of a token; undefined if it has none. */
export async function isBlacklisted(
  gateway: ContractGateway,
  token: Address,
  account: Address,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const data = encodeCall("isBlackListed(address)", [ADDRESS], [account]);
  const run = { owner: account, contract: token, data, callValue: sun(0n) };
  const result = await unlessRefused(() => gateway.constantCall(run, signal));
  if (result === undefined || result.reverted || !/^0{63}[01]$/.test(result.returned)) return undefined;
  return result.returned.endsWith("1");
}
