import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { Account } from "../../../packages/local-chain/src/chain/account.ts";
import type { Blockchain } from "../../../packages/local-chain/src/chain/blockchain.ts";
import type { NodeVersion } from "../../../packages/local-chain/src/chain/parameters.ts";
import type { TransactionInfo } from "../../../packages/local-chain/src/chain/transaction.ts";
import type { Witness } from "../../../packages/local-chain/src/chain/witness.ts";
import { keyFor } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, addressToBytes } from "../../../packages/tron/src/primitives/address.ts";
import { hexToBytes } from "../../../packages/tron/src/primitives/bytes.ts";
import {
  FreezeBalanceV2ContractSchema,
  ProposalApproveContractSchema,
  ProposalCreateContractSchema,
  TransferContractSchema,
  VoteWitnessContractSchema,
} from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import { addressOfPrivateKey, type PrivateKey } from "../../../packages/tron/src/transaction/signature.ts";
import { signedContract } from "./contract-fixture.ts";
import { type TestChain, testChain } from "./test-chain.ts";

export const COIN = 1_000_000n;

/** An account with its key. */
export interface Person {
  readonly key: PrivateKey;
  readonly address: Address;
  readonly bytes: Uint8Array;
}

/** A chain whose witnesses and voters can be told what to do. */
export interface VotingFixture {
  readonly chain: Blockchain;
  readonly test: TestChain;
  readonly people: readonly Person[];
  readonly witnesses: readonly Person[];
  /** Puts a transaction into the pool. @throws {Refusal} */
  send<Schema extends DescMessage>(
    who: Person,
    schema: Schema,
    message: MessageInitShape<Schema>,
  ): Pick<TransactionInfo, "fee" | "reward">;
  /** Stakes for votes, whole coins. */
  stake(who: Person, coins: bigint): void;
  vote(who: Person, ...votes: readonly (readonly [Person, bigint])[]): void;
  /** Proposes values by the numbers of parameters; the first witnesses approve. @returns its number */
  propose(values: readonly (readonly [bigint, bigint])[], approvals: number): bigint;
  account(who: Person): Account;
  witness(who: Person): Witness;
  /** Mines up to the block that counts the votes, with that block. */
  toMaintenance(times?: number): void;
}

export async function votingFixture(
  parameters: { readonly [name: string]: number } = {},
  nodeVersion: NodeVersion = "4.8.0",
): Promise<VotingFixture> {
  const test = await testChain({ parameters, nodeVersion });
  const { chain } = test.simulation;
  const witnesses = [0, 1, 2, 3, 4].map((index) => personOf(keyFor("test", `witness ${index}`)));
  const fixture: VotingFixture = {
    chain,
    test,
    witnesses,
    people: [test.simulation.faucet, ...test.accounts].map(({ privateKey }) =>
      personOf(hexToBytes(privateKey) as PrivateKey),
    ),
    send: (who, schema, message) => chain.submit(signedContract(chain, who.key, schema, message)),
    stake: (who, coins) => {
      const frozenBalance = coins * COIN;
      fixture.send(who, FreezeBalanceV2ContractSchema, { ownerAddress: who.bytes, frozenBalance, resource: 2 });
    },
    vote: (who, ...votes) => {
      const list = votes.map(([{ bytes: voteAddress }, voteCount]) => ({ voteAddress, voteCount }));
      fixture.send(who, VoteWitnessContractSchema, { ownerAddress: who.bytes, votes: list });
    },
    propose: (values, approvals) => {
      const [proposer] = witnesses;
      if (proposer === undefined) throw new Error("There is not a witness.");
      const parameters = values.map(([key, value]) => ({ key, value }));
      fixture.send(proposer, ProposalCreateContractSchema, { ownerAddress: proposer.bytes, parameters });
      const proposalId = BigInt(chain.pendingState.totals.newestProposal);
      for (const it of witnesses.slice(0, approvals)) {
        const approval = { ownerAddress: it.bytes, proposalId, isAddApproval: true };
        fixture.send(it, ProposalApproveContractSchema, approval);
      }
      test.mine();
      return proposalId;
    },
    account: ({ address }) => present(chain.pendingState.account(address)),
    witness: ({ address }) => present(chain.pendingState.witness(address)),
    toMaintenance: (times = 1) => {
      const end = chain.pendingState.totals.cycle + times;
      while (chain.pendingState.totals.cycle < end) test.mine();
    },
  };
  for (const { bytes } of witnesses) fund(fixture, bytes);
  test.mine();
  return fixture;
}

export function personOf(key: PrivateKey): Person {
  const address = addressOfPrivateKey(key);
  return { key, address, bytes: addressToBytes(address) };
}

/** Witnesses have no coins to pay bytes with when a chain begins. */
function fund({ test }: VotingFixture, to: Uint8Array): void {
  const { chain, faucet } = test.simulation;
  const from = personOf(hexToBytes(faucet.privateKey) as PrivateKey);
  const message = { ownerAddress: from.bytes, toAddress: to, amount: 20_000n * COIN };
  chain.submit(signedContract(chain, from.key, TransferContractSchema, message));
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("It is not there.");
  return value;
}
