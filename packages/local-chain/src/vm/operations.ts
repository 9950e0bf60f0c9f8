import type { ChainParameters } from "../chain/parameters.ts";
import { call, createContract, createContract2 } from "./call-operations.ts";
import * as price from "./energy-schedule.ts";
import type { Instruction, Operation, Operations, Price } from "./frame.ts";
import * as frame from "./frame-operations.ts";
import { ethereumLibrary } from "./lazy-library.ts";
import * as stake from "./stake-operations.ts";
import * as state from "./state-operations.ts";

type Handlers = ReturnType<typeof ethereumLibrary>["handlers"];
type Handler = (Handlers extends Map<number, infer Each> ? Each : never) & object;

/**
 * Returns the library's instruction of an opcode. Only stateless, synchronous ones are used: they access stack, memory,
 * code, input and position of a frame.
 *
 * @throws {TypeError} the library has none
 */
function libraryInstruction(opcode: number): Instruction {
  const { handlers, common } = ethereumLibrary();
  const handler: Handler | undefined = handlers.get(opcode);
  if (handler === undefined) throw new TypeError(`The library has no instruction ${opcode.toString(16)}.`);
  return (frame) => void handler(frame as unknown as Parameters<Handler>[0], common);
}

/** Returns whether the chain's parameters enable an operation. */
type Switch = (parameters: ChainParameters) => boolean;

interface Entry {
  readonly code: number;
  readonly operation: Operation;
  readonly when?: Switch;
}

/** Pops, pushes, price, and implementation: the library's by default. */
type Shape = readonly [takes: number, gives: number, price: Price, run?: Instruction];

function entry(code: number, name: string, [takes, gives, cost, run]: Shape, when?: Switch): Entry {
  const operation = { name, takes, gives, price: cost, run: run ?? libraryInstruction(code) };
  return { code, operation, ...(when && { when }) };
}

/** Sets the steps of operations that take the node longer, such as SSTORE. */
function slow({ operation, ...rest }: Entry, steps: number): Entry {
  return { ...rest, operation: { ...operation, steps } };
}

function calling(code: number, operation: Omit<Operation, "calls" | "gives">, when?: Switch): Entry {
  return { code, operation: { ...operation, gives: 1, calls: true }, ...(when && { when }) };
}

const constantinople: Switch = ({ getAllowTvmConstantinople }) => getAllowTvmConstantinople === 1;
const solidity059: Switch = ({ getAllowTvmSolidity059 }) => getAllowTvmSolidity059 === 1;
const istanbul: Switch = ({ getAllowTvmIstanbul }) => getAllowTvmIstanbul === 1;
const tokens: Switch = ({ getAllowTvmTransferTrc10 }) => getAllowTvmTransferTrc10 === 1;
const london: Switch = ({ getAllowTvmLondon }) => getAllowTvmLondon === 1;
const shanghai: Switch = ({ getAllowTvmShangHai }) => getAllowTvmShangHai === 1;
const cancun: Switch = ({ getAllowTvmCancun }) => getAllowTvmCancun === 1;
const blob: Switch = ({ getAllowTvmBlob }) => getAllowTvmBlob === 1;
const freeze: Switch = ({ getAllowTvmFreeze }) => getAllowTvmFreeze === 1;
const vote: Switch = ({ getAllowTvmVote }) => getAllowTvmVote === 1;
const freezeV2: Switch = ({ getUnfreezeDelayDays }) => getUnfreezeDelayDays > 0;
const dearerMemory: Switch = (it) => it.getAllowHigherLimitForMaxCpuTimeOfOneTx === 1;
const adjustedVote: Switch = (it) => vote(it) && adjustedEnergy(it);
const osaka: Switch = ({ getAllowTvmOsaka }) => getAllowTvmOsaka === 1;
const osakaVote: Switch = (it) => vote(it) && osaka(it);
const restrictedSuicide: Switch = (it) => it.getAllowTvmSelfdestructRestriction === 1;
const adjustedEnergy: Switch = ({ getAllowEnergyAdjustment }) => getAllowEnergyAdjustment === 1;

