import assert from "node:assert/strict";
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { BLACK_HOLE } from "../../../packages/local-chain/src/chain/account.ts";
import type { Blockchain } from "../../../packages/local-chain/src/chain/blockchain.ts";
import type { Ledger } from "../../../packages/local-chain/src/chain/ledger.ts";
import type { NodeVersion } from "../../../packages/local-chain/src/chain/parameters.ts";
import { Refusal } from "../../../packages/local-chain/src/chain/refusal.ts";
import { COIN as COIN_ASSET } from "../../../packages/local-chain/src/chain/trading.ts";
import { keyFor } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, addressToBytes } from "../../../packages/tron/src/primitives/address.ts";
import { hexToBytes } from "../../../packages/tron/src/primitives/bytes.ts";
import { deployedContractAddress } from "../../../packages/tron/src/transaction/contract-types.ts";
import * as schemas from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import { dice } from "../random/dice.ts";
import { signedContract } from "./contract-fixture.ts";
import { checkStakes, checkVotes, coinsIn } from "./replayed-balances.ts";
import { SOAK_CODES, type SoakCode, soakInitCode } from "./soak-requests.ts";
import { testChain } from "./test-chain.ts";
import { type Person, personOf } from "./voting-fixture.ts";

/** People who do anything that a chain executes, in random order. */
interface Economy {
  readonly chain: Blockchain;
  readonly people: readonly Person[];
  readonly witnesses: readonly Person[];
  readonly contracts: Address[];
  readonly roll: (bound: number) => number;
}

/** Result of a sequence. */
interface Played {
  /** Number of included transactions by contract type. */
  readonly executed: ReadonlyMap<string, number>;
  readonly refused: number;
}

const SUN = 1_000_000;
/** Votes are counted every ten blocks. */
const MAINTENANCE_MS = 30_000;
const DAY_MS = 86_400_000;
const CODES = Object.keys(SOAK_CODES) as SoakCode[];

/**
 * Plays random transactions of all contract types on a chain of its own, and balances the books after each block.
 *
 * @throws {AssertionError} coins, tokens, votes or resources came or went
 */
export async function playSequence(seed: number, steps: number, nodeVersion: NodeVersion = "4.8.0"): Promise<Played> {
  const economy = await beginning(seed, nodeVersion);
  const { chain, roll } = economy;
  const before = allCoins(chain.pendingState);
  const executed = new Map<string, number>();
  let refused = 0;
  for (let step = 0; step < steps; step += 1) {
    if (!tryTo(economy)) refused += 1;
    if (roll(3) > 0) continue;
    if (roll(10) === 0) chain.warp((1 + roll(15)) * DAY_MS);
    for (const { transaction } of chain.produceBlock().transactions) count(executed, transaction.contract?.type?.name);
    settle(chain.pendingState, before, `seed ${seed}, step ${step}`);
  }
  return { executed, refused };
}

async function beginning(seed: number, nodeVersion: NodeVersion): Promise<Economy> {
  const parameters = { getMaintenanceTimeInterval: MAINTENANCE_MS };
  const { simulation } = await testChain({ parameters, accounts: 6, nodeVersion });
  const { chain, faucet, accounts } = simulation;
  const people = [faucet, ...accounts].map(({ privateKey }) => personOf(hexToBytes(privateKey) as never));
  const witnesses = [0, 1, 2, 3, 4].map((index) => personOf(keyFor("test", `witness ${index}`)));
  const [rich] = people;
  assert.ok(rich);
  for (const { bytes } of [...people.slice(1), ...witnesses]) {
    const gift = { ownerAddress: rich.bytes, toAddress: bytes, amount: BigInt(200_000 * SUN) };
    chain.submit(signedContract(chain, rich.key, schemas.TransferContractSchema, gift));
  }
  chain.produceBlock();
  const economy = { chain, people: people.slice(1), witnesses, contracts: [], roll: dice(seed) };
  found(economy);
  return economy;
}

