import { type AbiParameter, constructorOf, readAbi } from "@finality/tron/abi";
import { isJsonObject, type Json, type JsonObject, stripHexPrefix } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { listOf, objectOf } from "../explain/decode/json.ts";
import { parseFile } from "../traces/read-compiled.ts";

/** Bytes of code. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/** Places in code that get the address of a library. */
interface LibraryPlaces {
  readonly name: string;
  readonly ranges: readonly ByteRange[];
}

/** Code of a compiler, with zeros for what is not known yet. */
export interface CompiledBytes {
  /** Hex in lower case. */
  readonly code: string;
  readonly libraries: readonly LibraryPlaces[];
  /** Places of each immutable variable. Undefined if the artifact does not tell them. */
  readonly immutables: readonly (readonly ByteRange[])[] | undefined;
}

/** Contract as a compiler wrote it, for a comparison with the chain. */
export interface CompiledContract {
  readonly path: string;
  readonly name: string;
  readonly creation: CompiledBytes;
  /** Undefined if the artifact has only creation code. */
  readonly runtime: CompiledBytes | undefined;
  readonly constructorParameters: readonly AbiParameter[];
  /** `metadata` of the compiler, parsed; undefined without it. */
  readonly metadata: JsonObject | undefined;
}

/** Name of a contract in its file. */
export interface ContractTarget {
  readonly path: string;
  readonly name: string;
}

/** Result of a compiler: the contract, or its first error. */
export type CompilerResult =
  | { readonly kind: "compiled"; readonly contract: CompiledContract }
  | { readonly kind: "failed"; readonly message: string };

/** Reads one contract of the output of solc for standard JSON. */
export function readCompilerOutput(output: Json, { path, name }: ContractTarget): CompilerResult {
  const { errors, contracts } = objectOf(output);
  const json = objectOf(objectOf(contracts)[path])[name];
  const failed = listOf(errors).find((it) => objectOf(it).severity === "error");
  const { formattedMessage, message } = objectOf(failed);
  if (failed !== undefined) return { kind: "failed", message: String(formattedMessage ?? message) };
  if (!isJsonObject(json)) return { kind: "failed", message: t`${path} has no contract ${name}` };
  const { bytecode, deployedBytecode } = objectOf(json.evm);
  return { kind: "compiled", contract: contractOf({ path, name }, { ...json, bytecode, deployedBytecode }) };
}

/** Reads the contract of an artifact of Hardhat, Foundry, Truffle or TronBox; undefined without code. */
export function readArtifactCode(json: JsonObject, target: ContractTarget): CompiledContract | undefined {
  const { bytecode, deployedBytecode } = json;
  const bytes = (code: Json | undefined, links: Json | undefined, immutables?: Json): JsonObject =>
    isJsonObject(code) ? code : { object: code ?? "", linkReferences: links, immutableReferences: immutables };
  const contract = contractOf(target, {
    abi: json.abi,
    metadata: json.rawMetadata ?? json.metadata,
    bytecode: bytes(bytecode, json.linkReferences),
    deployedBytecode: bytes(deployedBytecode, json.deployedLinkReferences, json.immutableReferences),
  });
  return contract.creation.code === "" ? undefined : contract;
}

function contractOf(target: ContractTarget, json: JsonObject): CompiledContract {
  const runtime = bytesOf(objectOf(json.deployedBytecode));
  const { metadata } = json;
  const parsed = typeof metadata === "string" ? parseFile(metadata) : metadata;
  return {
    ...target,
    creation: bytesOf(objectOf(json.bytecode)),
    runtime: runtime.code === "" ? undefined : runtime,
    constructorParameters: constructorOf(readAbi(json.abi) ?? []).parameters,
    metadata: isJsonObject(parsed) ? parsed : undefined,
  };
}

const PLACEHOLDER = /__.{38}/g;
const ADDRESS_BYTES = 20;

function bytesOf({ object, linkReferences, immutableReferences }: JsonObject): CompiledBytes {
  const digits = typeof object === "string" ? stripHexPrefix(object) : "";
  const named = Object.values(objectOf(linkReferences)).flatMap((libraries) =>
    Object.entries(objectOf(libraries)).map(([name, ranges]) => ({ name, ranges: rangesOf(ranges) })),
  );
  const isListed = (at: number): boolean => named.some(({ ranges }) => ranges.some(({ start }) => start === at));
  const others = [...digits.matchAll(PLACEHOLDER)].filter(({ index }) => !isListed(index / 2));
  return {
    code: digits.replaceAll(PLACEHOLDER, "00".repeat(ADDRESS_BYTES)).toLowerCase(),
    libraries: [...named, ...others.map(({ index, 0: text }) => placeholderPlaces(index / 2, text))],
    immutables: isJsonObject(immutableReferences) ? Object.values(immutableReferences).map(rangesOf) : undefined,
  };
}

/** `__$hash$__`, or the name in older versions. */
function placeholderPlaces(start: number, text: string): LibraryPlaces {
  return { name: text.replaceAll(/^_+|_+$|\$/g, ""), ranges: [{ start, length: ADDRESS_BYTES }] };
}

function rangesOf(json: Json | undefined): readonly ByteRange[] {
  return listOf(json).flatMap((range) => {
    const { start, length } = objectOf(range);
    return typeof start === "number" && typeof length === "number" ? [{ start, length }] : [];
  });
}
