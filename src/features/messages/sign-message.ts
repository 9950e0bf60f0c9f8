import type { ChainId, NetworkProfile } from "@finality/client/gateway";
import { hasStoredKey } from "@finality/client/labels";
import {
  isForeignChain,
  type MessageReview,
  messageReview,
  readTypedDataFacts,
  typedDataChainId,
  typedDataReview,
} from "@finality/client/reviews";
import { ChainError } from "@finality/tron/errors";
import { localTime } from "@finality/tron/format";
import { type Address, toBase58, visibleLine } from "@finality/tron/primitives";
import type { MessageDigest, TypedData } from "@finality/tron/typed-data";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram, isCallOfProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { chooseAccount } from "../../host/prompts/choose-account.ts";
import { askModal, notify, whileWorking } from "../../host/prompts/notify.ts";
import { lookalikesHere } from "../../sending/addresses-here.ts";
import { DO_NOT_SIGN } from "../../sending/consent.ts";
import { tokenAt } from "../../sending/token-at.ts";
import { messageBytes, typedDataIn } from "./message-source.ts";
import type { MessageServices } from "./services.ts";

/** Signature of a message, for programs. */
export interface SignedMessage {
  /** base58. */
  readonly address: string;
  /** Signed hash, 0x…. */
  readonly digest: string;
  /** 65 bytes, 0x…, with 27 or 28 at the end. */
  readonly signature: string;
}

/**
 * Signs a message (TIP-191) after its review. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `MESSAGE_REFUSED`, and the errors of signing
 */
export async function signMessage(
  services: MessageServices,
  argument: CommandArguments["finality.signMessage"],
  raw: unknown,
): Promise<SignedMessage | undefined> {
  const title = t`Sign Message`;
  const network = services.networks.get(argument.network);
  const signer = await signerOf(services, argument.account ?? argument.address, title);
  if (signer === undefined) return undefined;
  const bytes = await messageBytes(argument, title);
  if (bytes === undefined) return undefined;
  const { messageDigest } = await import("../../host/secrets/lazy-signing.ts");
  const nameOf = services.keys.nameOf.bind(services.keys);
  const review = messageReview(bytes, { network, signer, nameOf });
  const request = { digest: messageDigest(bytes), signer, network, isForThisChain: false };
  return await sign(services, request, review, raw);
}

/**
 * Signs typed data (TIP-712) after its review. Data for another chain is refused, unless the user or the argument names
 * that chain. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `TYPED_DATA_MALFORMED`, `MESSAGE_REFUSED`, and the errors of signing
 */
export async function signTypedData(
  services: MessageServices,
  argument: CommandArguments["finality.signTypedData"],
  raw: unknown,
): Promise<SignedMessage | undefined> {
  const title = t`Sign Typed Data`;
  const network = services.networks.get(argument.network);
  const data = await typedDataIn(argument, title);
  if (data === undefined) return undefined;
  const signer = await signerOf(services, argument.account ?? argument.address, title);
  if (signer === undefined) return undefined;
  const facts = await readFacts(services, network, data);
  const { chain } = facts;
  const isForeign = chain !== undefined && isForeignChain(data.domain, chain);
  if (isForeign && !(await passForeignChain(data, { network, chain, acknowledged: argument.chainId })))
    return undefined;
  const review = typedDataReview(data, {
    ...facts,
    network,
    signer,
    nameOf: services.keys.nameOf.bind(services.keys),
    lookalikesOf: (address) => lookalikesHere(services, network, address),
    timeOf: localTime,
  });
  const isForThisChain = data.domain.chainId !== undefined && chain !== undefined && !isForeign;
  return await sign(services, { digest: data.digest, signer, network, isForThisChain }, review, raw);
}

interface Signing {
  readonly digest: MessageDigest;
  readonly signer: Address;
  readonly network: NetworkProfile;
  readonly isForThisChain: boolean;
}

async function sign(
  services: MessageServices,
  signing: Signing,
  { title, detail, isDoubtful }: MessageReview,
  raw: unknown,
): Promise<SignedMessage | undefined> {
  const sender = await services.sender();
  const nameOf = services.keys.nameOf.bind(services.keys);
  const signature = await sender.signMessage({ ...signing, nameOf }, { title, detail, isDoubtful });
  if (signature === undefined) return undefined;
  const { digest, signer } = signing;
  const signed = { address: toBase58(signer), digest: `0x${digest}`, signature: `0x${signature}` };
  if (!isCallOfProgram(raw)) void showSignature(signed);
  return signed;
}

async function showSignature({ signature }: SignedMessage): Promise<void> {
  const copy = t`Copy Signature`;
  const chosen = await notify("information", t`Signed: ${signature}`, copy);
  if (chosen === copy) await vscode.env.clipboard.writeText(signature);
}

async function signerOf(
  { keys }: MessageServices,
  account: string | undefined,
  title: string,
): Promise<Address | undefined> {
  const chosen = await chooseAccount(keys, account, title, hasStoredKey);
  if (chosen === undefined) return undefined;
  const { address, watchOnly, label } = chosen;
  if (keys.isOutside(address)) {
    const reason = t`The key of ${label} is in an external wallet, which signs only transactions for Finality. Sign this in that wallet.`;
    throw new ChainError("MESSAGE_REFUSED", { reason });
  }
  if (watchOnly) throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(address) });
  return address;
}

async function readFacts(services: MessageServices, network: NetworkProfile, data: TypedData) {
  await services.transactions.ready();
  const gateway = await services.gateways.for(network);
  const chain = async () => (await services.chains.networkRefOf(network)).chain;
  const tokenAtAddress = (address: Address) => tokenAt({ services, network, gateway }, address);
  return await whileWorking(t`Reading the chain`, (signal) =>
    readTypedDataFacts(data, { gateway, chain, tokenAt: tokenAtAddress }, signal),
  );
}

interface ForeignChain {
  readonly network: NetworkProfile;
  readonly chain: ChainId;
  /** Chain ID in the argument of the command. */
  readonly acknowledged: string | undefined;
}

/**
 * Stops before typed data of another chain. Returns false if the user cancels.
 *
 * @throws {ChainError} `MESSAGE_REFUSED` if a program called, and its argument does not name the chain ID
 */
async function passForeignChain(
  { domain: { chainId } }: TypedData,
  { network, chain, acknowledged }: ForeignChain,
): Promise<boolean> {
  const [there, here] = [String(chainId), String(typedDataChainId(chain))];
  if (acknowledged?.trim() === there) return true;
  const why = t`This typed data is for chain ${there}, and ${visibleLine(network.name)} is chain ${here}.`;
  if (calledByProgram())
    throw new ChainError("MESSAGE_REFUSED", { reason: t`${why} To sign them anyway, name that chain as chainId.` });
  const detail = t`A signature is valid on chain ${there}, where this key may have other coins and tokens. Choose the network of that chain first, if you have it.`;
  const review = t`Review Anyway`;
  return (await askModal("warning", { title: why, detail, isFirstSafe: true }, DO_NOT_SIGN, review)) === review;
}
