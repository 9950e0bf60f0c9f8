import { verifyMessageSignature } from "@finality/client/messages";
import {
  isForeignChain,
  type MessageReview,
  messageReview,
  readTypedDataFacts,
  typedDataChainId,
  typedDataReview,
} from "@finality/client/reviews";
import { ChainError } from "@finality/tron/errors";
import {
  type Address,
  bytesToHex,
  hexToBytes,
  isHexPairs,
  parseJson,
  stripHexPrefix,
  toBase58,
  visibleText,
} from "@finality/tron/primitives";
import { lookalikesOf } from "@finality/tron/transaction";
import {
  firstFormDigest,
  type MessageDigest,
  messageDigest,
  parseTypedData,
  type TypedData,
} from "@finality/tron/typed-data";
import { addressNamed } from "../call-context.ts";
import { CliError, EXIT } from "../cli-error.ts";
import type { CommandResult, Context, Invocation, RunCommand } from "../command.ts";
import { readConfiguration } from "../configuration.ts";
import { journalFolder } from "../journal.ts";
import { type KeySource, openKeySource } from "../key-source.ts";
import { chooseNetwork, connect, isNetworkNamed } from "../network.ts";
import { confirmReview, openSender, paidAddresses, type Sender } from "../sender.ts";

/** Signs or verifies a message (TIP-191). */
export const runMessage: RunCommand = async (invocation, context) => {
  const isSigned = actionOf(invocation) === "sign";
  const bytes = await messageIn(invocation, context);
  const digest = messageDigest(bytes);
  if (!isSigned) return await verified({ digest, firstForm: firstFormDigest(bytes) }, invocation, context);
  const key = await keyOf(invocation, context);
  await confirmMessage(messageReview(bytes, { signer: key.address, nameOf: () => undefined }), invocation, context);
  const message = bytesToHex(bytes);
  return signed(key, digest, await key.signMessage({ kind: "message", digest, message }));
};

/** Signs or verifies typed data (TIP-712). */
export const runTypedData: RunCommand = async (invocation, context) => {
  const isSigned = actionOf(invocation) === "sign";
  const text = await context.terminal.read(invocation.positionals[1] ?? "-");
  const data = parseTypedData(text);
  if (!isSigned) return await verified({ digest: data.digest }, invocation, context);
  const { terminal } = context;
  const key = await keyOf(invocation, context);
  const { addresses } = await readConfiguration(invocation, terminal);
  const connection = connect(await chooseNetwork(invocation, terminal));
  let sender: Sender | undefined;
  try {
    sender = await openSender(journalFolder(invocation, terminal, connection.configuration), connection, context.warn);
    const review = await reviewTypedData(sender, data, {
      signer: key.address,
      acknowledged: invocation.text("chain-id"),
      known: [...addresses.values(), key.address],
    });
    printReview(review, context);
    await confirmReview(sender, { question: QUESTION, isDoubtful: review.isDoubtful }, invocation, terminal);
    const { digest } = data;
    return signed(key, digest, await key.signMessage({ kind: "typed-data", digest, typedData: parseJson(text) }));
  } finally {
    await sender?.close();
    await connection.close();
  }
};

const QUESTION = "Sign? Type yes: ";

function actionOf({ positionals: [action = ""] }: Invocation): "sign" | "verify" {
  if (action === "sign" || action === "verify") return action;
  throw new CliError("USAGE", {
    cause: `The first argument has to be sign or verify, not "${visibleText(action, 60)}".`,
  });
}

async function keyOf(invocation: Invocation, { terminal }: Context): Promise<KeySource> {
  const { addresses } = await readConfiguration(invocation, terminal);
  return await openKeySource(invocation, terminal, (name) => addressNamed(name, addresses));
}

/** Returns the bytes of `--text`, `--hex`, the file or standard input. @throws {CliError} `USAGE` */
async function messageIn(invocation: Invocation, { terminal }: Context): Promise<Uint8Array> {
  const [text, hex, file] = [invocation.text("text"), invocation.text("hex"), invocation.positionals[1]];
  if ([text, hex, file].filter((it) => it !== undefined).length > 1)
    throw new CliError("USAGE", { cause: "Use one of FILE, --text and --hex." });
  if (text !== undefined) return Buffer.from(text);
  if (hex === undefined) return await terminal.readBytes(file ?? "-");
  const digits = stripHexPrefix(hex);
  if (digits !== "" && !isHexPairs(digits)) throw new CliError("USAGE", { cause: "--hex has to be bytes in hex." });
  return hexToBytes(digits);
}

function printReview({ title, detail }: MessageReview, { output }: Context): void {
  output("review", { title, detail }, `${title}\n\n${visibleText(detail)}\n\n`);
}