/** A token that is for sale, and an exchange of it. */
function found(economy: Economy): void {
  const { chain } = economy;
  const founder = at(economy.people, 0);
  const send = ({ schema, message }: Wish): void => {
    chain.submit(signedContract(chain, founder.key, schema, { ownerAddress: founder.bytes, ...message }));
    chain.produceBlock();
  };
  send(wish(founder, schemas.AssetIssueContractSchema, issue(economy)));
  send(wish(founder, schemas.ExchangeCreateContractSchema, { ...pool(economy), secondTokenId: bytesOf(COIN_ASSET) }));
}

function tryTo(economy: Economy): boolean {
  const { chain, roll } = economy;
  const makers = roll(4) === 0 ? RARE : USUAL;
  const make = makers[roll(makers.length)];
  assert.ok(make);
  const { who, schema, message } = make(economy);
  const transaction = signedContract(chain, who.key, schema, { ownerAddress: who.bytes, ...message });
  try {
    chain.submit(transaction);
  } catch (refusal) {
    if (refusal instanceof Refusal) return false;
    throw refusal;
  }
  if (schema.name === "CreateSmartContract")
    economy.contracts.push(deployedContractAddress(transaction.id, who.address));
  return true;
}

interface Wish {
  readonly who: Person;
  readonly schema: DescMessage;
  readonly message: MessageInitShape<DescMessage>;
}

type Maker = (economy: Economy) => Wish;

/** An action of an account; the owner is added. */
function wish<Schema extends DescMessage>(who: Person, schema: Schema, message: MessageInitShape<Schema>): Wish {
  return { who, schema, message };
}

const USUAL: readonly Maker[] = [
  (it) => wish(person(it), schemas.TransferContractSchema, { toAddress: anybody(it), amount: amount(it) }),
  (it) => wish(person(it), schemas.FreezeBalanceV2ContractSchema, { frozenBalance: amount(it), resource: it.roll(3) }),
  (it) =>
    wish(person(it), schemas.UnfreezeBalanceV2ContractSchema, { unfreezeBalance: amount(it), resource: it.roll(3) }),
  (it) => wish(person(it), schemas.DelegateResourceContractSchema, delegation(it)),
  takeBack,
  (it) => wish(person(it), schemas.VoteWitnessContractSchema, { votes: votes(it) }),
  (it) => wish(person(it), schemas.TransferAssetContractSchema, { ...tokens(it), toAddress: anybody(it) }),
  (it) => wish(person(it), schemas.ParticipateAssetIssueContractSchema, { ...tokens(it), toAddress: person(it).bytes }),
  (it) => wish(person(it), schemas.ExchangeTransactionContractSchema, { ...share(it), expected: 1n }),
  (it) => wish(founder(it), schemas.ExchangeInjectContractSchema, share(it)),
  (it) => wish(founder(it), schemas.ExchangeWithdrawContractSchema, share(it)),
  (it) => wish(person(it), schemas.MarketSellAssetContractSchema, offer(it)),
  (it) => wish(person(it), schemas.MarketCancelOrderContractSchema, { orderId: order(it) }),
  (it) => deployment(it, person(it)),
  (it) => wish(person(it), schemas.TriggerSmartContractSchema, call(it)),
  (it) => wish(person(it), schemas.TriggerSmartContractSchema, call(it)),
  (it) => wish(person(it), schemas.WithdrawExpireUnfreezeContractSchema, {}),
  (it) => wish(voter(it), schemas.WithdrawBalanceContractSchema, {}),
  (it) => wish(voter(it), schemas.WithdrawBalanceContractSchema, {}),
  (it) => wish(person(it), schemas.UnfreezeAssetContractSchema, {}),
];

