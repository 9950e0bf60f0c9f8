import { create } from "@bufbuild/protobuf";
import { type Address, addressToBytes, type BlockId, bytesToHex, sha256 } from "@finality/tron/primitives";
import { RawSchema, TransferContractSchema } from "@finality/tron/schema";
import { contractEntry, contractTypeByName } from "@finality/tron/transaction";
import { type Account, BLACK_HOLE, newBlackHole } from "./account.ts";
import { type Block, sealBlock } from "./block.ts";
import { createdAccount, Ledger } from "./ledger.ts";
import { activate } from "./maintenance.ts";
import { type ChainParameters, defaultParameters, initialRules, type Operations, type Proposal } from "./parameters.ts";
import { proposableNumbers, proposedValue } from "./proposals.ts";
import type { ByResource } from "./stake.ts";
import { changeStake } from "./staking.ts";
import { type ChainTransaction, chainTransaction } from "./transaction.ts";
import { OLD_POWER_OVER } from "./voting.ts";
import { newWitness } from "./witness.ts";

/** An account that exists from the first block on. */
export interface GenesisAccount {
  readonly address: Address;
  /** Sun. */
  readonly balance: bigint;
  /** Sun. */
  readonly stake?: ByResource<bigint>;
  readonly permissions?: Partial<Pick<Account, "ownerPermission" | "activePermissions">>;
}

/** The sender that a genesis block names: no address at all, but the text that java-tron puts there. */
const NOBODY = new TextEncoder().encode("0x000000000000000000000");
/** Where a header names its witness, every genesis block has this sentence. */
const MOTTO = bytesToHex(
  new TextEncoder().encode(
    "A new system must allow existing systems to be linked together without requiring any central control or coordination",
  ),
);

export function genesisBlock(seed: string, accounts: readonly GenesisAccount[]): Block {
  const header = {
    number: 0,
    timestamp: 0,
    parentId: bytesToHex(sha256(new TextEncoder().encode(`finality genesis ${seed}`))) as string as BlockId,
    witness: MOTTO,
    version: 0,
  };
  return sealBlock(
    header,
    accounts.map((it) => ({ transaction: genesisTransfer(it) })),
  );
}

/** What the state of a chain starts from. */
export interface Origin {
  readonly accounts: readonly GenesisAccount[];
  /** Who makes the first blocks; each has fewer votes than the one before. */
  readonly producers?: readonly Address[];
  readonly parameters: ChainParameters;
  /** As on the recorded chain, if nothing else is said. */
  readonly operations?: Operations;
  /** Chain time in ms of the first block after genesis. */
  readonly startTime: number;
}

/** The last account of a genesis block is the one that is found without an id: by java-tron's own order the black hole. */
const NO_ID = "";

export function genesisLedger({ accounts, producers = [], parameters, operations, startTime }: Origin): Ledger {
  const ledger = new Ledger();
  ledger.changeTotals(initialRules(parameters, operations));
  for (const [index, address] of producers.entries()) addWitness(ledger, address, index);
  activate(ledger);
  addProposals(ledger, startTime);
  for (const { address, balance, stake, permissions } of accounts) {
    const fresh = { ...createdAccount(ledger, address, startTime), balance, tokensApart: true, ...permissions };
    const account = stake === undefined ? fresh : { ...fresh, oldPower: OLD_POWER_OVER };
    const staked = changeStake(ledger, account, "bandwidth", stake?.bandwidth ?? 0n);
    changeStake(ledger, staked, "energy", stake?.energy ?? 0n);
  }
  addBlackHole(ledger);
  return ledger;
}

function addBlackHole(ledger: Ledger): void {
  const blackHole = newBlackHole();
  ledger.put(blackHole);
  ledger.tables.names.set(blackHole.identity.name, BLACK_HOLE);
  ledger.tables.ids.set(NO_ID, BLACK_HOLE);
}

const FIRST_VOTES = 1_000_000n;
/** Nodes that are just being started miss a turn. */
const FIRST_MISSED = 1;

/** Nobody has given these votes, and nobody can take them back. */
function addWitness(ledger: Ledger, address: Address, index: number): void {
  const votes = FIRST_VOTES - BigInt(index);
  ledger.put({ ...createdAccount(ledger, address, 0), kind: "AssetIssue", tokensApart: true, activePermissions: [] });
  const witness = newWitness(address, `http://witness-${index}.invalid`);
  ledger.putWitness({ ...witness, votes, genesisVotes: votes, missed: FIRST_MISSED });
}

/** What the witnesses of the recorded chain have decided, besides what the chain began with. */
const DECIDED = [3n, 7n, 11n, 13n, 19n, 47n, 61n, 77n, 78n];
/** Chain time in ms before the first block. */
const DECIDED_BEFORE = 5_400_000;
const CHANGED_BEFORE = 600_000;
const OPEN_FOR = 60_000;

/** The proposals that have led to the parameters: that of the recorded chain, and one for what is otherwise here. */
function addProposals(ledger: Ledger, startTime: number): void {
  const decided = DECIDED.map((number): [bigint, bigint] => [number, proposedValue(defaultParameters, number)]);
  addProposal(ledger, new Map(decided), startTime - DECIDED_BEFORE);
  const numbers = proposableNumbers.filter(
    (it) => proposedValue(ledger.parameters, it) !== proposedValue(defaultParameters, it),
  );
  const changed = numbers.map((it): [bigint, bigint] => [it, proposedValue(ledger.parameters, it)]);
  if (changed.length > 0) addProposal(ledger, new Map(changed), startTime - CHANGED_BEFORE);
}

function addProposal(ledger: Ledger, parameters: Proposal["parameters"], expiresAt: number): void {
  const approvals = [...ledger.totals.active].sort().reverse();
  const [proposer] = approvals;
  if (proposer === undefined) return;
  const id = ledger.totals.newestProposal + 1;
  const createdAt = expiresAt - OPEN_FOR;
  ledger.changeTotals({ newestProposal: id });
  ledger.tables.proposals.set(id, {
    id,
    proposer,
    parameters,
    createdAt,
    expiresAt,
    approvals,
    state: "APPROVED",
  });
}

function genesisTransfer({ address, balance }: GenesisAccount): ChainTransaction {
  const type = contractTypeByName("TransferContract");
  if (type === undefined) throw new TypeError("The codec does not know transfers.");
  const message = create(TransferContractSchema, {
    ownerAddress: NOBODY,
    toAddress: addressToBytes(address),
    amount: balance,
  });
  const rawData = create(RawSchema, { contract: [contractEntry(type, message)] });
  return chainTransaction({ rawData, signature: [] });
}
