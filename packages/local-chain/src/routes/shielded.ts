import { randomBytes } from "node:crypto";
import { bytesToHex, hexToBytes } from "@finality/tron/primitives";
import { jubjub, jubjub_findGroupHash, jubjub_groupHash } from "@noble/curves/misc.js";
import { blake2b, blake2s } from "@noble/hashes/blake2.js";
import { badItem, JavaError, looseHex, textValue, validateException } from "../http/java-values.ts";
import type { Fields, Values } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import type { ServletRequest } from "../http/servlet-container.ts";
import {
  addressBytes,
  type BodyReader,
  bodyText,
  type Handler,
  invokedOnNull,
  parameter,
  plainText,
  presentBody,
  queryNumber,
  queryVisible,
  type Route,
  readBody,
} from "./route.ts";

const KEY_LENGTH = 32;
const DIVERSIFIER_LENGTH = 11;
const MOST_BLOCKS = 1_000;
const ADDRESS_PREFIX = "ztron";

const VALUE: Fields = { value: "bytes" };
const SPENDING: Fields = { ask: "bytes", tx_hash: "bytes", alpha: "bytes" };
const RANGE: Fields = { start_block_index: "int64", end_block_index: "int64" };

/**
 * Routes for shielded tokens. Keys can be created, but no notes exist; requests that need a shielded contract are
 * refused as on a chain without one.
 */
const openRoutes: readonly Route[] = [
  ofKey("getexpandedspendingkey", "spendingKey", (key) => printed({ ...expandedKey(key) })),
  ofKey("getakfromask", "ask", (key) => printed({ value: authorizingKey(key) })),
  ofKey("getnkfromnsk", "nsk", (key) => printed({ value: nullifierKey(key) })),
  random("getspendingkey", () => printed({ value: randomKey() })),
  random("getnewshieldedaddress", newAddress),
  random("getdiversifier", () => printed({ d: randomDiversifier() })),
  { ...random("getrcm", () => printed({ value: randomScalar() })), post: () => printed({ value: randomScalar() }) },
  ofTexts("getincomingviewingkey", ["ak", "nk"], bodyText, viewingKey),
  ofTexts("getzenpaymentaddress", ["ivk", "d"], plainText, paymentAddress),
  shieldedRoute("createspendauthsig", {
    post: (request) => authorize(readBody(request, SPENDING).values),
    get: "empty",
  }),
  {
    ...refusing("isshieldedtrc20contractnotespent", {}, () => zksnark("paymentAddress format is wrong")),
    solidity: true,
  },
  refusing("createshieldedcontractparameters", {}, noShieldedContract, plainText),
  refusing("createshieldedcontractparameterswithoutask", {}, noShieldedContract),
  refusing("gettriggerinputforshieldedtrc20contract", {}, () => zksnark("invalid shielded TRC-20 parameters type")),
  scan("scanshieldedtrc20notesbyivk"),
  scan("scanshieldedtrc20notesbyovk"),
];

/** Routes of both versions: 4.8.2 reads a request, and then refuses it unless the node enables the interface. */
export const shieldedRoutes: readonly Route[] = openRoutes.map((route) => ({
  ...route,
  post: typeof route.post === "function" ? disabledSince482(route.post) : route.post,
  get: typeof route.get === "function" ? disabledSince482(route.get) : route.get,
}));

/** Exceptions that come after the request was read. */
const LATER_EXCEPTIONS: ReadonlySet<string> = new Set(
  ["ZksnarkException", "BadItemException", "ContractValidateException"].map((it) => `org.tron.core.exception.${it}`),
);

function disabledSince482(handler: Handler): Handler {
  return (request, view) => {
    if (request.nodeVersion === "4.8.0") return handler(request, view);
    try {
      handler(request, view);
    } catch (error) {
      if (error instanceof JavaError && !LATER_EXCEPTIONS.has(error.javaClass)) throw error;
    }
    throw zksnark("Shielded transaction API is disabled; set node.allowShieldedTransactionApi=true to enable.");
  };
}

function shieldedRoute(name: string, handlers: Pick<Route, "get" | "post">): Route {
  return { name, servlet: `${name}Servlet`, solidity: false, ...handlers };
}

function ofKey(name: string, keyName: string, answer: (key: Uint8Array) => Reply): Route {
  const checked = (key: Uint8Array): Reply => {
    if (key.length !== KEY_LENGTH) throw badItem(`the length of ${keyName}'s hexString should be 64`);
    return answer(key);
  };
  return shieldedRoute(name, {
    post: (request) => checked(hexToBytes(String(readBody(request, VALUE).values.value ?? ""))),
    get: (request) => checked(looseHex(parameter(request, "value") ?? "")),
  });
}

function random(name: string, answer: () => Reply): Route {
  return shieldedRoute(name, {
    post: (request) => {
      presentBody(bodyText(request), request.nodeVersion);
      return answer();
    },
    get: answer,
  });
}

