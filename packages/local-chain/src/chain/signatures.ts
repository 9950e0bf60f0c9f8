import { type Address, bytesToHex, type TxId, toBase58 } from "@finality/tron/primitives";
import type { Permission } from "@finality/tron/schema";
import { recoverAddress } from "@finality/tron/transaction";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { accountOfPoint, recoverPoint } from "../curve/keys.ts";
import { ACTIVE, allowsOperation, defaultPermissionOf, permissionOf, weightOf } from "./account.ts";
import { KnownSigners } from "./known-signers.ts";
import type { Ledger } from "./ledger.ts";
import { versionOf } from "./parameters.ts";
import { Refusal } from "./refusal.ts";
import { type ChainTransaction, ownerBytes, ownerOf, SHIELDED, validAddress } from "./transaction.ts";

const MAX_SIGNATURES = 5;
const LENGTH = 65;

/** Most bytes of a signature on 4.8.2. */
const LONGEST = 68;

/** Checks the length of the signatures of a broadcast, before anything else (Wallet.broadcastTransaction). @throws {Refusal} */
export function checkSignatureLengths({ parameters }: Ledger, { signatures }: ChainTransaction): void {
  if (versionOf(parameters) === "4.8.0") return;
  const odd = signatures.find(({ length }) => length < LENGTH || length > LONGEST);
  if (odd !== undefined) throw new Refusal("SIGERROR", `Signature size is ${odd.length}`);
}

/** Kind of a signature error, which `getsignweight` returns; broadcast prints the text only. */
export type SignatureProblem = "PERMISSION_ERROR" | "SIGNATURE_FORMAT_ERROR" | "COMPUTE_ADDRESS_ERROR";

export class SignatureRefusal extends Refusal {
  readonly problem: SignatureProblem;

  constructor(problem: SignatureProblem, message: string) {
    super("SIGERROR", message);
    this.problem = problem;
  }
}

/**
 * Checks the signatures of a transaction against the permission it names, in the order of the node
 * (TransactionCapsule.validateSignature).
 *
 * @throws {Refusal} `SIGERROR`
 */
export function checkSignatures(ledger: Ledger, transaction: ChainTransaction): void {
  const { contract, signatures } = transaction;
  if (contract?.type?.name === SHIELDED && ownerBytes(contract).length === 0) {
    checkShielded(signatures);
    return;
  }
  if (signatures.length === 0 || contract === undefined) throw new Refusal("SIGERROR", "miss sig or contract");
  if (signatures.length > MAX_SIGNATURES) throw new Refusal("SIGERROR", "too many signatures");
  const permission = requiredPermission(ledger, transaction);
  refuseKeysOfNetwork(ledger, permission, ownerBytes(contract));
  const { weight } = approvals(ledger, permission, transaction);
  if (weight < permission.threshold) throw new Refusal("SIGERROR", "sig error");
}

/** Checks that a transfer out of the shielded pool has no signature. */
function checkShielded(signatures: readonly Uint8Array[]): void {
  const text = "there should be no signatures signed by transparent address when transfer from shielded address";
  if (signatures.length > 0) throw new Refusal("SIGERROR", text);
}

/** Messages for an insufficient permission; the node uses different ones per endpoint. */
export interface PermissionMessages {
  readonly missing: string;
  readonly wrongType: string;
  readonly denied: string;
}

const BROADCAST_MESSAGES: PermissionMessages = {
  missing: "permission isn't exit",
  wrongType: "Permission type is error",
  denied: "Permission denied",
};

/**
 * Keeps keys of a real network out of its fork: accounts that the network has, and their keys, do not sign.
 *
 * @throws {Refusal} `SIGERROR`
 */
function refuseKeysOfNetwork({ tables }: Ledger, { keys }: Permission, owner: Uint8Array): void {
  for (const bytes of [owner, ...keys.map((it) => it.address)]) {
    const address = validAddress(bytes);
    if (address === undefined || tables.accounts.original(address) === undefined) continue;
    const reason = "its key does not sign on a fork. Use tre_impersonateAccount";
    throw new Refusal("SIGERROR", `${toBase58(address)} is an account of the network: ${reason}`);
  }
}

/** Returns the permission that has to sign, after its own checks. @throws {SignatureRefusal} `PERMISSION_ERROR` */
export function requiredPermission(
  ledger: Ledger,
  { contract }: ChainTransaction,
  messages = BROADCAST_MESSAGES,
): Permission {
  if (contract === undefined) throw new Refusal("SIGERROR", "miss sig or contract");
  const owner = ownerOf(contract);
  const account = owner && ledger.account(owner);
  const id = contract.entry.PermissionId;
  const { usual } = ledger.totals.operations;
  const permission = account ? permissionOf(account, id) : defaultPermissionOf(ownerBytes(contract), id, usual);
  const refuse = (message: string): SignatureRefusal => new SignatureRefusal("PERMISSION_ERROR", message);
  if (permission === undefined) throw refuse(messages.missing);
  if (id !== 0) {
    if (permission.type !== ACTIVE) throw refuse(messages.wrongType);
    if (permission.operations.length !== 32) throw refuse("operations size must be 32");
    if (!allowsOperation(permission.operations, contract.entry.type)) throw refuse(messages.denied);
  }
  return permission;
}