const RARE: readonly Maker[] = [
  (it) => wish(person(it), schemas.AccountCreateContractSchema, { accountAddress: newcomer(it) }),
  (it) => wish(person(it), schemas.AccountUpdateContractSchema, { accountName: bytesOf(`name ${it.roll(20)}`) }),
  (it) => wish(person(it), schemas.SetAccountIdContractSchema, { accountId: bytesOf(`identity${it.roll(20)}`) }),
  (it) => wish(person(it), schemas.CancelAllUnfreezeV2ContractSchema, {}),
  (it) => wish(anyone(it), schemas.WitnessCreateContractSchema, { url: bytesOf("http://w.invalid") }),
  (it) =>
    wish(anyone(it), schemas.WitnessUpdateContractSchema, { updateUrl: bytesOf(`http://w${it.roll(9)}.invalid`) }),
  (it) => wish(anyone(it), schemas.UpdateBrokerageContractSchema, { brokerage: it.roll(101) }),
  (it) => wish(at(it.witnesses, it.roll(2)), schemas.ProposalCreateContractSchema, { parameters: [proposal(it)] }),
  (it) => wish(anyone(it), schemas.ProposalApproveContractSchema, { ...proposed(it), isAddApproval: it.roll(4) > 0 }),
  (it) => wish(at(it.witnesses, 0), schemas.ProposalDeleteContractSchema, proposed(it)),
  (it) => wish(person(it), schemas.AssetIssueContractSchema, issue(it)),
  (it) => wish(person(it), schemas.UpdateAssetContractSchema, { url: bytesOf("http://t.invalid"), newLimit: 1n }),
  (it) => wish(person(it), schemas.ExchangeCreateContractSchema, pool(it)),
  (it) => wish(person(it), schemas.UpdateSettingContractSchema, { ...named(it), consumeUserResourcePercent: 50n }),
  (it) => wish(person(it), schemas.UpdateEnergyLimitContractSchema, { ...named(it), originEnergyLimit: 9_000n }),
  (it) => wish(person(it), schemas.ClearABIContractSchema, named(it)),
  (it) => wish(person(it), schemas.AccountPermissionUpdateContractSchema, permissions(person(it))),
];

function person({ people, roll }: Economy): Person {
  return at(people, roll(people.length));
}

function anyone({ people, witnesses, roll }: Economy): Person {
  return at([...people, ...witnesses], roll(people.length + witnesses.length));
}

/** Prefers an account with voting rewards. */
function voter(economy: Economy): Person {
  const { chain, people, roll } = economy;
  const voters = people.filter(({ address }) => (chain.pendingState.account(address)?.voting.votes.length ?? 0) > 0);
  return roll(4) === 0 || voters.length === 0 ? anyone(economy) : at(voters, roll(voters.length));
}

function anybody(economy: Economy): Uint8Array {
  const { contracts, roll } = economy;
  const contract = contracts[roll(contracts.length * 4)];
  if (contract !== undefined) return addressToBytes(contract);
  return roll(5) === 0 ? newcomer(economy) : anyone(economy).bytes;
}

function newcomer({ roll }: Economy): Uint8Array {
  return hexToBytes(`41${String(1 + roll(9)).repeat(40)}`);
}

/** Sun: mostly some coins, now and then a fraction or too much. */
function amount({ roll }: Economy): bigint {
  return roll(10) === 0 ? BigInt(roll(10 ** (1 + roll(9)))) : BigInt((1 + roll(500)) * SUN + roll(SUN));
}

function delegation(economy: Economy) {
  const { roll } = economy;
  return { balance: amount(economy), receiverAddress: anybody(economy), resource: roll(2), lock: roll(5) === 0 };
}

/** Prefers an account with delegations. */
function takeBack(economy: Economy): Wish {
  const { chain, people, roll } = economy;
  const lender = people.find(({ address }) => (chain.pendingState.account(address)?.delegations.length ?? 0) > 0);
  const to = lender && chain.pendingState.account(lender.address)?.delegations[0]?.to;
  if (lender === undefined || to === undefined)
    return wish(person(economy), schemas.UnDelegateResourceContractSchema, delegation(economy));
  const balance = BigInt(SUN) * BigInt(1 + roll(20));
  return wish(lender, schemas.UnDelegateResourceContractSchema, {
    balance,
    receiverAddress: addressToBytes(to),
    resource: roll(2),
  });
}

