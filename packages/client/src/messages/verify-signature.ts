import { type AbiParameter, elementaryType, encodeCall } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { type Address, foreignText, hex, stripHexPrefix, sun } from "@finality/tron/primitives";
import { type MessageDigest, parseMessageSignature, recoverMessageSigner } from "@finality/tron/typed-data";
import { haltOf } from "../estimates/estimate-call.ts";
import type { ContractGateway } from "../gateway/gateway.ts";

/** Hashes of what was signed. */
export interface SignedSubject {
  readonly digest: MessageDigest;
  /** Hash of the same message in TronWeb's first form. */
  readonly firstForm?: MessageDigest;
}

/** Result of a verification. */
export interface SignatureVerification {
  /** False if an address is given, and neither its key nor its contract accepts the signature. */
  readonly valid: boolean;
  /** Account whose key signed; absent for a signature that only a contract can read. */
  readonly signer?: Address;
  /** `key`: the signer's key; `contract`: `isValidSignature` of the address (TRC-1271). */
  readonly by?: "key" | "contract";
  /** True for TronWeb's first form of messages, whose length is always 32. */
  readonly isFirstForm?: true;
}

export interface VerificationOptions {
  /** Account or contract that has to have signed. Without it every signer is valid. */
  readonly address: Address | undefined;
  /** Called if the key of the address did not sign. Undefined if no contract is called. */
  readonly gateway: () => Promise<ContractGateway | undefined>;
  readonly signal?: AbortSignal;
}

/**
 * Verifies a signature in hex. With an address, its key or its contract has to accept it; without one, the result is the
 * signer.
 *
 * @throws {ChainError} `SIGNATURE_MALFORMED` if there is no address whose contract could read the signature, and the
 *   errors of the gateway
 */
export async function verifyMessageSignature(
  subject: SignedSubject,
  signature: string,
  { address, gateway: openGateway, signal }: VerificationOptions,
): Promise<SignatureVerification> {
  const recovered = signerOf(subject, signature, address);
  if (address === undefined || recovered.signer === address) return { valid: true, by: "key", ...recovered };
  const gateway = await openGateway();
  const call = { address, digest: subject.digest, signature };
  const accepts = gateway !== undefined && (await contractAccepts(gateway, call, signal));
  return accepts ? { valid: true, by: "contract", ...recovered } : { valid: false, ...recovered };
}

/** Returns the account whose key signed. TronWeb's first form counts only if it leads to the expected address. */
function signerOf(
  { digest, firstForm }: SignedSubject,
  signature: string,
  address: Address | undefined,
): Pick<SignatureVerification, "signer" | "isFirstForm"> {
  try {
    const parsed = parseMessageSignature(signature);
    const signer = recoverMessageSigner(digest, parsed);
    const first = firstForm && recoverMessageSigner(firstForm, parsed);
    return first !== undefined && first === address && signer !== address
      ? { signer: first, isFirstForm: true }
      : { signer };
  } catch (error) {
    if (address !== undefined && isChainError(error) && error.code === "SIGNATURE_MALFORMED") return {};
    throw error;
  }
}

/** `isValidSignature(bytes32,bytes)` returns its own selector for a valid signature (TRC-1271, ERC-1271). */
const IS_VALID = "isValidSignature(bytes32,bytes)";
const MAGIC = "1626ba7e";
/** `bytes4` is at the beginning of a word, and the rest of the word is zero. */
const MAGIC_WORD = MAGIC.padEnd(64, "0");
const PARAMETERS: readonly AbiParameter[] = [
  { name: foreignText("hash"), type: elementaryType("bytes32") },
  { name: foreignText("signature"), type: elementaryType("bytes") },
];

interface ContractCheck {
  readonly address: Address;
  readonly digest: MessageDigest;
  readonly signature: string;
}

/** Returns whether the contract of the address accepts a signature. An account without code accepts none. */
async function contractAccepts(
  gateway: ContractGateway,
  { address, digest, signature }: ContractCheck,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if ((await gateway.deployedContract(address, signal)) === undefined) return false;
  const data = encodeCall(IS_VALID, PARAMETERS, [digest, hex(stripHexPrefix(signature.trim()))]);
  try {
    const run = { owner: address, contract: address, data, callValue: sun(0n) };
    const { reverted, returned } = await gateway.constantCall(run, signal);
    return !reverted && returned === MAGIC_WORD;
  } catch (error) {
    const halt = isChainError(error) ? haltOf(error) : undefined;
    // Another node may have the time that the call needs.
    if (halt === undefined || halt.exception === "OutOfTimeException") throw error;
    return false;
  }
}
