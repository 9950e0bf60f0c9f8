import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { Account } from "../../../packages/local-chain/src/chain/account.ts";
import type { Refusal } from "../../../packages/local-chain/src/chain/refusal.ts";
import type { TransactionInfo } from "../../../packages/local-chain/src/chain/transaction.ts";
import { type Address, addressToBytes } from "../../../packages/tron/src/primitives/address.ts";
import { hexToBytes } from "../../../packages/tron/src/primitives/bytes.ts";
import { AssetIssueContractSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import type { PrivateKey } from "../../../packages/tron/src/transaction/signature.ts";
import { signedContract } from "./contract-fixture.ts";
import { type TestChain, testChain } from "./test-chain.ts";

/** Starts a chain with a token for sale. */
export interface TradingFloor {
  readonly chain: TestChain;
  /** The number of the token that account 0 has issued, and has all of. */
  readonly token: string;
  address(account: number): Address;
  state(account: number): Account;
  /** Sends a contract, and mines it. @returns what it did */
  send<Schema extends DescMessage>(from: number, schema: Schema, message: MessageInitShape<Schema>): TransactionInfo;
  /** Reason of a refusal. */
  refusal<Schema extends DescMessage>(from: number, schema: Schema, message: MessageInitShape<Schema>): string;
}

export const SUPPLY = 1_000_000_000n;
/** Id of the first token of a chain. */
const FIRST_TOKEN = "1000001";
const TOMORROW_MS = 86_400_000;

export async function tradingFloor(): Promise<TradingFloor> {
  const chain = await testChain();
  const floor = floorOf(chain);
  const start = BigInt(chain.simulation.chain.head.header.timestamp + TOMORROW_MS);
  const period = { startTime: start, endTime: start + 1n };
  floor.send(0, AssetIssueContractSchema, { ...TOKEN, ...period, ownerAddress: bytesOf(floor, 0) });
  return floor;
}

const TOKEN = { name: text("Coin"), totalSupply: SUPPLY, trxNum: 1, num: 1, url: text("http://coin.invalid") };

/** The bytes of a text, as tokens are named by. */
export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

export function bytesOf(floor: TradingFloor, account: number): Uint8Array {
  return addressToBytes(floor.address(account));
}

function floorOf(chain: TestChain): TradingFloor {
  const { accounts, simulation } = chain;
  const at = (index: number) => {
    const account = accounts[index];
    if (account === undefined) throw new RangeError(`There is no account ${index}.`);
    return account;
  };
  const signed = <Schema extends DescMessage>(from: number, schema: Schema, message: MessageInitShape<Schema>) =>
    signedContract(simulation.chain, hexToBytes(at(from).privateKey) as PrivateKey, schema, message);
  return {
    chain,
    token: FIRST_TOKEN,
    address: (account) => at(account).hex,
    state: (account) => {
      const state = simulation.chain.pendingState.account(at(account).hex);
      if (state === undefined) throw new RangeError(`There is no account ${account}.`);
      return state;
    },
    send: (from, schema, message) => {
      const transaction = signed(from, schema, message);
      simulation.chain.submit(transaction);
      simulation.chain.produceBlock();
      const info = simulation.chain.find(transaction.id)?.info;
      if (info === undefined) throw new Error("It is in no block.");
      return info;
    },
    refusal: (from, schema, message) => {
      try {
        simulation.chain.submit(signed(from, schema, message));
      } catch (refusal) {
        return (refusal as Refusal).message;
      }
      throw new Error("It is not refused.");
    },
  };
}