export interface Approvals {
  readonly addresses: readonly Address[];
  readonly weight: bigint;
}

/** Returns the signers and their weight. @throws {SignatureRefusal} for the first signature that does not count */
export function approvals(ledger: Ledger, permission: Permission, { id, signatures }: ChainTransaction): Approvals {
  if (signatures.length > permission.keys.length) {
    throw new SignatureRefusal(
      "PERMISSION_ERROR",
      `Signature count is ${signatures.length} more than key counts of permission : ${permission.keys.length}`,
    );
  }
  const [only, ...others] = permission.keys;
  const expected = others.length === 0 && only !== undefined ? validAddress(only.address) : undefined;
  const addresses: Address[] = [];
  let weight = 0n;
  for (const signature of signatures) {
    const signer = signerOf(id, signature, expected);
    const own = weightOf(permission, signer);
    if (own === undefined)
      throw notContained(versionOf(ledger.parameters) === "4.8.0" ? bytesToHex(signature) : id, signer);
    if (addresses.includes(signer)) {
      throw new SignatureRefusal("PERMISSION_ERROR", `${toBase58(signer)} has signed twice!`);
    }
    addresses.push(signer);
    weight += own;
  }
  return { addresses, weight };
}

/**
 * Returns the account of a signature.
 *
 * @param expected - the likely signer, which is checked first
 * @throws {SignatureRefusal} with the text of the Java exception
 */
export function signerOf(id: TxId, signature: Uint8Array, expected?: Address): Address {
  if (signature.length < LENGTH) {
    throw new SignatureRefusal("SIGNATURE_FORMAT_ERROR", `Signature size is ${signature.length}`);
  }
  const v = signature[LENGTH - 1] ?? 0;
  const header = javaHeader(v);
  if (header < 27 || header > 34) {
    throw new SignatureRefusal(
      "COMPUTE_ADDRESS_ERROR",
      `java.security.SignatureException: Header byte out of range: ${header}`,
    );
  }
  const recovery = (header - 27) & 3;
  return recover(id, signature, recovery, expected);
}

/** Returns the header byte as Java reads it: signed, with 0–26 as 27–53. */
function javaHeader(v: number): number {
  const signed = v > 127 ? v - 256 : v;
  return signed < 27 ? signed + 27 : signed;
}

/** Cache of recovered signers for signatures that are still referenced, for example by the pool. */
const recovered = new WeakMap<Uint8Array, { readonly id: TxId; readonly signer: Address }>();
const knownSigners = new KnownSigners();

/** Recovers a signer with the cache: the pool checks signatures again after each block. */
function recover(id: TxId, signature: Uint8Array, recovery: number, expected: Address | undefined): Address {
  const known = recovered.get(signature);
  if (known?.id === id) return known.signer;
  const normalised = signature.slice(0, LENGTH);
  normalised[LENGTH - 1] = recovery;
  const signer =
    expected !== undefined && knownSigners.recognises(expected, id, normalised)
      ? expected
      : recoverWithoutTable(id, normalised);
  recovered.set(signature, { id, signer });
  return signer;
}

function recoverWithoutTable(id: TxId, normalised: Uint8Array): Address {
  try {
    const point = recoverPoint(id, normalised);
    const signer = point === undefined ? recoverAddress(id, bytesToHex(normalised)) : accountOfPoint(point);
    knownSigners.note(signer, id, normalised);
    return signer;
  } catch {
    throw new SignatureRefusal("COMPUTE_ADDRESS_ERROR", unrecoverable(normalised));
  }
}

function unrecoverable(normalised: Uint8Array): string {
  const r = normalised.subarray(0, 32);
  try {
    secp256k1.Point.fromBytes(Uint8Array.of(2, ...r));
  } catch {
    return "java.lang.IllegalArgumentException: Invalid point compression";
  }
  return "java.security.SignatureException: Could not recover public key from signature";
}

/** @param subject - the signature, since 4.8.1 the id of the transaction */
function notContained(subject: string, signer: Address): SignatureRefusal {
  const text = `${subject} is signed by ${toBase58(signer)} but it is not contained of permission.`;
  return new SignatureRefusal("PERMISSION_ERROR", text);
}
