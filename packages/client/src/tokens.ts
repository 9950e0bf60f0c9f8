import {
  type AbiInput,
  type AbiParameter,
  type AbiValue,
  elementaryType,
  encodeCall,
  tryDecode,
} from "@finality/tron/abi";
import { ChainError, isChainError } from "@finality/tron/errors";
import {
  type Address,
  type ForeignText,
  foreignText,
  type Hex,
  hex,
  hexToBytes,
  isForeignText,
  nameText,
  numberForm,
  parseUnits,
  sun,
  toBase58,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { ContractGateway } from "./gateway/gateway.ts";
import type { NetworkRef } from "./gateway/network.ts";

/** TRC-20 token as it describes itself. */
export interface Token {
  readonly address: Address;
  readonly name: ForeignText;
  readonly symbol: ForeignText;
  /** 0 if the token does not report it. */
  readonly decimals: number;
}

const ADDRESS: AbiParameter = { name: foreignText(""), type: elementaryType("address") };
const AMOUNT: AbiParameter = { name: foreignText(""), type: elementaryType("uint256") };
const TEXT: AbiParameter = { name: foreignText(""), type: elementaryType("string") };
const SMALL: AbiParameter = { name: foreignText(""), type: elementaryType("uint8") };
const MOST = 2n ** 256n - 1n;
/** Maximum decimals of a token; real tokens have fewer. */
const MOST_DECIMALS = 36n;

/**
 * Reads name, symbol and decimals of a token.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN` if it is no token, or reports too many decimals; and the errors of the
 *   gateway
 */
export async function readToken(source: ContractGateway, address: Address, signal?: AbortSignal): Promise<Token> {
  const ask = (name: string, output: AbiParameter) => optionalRead(source, { address, name, output }, signal);
  const [name, symbol, decimals] = await Promise.all([ask("name", TEXT), ask("symbol", TEXT), ask("decimals", SMALL)]);
  const isEmpty = [name, symbol, decimals].every((it) => it === undefined);
  if (isEmpty) {
    const reason = t`it does not respond like a TRC-20 token; check the address and the network`;
    throw new ChainError("CONTRACT_UNKNOWN", { contract: toBase58(address), reason });
  }
  return { address, name: textOf(name), symbol: textOf(symbol), decimals: withinReason(address, decimals) ?? 0 };
}

/**
 * Reads the decimals of a token; undefined if it does not report them.
 *
 * @throws {ChainError} as `readToken`
 */
export async function readDecimals(
  source: ContractGateway,
  address: Address,
  signal?: AbortSignal,
): Promise<number | undefined> {
  return withinReason(address, await optionalRead(source, { address, name: "decimals", output: SMALL }, signal));
}

/** Implausible decimals would change the meaning of each amount, or make it too long to read. */
function withinReason(address: Address, reported: AbiValue | undefined): number | undefined {
  if (typeof reported !== "bigint") return undefined;
  if (reported <= MOST_DECIMALS) return Number(reported);
  const reason = t`it reports ${String(reported)} decimals, more than the limit of ${String(MOST_DECIMALS)}; check the address and the network`;
  throw new ChainError("CONTRACT_UNKNOWN", { contract: toBase58(address), reason });
}

/**
 * Reads the balance of an account in the token's smallest unit.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN` if it does not report one; and the errors of the gateway
 */
export async function tokenBalance(
  source: ContractGateway,
  token: Address,
  owner: Address,
  signal?: AbortSignal,
): Promise<bigint> {
  const data = encodeCall("balanceOf(address)", [ADDRESS], [owner]);
  const balance = await read(source, { address: token, data, output: AMOUNT }, signal);
  if (typeof balance === "bigint") return balance;
  const reason = t`it has no balanceOf like a TRC-20 token; check the address and the network`;
  throw new ChainError("CONTRACT_UNKNOWN", { contract: toBase58(token), reason });
}

/** Returns the data of `transfer(address,uint256)`. */
export function transferData(to: Address, amount: bigint): Hex {
  return encodeCall("transfer(address,uint256)", [ADDRESS, AMOUNT], [to, amount] satisfies AbiInput[]);
}

/** Returns the data of `approve(address,uint256)`. */
export function approveData(spender: Address, amount: bigint): Hex {
  return encodeCall("approve(address,uint256)", [ADDRESS, AMOUNT], [spender, amount] satisfies AbiInput[]);
}

/**
 * Parses an amount of a token exactly.
 *
 * @returns the amount in the smallest unit
 * @throws {ChainError} `AMOUNT_MALFORMED`
 */
export function parseTokenAmount(text: string, { decimals, symbol }: Pick<Token, "decimals" | "symbol">): bigint {
  return parseUnits(text, {
    decimals,
    largest: MOST,
    malformed: numberForm(),
    tooFine: t`${nameText(symbol, t`this token`)} has ${decimals} decimals`,
    tooLarge: t`it is larger than any amount of a token`,
  });
}

interface TokenRead {
  readonly address: Address;
  readonly name: string;
  readonly output: AbiParameter;
}

/** A token need not answer; a node without constant calls is reported. */
async function optionalRead(
  source: ContractGateway,
  { address, name, output }: TokenRead,
  signal?: AbortSignal,
): Promise<AbiValue | undefined> {
  try {
    return await read(source, { address, data: encodeCall(`${name}()`, [], []), output }, signal);
  } catch (error) {
    if (!isChainError(error) || error.code !== "NODE_REFUSED") throw error;
    if (/does not support constant|is not exist/.test(error.details.message)) throw error;
    return undefined;
  }
}

async function read(
  source: ContractGateway,
  { address, data, output }: { readonly address: Address; readonly data: Hex; readonly output: AbiParameter },
  signal?: AbortSignal,
): Promise<AbiValue | undefined> {
  // Any owner address is allowed; the contract itself certainly exists.
  const run = { owner: address, contract: address, data, callValue: sun(0n) };
  const { reverted, returned } = await source.constantCall(run, signal);
  if (reverted) return undefined;
  const [value] = tryDecode([output], hexToBytes(returned)) ?? [oldText(output, returned)];
  return value;
}

/** Early tokens have names of 32 bytes. */
function oldText({ type }: AbiParameter, returned: Hex): ForeignText | undefined {
  if (type.kind !== "string" || returned.length !== 64) return undefined;
  const text = Buffer.from(hexToBytes(returned)).toString("utf8").replace(/\0+$/, "");
  return /\p{Cc}|�/u.test(text) ? undefined : foreignText(text);
}

function textOf(value: AbiValue | undefined): ForeignText {
  if (isForeignText(value)) return value;
  return typeof value === "object" && "text" in value ? value.text : foreignText("");
}

/** Decimals of a token as one URL reports them. */
export interface ReportedDecimals {
  /** URL that reports them. */
  readonly url: string;
  readonly decimals: number;
}

/**
 * Returns the decimals of a token if all sources agree: each URL of the gateway, and the value of the first use.
 *
 * @param pinned - Value of the first use.
 * @throws {ChainError} `TOKEN_DECIMALS_DIFFER`
 */
export function requireAgreedDecimals(
  token: Address,
  reported: ReportedDecimals,
  others: readonly ReportedDecimals[],
  pinned?: number,
): number {
  const sources = [
    ...(pinned === undefined ? [] : [{ source: t`the value from its first use here`, other: pinned }]),
    ...others.map(({ url, decimals: other }) => ({ source: t`the value from ${url}`, other })),
  ];
  const dispute = sources.find(({ other }) => other !== reported.decimals);
  if (dispute === undefined) return reported.decimals;
  const { url: endpoint, decimals } = reported;
  throw new ChainError("TOKEN_DECIMALS_DIFFER", { token: toBase58(token), endpoint, decimals, ...dispute });
}

/** A token with its decimals and their source. */
export interface KnownToken extends Token {
  /** Source in the text for the user: `as reported by https://… on first use`. */
  readonly decimalsBy: string;
}

/** Sources of a token's decimals on a network. */
export interface TokenSources {
  readonly network: NetworkRef;
  readonly gateway: ContractGateway & { readonly endpoint: string };
  readonly fallbacks: readonly { readonly url: string; readonly open: () => Promise<ContractGateway> }[];
  /** Decimals by chain and token, from the first use. */
  readonly pins: {
    read(): Promise<void>;
    get(key: string): string | undefined;
    pin(key: string, value: string): Promise<string>;
  };
}

/** Timeout of a fallback URL, ms. */
const TIMEOUT_MS = 5_000;

/**
 * Reads a token. On first use it requests the decimals from all URLs of the network, and pins them for its chain.
 *
 * @throws {ChainError} `TOKEN_DECIMALS_DIFFER`, `CONTRACT_UNKNOWN`, and the errors of the gateway
 */
export async function readKnownToken(
  address: Address,
  { network, gateway, fallbacks, pins }: TokenSources,
  signal: AbortSignal,
): Promise<KnownToken> {
  const token = await readToken(gateway, address, signal);
  const reported = { url: gateway.endpoint, decimals: token.decimals };
  const key = `${network.chain ?? `network ${network.network}`} ${address}`;
  await pins.read();
  const pinned = pinnedNumber(pins.get(key));
  const others = pinned === undefined ? await Promise.all(fallbacks.map((it) => decimalsAt(it, address, signal))) : [];
  const answers = others.filter((it) => it !== undefined);
  requireAgreedDecimals(address, reported, answers, pinned);
  // Another window may have pinned different decimals in the meantime.
  const first = pinnedNumber(await pins.pin(key, String(token.decimals)));
  const decimals = requireAgreedDecimals(address, reported, [], first);
  const urls = [reported, ...answers].map(({ url }) => url).join(t` and `);
  const decimalsBy = pinned === undefined ? t`reported by ${urls}, first use` : t`the same as at its first use here`;
  return { ...token, decimals, decimalsBy };
}

async function decimalsAt(
  { url, open }: TokenSources["fallbacks"][number],
  address: Address,
  signal: AbortSignal,
): Promise<ReportedDecimals | undefined> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const decimals = await readDecimals(await open(), address, limited);
    return decimals === undefined ? undefined : { url, decimals };
  } catch (error) {
    if (isChainError(error) || isTimeout(error)) return undefined;
    throw error;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

function pinnedNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,2}$/.test(text) ? Number(text) : undefined;
}

