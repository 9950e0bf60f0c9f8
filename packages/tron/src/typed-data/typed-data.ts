import { keccak_256 } from "@noble/hashes/sha3.js";
import { t } from "@vscode/l10n";
import type { Address } from "../primitives/address.ts";
import { bytesToHex, type Hex } from "../primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../primitives/json.ts";
import { DEEPEST_JSON, jsonDepth, repeatedName } from "../primitives/json-checks.ts";
import type { ForeignText } from "../primitives/plain-text.ts";
import type { MessageDigest } from "./message.ts";
import { DOMAIN_TYPE, malformed, onlyPrimaryType, readStructTypes, type StructTypes } from "./typed-data-types.ts";
import { hashStruct, readStruct, type StructValue } from "./typed-value.ts";

/** Domain of typed data: the contract and the chain that it is for. */
export interface TypedDomain {
  readonly name?: ForeignText;
  readonly version?: ForeignText;
  /** Low 32 bits of the genesis block ID on TRON; contracts from before 2021 can have all 256 bits. */
  readonly chainId?: bigint;
  readonly verifyingContract?: Address;
  readonly salt?: Hex;
}

/** Typed data (TIP-712, EIP-712), checked against its types. */
export interface TypedData {
  readonly domain: TypedDomain;
  readonly message: StructValue;
  /** Hash of the domain, as contracts call it. */
  readonly domainSeparator: Hex;
  readonly digest: MessageDigest;
}

const LONGEST_TEXT = 256_000;

/** Fields of the domain in the order in which they are hashed. */
const DOMAIN_FIELDS: Readonly<Record<keyof TypedDomain, string>> = {
  name: "string",
  version: "string",
  chainId: "uint256",
  verifyingContract: "address",
  salt: "bytes32",
};

/**
 * Parses the JSON of `eth_signTypedData_v4`, as wallets take it: `types`, `primaryType`, `domain` and `message`.
 *
 * @throws {ChainError} `TYPED_DATA_MALFORMED`
 */
export function parseTypedData(text: string): TypedData {
  if (text.length > LONGEST_TEXT || jsonDepth(text) > DEEPEST_JSON) throw malformed("JSON", t`it is too large`);
  return readTypedData(jsonOf(text));
}

/**
 * Reads typed data.
 *
 * @throws {ChainError} `TYPED_DATA_MALFORMED`
 */
export function readTypedData(json: Json): TypedData {
  if (!isJsonObject(json)) throw malformed("JSON", t`it is not an object`);
  const structs = readStructTypes(json.types);
  const primaryType = json.primaryType === undefined ? onlyPrimaryType(structs) : json.primaryType;
  if (typeof primaryType !== "string" || primaryType === DOMAIN_TYPE || !structs.has(primaryType))
    throw malformed("primaryType", t`it is not one of the types`);
  const { values, domainSeparator } = readDomain(json, structs);
  const message = readStruct(structs, primaryType, json.message, "message");
  const digest = bytesToHex(
    keccak_256(Buffer.concat([Uint8Array.of(0x19, 1), domainSeparator, hashStruct(structs, message)])),
  ) as MessageDigest;
  return { domain: domainOf(values), message, domainSeparator: bytesToHex(domainSeparator), digest };
}

function jsonOf(text: string): Json {
  let json: Json;
  try {
    json = parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw malformed("JSON", t`it is not JSON`);
    throw error;
  }
  const repeated = repeatedName(text);
  if (repeated !== undefined) throw malformed("JSON", t`an object has two fields ${repeated.slice(0, 40)}`);
  return json;
}

/** Reads the domain. Wallets hash its fields in a fixed order, so a type that lists others would be hashed differently. */
function readDomain(json: JsonObject, structs: StructTypes): { values: StructValue; domainSeparator: Uint8Array } {
  if (!isJsonObject(json.domain)) throw malformed("domain", t`it is not an object`);
  const entries = Object.entries(json.domain).filter(([, value]) => value !== null && value !== undefined);
  const unknown = entries.find(([name]) => !Object.hasOwn(DOMAIN_FIELDS, name));
  if (unknown !== undefined) throw malformed(`domain.${unknown[0].slice(0, 40)}`, t`a domain has no such field`);
  const present = new Set(entries.map(([name]) => name));
  const type = Object.entries(DOMAIN_FIELDS)
    .filter(([name]) => present.has(name))
    .map(([name, text]) => ({ name, type: text }));
  const domainTypes = readStructTypes({ [DOMAIN_TYPE]: type });
  const listed = structs.get(DOMAIN_TYPE);
  if (listed !== undefined && textOf(listed.fields) !== textOf(domainTypes.get(DOMAIN_TYPE)?.fields ?? []))
    throw malformed(`types.${DOMAIN_TYPE}`, t`its fields are not those of the domain, in the usual order`);
  const values = readStruct(domainTypes, DOMAIN_TYPE, Object.fromEntries(entries), "domain");
  return { values, domainSeparator: hashStruct(domainTypes, values) };
}

function textOf(fields: readonly { readonly name: string; readonly text: string }[]): string {
  return fields.map(({ name, text }) => `${text} ${name}`).join(",");
}

function domainOf({ fields }: StructValue): TypedDomain {
  return Object.fromEntries(
    fields.flatMap(({ name, value }) => ("value" in value ? [[name, value.value]] : [])),
  ) as TypedDomain;
}