const arithmetic = (): readonly Entry[] => [
  entry(0x01, "ADD", [2, 1, 3]),
  entry(0x02, "MUL", [2, 1, 5]),
  entry(0x03, "SUB", [2, 1, 3]),
  entry(0x04, "DIV", [2, 1, 5]),
  entry(0x05, "SDIV", [2, 1, 5]),
  entry(0x06, "MOD", [2, 1, 5]),
  entry(0x07, "SMOD", [2, 1, 5]),
  entry(0x08, "ADDMOD", [3, 1, 8]),
  entry(0x09, "MULMOD", [3, 1, 8]),
  entry(0x0a, "EXP", [2, 1, price.powerPrice]),
  entry(0x0b, "SIGNEXTEND", [2, 1, 5]),
  entry(0x10, "LT", [2, 1, 3]),
  entry(0x11, "GT", [2, 1, 3]),
  entry(0x12, "SLT", [2, 1, 3]),
  entry(0x13, "SGT", [2, 1, 3]),
  entry(0x14, "EQ", [2, 1, 3]),
  entry(0x15, "ISZERO", [1, 1, 3]),
  entry(0x16, "AND", [2, 1, 3]),
  entry(0x17, "OR", [2, 1, 3]),
  entry(0x18, "XOR", [2, 1, 3]),
  entry(0x19, "NOT", [1, 1, 3]),
  entry(0x1a, "BYTE", [2, 1, 3]),
  entry(0x1b, "SHL", [2, 1, 3], constantinople),
  entry(0x1c, "SHR", [2, 1, 3], constantinople),
  entry(0x1d, "SAR", [2, 1, 3], constantinople),
  entry(0x1e, "CLZ", [1, 1, 5, frame.leadingZeros], osaka),
  entry(0x20, "SHA3", [2, 1, price.hashPrice, frame.hash]),
];

const environment = (): readonly Entry[] => [
  entry(0x30, "ADDRESS", [0, 1, 2, frame.ownAddress]),
  entry(0x31, "BALANCE", [1, 1, 20, frame.balance]),
  entry(0x32, "ORIGIN", [0, 1, 2, frame.originAddress]),
  entry(0x33, "CALLER", [0, 1, 2, frame.callerAddress]),
  entry(0x34, "CALLVALUE", [0, 1, 2, frame.callValue]),
  entry(0x35, "CALLDATALOAD", [1, 1, 3, frame.inputWord]),
  entry(0x36, "CALLDATASIZE", [0, 1, 2, frame.inputSize]),
  entry(0x37, "CALLDATACOPY", [3, 0, price.copyPrice]),
  entry(0x38, "CODESIZE", [0, 1, 2, frame.codeSize]),
  entry(0x39, "CODECOPY", [3, 0, price.copyPrice]),
  entry(0x3a, "GASPRICE", [0, 1, 2, frame.energyPriceForNewCode]),
  entry(0x3b, "EXTCODESIZE", [1, 1, 20, state.codeSizeOf]),
  entry(0x3c, "EXTCODECOPY", [4, 0, price.codeOfOtherPrice, state.copyCodeOf]),
  entry(0x3d, "RETURNDATASIZE", [0, 1, 2, frame.returnDataSize]),
  entry(0x3e, "RETURNDATACOPY", [3, 0, price.copyPrice, frame.returnDataCopy]),
  entry(0x3f, "EXTCODEHASH", [1, 1, 400, state.codeHashOf], constantinople),
  entry(0x40, "BLOCKHASH", [1, 1, 20, frame.blockHash]),
  entry(0x41, "COINBASE", [0, 1, 2, frame.blockProducer]),
  entry(0x42, "TIMESTAMP", [0, 1, 2, frame.blockTime]),
  entry(0x43, "NUMBER", [0, 1, 2, frame.blockNumber]),
  entry(0x44, "DIFFICULTY", [0, 1, 2, frame.zero]),
  entry(0x45, "GASLIMIT", [0, 1, 2, frame.zero]),
  entry(0x46, "CHAINID", [0, 1, 2, frame.chainId], istanbul),
  entry(0x47, "SELFBALANCE", [0, 1, 5, frame.selfBalance], istanbul),
  entry(0x48, "BASEFEE", [0, 1, 2, frame.energyPrice], london),
  entry(0x49, "BLOBHASH", [1, 1, 3, frame.blobHash], blob),
  entry(0x4a, "BLOBBASEFEE", [0, 1, 2, frame.zero], blob),
];