function newAddress(): Reply {
  const sk = randomKey();
  const { ask, nsk, ovk } = expandedKey(sk);
  const [ak, nk] = [authorizingKey(ask), nullifierKey(nsk)];
  const [ivk, d] = [incomingViewingKey(ak, nk), randomDiversifier()];
  const pkD = transmissionKey(ivk, d) ?? new Uint8Array();
  return spaced({ ...hexOf({ sk, ask, nsk, ovk, ak, nk, ivk, d, pkD }), payment_address: encodeAddress(d, pkD) });
}

type OfTexts = (first: Uint8Array, second: Uint8Array) => Reply;

function ofTexts(name: string, names: readonly [string, string], read: BodyReader, answer: OfTexts): Route {
  const [first, second] = names;
  return shieldedRoute(name, {
    post: (request) => {
      const json = presentBody(read(request), request.nodeVersion);
      if (json === undefined) throw invokedOnNull("com.alibaba.fastjson.JSONObject.getString(String)");
      return answer(looseHex(textValue(json, first) ?? ""), looseHex(textValue(json, second) ?? ""));
    },
    get: (request) => answer(looseHex(parameter(request, first) ?? ""), looseHex(parameter(request, second) ?? "")),
  });
}

function viewingKey(ak: Uint8Array, nk: Uint8Array): Reply {
  checkLength(ak, KEY_LENGTH);
  checkLength(nk, KEY_LENGTH);
  return printed({ ivk: incomingViewingKey(ak, nk) });
}

function paymentAddress(ivk: Uint8Array, d: Uint8Array): Reply {
  checkLength(d, DIVERSIFIER_LENGTH);
  const pkD = transmissionKey(ivk, d);
  if (pkD === undefined) throw badItem("d is not valid");
  checkLength(ivk, KEY_LENGTH);
  return spaced({ d: hexOf({ d }), ...hexOf({ pkD }), payment_address: encodeAddress(d, pkD) });
}

function encodeAddress(d: Uint8Array, pkD: Uint8Array): string {
  return bech32(ADDRESS_PREFIX, Uint8Array.of(...d, ...pkD));
}

function authorize(values: Values): Reply {
  const [ask, alpha, hash] = ["ask", "alpha", "tx_hash"].map((it) => hexToBytes(String(values[it] ?? "")));
  for (const it of [ask, alpha, hash]) checkLength(it ?? new Uint8Array(), KEY_LENGTH);
  const empty = new Uint8Array();
  return printed({ value: spendSignature(ask ?? empty, alpha ?? empty, hash ?? empty) });
}

function refusing(name: string, fields: Fields, refusal: () => Error, read: BodyReader = bodyText): Route {
  return shieldedRoute(name, {
    post: (request) => {
      readBody(request, fields, read);
      throw refusal();
    },
    get: "empty",
  });
}

function scan(name: string): Route {
  return {
    ...shieldedRoute(name, {
      post: (request) => {
        const { values } = readBody(request, RANGE);
        return scanned(Number(values.start_block_index ?? 0), Number(values.end_block_index ?? 0));
      },
      get: (request) => {
        const [start, end] = [queryNumber(request, "start_block_index"), queryNumber(request, "end_block_index")];
        readQueryKeys(request);
        return scanned(start, end);
      },
    }),
    solidity: true,
  };
}

/** @throws {JavaError} not hex, or no address */
function readQueryKeys(request: ServletRequest): void {
  addressBytes(parameter(request, "shielded_TRC20_contract_address"), queryVisible(request), request.nodeVersion);
  for (const name of ["ivk", "ovk", "ak", "nk"]) looseHex(parameter(request, name) ?? "");
}

function scanned(start: number, end: number): Reply {
  if (start >= 0 && end > start && end - start <= MOST_BLOCKS) return compact({});
  throw badItem(
    "request requires start_block_index >= 0 && end_block_index > start_block_index " +
      `&& end_block_index - start_block_index <= ${MOST_BLOCKS}`,
  );
}

/** @throws {JavaError} */
function checkLength(bytes: Uint8Array, length: number): void {
  if (bytes.length === 0) throw zksnark("param is null");
  if (bytes.length !== length) throw zksnark(`param length must be ${length}`);
}

function printed(fields: Readonly<Record<string, Uint8Array>>): Reply {
  return spaced(hexOf(fields));
}

function hexOf(fields: Readonly<Record<string, Uint8Array>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, bytes]) => [name, bytesToHex(bytes)]));
}

function zksnark(message: string): JavaError {
  return new JavaError("org.tron.core.exception.ZksnarkException", message);
}

function noShieldedContract(): JavaError {
  return validateException("No valid shielded TRC-20 contract address");
}

/**
 * Keys of shielded addresses as in Zcash Sapling (protocol specification §4.2.2), on the curve Jubjub, with one
 * personalization of TRON. Numbers are little-endian.
 */

type Point = typeof jubjub.Point.BASE;

const { ORDER } = jubjub.Point.Fn;
/** Mask that keeps a viewing key below 2^251. */
const TOP_BITS = 0b111;

/** Keys derived from a spending key. */
export interface ExpandedKey {
  readonly ask: Uint8Array;
  readonly nsk: Uint8Array;
  readonly ovk: Uint8Array;
}

