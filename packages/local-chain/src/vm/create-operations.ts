import { create } from "@bufbuild/protobuf";
import { type Address, addressToBytes, bytesToHex, hexToBytes } from "@finality/tron/primitives";
import { SmartContractSchema } from "@finality/tron/schema";
import { create2ContractAddress, createdContractAddress } from "@finality/tron/transaction";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { EMPTY_CODE_HASH, newContractAccount } from "../chain/account.ts";
import { executionFailed, type Halt, invalidCode, notEnoughFor, outOfLongRange } from "../chain/halt.ts";
import { Ledger } from "../chain/ledger.ts";
import { MAX_DEPTH } from "./call-operations.ts";
import { allButOne64th, CODE_BYTE } from "./energy-schedule.ts";
import { Frame, type FrameEnd } from "./frame.ts";
import { denyStatic } from "./frame-operations.ts";
import type { Instruction } from "./operation.ts";
import { moveCoins } from "./transfers.ts";
import { TransientStorage } from "./transient-storage.ts";
import { bytesOfWord, MAX_LONG, prefixedWordOf } from "./words.ts";

const ENTIRELY_CALLER = 100n;
const FORBIDDEN_FIRST_BYTE = 0xef;

interface Creation {
  readonly address: Address;
  readonly initCode: Uint8Array;
  /** Sun. */
  readonly value: bigint;
  readonly salted: boolean;
}

export const createContract: Instruction = (frame) => {
  denyStatic(frame);
  const [value, offset, size] = [frame.stack.pop(), frame.stack.pop(), frame.stack.pop()];
  frame.returnData = new Uint8Array();
  if (frame.call.depth === MAX_DEPTH) {
    frame.stack.push(0n);
    return;
  }
  const initCode = frame.memory.read(Number(offset), Number(size));
  const address = createdContractAddress(frame.machine.txId, frame.machine.internal.nonce);
  createAt(frame, { address, initCode, value, salted: false });
};

export const createContract2: Instruction = (frame) => {
  denyStatic(frame);
  const [value, offset, size, salt] = frame.stack.popN(4) as [bigint, bigint, bigint, bigint];
  if (frame.call.depth === MAX_DEPTH) {
    frame.stack.push(0n);
    return;
  }
  const initCode = frame.memory.read(Number(offset), Number(size));
  const address = create2ContractAddress(frame.call.address, bytesOfWord(salt), initCode);
  createAt(frame, { address, initCode, value, salted: true });
};

/** Runs the code that makes a contract and keeps what it returns (Program.createContractImpl). */
function createAt(frame: Frame, creation: Creation): void {
  const { machine, call } = frame;
  const { address, value, initCode } = creation;
  if (value > MAX_LONG) throw outOfLongRange();
  if ((frame.ledger.account(call.address)?.balance ?? 0n) < value) {
    frame.stack.push(0n);
    return;
  }
  const taken = frame.ledger.contract(address) !== undefined;
  const ledger = new Ledger(frame.ledger);
  if (!taken) layOut(frame, creation, ledger);
  moveCoins(ledger, { from: call.address, to: address }, value, machine.surroundings.now);
  const energy = allButOne64th(frame, frame.left);
  frame.spend(energy, "internal call");
  const [begun, logs, ended] = [machine.internal.count, machine.logs.length, machine.ended.length];
  const entry = { note: "create", from: call.address, to: address, value, data: initCode } as const;
  const hash = machine.internal.add({ ...entry, parent: call.hash });
  const transient = new TransientStorage(call.transient);
  const creator = new Frame(machine, {
    address,
    caller: call.address,
    code: initCode,
    data: new Uint8Array(),
    value,
    ledger,
    hash,
    transient,
    tokenValue: 0n,
    tokenId: 0n,
    isStatic: false,
    depth: call.depth + 1,
    energyLimit: energy,
    version: call.version,
  });
  const end = taken ? collision(address) : settle(creator, initCode.length === 0 ? EMPTY_END : machine.run(creator));
  if (end.kind === "returned") {
    ledger.commit();
    transient.commit();
    frame.stack.push(prefixedWordOf(address));
  } else {
    machine.internal.reject(begun);
    machine.logs.length = logs;
    machine.ended.length = ended;
    frame.stack.push(0n);
  }
  if (end.kind === "halted") return;
  if (end.kind === "reverted") frame.returnData = end.output;
  frame.used -= energy - creator.used;
}

const EMPTY_END: FrameEnd = { kind: "returned", output: new Uint8Array() };

function collision(address: Address): FrameEnd {
  return {
    kind: "halted",
    halt: executionFailed(`Trying to create a contract with existing contract address: 0x${address}`),
  };
}

/** What others had lent to an account is not there any more when it becomes a contract. */
const NOTHING_BORROWED = { bandwidth: 0n, energy: 0n };

/** The account and the contract are there before the code that makes it runs. */
function layOut(frame: Frame, { address, salted }: Creation, ledger: Ledger): void {
  const { machine, call } = frame;
  const existing = frame.ledger.account(address);
  ledger.put(
    existing === undefined
      ? newContractAccount(address, "CreatedByContract")
      : { ...existing, kind: "Contract", borrowed: NOTHING_BORROWED },
  );
  const definition = create(SmartContractSchema, {
    contractAddress: addressToBytes(address),
    originAddress: addressToBytes(call.address),
    consumeUserResourcePercent: ENTIRELY_CALLER,
    version: call.version,
    ...(salted && { trxHash: hexToBytes(machine.txId) }),
  });
  ledger.putContract({ address, definition, code: new Uint8Array(), codeHash: EMPTY_CODE_HASH });
}

/** Pays for the code that was returned, and keeps it. */
function settle(frame: Frame, end: FrameEnd): FrameEnd {
  if (end.kind === "halted") return end;
  if (isForbidden(frame, end.output)) return { kind: "halted", halt: invalidCode() };
  if (end.kind === "reverted") return end;
  const halt = saveCode(frame, end.output, "No energy to save just created contract code");
  return halt === undefined ? end : { kind: "halted", halt };
}

/**
 * Keeps code as that of the frame's contract.
 *
 * @returns why it cannot be kept
 */
export function saveCode(frame: Frame, code: Uint8Array, purpose: string): Halt | undefined {
  const { ledger, call } = frame;
  if (isForbidden(frame, code)) return invalidCode();
  const energy = code.length * CODE_BYTE;
  if (energy > frame.left) return notEnoughFor(purpose, energy, frame.left);
  frame.used += energy;
  const contract = ledger.contract(call.address);
  if (contract !== undefined) {
    const codeHash = bytesToHex(keccak_256(code));
    const definition = { ...contract.definition, codeHash: hexToBytes(codeHash) };
    ledger.putContract({ ...contract, definition, code, codeHash });
  }
  return undefined;
}

/** In a creation by code the data of a revert counts as well. */
function isForbidden({ machine }: Frame, code: Uint8Array): boolean {
  return code[0] === FORBIDDEN_FIRST_BYTE && machine.surroundings.parameters.getAllowTvmLondon === 1;
}
