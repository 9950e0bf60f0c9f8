import { create } from "@bufbuild/protobuf";
import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM } from "@ethereumjs/evm";
import { Account, bigIntToBytes, bytesToBigInt, createAddressFromString, setLengthLeft } from "@ethereumjs/util";
import { EMPTY_CODE_HASH, newAccount, newContractAccount } from "../../../packages/local-chain/src/chain/account.ts";
import type { Blockchain } from "../../../packages/local-chain/src/chain/blockchain.ts";
import { Ledger } from "../../../packages/local-chain/src/chain/ledger.ts";
import type { NodeVersion } from "../../../packages/local-chain/src/chain/parameters.ts";
import { storageOf } from "../../../packages/local-chain/src/vm/frame.ts";
import { type CodeRecorder, type CodeRun, runOutermost } from "../../../packages/local-chain/src/vm/machine.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex, hexToBytes, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { SmartContractSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import { dice } from "../random/dice.ts";

/** A program and what it is called with; the same for the same seed. */
export interface RandomProgram {
  readonly code: Uint8Array;
  /** Made of statements: it ends, and uses little memory. */
  readonly tame: boolean;
  readonly data: Uint8Array;
  /** Smallest units of the coin. */
  readonly value: bigint;
}

/** Accounts that are there before each program: 20 bytes of hex. */
const PEOPLE = { caller: "ca".repeat(20), somebody: "e1".repeat(20) } as const;
const PROGRAM = "aa".repeat(20);
/** Addresses without a key. */
const MISSING_ACCOUNTS = ["b1".repeat(20), "b2".repeat(20)];

/** Contracts that programs call. Those that call back do it once a transaction, and depth stays the same on both chains. */
const HELPERS: { readonly [address: string]: string } = {
  /** Returns its input. */
  ["1".repeat(40)]: "365f5f37365ff3",
  /** Reverts with its input. */
  ["2".repeat(40)]: "365f5f37365ffd",
  /** Ends by force. */
  ["3".repeat(40)]: "fe",
  /** Stores its input under its caller, and tells of what was there, value and caller. */
  ["4".repeat(40)]: "33545f5234602052336040525f3533556060 5ff3".replace(" ", ""),
  /** Logs its input with its caller as topic. */
  ["5".repeat(40)]: "365f5f3733365fa100",
  /** Adds its input to a word that is gone after the transaction, and returns it. */
  ["6".repeat(40)]: "5f5c5f35015f5d5f5c5f5260205ff3",
  /** Sends half of what it has to its caller. */
  ["7".repeat(40)]: "60985c6016576001609 85d5f5f5f5f60024704335af15b00".replace(" ", ""),
  /** Calls its caller back, and tells how that went. */
  ["8".repeat(40)]: "60995c601957600160995d5f5f5f5f5f335af15f5260205ff35b00",
};
/** Contracts that would pay themselves when their code runs in another context. */
const CALLING_BACK = ["7".repeat(40), "8".repeat(40)];
/** Contracts that consume all energy. */
const BURNING = ["3".repeat(40)];
const SOME_ENERGY = "620f4240";

/** The storage slots that programs use. */
const SLOTS = 6;

const EDGES = [
  "00",
  "01",
  "02",
  "1f",
  "20",
  "ff",
  "0100",
  `80${"00".repeat(31)}`,
  `7f${"ff".repeat(31)}`,
  "ff".repeat(32),
];
const UNARY = ["15", "19"];
const NEWEST_UNARY = ["1e"];
const BINARY = [
  "01",
  "02",
  "03",
  "04",
  "05",
  "06",
  "07",
  "0a",
  "0b",
  "10",
  "11",
  "12",
  "13",
  "14",
  "16",
  "17",
  "18",
  "1a",
  "1b",
  "1c",
  "1d",
];
const TERNARY = ["08", "09"];
/** Operations that read the frame: addresses, value, input, code, returned data. */
const KNOWN = ["30", "32", "33", "34", "36", "38", "3d", "42", "43", "47", "58", "59"];
const CALLS = ["f1", "f2", "f4", "fa"];
/** Their words are the same on both chains; 3 and 9 are something else on this one. */
const PRECOMPILES = ["01", "02", "04", "05", "06", "07", "08"];

type Roll = (bound: number) => number;

/** Building blocks of code. */
interface Scope {
  readonly roll: Roll;
  /** True if created code makes no calls and does not read its address, which differs between the chains. */
  readonly made: boolean;
  /** True if programs use features of 4.8.2: leading-zero count, secp256r1 signatures, and contracts that end themselves. */
  readonly newest: boolean;
}

/** Makes a program: mostly statements that keep the stack in order, one in eight any bytes at all. */
export function randomProgram(seed: number, version: NodeVersion = "4.8.0"): RandomProgram {
  const newest = version !== "4.8.0";
  const roll = dice(Math.imul(seed, 2_654_435_761));
  for (let warm = 0; warm < 4; warm += 1) roll(2);
  const tame = roll(8) > 0;
  const code = tame
    ? statements({ roll, made: false, newest }, 2 + roll(24)) + ending(roll, newest)
    : anyBytes(roll, newest);
  return {
    tame,
    code: hexToBytes(code),
    data: hexToBytes(bytes(roll, roll(3) * 32 + roll(8))),
    value: roll(3) === 0 ? BigInt(roll(1000)) : 0n,
  };
}