const memoryAndFlow = (): readonly Entry[] => [
  entry(0x00, "STOP", [0, 0, 0, frame.stop]),
  entry(0x50, "POP", [1, 0, 2]),
  entry(0x51, "MLOAD", [1, 1, price.loadPrice(0), frame.loadWord]),
  entry(0x52, "MSTORE", [2, 0, price.loadPrice(0), frame.storeWord]),
  entry(0x53, "MSTORE8", [2, 0, price.storeBytePrice(0)]),
  entry(0x51, "MLOAD", [1, 1, price.loadPrice(1), frame.loadWord], dearerMemory),
  entry(0x52, "MSTORE", [2, 0, price.loadPrice(1), frame.storeWord], dearerMemory),
  entry(0x53, "MSTORE8", [2, 0, price.storeBytePrice(1)], dearerMemory),
  entry(0x54, "SLOAD", [1, 1, 50, state.load]),
  slow(entry(0x55, "SSTORE", [2, 0, price.storePrice, state.store]), 300),
  entry(0x56, "JUMP", [1, 0, 8, frame.jump]),
  entry(0x57, "JUMPI", [2, 0, 10, frame.jumpIf]),
  entry(0x58, "PC", [0, 1, 2, frame.position]),
  entry(0x59, "MSIZE", [0, 1, 2, frame.memorySize]),
  entry(0x5a, "GAS", [0, 1, 2, frame.energyLeft]),
  entry(0x5b, "JUMPDEST", [0, 0, 1, frame.nothing]),
  entry(0x5c, "TLOAD", [1, 1, 100, state.loadTransient], cancun),
  entry(0x5d, "TSTORE", [2, 0, 100, state.storeTransient], cancun),
  entry(0x5e, "MCOPY", [3, 0, price.moveInMemoryPrice], cancun),
  entry(0x5f, "PUSH0", [0, 1, 2, frame.zero], shanghai),
  entry(0xf3, "RETURN", [2, 0, price.endPrice, frame.returnOutput]),
  entry(0xfd, "REVERT", [2, 0, price.endPrice, frame.revert]),
];

const families = (): readonly Entry[] => [
  ...counted(32).map((n) => entry(0x60 + n, `PUSH${n + 1}`, [0, 1, 3, frame.push(n + 1)])),
  ...counted(16).map((n) => entry(0x80 + n, `DUP${n + 1}`, [n + 1, n + 2, 3])),
  ...counted(16).map((n) => entry(0x90 + n, `SWAP${n + 1}`, [n + 2, n + 2, 3])),
  ...counted(5).map((n) => entry(0xa0 + n, `LOG${n}`, [n + 2, 0, price.logPrice(n), frame.log(n)])),
];

const callPrice = price.callPrice({ sends: true, creates: true, input: 3 });
const callCodePrice = price.callPrice({ sends: true, creates: false, input: 3 });
const callTokenPrice = price.callPrice({ sends: true, creates: true, input: 4 });
const plainCallPrice = price.callPrice({ sends: false, creates: false, input: 2 });

