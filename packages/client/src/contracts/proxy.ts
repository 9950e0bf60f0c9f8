import { isChainError } from "@finality/tron/errors";
import { type Address, type Hex, hex, sun } from "@finality/tron/primitives";
import type { ContractGateway, StorageGateway } from "../gateway/gateway.ts";

/** Standards for the address of a proxy's implementation. */
export type ProxyKind = "eip-1167" | "eip-1822" | "eip-1967" | "eip-1967-beacon";

/** Proxy, and the contract whose code it runs at the moment. */
export interface ContractProxy {
  readonly kind: ProxyKind;
  /** Undefined if the gateway serves neither the storage slot nor a function that returns it. */
  readonly implementation: Address | undefined;
  readonly beacon?: Address;
  /** Source of the address. A function of the proxy can return anything. */
  readonly source: "code" | "storage" | "function";
}

/** Contract that may be a proxy. */
export interface ProxyCandidate {
  readonly address: Address;
  /** Undefined if the node does not return it. */
  readonly runtimeCode?: Hex | undefined;
}

type ProxyGateway = StorageGateway & Pick<ContractGateway, "constantCall">;

/** Storage slots of the standards: keccak-256 of a name, for EIP-1967 minus one. */
const PROXY_SLOTS = {
  "eip-1967": hex("360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"),
  "eip-1967-beacon": hex("a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50"),
  "eip-1822": hex("c5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7"),
} as const satisfies { readonly [K in Exclude<ProxyKind, "eip-1167">]: Hex };

/** Slot of EIP-1967 for the contract that may upgrade a transparent proxy. */
const ADMIN_SLOT = hex("b53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103");

type SlotKind = keyof typeof PROXY_SLOTS;
const SLOT_KINDS = ["eip-1967", "eip-1967-beacon", "eip-1822"] as const satisfies readonly SlotKind[];

/** `implementation()`. */
const IMPLEMENTATION = hex("5c60da1b");

/**
 * Reads the current implementation of a proxy: from the code for EIP-1167, else from the storage slots, else from the
 * function `implementation()`. Returns undefined for a contract that is no proxy.
 *
 * @throws {ChainError} of the gateway
 */
export async function resolveProxy(
  gateway: ProxyGateway,
  contract: ProxyCandidate,
  signal?: AbortSignal,
): Promise<ContractProxy | undefined> {
  const { address, runtimeCode } = contract;
  const target = runtimeCode && cloneTarget(runtimeCode);
  if (target !== undefined) return { kind: "eip-1167", implementation: target, source: "code" };
  if (runtimeCode !== undefined && !mayDelegate(runtimeCode)) return undefined;
  const slots = await Promise.all(SLOT_KINDS.map((kind) => gateway.storageAt(address, PROXY_SLOTS[kind], signal)));
  if (slots.includes(undefined)) return await proxyInCode(gateway, contract, signal);
  const found = SLOT_KINDS.flatMap((kind, at) => {
    const stored = addressInWord(slots[at] ?? hex(""));
    return stored === undefined ? [] : [{ kind, stored }];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const { kind, stored } = first;
  if (kind !== "eip-1967-beacon") return { kind, implementation: stored, source: "storage" };
  return { kind, beacon: stored, implementation: await implementationOf(gateway, stored, signal), source: "storage" };
}

/**
 * Returns the contract or account that may upgrade a transparent proxy of EIP-1967; undefined for other proxies, and if
 * the gateway does not serve storage.
 *
 * @throws {ChainError} of the gateway
 */
export async function proxyAdmin(
  gateway: StorageGateway,
  proxy: Address,
  signal?: AbortSignal,
): Promise<Address | undefined> {
  const stored = await gateway.storageAt(proxy, ADMIN_SLOT, signal);
  return stored && addressInWord(stored);
}

/** Looks for the slots in the code, where a proxy has them as constants. Beacons are only in the storage. */
async function proxyInCode(
  gateway: ProxyGateway,
  { address, runtimeCode = hex("") }: ProxyCandidate,
  signal: AbortSignal | undefined,
): Promise<ContractProxy | undefined> {
  const kind = SLOT_KINDS.find((it) => runtimeCode.includes(PROXY_SLOTS[it]));
  if (kind === undefined) return undefined;
  const implementation = kind === "eip-1967-beacon" ? undefined : await implementationOf(gateway, address, signal);
  return { kind, implementation, source: "function" };
}

async function implementationOf(
  gateway: ProxyGateway,
  contract: Address,
  signal: AbortSignal | undefined,
): Promise<Address | undefined> {
  const run = { owner: contract, contract, data: IMPLEMENTATION, callValue: sun(0n) };
  try {
    const { reverted, returned } = await gateway.constantCall(run, signal);
    return reverted ? undefined : addressInWord(returned);
  } catch (error) {
    if (isChainError(error) && error.code === "NODE_REFUSED") return undefined;
    throw error;
  }
}

/** Runtime code of EIP-1167: PUSH20 of the target, or a shorter PUSH for an address with leading zeros. */
const CLONE = /^363d3d373d3d3d363d(6[0-9a-f]|7[0-3])([0-9a-f]{2,40})5af43d82803e903d91602b57fd5bf3/;
const FIRST_PUSH = 0x60;
const ADDRESS_DIGITS = 40;

function cloneTarget(runtimeCode: Hex): Address | undefined {
  const [, push = "", digits = ""] = CLONE.exec(runtimeCode) ?? [];
  const length = Number.parseInt(push, 16) - FIRST_PUSH + 1;
  if (digits.length !== 2 * length) return undefined;
  return `41${digits.padStart(ADDRESS_DIGITS, "0")}` as Address;
}

const DELEGATECALL = 0xf4;
const LAST_PUSH = 0x7f;

/** Returns whether the code has the instruction DELEGATECALL, without which it cannot run the code of others. */
function mayDelegate(runtimeCode: Hex): boolean {
  for (let at = 0; at < runtimeCode.length; at += 2) {
    const opcode = Number.parseInt(runtimeCode.slice(at, at + 2), 16);
    if (opcode === DELEGATECALL) return true;
    if (opcode >= FIRST_PUSH && opcode <= LAST_PUSH) at += 2 * (opcode - FIRST_PUSH + 1);
  }
  return false;
}

/** Address in a word of 32 bytes, with or without the prefix 41. */
const ADDRESS_WORD = /^0{22}(?:00|41)([0-9a-f]{40})$/;

/** Returns the address in a word; undefined for zero and for words that are no address. */
function addressInWord(word: Hex): Address | undefined {
  const [, digits] = ADDRESS_WORD.exec(word) ?? [];
  return digits === undefined || /^0+$/.test(digits) ? undefined : (`41${digits}` as Address);
}
