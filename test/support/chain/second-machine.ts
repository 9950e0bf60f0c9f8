import { create } from "@bufbuild/protobuf";
import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM } from "@ethereumjs/evm";
import { Account, bigIntToBytes, bytesToBigInt, createAddressFromString, setLengthLeft } from "@ethereumjs/util";
import { EMPTY_CODE_HASH, newAccount, newContractAccount } from "../../../packages/local-chain/src/chain/account.ts";
import type { Blockchain } from "../../../packages/local-chain/src/chain/blockchain.ts";
import { Ledger } from "../../../packages/local-chain/src/chain/ledger.ts";
import type { NodeVersion } from "../../../packages/local-chain/src/chain/parameters.ts";
import { storageOf } from "../../../packages/local-chain/src/vm/frame.ts";
import { type CodeRun, runOutermost } from "../../../packages/local-chain/src/vm/machine.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex, hexToBytes, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { SmartContractSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import { HELPERS, PEOPLE, PROGRAM, type RandomProgram, SLOTS } from "./random-programs.ts";

/** Observable result of a program, in terms common to both machines. */
export interface Outcome {
  readonly end: "returned" | "reverted" | "halted";
  /** Hex. */
  readonly output: string;
  readonly logs: readonly string[];
  readonly balances: { readonly [address: string]: bigint };
  /** Words of storage that are not 0, by address and slot. */
  readonly words: { readonly [place: string]: bigint };
  /** Some code in it asked for more than it had been given: prices differ between the chains. */
  readonly exhausted: boolean;
}

const BALANCE = 1_000_000n;
/** As much as nothing uses up, but a program that never ends. */
const PLENTY = 10 ** 15;
const LITTLE = 300_000;
const BLOCK = { number: 1000, seconds: 1_600_000_000 };
const CODES: { readonly [address: string]: string } = HELPERS;
const ACCOUNTS = [...Object.values(PEOPLE), PROGRAM, ...Object.keys(HELPERS)];

/** A program of any bytes may run in circles. */
function limitOf({ tame }: RandomProgram): number {
  return tame ? PLENTY : LITTLE;
}

/** So much more this chain's machine gets: when one of both runs out of it, it is to be the other. */
const MORE = 8;

/** The machine of the chain. @param chain - whose rules they are; it stays as it is */
export function runHere(chain: Blockchain, program: RandomProgram): Outcome {
  const ledger = new Ledger(chain.pendingState);
  for (const address of ACCOUNTS) found(ledger, at(address), code(address, program));
  pay(ledger, program.value);
  const layer = new Ledger(ledger);
  const block = { number: BLOCK.number, timestamp: BLOCK.seconds * 1000, producer: 0n };
  const run = runOutermost(
    {
      kind: "call",
      txId: "77".repeat(32) as TxId,
      caller: at(PEOPLE.caller),
      address: at(PROGRAM),
      code: program.code,
      data: program.data,
      value: program.value,
      tokenValue: 0n,
      tokenId: 0n,
      energyLimit: limitOf(program) * MORE,
      version: 1,
      ledger: layer,
    },
    { now: block.timestamp, parameters: chain.parameters, ...chain.context(block) },
  );
  if (run.result !== "SUCCESS") pay(ledger, -program.value);
  return outcomeHere(run, layer, ledger);
}

function found(ledger: Ledger, address: Address, program: Uint8Array | undefined): void {
  const account = program === undefined ? newAccount(address, 0, new Uint8Array()) : newContractAccount(address, "");
  ledger.put({ ...account, balance: BALANCE });
  if (program === undefined) return;
  const definition = create(SmartContractSchema, { version: 1 });
  ledger.putContract({ address, definition, code: program, codeHash: EMPTY_CODE_HASH });
}

/** The value of a call is transferred before its code starts. */
function pay(ledger: Ledger, value: bigint): void {
  for (const [address, amount] of [
    [at(PEOPLE.caller), -value],
    [at(PROGRAM), value],
  ] as const) {
    const account = ledger.account(address);
    if (account !== undefined) ledger.put({ ...account, balance: account.balance + amount });
  }
}