const contracts: readonly Entry[] = [
  calling(0xd0, { name: "CALLTOKEN", takes: 8, price: callTokenPrice, run: call("CALLTOKEN") }, tokens),
  entry(0xf0, "CREATE", [3, 1, price.createPrice, createContract]),
  calling(0xf1, { name: "CALL", takes: 7, price: callPrice, run: call("CALL") }),
  calling(0xf2, { name: "CALLCODE", takes: 7, price: callCodePrice, run: call("CALLCODE") }),
  calling(0xf4, { name: "DELEGATECALL", takes: 6, price: plainCallPrice, run: call("DELEGATECALL") }),
  entry(0xf5, "CREATE2", [4, 1, price.create2Price, createContract2], constantinople),
  calling(0xfa, { name: "STATICCALL", takes: 6, price: plainCallPrice, run: call("STATICCALL") }),
  entry(0xff, "SUICIDE", [1, 0, 0, state.suicide]),
  entry(0xff, "SUICIDE", [1, 0, price.suicidePrice(0), state.suicide], adjustedEnergy),
  entry(0xff, "SUICIDE", [1, 0, price.suicidePrice(5000), state.suicide], restrictedSuicide),
];

const chain: readonly Entry[] = [
  entry(0xd1, "TOKENBALANCE", [2, 1, 20, frame.tokenBalance], tokens),
  entry(0xd2, "CALLTOKENVALUE", [0, 1, 2, frame.tokenValue], tokens),
  entry(0xd3, "CALLTOKENID", [0, 1, 2, frame.tokenId], tokens),
  entry(0xd4, "ISCONTRACT", [1, 1, 20, state.isContract], solidity059),
  entry(0xd5, "FREEZE", [3, 1, price.freezePrice, frame.refused(3)], freeze),
  entry(0xd6, "UNFREEZE", [2, 1, 20_000, stake.unfreezeOld], freeze),
  entry(0xd7, "FREEZEEXPIRETIME", [2, 1, 50, frame.unknown(2)], freeze),
  entry(0xd8, "VOTEWITNESS", [4, 1, price.votePrice(0n), stake.voteWitness], vote),
  entry(0xd8, "VOTEWITNESS", [4, 1, price.votePrice(1n), stake.voteWitness], adjustedVote),
  entry(0xd8, "VOTEWITNESS", [4, 1, price.votePrice(1n, false), stake.voteWitness], osakaVote),
  entry(0xd9, "WITHDRAWREWARD", [0, 1, 20_000, stake.withdrawReward], vote),
  entry(0xda, "FREEZEBALANCEV2", [2, 1, 10_000, stake.freezeBalance], freezeV2),
  entry(0xdb, "UNFREEZEBALANCEV2", [2, 1, 10_000, stake.unfreezeBalance], freezeV2),
  entry(0xdc, "CANCELALLUNFREEZEV2", [0, 1, 10_000, stake.cancelAllUnfreeze], freezeV2),
  entry(0xdd, "WITHDRAWEXPIREUNFREEZE", [0, 1, 10_000, stake.withdrawExpireUnfreeze], freezeV2),
  entry(0xde, "DELEGATERESOURCE", [3, 1, 10_000, stake.delegateResource], freezeV2),
  entry(0xdf, "UNDELEGATERESOURCE", [3, 1, 10_000, stake.undelegateResource], freezeV2),
];

let created: readonly Entry[] | undefined;

/** Creates the entries with the first code that runs: they load the library. */
function entries(): readonly Entry[] {
  created ??= [...arithmetic(), ...environment(), ...memoryAndFlow(), ...families(), ...contracts, ...chain];
  return created;
}

const tables = new WeakMap<ChainParameters, Operations>();

/** Returns the operations of a chain with these parameters. */
export function operationsFor(parameters: ChainParameters): Operations {
  const known = tables.get(parameters);
  if (known !== undefined) return known;
  const table: (Operation | undefined)[] = new Array(256).fill(undefined);
  for (const { code, operation, when } of entries()) {
    if (when === undefined || when(parameters)) table[code] = operation;
  }
  tables.set(parameters, table);
  return table;
}

function counted(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
