import { keccak_256 } from "@noble/hashes/sha3.js";
import { type Address, addressToBytes } from "../../primitives/address.ts";
import { bytesToHex, isHexPairs } from "../../primitives/bytes.ts";
import { isJsonObject, type Json } from "../../primitives/json.ts";

/** A library whose address is missing in the code of a contract. */
export interface LibraryPlaceholder {
  /** Placeholder in the bytecode: 40 characters. */
  readonly placeholder: string;
  /** Absent where the artifact gives only a hash, which `isLibrary` compares. */
  readonly name?: string;
  /** The source file, where the artifact has it. */
  readonly source?: string;
}

/** Code with placeholders, and the libraries that they stand for, each once. */
export interface UnlinkedCode {
  readonly code: string;
  readonly libraries: readonly LibraryPlaceholder[];
}

/** `__$` and 34 digits of a hash and `$__` since solc 0.5; `__` and a name, padded by `_`, before and by TronBox. */
const PLACEHOLDER = /__.{38}/g;
const HASHED = /^__\$([0-9a-f]{34})\$__$/i;

/** Returns code without 0x and its libraries; undefined for what is no code even when it is linked. */
export function readUnlinked(code: string, references?: Json): UnlinkedCode | undefined {
  const found = [...code.matchAll(PLACEHOLDER)].map(({ 0: placeholder, index }) => ({ placeholder, at: index / 2 }));
  if (found.length === 0 || !isHexPairs(code.replaceAll(PLACEHOLDER, "00".repeat(20)))) return undefined;
  const known = new Map(found.map(({ placeholder, at }) => [placeholder, referenceAt(references, at)] as const));
  const libraries = [...known].map(([placeholder, reference]) => ({
    placeholder,
    ...(reference ?? nameInside(placeholder)),
  }));
  return { code, libraries };
}

type LibraryName = Pick<LibraryPlaceholder, "name" | "source">;

/** `{"contracts/Lib.sol": {"Lib": [{"start": 12, "length": 20}]}}`, in bytes. */
function referenceAt(references: Json | undefined, at: number): LibraryName | undefined {
  for (const [source, libraries] of Object.entries(isJsonObject(references) ? references : {}))
    for (const [name, places] of Object.entries(isJsonObject(libraries) ? libraries : {}))
      if (Array.isArray(places) && places.some((it: Json) => isJsonObject(it) && it.start === at))
        return { name, source };
  return undefined;
}

/** `__Lib___…` and `__contracts/Lib.sol:Lib___…`, whose ends may be cut. */
function nameInside(placeholder: string): LibraryName {
  if (HASHED.test(placeholder)) return {};
  const text = placeholder.slice(2).replace(/_+$/, "");
  const colon = text.lastIndexOf(":");
  return colon < 0 ? { name: text } : { name: text.slice(colon + 1), source: text.slice(0, colon) };
}

/** Returns whether a contract is the library that a placeholder stands for. */
export function isLibrary(
  { placeholder, name, source }: LibraryPlaceholder,
  contract: { readonly name: string; readonly source: string | undefined },
): boolean {
  const [, hash] = HASHED.exec(placeholder) ?? [];
  const full = contract.source === undefined ? contract.name : `${contract.source}:${contract.name}`;
  if (hash !== undefined && hashOf(full) === hash.toLowerCase()) return true;
  if (hash === undefined && [full, contract.name].some((it) => placeholderOf(it) === placeholder)) return true;
  if (name === undefined || name !== contract.name) return false;
  return source === undefined || contract.source === undefined || isSameFile(contract.source, source);
}

/** As compilers before 0.5 write it: they cut long names. */
function placeholderOf(name: string): string {
  return `__${name.slice(0, 36)}`.padEnd(40, "_");
}

function hashOf(name: string): string {
  return bytesToHex(keccak_256(Buffer.from(name, "utf8"))).slice(0, 34);
}

/** Tools write a source file absolutely or relatively. */
function isSameFile(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

/** Returns the name of a library for people; its placeholder where the artifact has no name. */
export function libraryName({ name, placeholder }: LibraryPlaceholder): string {
  return name ?? placeholder;
}

/** Returns the code with the addresses of its libraries. */
export function linkCode(code: string, addresses: ReadonlyMap<string, Address>): string {
  return code.replaceAll(PLACEHOLDER, (placeholder) => {
    const address = addresses.get(placeholder);
    return address === undefined ? placeholder : bytesToHex(addressToBytes(address)).slice(2);
  });
}

/** Returns code in lower case with zeros wherever the other code has the placeholder of a library. */
export function withoutLibraries(code: string, unlinked: string): string {
  let text = code.toLowerCase();
  for (const { 0: placeholder, index } of unlinked.matchAll(PLACEHOLDER))
    text = text.slice(0, index) + "0".repeat(placeholder.length) + text.slice(index + placeholder.length);
  return text;
}
