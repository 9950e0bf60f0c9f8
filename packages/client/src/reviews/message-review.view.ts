import { formatTokenAmount, type NameOf, roughly, shortAddress } from "@finality/tron/format";
import { type Address, bytesToHex, nameText, rawText, seen, visibleLine, visibleText } from "@finality/tron/primitives";
import type { NamedValue, TypedData, TypedDomain, TypedValue } from "@finality/tron/typed-data";
import { t } from "@vscode/l10n";
import type { ChainId } from "../gateway/network.ts";
import { lookalikeLines, networkLines, partyText, type ReviewedNetwork } from "../labels/reviews.ts";
import type { Token } from "../tokens.ts";
import { type Grant, type Grants, grantsIn } from "./grants.ts";

/** Facts that the review of a message or of typed data needs. */
interface MessageFacts {
  readonly network: ReviewedNetwork;
  readonly signer: Address;
  readonly nameOf: NameOf;
}

/** Facts that the review of typed data needs. */
export interface TypedDataFacts extends MessageFacts {
  /** Undefined if the gateway does not report it. */
  readonly chain: ChainId | undefined;
  /** Chain time of the newest block, ms; undefined if the gateway does not report it. */
  readonly headTime: number | undefined;
  /** Returns known accounts that look like an address at its ends. */
  readonly lookalikesOf: (address: Address) => readonly Address[];
  /** Tokens whose amounts can be shown in their unit. */
  readonly tokens: readonly Token[];
  /** Formats a time in the user's locale. @param ms - Unix time */
  readonly timeOf: (ms: number) => string;
}

/** Content of the dialog before a signature. */
export interface MessageReview {
  readonly title: string;
  readonly detail: string;
  /** True if a danger is named, so that Enter must not sign. */
  readonly isDoubtful: boolean;
}

const CHAIN_ID_DIGITS = 8;

/** Returns the chain ID of typed data: the low 32 bits of the genesis block ID (TIP-712). */
export function typedDataChainId(chain: ChainId): bigint {
  return BigInt(`0x${chain.slice(-CHAIN_ID_DIGITS)}`);
}

/**
 * Returns true if typed data is for another chain. Data without a chain ID are for every chain. Contracts from before
 * TRON shortened the chain ID have the whole ID of the genesis block.
 */
export function isForeignChain({ chainId }: TypedDomain, chain: ChainId): boolean {
  return chainId !== undefined && chainId !== typedDataChainId(chain) && chainId !== BigInt(`0x${chain}`);
}

/** Returns the review of typed data: its dangers, who may take what until when, and every signed field. */
export function typedDataReview(data: TypedData, facts: TypedDataFacts): MessageReview {
  const { domain, message } = data;
  const grants = grantsIn(data);
  const dangers = [
    ...domainDangers(domain, facts),
    ...(grants === undefined ? [] : grantDangers(grants, facts)),
    ...lookalikeDangers(data, facts),
  ];
  const lines = [
    ...dangers,
    ...(dangers.length > 0 ? [""] : []),
    ...networkLines(facts.network),
    t`Signs: ${party(facts.signer, facts)}`,
    ...(domain.verifyingContract === undefined ? [] : [t`Contract: ${party(domain.verifyingContract, facts)}`]),
    ...(domain.name === undefined ? [] : [t`Name that the data give it: ${nameText(domain.name, t`(empty)`)}`]),
    ...(domain.chainId === undefined ? [] : [t`Chain ID: ${String(domain.chainId)}`]),
    ...(grants === undefined ? [] : ["", ...grantLines(grants, facts)]),
    "",
    t`Signed fields of ${message.type}:`,
    ...withoutEnd(fieldLines("", message.fields, facts)),
  ];
  return { title: titleOf(data, grants, facts), detail: lines.join("\n"), isDoubtful: dangers.length > 0 };
}

/** Returns sentences about typed data without names and facts of a network, for hovers. */
export function typedDataSummary(data: TypedData): readonly string[] {
  const grants = grantsIn(data)?.grants;
  if (grants === undefined) return [t`Typed data of the type ${data.message.type}.`];
  return grants.map((it) => grantText(it, { nameOf: () => undefined, tokens: [] }));
}

/** Returns the tokens that typed data give, whose units the review shows. */
export function typedDataTokens(data: TypedData): readonly Address[] {
  return [...new Set(grantsIn(data)?.grants.map(({ token }) => token) ?? [])];
}

type Names = Pick<TypedDataFacts, "nameOf" | "tokens">;

function titleOf({ message }: TypedData, grants: Grants | undefined, facts: TypedDataFacts): string {
  const [first, ...others] = grants?.grants ?? [];
  if (first === undefined) return t`Sign typed data of the type ${message.type}?`;
  const { spender, receiver } = first;
  if (receiver !== undefined)
    return t`Let ${shortAddress(spender, facts.nameOf)} send ${amountText(first, facts)} to ${shortAddress(receiver, facts.nameOf)}?`;
  const allowed = t`Let ${shortAddress(spender, facts.nameOf)} take ${amountText(first, facts)}`;
  return others.length === 0 ? `${allowed}?` : t`${allowed}, and ${others.length} more?`;
}