export function expandedKey(spendingKey: Uint8Array): ExpandedKey {
  const derived = (index: number): Uint8Array =>
    blake2b(Uint8Array.of(...spendingKey, index), { personalization: ascii("Ztron_ExpandSeed") });
  return {
    ask: scalarBytes(numberOf(derived(0))),
    nsk: scalarBytes(numberOf(derived(1))),
    ovk: derived(2).subarray(0, KEY_LENGTH),
  };
}

/** Returns `ak`, the public key of `ask`. */
export function authorizingKey(ask: Uint8Array): Uint8Array {
  return times(spendingBase(), numberOf(ask)).toBytes();
}

/** Returns `nk`, the public key of `nsk`. */
export function nullifierKey(nsk: Uint8Array): Uint8Array {
  return times(generator("Zcash_H_"), numberOf(nsk)).toBytes();
}

export function incomingViewingKey(ak: Uint8Array, nk: Uint8Array): Uint8Array {
  const key = blake2s(Uint8Array.of(...ak, ...nk), { personalization: ascii("Zcashivk") });
  key[KEY_LENGTH - 1] = (key[KEY_LENGTH - 1] ?? 0) & TOP_BITS;
  return key;
}

/** Returns the public key of an address, or undefined for the half of diversifiers that have none. */
export function transmissionKey(ivk: Uint8Array, diversifier: Uint8Array): Uint8Array | undefined {
  const base = diversifiedBase(diversifier);
  return base && times(base, numberOf(ivk)).toBytes();
}

export function randomDiversifier(): Uint8Array {
  for (;;) {
    const diversifier = new Uint8Array(randomBytes(DIVERSIFIER_LENGTH));
    if (diversifiedBase(diversifier) !== undefined) return diversifier;
  }
}

/** Returns 32 random bytes. */
function randomKey(): Uint8Array {
  return new Uint8Array(randomBytes(KEY_LENGTH));
}

/** Returns a random scalar. */
function randomScalar(): Uint8Array {
  return scalarBytes(numberOf(randomBytes(2 * KEY_LENGTH)));
}

/** Signs the spending of a note: RedJubjub with a key randomised by alpha. */
export function spendSignature(ask: Uint8Array, alpha: Uint8Array, hash: Uint8Array): Uint8Array {
  const key = (numberOf(ask) + numberOf(alpha)) % ORDER;
  const publicKey = times(spendingBase(), key).toBytes();
  const message = Uint8Array.of(...publicKey, ...hash);
  const nonce = challenge(randomBytes(80), message);
  const commitment = times(spendingBase(), nonce).toBytes();
  return Uint8Array.of(...commitment, ...scalarBytes(nonce + challenge(commitment, message) * key));
}

function challenge(...parts: readonly Uint8Array[]): bigint {
  return numberOf(blake2b(Buffer.concat(parts), { personalization: ascii("Zcash_RedJubjubH") })) % ORDER;
}

function spendingBase(): Point {
  return generator("Zcash_G_");
}

function generator(personalization: string): Point {
  return jubjub_findGroupHash(new Uint8Array(), ascii(personalization));
}

function diversifiedBase(diversifier: Uint8Array): Point | undefined {
  try {
    return jubjub_groupHash(diversifier, ascii("Zcash_gd"));
  } catch {
    return undefined;
  }
}

/** Multiplies a point; the library refuses the factor 0. */
function times(point: Point, factor: bigint): Point {
  const scalar = factor % ORDER;
  return scalar === 0n ? jubjub.Point.ZERO : point.multiply(scalar);
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(bytes).reverse().toString("hex")}`);
}

function scalarBytes(number: bigint): Uint8Array {
  const digits = (number % ORDER).toString(16).padStart(2 * KEY_LENGTH, "0");
  return new Uint8Array(Buffer.from(digits, "hex").reverse());
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM_LENGTH = 6;

/** Encodes bytes as bech32 (BIP 173). */
export function bech32(prefix: string, bytes: Uint8Array): string {
  const bits = [...bytes].map((it) => it.toString(2).padStart(8, "0")).join("");
  const words = (bits.match(/.{1,5}/g) ?? []).map((it) => Number.parseInt(it.padEnd(5, "0"), 2));
  const codes = [...prefix].map((it) => it.charCodeAt(0));
  const head = [...codes.map((it) => it >> 5), 0, ...codes.map((it) => it & 31)];
  const sum = polymod([...head, ...words, ...new Array<number>(CHECKSUM_LENGTH).fill(0)]) ^ 1;
  const checksum = Array.from({ length: CHECKSUM_LENGTH }, (_, index) => (sum >> (5 * (5 - index))) & 31);
  return `${prefix}1${[...words, ...checksum].map((it) => CHARSET[it]).join("")}`;
}

function polymod(words: readonly number[]): number {
  return words.reduce((sum, word) => {
    const top = sum >> 25;
    const next = ((sum & 0x1ffffff) << 5) ^ word;
    return GENERATORS.reduce((value, generator, index) => ((top >> index) & 1 ? value ^ generator : value), next);
  }, 1);
}
