import type {
  Account,
  AccountGateway,
  AccountResources,
  Delegation,
  Gateway,
  Trc10Token,
} from "@finality/client/gateway";
import type { Address, Sun } from "@finality/tron/primitives";

/** What is told of an account that is open in the view, besides itself. What a gateway does not tell is undefined. */
export interface AccountDetails {
  /** Chain time of the newest block, ms. */
  readonly headTimestamp: number | undefined;
  readonly resources: AccountResources | undefined;
  readonly reward: Sun | undefined;
  readonly loans: readonly Delegation[];
  /** With so many more accounts it shares something. */
  readonly untoldLoans: number;
  /** Descriptions of its tokens by their number. */
  readonly tokens: ReadonlyMap<string, Trc10Token>;
}

export type DetailGateway = Pick<Gateway, "account" | "accountResources" | "headBlock"> &
  Pick<AccountGateway, "reward" | "delegationIndex" | "delegationsBetween" | "trc10Token">;

/** With how many accounts loans are looked at, and how many tokens are described: each costs a request. */
const DETAILS_EACH = 10;

/** Reads the details of accounts of one chain; what never changes is asked once. */
export class DetailReader {
  readonly #gateway: DetailGateway;
  readonly #tokens = new Map<string, Trc10Token>();

  constructor(gateway: DetailGateway) {
    this.#gateway = gateway;
  }

  /**
   * Three requests, and, where there are such, one for with whom it shares and one for each of those, and one for each
   * token that was not described yet.
   */
  async read(account: Account, signal: AbortSignal): Promise<AccountDetails> {
    const gateway = this.#gateway;
    const { address } = account;
    const [head, resources, reward, loans] = await Promise.all([
      orNothing(gateway.headBlock(signal)),
      orNothing(gateway.accountResources(address, signal)),
      orNothing(gateway.reward(address, signal)),
      this.#loansOf(account, signal),
      this.#describeTokens(account, signal),
    ]);
    return { headTimestamp: head?.timestamp, resources, reward, ...loans, tokens: this.#tokens };
  }

  async #loansOf({ address, stakes }: Account, signal: AbortSignal) {
    const amounts = stakes === undefined ? [] : [...Object.values(stakes.delegated), ...Object.values(stakes.received)];
    if (amounts.every((it) => it === 0n)) return { loans: [], untoldLoans: 0 };
    const { receivers, owners } = (await orNothing(this.#gateway.delegationIndex(address, signal))) ?? {
      receivers: [],
      owners: [],
    };
    const pairs = [...receivers.map((to) => ({ from: address, to })), ...owners.map((from) => ({ from, to: address }))];
    const asked = pairs.slice(0, DETAILS_EACH);
    const loans = await Promise.all(asked.map((it) => this.#loansBetween(it, signal)));
    return { loans: loans.flat(), untoldLoans: pairs.length - asked.length };
  }

  /** An answer about others than those that were asked for is none. */
  async #loansBetween(parties: { readonly from: Address; readonly to: Address }, signal: AbortSignal) {
    const loans = (await orNothing(this.#gateway.delegationsBetween(parties, signal))) ?? [];
    return loans.filter(({ from, to }) => from === parties.from && to === parties.to);
  }

  async #describeTokens({ trc10 }: Account, signal: AbortSignal): Promise<void> {
    const unknown = [...(trc10?.keys() ?? [])].slice(0, DETAILS_EACH).filter((it) => !this.#tokens.has(it));
    const tokens = await Promise.all(unknown.map((it) => orNothing(this.#gateway.trc10Token(it, signal))));
    for (const [at, id] of unknown.entries()) {
      const token = tokens[at];
      if (token?.id === id) this.#tokens.set(id, token);
    }
  }
}

/** A gateway that does not tell one thing may tell the others. */
function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch(() => undefined);
}
