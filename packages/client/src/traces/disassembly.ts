import { type Hex, hexToBytes } from "@finality/tron/primitives";
import { pushLength } from "./source-map.ts";

/** Instruction of a code. */
export interface Instruction {
  readonly pc: number;
  readonly opcode: number;
  /** Name of the chain's machine: `SLOAD`, `CALLTOKEN`; `INVALID` for an unknown opcode. */
  readonly name: string;
  /** Pushed bytes, hex; absent for other instructions. */
  readonly pushed?: Hex;
}

const NAMES: readonly (readonly [first: number, names: string])[] = [
  [0x00, "STOP,ADD,MUL,SUB,DIV,SDIV,MOD,SMOD,ADDMOD,MULMOD,EXP,SIGNEXTEND"],
  [0x10, "LT,GT,SLT,SGT,EQ,ISZERO,AND,OR,XOR,NOT,BYTE,SHL,SHR,SAR,CLZ"],
  [0x20, "SHA3"],
  [0x30, "ADDRESS,BALANCE,ORIGIN,CALLER,CALLVALUE,CALLDATALOAD,CALLDATASIZE,CALLDATACOPY,CODESIZE,CODECOPY,GASPRICE"],
  [0x3b, "EXTCODESIZE,EXTCODECOPY,RETURNDATASIZE,RETURNDATACOPY,EXTCODEHASH,BLOCKHASH,COINBASE,TIMESTAMP,NUMBER"],
  [0x44, "DIFFICULTY,GASLIMIT,CHAINID,SELFBALANCE,BASEFEE,BLOBHASH,BLOBBASEFEE"],
  [0x50, "POP,MLOAD,MSTORE,MSTORE8,SLOAD,SSTORE,JUMP,JUMPI,PC,MSIZE,GAS,JUMPDEST,TLOAD,TSTORE,MCOPY,PUSH0"],
  [0xd0, "CALLTOKEN,TOKENBALANCE,CALLTOKENVALUE,CALLTOKENID,ISCONTRACT,FREEZE,UNFREEZE,FREEZEEXPIRETIME,VOTEWITNESS"],
  [0xd9, "WITHDRAWREWARD,FREEZEBALANCEV2,UNFREEZEBALANCEV2,CANCELALLUNFREEZEV2,WITHDRAWEXPIREUNFREEZE"],
  [0xde, "DELEGATERESOURCE,UNDELEGATERESOURCE"],
  [0xf0, "CREATE,CALL,CALLCODE,RETURN,DELEGATECALL,CREATE2"],
  [0xfa, "STATICCALL"],
  [0xfd, "REVERT"],
  [0xff, "SUICIDE"],
];

const FAMILIES = [
  { name: "PUSH", first: 0x60, count: 32, from: 1 },
  { name: "DUP", first: 0x80, count: 16, from: 1 },
  { name: "SWAP", first: 0x90, count: 16, from: 1 },
  { name: "LOG", first: 0xa0, count: 5, from: 0 },
];

const table = new Map([
  ...NAMES.flatMap(([first, names]) => names.split(",").map((name, at) => [first + at, name] as const)),
  ...FAMILIES.flatMap(({ name, first, count, from }) =>
    Array.from({ length: count }, (_, at) => [first + at, `${name}${from + at}`] as const),
  ),
]);

/** Returns the name of an opcode of the chain's machine; `INVALID` for an unknown one. */
export function opcodeName(opcode: number): string {
  return table.get(opcode) ?? "INVALID";
}

/** Lists the instructions of a code. Metadata at its end are read as instructions too. */
export function disassemble(code: Hex): readonly Instruction[] {
  const bytes = hexToBytes(code);
  const instructions: Instruction[] = [];
  for (let pc = 0; pc < bytes.length; ) {
    const opcode = bytes[pc] ?? 0;
    const end = pc + 1 + pushLength(opcode);
    const pushed = end > pc + 1 ? { pushed: code.slice(2 * (pc + 1), 2 * end) as Hex } : {};
    instructions.push({ pc, opcode, name: opcodeName(opcode), ...pushed });
    pc = end;
  }
  return instructions;
}