function grantLines({ grants, owner, deadline, keeps, mostFee }: Grants, facts: TypedDataFacts): readonly string[] {
  return [
    ...grants.flatMap((grant) => [
      grantText(grant, facts),
      t`Spender: ${party(grant.spender, facts)}`,
      ...(grant.receiver === undefined ? [] : [t`Recipient: ${party(grant.receiver, facts)}`]),
      t`Token: ${party(grant.token, facts)}`,
      ...(mostFee === undefined ? [] : [t`Fee: at most ${amountOf(grant, mostFee, facts)}`]),
      ...(grant.until === undefined ? [] : [t`Allowed until: ${timeText(grant.until, facts)}`]),
    ]),
    t`From: ${party(owner ?? facts.signer, facts)}`,
    t`The signature can be used until: ${timeText(deadline, facts)}`,
    ...(keeps ? [t`The allowance stays after that, until it is spent or set to 0.`] : []),
  ];
}

function grantText(grant: Grant, names: Names): string {
  const spender = shortAddress(grant.spender, names.nameOf);
  if (grant.amount === 0n) return t`${spender} may take nothing: this ends an allowance.`;
  if (grant.receiver !== undefined)
    return t`${spender} may send ${amountText(grant, names)} to ${shortAddress(grant.receiver, names.nameOf)}.`;
  if (grant.isUnlimited) return t`${spender} may take ${amountText(grant, names)}.`;
  return t`${spender} may take up to ${amountText(grant, names)}.`;
}

function amountText(grant: Grant, names: Names): string {
  return grant.isUnlimited ? t`every ${tokenName(grant, names)}` : amountOf(grant, grant.amount, names);
}

/** Returns an amount in the unit of its token, else in the smallest unit. */
function amountOf(grant: Grant, amount: bigint, names: Names): string {
  const token = names.tokens.find(({ address }) => address === grant.token);
  if (token !== undefined) return formatTokenAmount(amount, token);
  return t`${String(amount)} smallest units of ${tokenName(grant, names)}`;
}

function tokenName({ token: address }: Grant, { tokens, nameOf }: Names): string {
  const symbol = tokens.find((it) => it.address === address)?.symbol;
  const otherwise = t`token of ${shortAddress(address, nameOf)}`;
  return symbol === undefined ? otherwise : nameText(symbol, otherwise);
}

function domainDangers({ chainId, verifyingContract, ...domain }: TypedDomain, facts: TypedDataFacts): string[] {
  const { chain } = facts;
  const dangers: string[] = [];
  if (chainId === undefined) dangers.push(t`⚠ It names no chain: the signature is valid on every chain.`);
  else if (chain === undefined)
    dangers.push(t`⚠ The gateway did not report its chain, so the chain ID ${String(chainId)} is not checked.`);
  else if (isForeignChain({ ...domain, chainId }, chain)) dangers.push(foreignText(chainId, chain, facts));
  if (verifyingContract === undefined)
    dangers.push(t`⚠ It names no contract. Every contract that takes such data accepts the signature.`);
  return dangers;
}

function foreignText(chainId: bigint, chain: ChainId, { network }: MessageFacts): string {
  return t`⚠ It is for chain ${String(chainId)}, and ${visibleLine(network.name)} is chain ${String(typedDataChainId(chain))}: it can move what this key has there.`;
}

function grantDangers({ grants, owner, deadline }: Grants, facts: TypedDataFacts): readonly string[] {
  const { headTime, signer } = facts;
  const times = [deadline, ...grants.flatMap(({ until }) => until ?? [])];
  return [
    ...grants.filter((it) => it.isUnlimited).map((it) => unlimitedText(it, facts)),
    ...(owner === undefined || owner === signer
      ? []
      : [t`⚠ The tokens belong to ${party(owner, facts)}, and another account signs: contracts refuse that.`]),
    ...(times.some((it) => isOver(it, headTime)) ? [t`⚠ It is expired by the time of the chain.`] : []),
    ...(headTime === undefined
      ? [t`⚠ The gateway did not report the time of the chain, so the deadline is not checked.`]
      : []),
    ...(times.some((it) => isFar(it, headTime))
      ? [t`⚠ It stays valid for more than a year: anyone who has the signature can use it at any time.`]
      : []),
  ];
}

function unlimitedText(grant: Grant, facts: TypedDataFacts): string {
  return t`⚠ Unlimited: ${party(grant.spender, facts)} can take every ${tokenName(grant, facts)} that you have or will ever have.`;
}

/** Warns of each address that looks like a known one: the contract, and all addresses of the message. */
function lookalikeDangers({ domain, message }: TypedData, { lookalikesOf }: TypedDataFacts): readonly string[] {
  const contract = domain.verifyingContract === undefined ? [] : [domain.verifyingContract];
  const addresses = new Set([...contract, ...addressesIn(message)]);
  return [...addresses].flatMap((it) => lookalikesOf(it).flatMap((other) => lookalikeLines(it, other)));
}

