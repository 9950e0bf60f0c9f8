import { execFile } from "node:child_process";
import { openKeystore, readKeystore } from "@finality/client/keys";
import { ChainError } from "@finality/tron/errors";
import {
  type Address,
  type Hex,
  hexToBytes,
  isHexPairs,
  type Json,
  hex as parseHex,
  printJson,
  toBase58,
} from "@finality/tron/primitives";
import {
  addressOfPrivateKey,
  addSignature,
  checkSignedTransaction,
  type PrivateKey,
  parsePrivateKey,
  type SignedTransaction,
  type VerifiedTransaction,
} from "@finality/tron/transaction";
import {
  type MessageDigest,
  parseMessageSignature,
  recoverMessageSigner,
  signatureForms,
  signMessageDigest,
} from "@finality/tron/typed-data";
import { CliError } from "./cli-error.ts";
import type { Invocation } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Key that the user chose by the arguments. No file of a project chooses it. */
export interface KeySource {
  readonly address: Address;
  /** True for another program, which may sign and send the bytes itself once it has them. */
  readonly isExternal: boolean;
  /** Called after the review only. @throws {ChainError} `SIGNATURE_FOREIGN`, `OUTSIDE_SIGNATURE_MISSING` */
  sign(verified: VerifiedTransaction): Promise<SignedTransaction>;
  /**
   * Signs a message or typed data. Called after the review only. Returns 65 bytes as hex.
   *
   * @throws {ChainError} `SIGNATURE_FOREIGN`, `MESSAGE_REFUSED`
   */
  signMessage(request: MessageRequest): Promise<Hex>;
}

/** Request of a signature: the hash, and the content of which it is the hash. */
type MessageRequest = { readonly digest: MessageDigest } & (
  | { readonly kind: "message"; readonly message: Hex }
  | { readonly kind: "typed-data"; readonly typedData: Json }
);

/**
 * Opens the key of `--key-env`, `--keystore` or `--signer`.
 *
 * @param addressOf - Resolves the address of an external signer.
 * @throws {CliError} `USAGE`, `KEY_MISSING`
 * @throws {ChainError} `PRIVATE_KEY_MALFORMED`, `KEYSTORE_REFUSED`, `KEYSTORE_PASSWORD_WRONG`
 */
export async function openKeySource(
  invocation: Invocation,
  terminal: Terminal,
  addressOf: (name: string) => Address,
): Promise<KeySource> {
  const [variable, keystore, signer] = ["key-env", "keystore", "signer"].map((it) => invocation.text(it));
  const given = [variable, keystore, signer].filter((it) => it !== undefined);
  if (given.length !== 1) {
    const cause = given.length === 0 ? "No key source was given." : "Several key sources were given.";
    throw new CliError("USAGE", { cause, next: "Use one of --key-env NAME, --keystore FILE and --signer PROGRAM." });
  }
  if (variable !== undefined) return fromKey(parsePrivateKey(keyInEnvironment(variable, terminal)));
  if (keystore !== undefined) {
    const content = readKeystore(await terminal.read(keystore));
    return fromKey(await openKeystore(content, await password(invocation, terminal, keystore)));
  }
  return externalSigner(signer ?? "", invocation, terminal, addressOf);
}

function keyInEnvironment(variable: string, { env }: Terminal): string {
  if (/^(0x)?[0-9a-fA-F]{64}$/.test(variable))
    throw new CliError("USAGE", { cause: "--key-env has to be the name of an environment variable, not a key." });
  const key = env[variable];
  if (key !== undefined && key !== "") return key;
  throw new CliError("KEY_MISSING", { cause: `The environment variable ${variable} is not set.` });
}

async function password(invocation: Invocation, terminal: Terminal, keystore: string): Promise<string> {
  const descriptor = invocation.text("password-fd");
  if (descriptor === undefined) return await terminal.askSecret(`Password of ${keystore}: `);
  if (!/^\d+$/.test(descriptor))
    throw new CliError("USAGE", { cause: "--password-fd has to be the number of a file descriptor, not a password." });
  return (await terminal.read(`fd:${descriptor}`)).replace(/\r?\n$/, "");
}

function fromKey(key: PrivateKey): KeySource {
  const address = addressOfPrivateKey(key);
  return {
    address,
    isExternal: false,
    sign: async ({ txId, rawDataHex }) => signedBy(address, addSignature({ txId, rawDataHex, signatures: [] }, key)),
    signMessage: async ({ digest }) => signMessageDigest(digest, key),
  };
}

function externalSigner(
  program: string,
  invocation: Invocation,
  terminal: Terminal,
  addressOf: (name: string) => Address,
): KeySource {
  const named = invocation.text("address");
  if (named === undefined)
    throw new CliError("USAGE", { cause: "--signer needs --address, the account whose key it has." });
  const address = addressOf(named);
  return {
    address,
    isExternal: true,
    sign: async ({ txId, rawDataHex, expiration }) => {
      const request = { txId, rawDataHex, address: toBase58(address), expiration };
      const refused = (reason: string) => missing(reason, expiration);
      const signature = await runSigner(terminal.resolve(program), printJson(request), refused);
      return signedBy(address, { txId, rawDataHex, signatures: [signature] });
    },
    signMessage: async (message) => {
      const request = { ...message, address: toBase58(address) };
      const refused = (reason: string) => new ChainError("MESSAGE_REFUSED", { reason });
      const signature = await runSigner(terminal.resolve(program), printJson(request), refused);
      const parsed = parseMessageSignature(signature);
      const signer = recoverMessageSigner(message.digest, parsed);
      if (signer !== address)
        throw new ChainError("SIGNATURE_FOREIGN", { address: toBase58(address), signer: toBase58(signer) });
      // Contracts take 27 and 28 only, and a signer may print 0 and 1.
      return parseHex(signatureForms(parsed)[0]);
    },
  };
}

const SIGNATURE_BYTES = 65;
const SIGNER_MS = 300_000;

/** Returns the signature that the program prints. @param refused - returns the error of a program without an answer */
async function runSigner(program: string, request: string, refused: (reason: string) => ChainError): Promise<Hex> {
  const answer = await new Promise<string>((resolve, reject) => {
    const child = execFile(program, [], { timeout: SIGNER_MS, maxBuffer: 65_536 }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(refused(`The signer ${program} failed: ${error.message.split("\n")[0] ?? ""}.`));
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(`${request}\n`);
  });
  const digits = answer.trim().replace(/^0x/i, "");
  if (!isHexPairs(digits) || hexToBytes(digits).length !== SIGNATURE_BYTES)
    throw refused("The signer printed no signature of 65 bytes in hex.");
  return parseHex(digits);
}

function missing(reason: string, expiration: number): ChainError {
  const possibleUntil = new Date(expiration).toISOString();
  return new ChainError("OUTSIDE_SIGNATURE_MISSING", { reason, possibleUntil });
}

/** @throws {ChainError} `SIGNATURE_FOREIGN` if the signature is not of this address */
function signedBy(address: Address, signed: SignedTransaction): SignedTransaction {
  const [signer] = checkSignedTransaction(signed);
  if (signer === address) return signed;
  const by = signer === undefined ? "an unknown key" : toBase58(signer);
  throw new ChainError("SIGNATURE_FOREIGN", { address: toBase58(address), signer: by });
}