function votes(economy: Economy) {
  return Array.from({ length: 1 + economy.roll(3) }, () => ({
    voteAddress: anyone(economy).bytes,
    voteCount: BigInt(1 + economy.roll(200)),
  }));
}

function tokenId({ chain, roll }: Economy): Uint8Array {
  const ids = [...chain.pendingState.tables.tokens.entries().keys()];
  return bytesOf(ids[roll(ids.length)] ?? "1000001");
}

function asset(economy: Economy): Uint8Array {
  return economy.roll(2) === 0 ? bytesOf(COIN_ASSET) : tokenId(economy);
}

function tokens(economy: Economy) {
  return { assetName: tokenId(economy), amount: BigInt(1 + economy.roll(100_000)) };
}

/** A part of an exchange that there is, by one of its assets. */
function share({ chain, roll }: Economy) {
  const [exchange] = chain.pendingState.tables.exchanges.entries().values();
  const reserve = exchange?.[roll(2) === 0 ? "first" : "second"];
  const quant = BigInt(1 + roll(10 ** (1 + roll(5))));
  return { exchangeId: exchange?.id ?? 1n, tokenId: bytesOf(reserve?.asset ?? COIN_ASSET), quant };
}

/** Creator of the exchange, who alone may deposit and withdraw. */
function founder(economy: Economy): Person {
  const [exchange] = economy.chain.pendingState.tables.exchanges.entries().values();
  return economy.people.find(({ address }) => address === exchange?.creator) ?? person(economy);
}

function pool(economy: Economy) {
  const [firstTokenId, secondTokenId] = [tokenId(economy), asset(economy)];
  const [firstTokenBalance, secondTokenBalance] = [BigInt(1 + economy.roll(50_000)), BigInt(1 + economy.roll(90_000))];
  return { firstTokenId, secondTokenId, firstTokenBalance, secondTokenBalance };
}

function offer(economy: Economy) {
  const one = asset(economy);
  const other = bytesOf(COIN_ASSET);
  const [sellTokenId, buyTokenId] = economy.roll(2) === 0 ? [one, other] : [other, one];
  const quantity = (): bigint => BigInt(1 + economy.roll(10 ** (1 + economy.roll(5))));
  return { sellTokenId, buyTokenId, sellTokenQuantity: quantity(), buyTokenQuantity: quantity() };
}

function order({ chain, roll }: Economy): Uint8Array {
  const ids = [...chain.pendingState.tables.orders.entries().keys()];
  return hexToBytes(ids[roll(ids.length)] ?? "00");
}

function issue({ chain, roll }: Economy) {
  const now = chain.head.header.timestamp;
  return {
    name: bytesOf(`Coin${roll(9)}`),
    abbr: bytesOf("CN"),
    url: bytesOf("http://t.invalid"),
    totalSupply: BigInt(1_000_000 + roll(1_000_000)),
    trxNum: 1 + roll(9),
    num: 1 + roll(9),
    startTime: BigInt(now + 9_000),
    endTime: BigInt(now + 30 * DAY_MS),
    freeAssetNetLimit: 1_000n,
    publicFreeAssetNetLimit: 10_000n,
    frozenSupply: roll(2) === 0 ? [] : [{ frozenAmount: BigInt(1 + roll(90_000)), frozenDays: 1n }],
  };
}

function proposal({ roll }: Economy) {
  const [key, value] = at(
    [
      [3n, 900n + BigInt(roll(200))],
      [2n, 100_000n],
      [9n, 1n],
      [11n, 420n],
      [5n, 16_000_000n],
    ],
    roll(5),
  );
  return { key, value };
}

function proposed({ chain, roll }: Economy) {
  return { proposalId: BigInt(1 + roll(chain.pendingState.totals.newestProposal + 1)) };
}