function addressesIn(value: TypedValue): readonly Address[] {
  switch (value.kind) {
    case "address":
      return [value.value];
    case "list":
      return value.items.flatMap(addressesIn);
    case "struct":
      return value.fields.flatMap((it) => addressesIn(it.value));
    default:
      return [];
  }
}

const YEAR_MS = 365n * 86_400_000n;
/** Latest time that a date can have, seconds. */
const LAST_DATE = 8_640_000_000_000n;

/** Compares a deadline of the chain with the chain's time. @param seconds - chain time */
function isOver(seconds: bigint, headTime: number | undefined): boolean {
  return headTime !== undefined && seconds * 1_000n < BigInt(Math.trunc(headTime));
}

function isFar(seconds: bigint, headTime: number | undefined): boolean {
  return headTime === undefined ? seconds > LAST_DATE : seconds * 1_000n > BigInt(Math.trunc(headTime)) + YEAR_MS;
}

/** Formats a deadline, with the time from the newest block. @param seconds - chain time */
function timeText(seconds: bigint, { timeOf, headTime }: TypedDataFacts): string {
  if (seconds > LAST_DATE) return t`no end`;
  const ms = Number(seconds) * 1_000;
  if (headTime === undefined) return timeOf(ms);
  return ms < headTime ? t`${timeOf(ms)}, which is over` : t`${timeOf(ms)}, ${roughly(ms - headTime)} from now`;
}

const MOST_LINES = 120;
const MOST_CHARACTERS = 12_000;

/** Cuts a long list and says so, because VS Code cuts long dialogs without a word. */
function withoutEnd(lines: readonly string[]): readonly string[] {
  let [count, characters] = [0, 0];
  for (const line of lines) {
    characters += line.length;
    if (count >= MOST_LINES || characters > MOST_CHARACTERS) break;
    count++;
  }
  if (count === lines.length) return lines;
  return [...lines.slice(0, count), t`⚠ ${lines.length - count} more fields are signed: read them in the JSON.`];
}

function fieldLines(path: string, fields: readonly NamedValue[], names: Names): readonly string[] {
  return fields.flatMap(({ name, value }) => valueLines(path === "" ? name : `${path}.${name}`, value, names));
}

function valueLines(path: string, value: TypedValue, names: Names): readonly string[] {
  switch (value.kind) {
    case "struct":
      return fieldLines(path, value.fields, names);
    case "list":
      if (value.items.length === 0) return [`${path}: []`];
      return value.items.flatMap((it, at) => valueLines(`${path}[${at}]`, it, names));
    case "integer":
    case "bool":
      return [`${path}: ${String(value.value)}`];
    case "address":
      return [`${path}: ${party(value.value, names)}`];
    case "string":
      return [`${path}: ${JSON.stringify(visibleLine(value.value))}${lengthText(rawText(value.value).length)}`];
    case "bytes":
      return [`${path}: 0x${visibleLine(value.value)}${lengthText(value.value.length)}`];
  }
}

const LONGEST_LINE = 400;

/** Tells the length of a value that is cut. */
function lengthText(characters: number): string {
  return characters > LONGEST_LINE ? t` (${characters} characters)` : "";
}

function party(address: Address, { nameOf }: Pick<MessageFacts, "nameOf">): string {
  const name = nameOf(address);
  return partyText(name === undefined ? { address } : { address, name });
}

const HASH_BYTES = 32;
const LONGEST_MESSAGE = 4_000;

/** Facts of a message. The command line has no network: a message is for all of them. */
interface SignedMessageFacts extends Pick<MessageFacts, "signer" | "nameOf"> {
  readonly network?: ReviewedNetwork;
}

/** Returns the review of a message (TIP-191): its text, or its bytes if they are no text. */
export function messageReview(bytes: Uint8Array, { network, signer, nameOf }: SignedMessageFacts): MessageReview {
  const text = textIn(bytes);
  const shown = text ?? `0x${bytesToHex(bytes)}`;
  const dangers = [
    ...(text === undefined && bytes.length === HASH_BYTES
      ? [t`⚠ It may be a hash: the bytes do not show what it stands for.`]
      : []),
    ...(seen(shown) === shown ? [] : [t`⚠ It has invisible characters, shown as ⟨U+…⟩.`]),
    ...(shown.length > LONGEST_MESSAGE ? [t`⚠ It is longer than what is shown.`] : []),
  ];
  const lines = [
    ...dangers,
    ...(dangers.length > 0 ? [""] : []),
    ...(network === undefined ? [] : networkLines(network)),
    t`Signs: ${party(signer, { nameOf })}`,
    t`A message names no chain and no deadline: anyone who has the signature can show it at any time.`,
    "",
    text === undefined ? t`Bytes (${bytes.length}):` : t`Message (${bytes.length} bytes):`,
    visibleText(shown, LONGEST_MESSAGE),
  ];
  return { title: t`Sign this message?`, detail: lines.join("\n"), isDoubtful: dangers.length > 0 };
}

/** Returns the text of UTF-8 bytes; undefined for other bytes. */
function textIn(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : undefined;
}