/** Code of instructions in any order: stack, jumps and operands are as they come. */
function anyBytes(roll: Roll, newest: boolean): string {
  const instructions = [
    ...UNARY,
    ...(newest ? NEWEST_UNARY : []),
    ...BINARY,
    ...TERNARY,
    ...KNOWN,
    "20",
    "35",
    "37",
    "39",
    "3e",
    "50",
    "51",
    "52",
    "53",
    "54",
    "55",
    "56",
    "57",
    "5b",
    "5b",
    "5c",
    "5d",
    "5e",
    "5f",
    "80",
    "81",
    "82",
    "85",
    "90",
    "91",
    "94",
    "a0",
    "a1",
    "f3",
    "fd",
    "fe",
    "0c",
    "21",
    "b0",
    "ef",
  ];
  const any = (): string => (roll(3) > 0 ? push(roll(3) === 0 ? roll(200) : roll(40)) : pick(roll, instructions));
  return Array.from({ length: 10 + roll(120) }, any).join("");
}

function statements(scope: Scope, count: number): string {
  return Array.from({ length: count }, () => statement(scope)).join("");
}

function statement(scope: Scope): string {
  const { roll, made } = scope;
  const kind = roll(made ? 9 : 16);
  if (kind < 3) return `${word(scope)}${push(roll(SLOTS))}55`;
  if (kind < 5) return `${word(scope)}${push(32 * roll(8))}${roll(5) === 0 ? "53" : "52"}`;
  if (kind === 5) return `${word(scope)}${push(roll(SLOTS))}5d`;
  if (kind === 6) return log(scope);
  if (kind === 7) return copy(roll);
  if (kind === 8) return loop(scope);
  if (kind === 9) return creation(scope);
  if (kind === 10) return `${word(scope)}${skipUnless(statements(scope, 1 + roll(2)))}`;
  if (kind === 11) return precompiled(scope);
  return call(roll);
}

/** Jumps over code when the word on the stack is 0: the target is found relative to the program counter. */
function skipUnless(code: string): string {
  return `155861${(code.length / 2 + 6).toString(16).padStart(4, "0")}0157${code}5b`;
}

/** Counts down on the stack from a few. */
function loop(scope: Scope): string {
  const { roll } = scope;
  const body = `${word(scope)}${push(roll(SLOTS))}55`;
  return `${push(1 + roll(4))}5b${body}600190038058${push(body.length / 2 + 6)}90035750`;
}

/** Code that leaves one word. */
function word(scope: Scope, depth = 0): string {
  const { roll, made, newest } = scope;
  const kind = roll(depth > 3 ? 4 : 13);
  const inner = (): string => word(scope, depth + 1);
  if (kind < 2) return push(roll(300));
  if (kind === 2) return constant(pick(roll, EDGES));
  if (kind === 3) return pick(roll, made ? KNOWN.slice(1) : KNOWN);
  if (kind < 7) return `${inner()}${inner()}${pick(roll, BINARY)}`;
  if (kind === 7) return `${inner()}${pick(roll, newest ? [...UNARY, ...NEWEST_UNARY] : UNARY)}`;
  if (kind === 8) return `${inner()}${inner()}${inner()}${pick(roll, TERNARY)}`;
  if (kind === 9) return `${push(roll(SLOTS))}${pick(roll, ["54", "5c"])}`;
  if (kind === 10) return `${push(roll(300))}${pick(roll, ["51", "35"])}`;
  if (kind === 11) return `${push(roll(100))}${push(roll(300))}20`;
  return `73${pick(roll, [...Object.keys(HELPERS), ...Object.values(PEOPLE), PROGRAM, ...MISSING_ACCOUNTS])}${pick(roll, ["31", "3b"])}`;
}

function log(scope: Scope): string {
  const { roll } = scope;
  const topics = roll(5);
  const words = Array.from({ length: topics }, () => word(scope));
  return `${words.join("")}${push(roll(70))}${push(roll(200))}a${topics}`;
}

/** Copies of input, code, other code and memory; what was returned is copied as far as it goes, or one byte too far. */
function copy(roll: Roll): string {
  const [size, from, to] = [push(roll(80)), push(roll(80)), push(roll(200))];
  const kind = roll(6);
  if (kind === 0) return `${size}${from}${to}37`;
  if (kind === 1) return `${size}${from}${to}39`;
  if (kind === 2) return `${size}${from}${to}73${pick(roll, Object.keys(HELPERS))}3c`;
  if (kind === 3 && roll(12) === 0) return `3d600101${push(0)}${to}3e`;
  if (kind === 4) return `${size}${from}${to}5e`;
  return `3d${push(0)}${to}3e`;
}

