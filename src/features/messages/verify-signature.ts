import type { NetworkProfile } from "@finality/client/gateway";
import { type AbiParameter, elementaryType, encodeCall } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { shortAddress } from "@finality/tron/format";
import {
  type Address,
  foreignText,
  hex,
  isHexPairs,
  parseAddress,
  stripHexPrefix,
  sun,
  toBase58,
} from "@finality/tron/primitives";
import type { MessageDigest } from "@finality/tron/typed-data";
import { t } from "@vscode/l10n";
import { calledByProgram, isCallOfProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument, readAs } from "../../host/commands/command-arguments.ts";
import { notify, whileWorking } from "../../host/prompts/notify.ts";
import { inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import { messageBytes, typedDataIn } from "./message-source.ts";
import type { MessageServices } from "./services.ts";

type Arguments = CommandArguments["finality.verifySignature"];

/** Result of a verification, for programs. */
export interface VerifiedSignature {
  /** False if an address is given, and neither its key nor its contract accepts the signature. */
  readonly valid: boolean;
  /** Account whose key signed, base58; absent for a signature that only a contract can read. */
  readonly signer?: string;
  /** `key`: the signer's key; `contract`: `isValidSignature` of the address (TRC-1271). */
  readonly by?: "key" | "contract";
  /** True for TronWeb's first form of messages, whose length is always 32. */
  readonly isFirstForm?: true;
}

interface Subject {
  readonly digest: MessageDigest;
  /** Hash of the same message in TronWeb's first form. */
  readonly firstForm?: MessageDigest;
}

const TITLE = t`Verify Signature`;

/**
 * Verifies the signature of a message or of typed data. With an address, its key or its contract has to accept it;
 * without one, the result is the signer. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `TYPED_DATA_MALFORMED`, `SIGNATURE_MALFORMED`, and the errors of the gateway for a contract
 */
export async function verifySignature(
  services: MessageServices,
  argument: Arguments,
  raw: unknown,
): Promise<VerifiedSignature | undefined> {
  const subject = await subjectOf(argument);
  if (subject === undefined) return undefined;
  const signature = await signatureIn(argument);
  if (signature === undefined) return undefined;
  const address = await addressIn(services, argument);
  if (address === undefined) return undefined;
  const verified = await verify(services, { subject, signature, address: address.value, network: argument.network });
  if (!isCallOfProgram(raw)) {
    const nameOf = services.keys.nameOf.bind(services.keys);
    const { valid, signer } = verified;
    const who = signer === undefined ? undefined : shortAddress(parseAddress(signer), nameOf);
    const text = resultText(verified, who, address.value && shortAddress(address.value, nameOf));
    void notify(valid ? "information" : "warning", text);
  }
  return verified;
}

function resultText({ valid, by, isFirstForm }: VerifiedSignature, signer = "", address: string | undefined): string {
  const form = isFirstForm === true ? t` It has the first form of TronWeb, which does not sign the length.` : "";
  if (!valid && signer === "") return t`Not valid: ${address ?? ""} does not accept this signature.`;
  if (!valid) return t`Not valid: ${signer} signed, not ${address ?? ""}.${form}`;
  if (by === "contract") return t`Valid: the contract ${address ?? ""} accepts this signature.`;
  return t`Valid: ${signer} signed.${form}`;
}

/** Returns what was signed: the message or the typed data of the argument, or what the user chooses. */
async function subjectOf(argument: Arguments): Promise<Subject | undefined> {
  const { message, hex: bytes, typedData, file, uri } = argument;
  const isTyped = [typedData, file, uri].some((it) => it !== undefined);
  if (isTyped || (message === undefined && bytes === undefined)) {
    if (!isTyped && calledByProgram())
      throw malformedArgument("message", t`give the message, its bytes as hex, or typedData`);
    const isMessage = isTyped ? false : await askKind();
    if (isMessage === undefined) return undefined;
    if (!isMessage) {
      const data = await typedDataIn(argument, TITLE);
      return data && { digest: data.digest };
    }
  }
  const { firstFormDigest, messageDigest } = await import("../../host/secrets/lazy-signing.ts");
  const signed = await messageBytes(argument, TITLE);
  return signed && { digest: messageDigest(signed), firstForm: firstFormDigest(signed) };
}

/** Returns true for a message, false for typed data. */
async function askKind(): Promise<boolean | undefined> {
  const message = t`Message`;
  const items = [
    { label: message, description: t`text that was signed as TIP-191` },
    { label: t`Typed Data`, description: t`JSON that was signed as TIP-712` },
  ];
  const chosen = await quickPick(items, { title: TITLE, placeHolder: t`What was signed?`, ignoreFocusOut: true });
  return chosen && chosen.label === message;
}

async function signatureIn({ signature }: Arguments): Promise<string | undefined> {
  const isHex = (text: string): boolean => isHexPairs(stripHexPrefix(text.trim()));
  if (signature !== undefined && !isHex(signature))
    throw malformedArgument("signature", t`write bytes in hex, such as 0x00ff`);
  if (signature === undefined && calledByProgram()) throw malformedArgument("signature", t`give the signature as hex`);
  return (
    signature ??
    (await inputBox({
      title: TITLE,
      prompt: t`The signature in hex: 65 bytes, or what the contract expects`,
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() === "" || isHex(text) ? undefined : t`This is not hex yet.`),
    }))
  );
}