/** A message is valid on every chain, so its signature is not harmless on a test network. @throws {CliError} `NOT_CONFIRMED` */
async function confirmMessage(review: MessageReview, invocation: Invocation, context: Context): Promise<void> {
  printReview(review, context);
  if (invocation.isOn("yes"))
    throw new CliError("NOT_CONFIRMED", {
      cause: "A message is valid on every chain, so --yes is refused.",
      next: "Run the command on a terminal, and confirm the review.",
    });
  if (await context.terminal.confirm(QUESTION)) return;
  throw new CliError("NOT_CONFIRMED", { cause: "The review was not confirmed." });
}

interface TypedDataOptions {
  readonly signer: Address;
  /** Chain ID that the user named. */
  readonly acknowledged: string | undefined;
  /** Addresses that the user knows besides those of the journal. */
  readonly known: readonly Address[];
}

/** @throws {ChainError} `MESSAGE_REFUSED` for another chain, unless the user named it */
async function reviewTypedData(
  sender: Sender,
  data: TypedData,
  { signer, acknowledged, known }: TypedDataOptions,
): Promise<MessageReview> {
  const { connection, network, isRealMoney, tokenAt } = sender;
  const chain = async () => network.chain;
  const facts = await readTypedDataFacts(data, { gateway: connection.gateway, chain, tokenAt });
  const { profile } = connection;
  if (facts.chain !== undefined && isForeignChain(data.domain, facts.chain)) {
    const [there, here] = [String(data.domain.chainId), String(typedDataChainId(facts.chain))];
    if (acknowledged?.trim() !== there) {
      const why = `This typed data is for chain ${there}, and ${profile.name} is chain ${here}.`;
      throw new ChainError("MESSAGE_REFUSED", { reason: `${why} To sign them anyway, add --chain-id ${there}.` });
    }
  }
  const all = [...paidAddresses(sender), ...known];
  return typedDataReview(data, {
    ...facts,
    network: { ...profile, production: isRealMoney },
    signer,
    nameOf: () => undefined,
    lookalikesOf: (address) => lookalikesOf(address, all),
    timeOf: (ms) => new Date(ms).toISOString(),
  });
}

function signed({ address }: KeySource, digest: MessageDigest, signature: string): CommandResult {
  const result = { address: toBase58(address), digest: `0x${digest}`, signature: `0x${signature}` };
  return { result, text: `${result.signature}\n` };
}

/** Verifies `--signature`. Exit code 1 if neither the key nor the contract of `--address` accepts it. */
async function verified(
  subject: { readonly digest: MessageDigest; readonly firstForm?: MessageDigest },
  invocation: Invocation,
  { terminal }: Context,
): Promise<CommandResult> {
  const signature = invocation.text("signature");
  if (signature === undefined) throw new CliError("USAGE", { cause: "--signature is missing." });
  const digits = stripHexPrefix(signature.trim());
  if (digits !== "" && !isHexPairs(digits))
    throw new CliError("USAGE", { cause: "--signature has to be bytes in hex." });
  const configuration = await readConfiguration(invocation, terminal);
  const named = invocation.text("address");
  const address = named === undefined ? undefined : addressNamed(named, configuration.addresses);
  // Without a network the key alone decides.
  const hasNetwork = isNetworkNamed(invocation, terminal, configuration, undefined);
  const network = hasNetwork ? await chooseNetwork(invocation, terminal) : undefined;
  const connection = network && connect(network);
  try {
    const gateway = async () => connection?.gateway;
    const { signer, ...found } = await verifyMessageSignature(subject, signature, { address, gateway });
    const asked = address !== undefined && found.by !== "key" && connection !== undefined;
    const result = { ...found, ...(signer && { signer: toBase58(signer) }), contractAsked: asked };
    return { result, text: verificationText(result, address), exitCode: found.valid ? EXIT.ok : EXIT.negative };
  } finally {
    await connection?.close();
  }
}

interface PrintedVerification {
  readonly valid: boolean;
  readonly by?: "key" | "contract";
  readonly signer?: string;
  readonly isFirstForm?: true;
  readonly contractAsked: boolean;
}

function verificationText({ valid, by, signer, isFirstForm, contractAsked }: PrintedVerification, address?: Address) {
  const expected = address === undefined ? "" : toBase58(address);
  const form = isFirstForm === true ? " It has the first form of TronWeb, which does not sign the length." : "";
  if (valid && by === "contract") return `Valid: the contract ${expected} accepts this signature.\n`;
  if (valid) return `Valid: ${signer} signed.${form}\n`;
  const reason =
    signer === undefined ? `${expected} does not accept this signature` : `${signer} signed, not ${expected}`;
  const note = contractAsked ? "" : " No contract was called: no network was given.";
  return `Not valid: ${reason}.${form}${note}\n`;
}