/** A call, with coins when the balance may suffice. */
function call(roll: Roll): string {
  const target = pick(roll, [...Object.keys(HELPERS), ...Object.keys(HELPERS), PEOPLE.somebody, ...MISSING_ACCOUNTS]);
  const kind = CALLING_BACK.includes(target) ? "f1" : pick(roll, CALLS);
  const energy = BURNING.includes(target) || kind === "fa" ? SOME_ENERGY : "5a";
  const place = `${push(roll(70))}${push(roll(200))}${push(roll(70))}${push(roll(200))}`;
  const value = kind === "f1" || kind === "f2" ? push(roll(3) === 0 ? roll(50) : 0) : "";
  return `${place}${value}73${target}${energy}${kind}${result(roll)}`;
}

/** The place for the answer is as long as the answer: this chain writes all of it. Nothing is divided by 0: here that has no answer. */
function precompiled({ roll, newest }: Scope): string {
  const address = pick(roll, newest ? [...PRECOMPILES, "0100"] : PRECOMPILES);
  const size =
    address === "04"
      ? roll(100)
      : address === "05"
        ? 96 + 3
        : pick(roll, newest ? [0, 64, 96, 128, 160, 192] : [0, 64, 96, 128, 192]);
  const lengths = address === "05" ? `${push(1)}5f52${push(1)}602052${push(1)}604052${push(7)}606253` : "";
  const out = { "04": size, "05": 1, "06": 64, "07": 64 }[address] ?? 32;
  return `${lengths}${push(out)}${push(512)}${push(size)}5f${push(Number(`0x${address}`))}${SOME_ENERGY}fa${result(roll)}`;
}

/** Creates a contract and calls it. The address differs between the chains, so neither it nor earlier output is used. */
function creation({ roll, newest }: Scope): string {
  const end = newest && roll(4) === 0 ? `${pick(roll, ["30", `73${PEOPLE.somebody}`, "33"])}ff` : "60205ff3";
  const runtime = `${statements({ roll, made: true, newest }, 1 + roll(3))}${end}`;
  const inits = [
    returning(runtime),
    returning(""),
    roll(8) === 0 ? "fe" : "5f5ffd",
    "602a5f5260205ffd",
    `${push(7)}5f55${returning("602a5f5260205ff3")}`,
    "60ef5f5360015ff3",
  ];
  const init = pick(roll, inits);
  const stored = chunks(init).map((chunk, index) => `7f${chunk.padEnd(64, "0")}${push(1024 + 32 * index)}52`);
  const salted = roll(2) === 0;
  const value = push(roll(3) === 0 ? roll(5) : 0);
  const made = `${salted ? push(roll(3)) : ""}${push(init.length / 2)}${push(1024)}${value}${salted ? "f5" : "f0"}`;
  const forget = "5f5f5f5f60045afa50";
  return `${stored.join("")}${made}${forget}60205f5f5f5f85${SOME_ENERGY}f1${result(roll)}15${result(roll)}`;
}

/** Init code that returns this code. */
function returning(runtime: string): string {
  return `61${(runtime.length / 2).toString(16).padStart(4, "0")}80600a5f395ff3${runtime}`;
}

function chunks(code: string): string[] {
  return code.match(/.{1,64}/g) ?? [];
}

/** Use of the word on the stack. */
function result(roll: Roll): string {
  return roll(2) === 0 ? "50" : `${push(roll(SLOTS))}55`;
}

function ending(roll: Roll, newest: boolean): string {
  const kind = roll(10);
  if (kind === 0) return "00";
  if (kind === 1) return `${push(roll(90))}${push(roll(300))}fd`;
  if (kind === 2 && newest && roll(3) === 0) return `${pick(roll, ["30", "33"])}ff`;
  if (kind === 2) return pick(roll, ["fe", "50", "5f56", "5ff3", `73${PEOPLE.somebody}ff`]);
  return `${push(roll(300))}${push(roll(300))}f3`;
}

function push(value: number): string {
  return value === 0 ? "5f" : constant(value.toString(16).padStart(value > 255 ? 4 : 2, "0"));
}

function constant(hex: string): string {
  return `${(0x5f + hex.length / 2).toString(16)}${hex}`;
}

function bytes(roll: Roll, count: number): string {
  return Array.from({ length: count }, () => roll(256).toString(16).padStart(2, "0")).join("");
}

function pick<Item>(roll: Roll, items: readonly Item[]): Item {
  const item = items[roll(items.length)];
  if (item === undefined) throw new RangeError("There is nothing to choose from.");
  return item;
}

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
  return runWith(chain, program).outcome;
}

/** A program that ran on the machine of the chain, with the state before and after. */
export interface RunProgram {
  readonly outcome: Outcome;
  readonly run: CodeRun;
  readonly before: Ledger;
  readonly after: Ledger;
}

/** Runs a program on the machine of the chain, and records it if a recorder is given. */
export function runWith(chain: Blockchain, program: RandomProgram, recorder?: CodeRecorder): RunProgram {
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
    recorder,
  );
  if (run.result !== "SUCCESS") pay(ledger, -program.value);
  return { outcome: outcomeHere(run, layer, ledger), run, before: ledger, after: layer };
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

/** The library's own machine, with Ethereum's prices. */
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