/** Returns the address that has to have signed; without a value for any signer. Undefined if the user cancels. */
async function addressIn(
  { keys }: MessageServices,
  { address }: Arguments,
): Promise<{ readonly value?: Address } | undefined> {
  const read = (text: string): Address => keys.addressOf(text.trim()) ?? readAs("address", text.trim(), parseAddress);
  if (address !== undefined) return { value: read(address) };
  if (calledByProgram()) return {};
  const typed = await inputBox({
    title: TITLE,
    prompt: t`The account or contract that has to have signed. Leave it empty to see who signed.`,
    ignoreFocusOut: true,
    validateInput: (text) => {
      try {
        if (text.trim() !== "") read(text);
        return undefined;
      } catch (error) {
        if (isChainError(error)) return error.message;
        throw error;
      }
    },
  });
  if (typed === undefined) return undefined;
  return typed.trim() === "" ? {} : { value: read(typed) };
}

interface Verification {
  readonly subject: Subject;
  readonly signature: string;
  readonly address: Address | undefined;
  readonly network: string | undefined;
}

async function verify(
  services: MessageServices,
  { subject, signature, address, network }: Verification,
): Promise<VerifiedSignature> {
  const { isFirstForm, signer } = await signerOf(subject, signature, address);
  const found = { ...(signer && { signer: toBase58(signer) }), ...(isFirstForm && { isFirstForm }) };
  if (address === undefined || signer === address) return { valid: true, by: "key", ...found };
  const profile = services.networks.get(network);
  const accepts = await contractAccepts(services, profile, { address, digest: subject.digest, signature });
  return accepts ? { valid: true, by: "contract", ...found } : { valid: false, ...found };
}

interface Recovered {
  readonly signer?: Address;
  readonly isFirstForm?: true;
}

/**
 * Returns the account whose key signed. TronWeb's first form counts only if it leads to the expected address.
 *
 * @throws {ChainError} `SIGNATURE_MALFORMED` if there is no address whose contract could read the signature
 */
async function signerOf(subject: Subject, signature: string, address: Address | undefined): Promise<Recovered> {
  const { parseMessageSignature, recoverMessageSigner } = await import("../../host/secrets/lazy-signing.ts");
  try {
    const parsed = parseMessageSignature(signature);
    const signer = recoverMessageSigner(subject.digest, parsed);
    const first = subject.firstForm && recoverMessageSigner(subject.firstForm, parsed);
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
const PARAMETERS: readonly AbiParameter[] = [
  { name: foreignText("hash"), type: elementaryType("bytes32") },
  { name: foreignText("signature"), type: elementaryType("bytes") },
];

/** Returns whether the contract of the address accepts a signature. An account without code accepts none. */
async function contractAccepts(
  services: MessageServices,
  network: NetworkProfile,
  {
    address,
    digest,
    signature,
  }: { readonly address: Address; readonly digest: MessageDigest; readonly signature: string },
): Promise<boolean> {
  const gateway = await services.gateways.for(network);
  const data = encodeCall(IS_VALID, PARAMETERS, [digest, hex(signature.trim())]);
  return await whileWorking(t`Asking the contract`, async (signal) => {
    if ((await gateway.deployedContract(address, signal)) === undefined) return false;
    const run = { owner: address, contract: address, data, callValue: sun(0n) };
    const { reverted, returned } = await gateway.constantCall(run, signal);
    return !reverted && returned.length === 64 && returned.startsWith(MAGIC);
  });
}
