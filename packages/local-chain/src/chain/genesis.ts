import { create } from "@bufbuild/protobuf";
import { type Address, addressToBytes, type BlockId, bytesToHex, sha256 } from "@finality/tron/primitives";
import { RawSchema, TransferContractSchema } from "@finality/tron/schema";
import { contractEntry, contractTypeByName } from "@finality/tron/transaction";
import { type Account, BLACK_HOLE, newBlackHole } from "./account.ts";
import { type Block, sealBlock } from "./block.ts";
import { installBlockHashHistory } from "./block-hash-history.ts";
import { createdAccount, Ledger } from "./ledger.ts";
import { activate } from "./maintenance.ts";
import {
  type ChainParameters,
  defaultParameters,
  initialRules,
  type Operations,
  PROPOSAL_EXPIRE_MS,
  type Proposal,
} from "./parameters.ts";
import { proposableNumbers, proposedValue } from "./proposals.ts";
import type { ByResource } from "./stake.ts";
import { changeStake } from "./staking.ts";
import type { StateOrigin } from "./state-origin.ts";
import { type ChainTransaction, chainTransaction } from "./transaction.ts";
import { OLD_POWER_OVER } from "./voting.ts";
import { newWitness } from "./witness.ts";

/** An account of the genesis block. */
export interface GenesisAccount {
  readonly address: Address;
  /** Sun. */
  readonly balance: bigint;
  /** Sun. */
  readonly stake?: ByResource<bigint>;
  readonly permissions?: Partial<Pick<Account, "ownerPermission" | "activePermissions">>;
}

/** Sender in a genesis block: java-tron writes this text in place of an address. */
const GENESIS_OWNER = new TextEncoder().encode("0x000000000000000000000");
/** Text in place of the witness in every genesis header. */
const MOTTO = bytesToHex(
  new TextEncoder().encode(
    "A new system must allow existing systems to be linked together without requiring any central control or coordination",
  ),
);

const CHAIN_ID_DIGITS = 8;

/** @param chainId - the last four bytes of the block's id, which are otherwise those of its hash */
export function genesisBlock(seed: string, accounts: readonly GenesisAccount[], chainId?: number): Block {
  const header = {
    number: 0,
    timestamp: 0,
    parentId: bytesToHex(sha256(new TextEncoder().encode(`finality genesis ${seed}`))) as string as BlockId,
    witness: MOTTO,
    version: 0,
  };
  const block = sealBlock(
    header,
    accounts.map((it) => ({ transaction: genesisTransfer(it) })),
  );
  if (chainId === undefined) return block;
  const digits = chainId.toString(16).padStart(CHAIN_ID_DIGITS, "0");
  return { ...block, id: `${block.id.slice(0, -CHAIN_ID_DIGITS)}${digits}` as BlockId };
}

/** Returns the block from which a fork goes on. It has the height and time of the network's block, and another id. */
export function forkBlock(genesis: Block, { number, timestamp }: StateOrigin["block"]): Block {
  return sealBlock({ number, timestamp, parentId: genesis.id, witness: MOTTO, version: 0 }, []);
}

/** Initial state of a chain. */
export interface Origin {
  readonly accounts: readonly GenesisAccount[];
  /** Initial witnesses, each with fewer votes than the one before. */
  readonly producers?: readonly Address[];
  readonly parameters: ChainParameters;
  /** Defaults to the operations of the recorded chain. */
  readonly operations?: Operations;
  /** Chain time in ms of the first block after genesis. */
  readonly startTime: number;
  /** State of the network that the chain is a fork of. */
  readonly forkedFrom?: StateOrigin;
}

/** First cycle of a fork. Usage of a contract in cycle 0 would not count. */
const FIRST_CYCLE = 1;

/** Accounts without an id find the last genesis account: the black hole, by java-tron's order. */
const NO_ID = "";

export function genesisLedger(origin: Origin): Ledger {
  const { accounts, producers = [], parameters, operations, startTime, forkedFrom } = origin;
  const ledger = new Ledger(undefined, forkedFrom);
  ledger.changeTotals(initialRules(parameters, operations));
  if (forkedFrom !== undefined) {
    ledger.changeTotals({ cycle: FIRST_CYCLE, nextMaintenance: forkedFrom.nextMaintenance });
  }
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
  if (parameters.getAllowTvmPrague === 1 && forkedFrom === undefined) installBlockHashHistory(ledger);
  return ledger;
}

function addBlackHole(ledger: Ledger): void {
  const blackHole = newBlackHole();
  ledger.put(blackHole);
  ledger.tables.names.set(blackHole.identity.name, BLACK_HOLE);
  ledger.tables.ids.set(NO_ID, BLACK_HOLE);
}

const FIRST_VOTES = 1_000_000n;
/** A starting node misses its first turn. */
const FIRST_MISSED = 1;

/** Adds a witness with genesis votes, which no account gave and none can withdraw. */
function addWitness(ledger: Ledger, address: Address, index: number): void {
  const votes = FIRST_VOTES - BigInt(index);
  ledger.put({ ...createdAccount(ledger, address, 0), kind: "AssetIssue", tokensApart: true, activePermissions: [] });
  const witness = newWitness(address, `http://witness-${index}.invalid`);
  ledger.putWitness({ ...witness, votes, genesisVotes: votes, missed: FIRST_MISSED });
}

/** Parameters that the witnesses of the recorded chain have changed. */
const DECIDED = [3n, 7n, 11n, 13n, 19n, 47n, 61n, 77n, 78n];
/** Milliseconds before the first block. */
const DECIDED_BEFORE = 5_400_000;
const CHANGED_BEFORE = 600_000;
const OPEN_FOR = 60_000;

/** Adds the proposals behind the parameters: the recorded chain's, and one for overrides. */
function addProposals(ledger: Ledger, startTime: number): void {
  const decided = DECIDED.map((number): [bigint, bigint] => [number, proposedValue(defaultParameters, number)]);
  addProposal(ledger, new Map(decided), startTime - DECIDED_BEFORE);
  const isNew = ledger.parameters.getProposalExpireTime !== undefined;
  const unchanged = { ...defaultParameters, ...(isNew && { getProposalExpireTime: PROPOSAL_EXPIRE_MS }) };
  const numbers = proposableNumbers.filter(
    (it) => proposedValue(ledger.parameters, it) !== proposedValue(unchanged, it),
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
    ownerAddress: GENESIS_OWNER,
    toAddress: addressToBytes(address),
    amount: balance,
  });
  const rawData = create(RawSchema, { contract: [contractEntry(type, message)] });
  return chainTransaction({ rawData, signature: [] });
}