function deployment({ roll }: Economy, who: Person): Wish {
  const callValue = roll(3) === 0 ? BigInt(roll(SUN)) : 0n;
  const bytecode = hexToBytes(soakInitCode(at(CODES, roll(CODES.length))));
  const shares = { consumeUserResourcePercent: BigInt(roll(101)), originEnergyLimit: BigInt(1 + roll(100_000)) };
  const newContract = { originAddress: who.bytes, bytecode, callValue, name: "economy", ...shares };
  return wish(who, schemas.CreateSmartContractSchema, { newContract });
}

function call(economy: Economy) {
  const { roll } = economy;
  const data = hexToBytes(
    `${hexOf(anybody(economy)).slice(2).padStart(64, "0")}${roll(2 * SUN)
      .toString(16)
      .padStart(64, "0")}`,
  );
  const value = roll(2) === 0 ? BigInt(roll(2 * SUN)) : 0n;
  const token =
    roll(4) === 0 ? { callTokenValue: BigInt(1 + roll(500)), tokenId: BigInt(textOf(tokenId(economy))) } : {};
  return { ...named(economy), data, callValue: value, ...token };
}

function named(economy: Economy) {
  const { contracts, roll } = economy;
  const contract = contracts[roll(contracts.length)];
  return { contractAddress: contract === undefined ? person(economy).bytes : addressToBytes(contract) };
}

function permissions({ bytes }: Person) {
  const keys = [{ address: bytes, weight: 1n }];
  const owner = { type: 0, permissionName: "owner", threshold: 1n, keys };
  const operations = hexToBytes(`7fff1fc0033e0100${"00".repeat(24)}`);
  return { owner, actives: [{ type: 2, permissionName: "active", threshold: 1n, keys, operations }] };
}

/** Sun that there are, without what rewards have brought: with people, in exchanges, and in orders that wait. */
function allCoins(state: Ledger): bigint {
  let sum = coinsIn(state, state.tables.accounts.entries().keys());
  for (const { first, second } of state.tables.exchanges.entries().values()) {
    for (const reserve of [first, second]) if (reserve.asset === COIN_ASSET) sum += reserve.amount;
  }
  for (const { sell, remaining } of state.tables.orders.entries().values()) {
    if (sell.asset === COIN_ASSET) sum += remaining;
  }
  return sum;
}

function settle(state: Ledger, coins: bigint, when: string): void {
  assert.equal(allCoins(state), coins, `coins, ${when}`);
  for (const [id, sum] of allTokens(state)) {
    assert.equal(sum, state.tables.tokens.get(id)?.definition.totalSupply, `token ${id}, ${when}`);
  }
  checkStakes(state, state.tables.accounts.entries().keys());
  checkVotes(state);
  for (const { balance, address, voting } of state.tables.accounts.entries().values()) {
    assert.ok((balance >= 0n || address === BLACK_HOLE) && voting.allowance >= 0n, `${address} owes coins, ${when}`);
  }
}

/** Supply of each token: in accounts, frozen, in exchanges, in orders, lost. */
function allTokens({ tables, totals }: Ledger): ReadonlyMap<string, bigint> {
  const sums = new Map(totals.lostTokens);
  const add = (id: string, more: bigint): void => {
    if (id !== COIN_ASSET) sums.set(id, (sums.get(id) ?? 0n) + more);
  };
  for (const { tokens: own, issued } of tables.accounts.entries().values()) {
    for (const [id, balance] of own) add(id, balance);
    for (const { amount: frozen } of issued.frozen) add(issued.id, frozen);
  }
  for (const { first, second } of tables.exchanges.entries().values()) {
    for (const reserve of [first, second]) add(reserve.asset, reserve.amount);
  }
  for (const { sell, remaining } of tables.orders.entries().values()) add(sell.asset, remaining);
  return sums;
}

function count(counts: Map<string, number>, name = "none"): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`There is nothing at ${index}.`);
  return item;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