function outcomeHere({ result, output, machine }: CodeRun, ran: Ledger, before: Ledger): Outcome {
  const end = result === "SUCCESS" ? "returned" : result === "REVERT" ? "reverted" : "halted";
  const ledger = end === "returned" ? ran : before;
  const words: Record<string, bigint> = {};
  for (const address of ACCOUNTS) {
    const storage = storageOf(ledger, at(address));
    for (const slot of SEEN_SLOTS) words[placeOf(address, slot)] = ledger.row(storage, slot) ?? 0n;
  }
  return {
    end,
    words: withoutZeros(words),
    output: end === "halted" ? "" : bytesToHex(output),
    logs: end === "returned" ? machine.logs.map((it) => logText(it.address.slice(2), it.topics, it.data)) : [],
    balances: Object.fromEntries(ACCOUNTS.map((it) => [it, ledger.account(at(it))?.balance ?? 0n])),
    exhausted: ["OUT_OF_ENERGY", "OUT_OF_TIME", "OUT_OF_MEMORY"].includes(result),
  };
}

/** Helpers store under who called them. */
const SEEN_SLOTS = [...Array(SLOTS).keys(), ...ACCOUNTS.map((it) => `0x${it}`)].map(BigInt);

function placeOf(address: string, slot: bigint): string {
  return `${address} ${slot.toString(16)}`;
}

function withoutZeros(words: Readonly<Record<string, bigint>>): Outcome["words"] {
  return Object.fromEntries(Object.entries(words).filter(([, word]) => word !== 0n));
}

/** Addresses of created contracts differ between the chains. */
function logText(address: string, topics: readonly string[], data: string): string {
  return `${ACCOUNTS.includes(address) ? address : "a new one"} [${topics.join(" ")}] ${data}`;
}

const rules = {
  "4.8.0": new Common({ chain: Mainnet, hardfork: Hardfork.Cancun }),
  "4.8.2": new Common({ chain: Mainnet, hardfork: Hardfork.Osaka }),
};

/** The library's own machine, with Ethereum's prices. @param version - whose operations Ethereum has had since */
export async function runThere(program: RandomProgram, version: NodeVersion = "4.8.0"): Promise<Outcome> {
  const evm = await createEVM({ common: rules[version] });
  const { stateManager } = evm;
  let exhausted = false;
  evm.events?.on("afterMessage", ({ execResult }) => {
    if (execResult.exceptionError?.error === "out of gas") exhausted = true;
  });
  for (const it of ACCOUNTS) {
    const address = createAddressFromString(`0x${it}`);
    await stateManager.putAccount(address, new Account(1n, BALANCE));
    const own = code(it, program);
    if (own !== undefined) await stateManager.putCode(address, own);
  }
  const caller = createAddressFromString(`0x${PEOPLE.caller}`);
  const { execResult } = await evm.runCall({
    caller,
    origin: caller,
    to: createAddressFromString(`0x${PROGRAM}`),
    data: program.data,
    value: program.value,
    gasLimit: BigInt(limitOf(program)),
    block: { header: headerThere() },
  });
  const { exceptionError, returnValue, logs = [] } = execResult;
  const end = exceptionError === undefined ? "returned" : exceptionError.error === "revert" ? "reverted" : "halted";
  const words: Record<string, bigint> = {};
  const balances: Record<string, bigint> = {};
  for (const it of ACCOUNTS) {
    const address = createAddressFromString(`0x${it}`);
    balances[it] = (await stateManager.getAccount(address))?.balance ?? 0n;
    for (const slot of SEEN_SLOTS) {
      const key = setLengthLeft(bigIntToBytes(slot), 32);
      words[placeOf(it, slot)] = bytesToBigInt(await stateManager.getStorage(address, key));
    }
  }
  return {
    end,
    balances,
    words: withoutZeros(words),
    output: end === "halted" ? "" : bytesToHex(returnValue),
    logs:
      end === "returned"
        ? logs.map(([address, topics, data]) =>
            logText(
              bytesToHex(address),
              topics.map((it) => bytesToHex(it)),
              bytesToHex(data),
            ),
          )
        : [],
    exhausted,
  };
}

function headerThere() {
  const bytes = new Uint8Array(32);
  return {
    number: BigInt(BLOCK.number),
    timestamp: BigInt(BLOCK.seconds),
    coinbase: createAddressFromString(`0x${"0".repeat(40)}`),
    difficulty: 0n,
    prevRandao: bytes,
    gasLimit: 30_000_000n,
    baseFeePerGas: 0n,
    getBlobGasPrice: () => 0n,
  };
}

function at(address: string): Address {
  return parseAddress(`41${address}`);
}

function code(address: string, program: RandomProgram): Uint8Array | undefined {
  if (address === PROGRAM) return program.code;
  return CODES[address] === undefined ? undefined : hexToBytes(CODES[address]);
}
