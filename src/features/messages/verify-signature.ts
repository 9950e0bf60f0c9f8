import type { SignatureVerification, SignedSubject } from "@finality/client/messages";
import { isChainError } from "@finality/tron/errors";
import { shortAddress } from "@finality/tron/format";
import { type Address, isHexPairs, parseAddress, stripHexPrefix, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { calledByProgram, isCallOfProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument, readAs } from "../../host/commands/command-arguments.ts";
import { notify, whileWorking } from "../../host/prompts/notify.ts";
import { inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import { messageBytes, typedDataIn } from "./message-source.ts";
import type { MessageServices } from "./services.ts";

type Arguments = CommandArguments["finality.verifySignature"];

/** Result of a verification, for programs. */
export interface VerifiedSignature extends Omit<SignatureVerification, "signer"> {
  /** Account whose key signed, base58; absent for a signature that only a contract can read. */
  readonly signer?: string;
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
async function subjectOf(argument: Arguments): Promise<SignedSubject | undefined> {
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
  // A contract may accept an empty signature, written as 0x.
  const isHex = (text: string): boolean => text.trim() === "0x" || isHexPairs(stripHexPrefix(text.trim()));
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
  readonly subject: SignedSubject;
  readonly signature: string;
  readonly address: Address | undefined;
  readonly network: string | undefined;
}

async function verify(
  services: MessageServices,
  { subject, signature, address, network }: Verification,
): Promise<VerifiedSignature> {
  const { verifyMessageSignature } = await import("../../host/secrets/lazy-signing.ts");
  const { signer, ...verified } = await whileWorking(t`Verifying the signature`, (signal) => {
    const gateway = () => services.gateways.for(services.networks.get(network));
    return verifyMessageSignature(subject, signature, { address, gateway, signal });
  });
  return { ...verified, ...(signer && { signer: toBase58(signer) }) };
}
