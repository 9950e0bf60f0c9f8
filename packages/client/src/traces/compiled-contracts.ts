import { bytesToHex, isJsonObject } from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type CompiledCode, CompiledCodes, type CompiledSource, type MatchedCode } from "./compiled-code.ts";
import {
  hashField,
  type MappedContract,
  type MappedFile,
  type NumberedSource,
  readMappedFile,
} from "./read-compiled.ts";

type Artifact = MappedFile & { readonly kind: "artifact" };

/** Files with source maps of a workspace, as an index by code. */
export class CompiledContracts {
  readonly #files = new Map<string, MappedFile>();
  #codes: CompiledCodes | undefined;

  /** Adds or replaces a file. Returns false if it has no source maps. @param path - Identifies the file. */
  put(path: string, text: string): boolean {
    const file = readMappedFile(text);
    this.remove(path);
    if (file === undefined) return false;
    this.#files.set(path, file);
    return true;
  }

  remove(path: string): void {
    if (this.#files.delete(path)) this.#codes = undefined;
    this.#codes = undefined;
  }

  /**
   * Returns the compiled code that equals code of a chain, without 0x. Undefined if there is none or several contracts
   * have it.
   */
  find(code: string, kind: CompiledCode["kind"]): MatchedCode | undefined {
    return this.#index.find(code, kind);
  }

  /** Returns all compiled codes. */
  codes(): readonly CompiledCode[] {
    return this.#index.all();
  }

  get #index(): CompiledCodes {
    this.#codes ??= indexOf([...this.#files.values()]);
    return this.#codes;
  }
}

function indexOf(files: readonly MappedFile[]): CompiledCodes {
  const codes = new CompiledCodes();
  for (const file of files) {
    if (file.kind === "output") addContracts(codes, file.contracts, file.sources);
    else if (file.kind === "output-of-input") addContracts(codes, file.contracts, withTexts(file, files));
    else if (file.kind === "artifact") addContracts(codes, [file.contract], sourcesOf(file, files));
  }
  return codes;
}

/** Adds the texts of the input of the same build, whose name may end with `.output` for the output. */
function withTexts(
  { build, sources }: MappedFile & { readonly kind: "output-of-input" },
  files: readonly MappedFile[],
): readonly NumberedSource[] {
  const input = files.find((it) => it.kind === "input" && it.build === build);
  if (input?.kind !== "input") return sources;
  return sources.map((source) => {
    const text = input.texts.get(source.path);
    return text === undefined ? source : { ...source, text };
  });
}

/** Returns the sources of an artifact. A number that two files claim for different sources is left out. */
function sourcesOf(artifact: Artifact, files: readonly MappedFile[]): readonly NumberedSource[] {
  const { own, hashes } = artifact;
  if (own === undefined) return [];
  const builds = files.flatMap((it) => (it.kind === "sources" && names(it.sources, own) ? [it.sources] : []));
  const others = files.flatMap((it) => (it.kind === "artifact" && it.tool === artifact.tool && it.own ? [it.own] : []));
  const claims = builds.length > 0 ? builds.flat() : others;
  const byNumber = new Map<number, NumberedSource | undefined>();
  for (const claim of claims) {
    const known = byNumber.get(claim.file);
    const isOther = byNumber.has(claim.file) && known?.path !== claim.path;
    if (isOther) byNumber.set(claim.file, undefined);
    else byNumber.set(claim.file, { ...claim, ...hashField(hashes.get(claim.path) ?? claim.hash) });
  }
  byNumber.set(own.file, { ...own, ...hashField(hashes.get(own.path) ?? own.hash) });
  return [...byNumber.values()].flatMap((it) => it ?? []);
}

function names(sources: readonly NumberedSource[], own: NumberedSource): boolean {
  return sources.some(({ file, path }) => file === own.file && path === own.path);
}

function addContracts(
  codes: CompiledCodes,
  contracts: readonly MappedContract[],
  numbered: readonly NumberedSource[],
): void {
  const sources = new Map(numbered.map(({ file, ...source }) => [file, source as CompiledSource] as const));
  for (const { creation, runtime, ...contract } of contracts)
    for (const [kind, bytecode] of [["creation", creation] as const, ["runtime", runtime] as const]) {
      if (bytecode === undefined) continue;
      codes.add({ ...withLayout(contract), ...bytecode, kind, sources });
    }
}

type Contract = Omit<MappedContract, "creation" | "runtime">;

function withLayout({
  storageLayout,
  transientLayout,
  ...contract
}: Contract): Omit<Contract, "storageLayout" | "transientLayout"> &
  Pick<CompiledCode, "storageLayout" | "transientLayout"> {
  return {
    ...contract,
    ...(isJsonObject(storageLayout) && { storageLayout }),
    ...(isJsonObject(transientLayout) && { transientLayout }),
  };
}

/** Returns false if a text is not the one that was compiled. A source without a hash is taken as it is. */
export function isCompiledText({ hash }: CompiledSource, text: string): boolean {
  return hash === undefined || bytesToHex(keccak_256(Buffer.from(text, "utf8"))) === hash;
}