/** transfer, transferFrom, approve, increaseAllowance, decreaseAllowance: they return a bool. */
const ANSWERS_BOOL: ReadonlySet<string> = new Set(["a9059cbb", "23b872dd", "095ea7b3", "39509351", "a457c2d7"]);

/**
 * Returns true if a token refused by returning false: the call succeeded but moved nothing.
 *
 * @param data - Data of the call.
 * @param returned - Return value of the call.
 */
export function returnedFalse(data: Hex | string, returned: Hex | string): boolean {
  return /^0{64}$/.test(returned) && ANSWERS_BOOL.has(data.slice(0, 8));
}

/** Approval in the data of a call. Amounts are in the smallest unit of the token. */
export interface Approval {
  readonly spender: Address;
  readonly amount: bigint;
  /** True if the amount is added to the existing allowance. */
  readonly adds: boolean;
}

/** `approve(address,uint256)`, `increaseApproval(address,uint256)` and `increaseAllowance(address,uint256)`. */
const SELECTORS: ReadonlyMap<string, { readonly adds: boolean }> = new Map([
  ["095ea7b3", { adds: false }],
  ["d73dd623", { adds: true }],
  ["39509351", { adds: true }],
]);
const SELECTOR_DIGITS = 8;
const PARAMETERS = [
  { name: foreignText(""), type: elementaryType("address") },
  { name: foreignText(""), type: elementaryType("uint256") },
];

/** Returns the approval in the data of a call; undefined for other calls. */
export function approvalOf(data: Hex): Approval | undefined {
  const selector = SELECTORS.get(data.slice(0, SELECTOR_DIGITS));
  if (selector === undefined) return undefined;
  const [spender, amount] = tryDecode(PARAMETERS, hexToBytes(hex(data.slice(SELECTOR_DIGITS)))) ?? [];
  if (typeof spender !== "string" || typeof amount !== "bigint") return undefined;
  return { spender: spender as Address, amount, adds: selector.adds };
}
