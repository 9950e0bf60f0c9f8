import type { Hex } from "@finality/tron/primitives";
import type { CompiledCode, MatchedCode } from "./compiled-code.ts";
import { type CompiledContracts, isCompiledText } from "./compiled-contracts.ts";
import { type InstructionMap, type MappedRange, readInstructionMap } from "./source-map.ts";
import { type ByteRange, type FunctionDefinition, outlineOf, type SourceOutline } from "./source-outline.ts";
import { type SourcePosition, type SourceText, sourceText } from "./source-text.ts";

/** Source file with its outline. */
export interface SourceFile {
  readonly path: string;
  readonly source: SourceText;
  readonly outline: SourceOutline;
}

/** Range of a source file. */
export interface SourceLocation {
  /** As the compiler names it: `contracts/Vault.sol`. */
  readonly path: string;
  readonly start: SourcePosition;
  readonly end: SourcePosition;
  /** `Vault.withdraw`, `Vault.constructor`, `sqrt`; absent outside functions. */
  readonly function?: string;
  readonly contract?: string;
  /** True in the code of a modifier. */
  readonly isModifier: boolean;
}

/**
 * Relation of an instruction to the source: an expression or a statement; a whole function, which means its entry or
 * exit; or none, for code that the compiler adds.
 */
export type InstructionSource =
  | {
      readonly kind: "expression";
      readonly file: SourceFile;
      readonly range: ByteRange;
      readonly definition?: FunctionDefinition;
    }
  | {
      readonly kind: "function";
      readonly file: SourceFile;
      readonly range: ByteRange;
      readonly definition: FunctionDefinition;
    }
  | { readonly kind: "none"; readonly generated?: string };

/** Code of a chain with its sources. */
export interface CodeSources {
  readonly compiled: CompiledCode;
  readonly isExact: boolean;
  readonly instructions: InstructionMap;
  /** Returns the source of the instruction at a program counter. */
  sourceAt(pc: number): InstructionSource;
  /** Returns the range of the instruction at a program counter; undefined for code that the compiler adds. */
  locationAt(pc: number): SourceLocation | undefined;
  /** Returns every source file of the compilation whose text is known. */
  files(): readonly SourceFile[];
}

const NONE: InstructionSource = { kind: "none" };

/** Returns the text of a source file by the compiler's name for it; undefined if there is none. */
export type ReadSource = (path: string) => string | undefined;

/** Sources of the codes of a trace. */
export class TraceSources {
  readonly #contracts: CompiledContracts;
  readonly #read: ReadSource;
  readonly #codes = new Map<string, CodeSources | undefined>();
  readonly #files = new Map<string, SourceFile>();

  constructor(contracts: CompiledContracts, read: ReadSource = () => undefined) {
    this.#contracts = contracts;
    this.#read = read;
  }

  /** Returns the sources of code that ran; undefined if no compiled contract has this code. */
  find(code: Hex, kind: CompiledCode["kind"]): CodeSources | undefined {
    const key = `${kind} ${code}`;
    if (this.#codes.has(key)) return this.#codes.get(key);
    const match = this.#contracts.find(code, kind);
    const found = match && codeSources(code, match, (file) => this.#fileOf(match.compiled, file));
    this.#codes.set(key, found);
    return found;
  }

  /** Returns the source files of all compiled contracts whose text is known, each once. */
  files(): readonly SourceFile[] {
    const codes = this.#contracts.codes();
    const found = codes.flatMap((code) =>
      [...code.sources.keys()].flatMap((number) => this.#fileOf(code, number) ?? []),
    );
    return [...new Map(found.map((file) => [file.path, file])).values()];
  }

  #fileOf({ sources }: CompiledCode, number: number): SourceFile | undefined {
    const compiled = sources.get(number);
    if (compiled === undefined) return undefined;
    const { path } = compiled;
    const text = compiled.text ?? this.#read(path);
    if (text === undefined || !isCompiledText(compiled, text)) return undefined;
    const key = `${path}\n${text}`;
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const source = sourceText(text);
    const file = { path, source, outline: outlineOf(source) };
    this.#files.set(key, file);
    return file;
  }
}

function codeSources(
  code: Hex,
  { compiled, isExact }: MatchedCode,
  fileOf: (number: number) => SourceFile | undefined,
): CodeSources {
  const instructions = readInstructionMap(code, compiled.sourceMap);
  const generated = new Map(compiled.generated.map(({ file, name }) => [file, name] as const));
  const known: InstructionSource[] = [];
  const locations = new Map<number, SourceLocation | undefined>();
  const sourceOf = (index: number): InstructionSource => {
    if (index < 0) return NONE;
    const range = instructions.range(index);
    const name = generated.get(range.file);
    if (name !== undefined) return { kind: "none", generated: name };
    const file = range.file < 0 ? undefined : fileOf(range.file);
    return file === undefined ? NONE : classify(file, range);
  };
  const sourceAt = (pc: number): InstructionSource => {
    const index = instructions.indexAt(pc);
    const found = known[index] ?? sourceOf(index);
    if (index >= 0) known[index] = found;
    return found;
  };
  return {
    compiled,
    isExact,
    instructions,
    sourceAt,
    locationAt: (pc) => {
      if (!locations.has(pc)) {
        const source = sourceAt(pc);
        locations.set(pc, source.kind === "none" ? undefined : locationOf(source.file, source.range));
      }
      return locations.get(pc);
    },
    files: () => [...compiled.sources.keys()].flatMap((number) => fileOf(number) ?? []),
  };
}

function classify(file: SourceFile, { start, length }: MappedRange): InstructionSource {
  const range = { start, end: start + length };
  if (range.end > file.source.length || length === 0) return NONE;
  const definition = definitionAt(file, range);
  if (definition === undefined) {
    const isInside = file.outline.contracts.some((it) => contains(it, range) && !isSame(it, range));
    return isInside ? { kind: "expression", file, range } : NONE;
  }
  return { kind: isSame(definition, range) ? "function" : "expression", file, range, definition };
}

/** Returns the function or modifier that contains a range. */
function definitionAt({ outline }: SourceFile, range: ByteRange): FunctionDefinition | undefined {
  return outline.functions.find((it) => contains(it, range));
}

export function contains(outer: ByteRange, inner: ByteRange): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function isSame(one: ByteRange, other: ByteRange): boolean {
  return one.start === other.start && one.end === other.end;
}

/** Returns a range as lines and columns, with the function that contains it. */
export function locationOf(file: SourceFile, range: ByteRange): SourceLocation {
  const { source } = file;
  const definition = definitionAt(file, range);
  const contract = definition?.contract ?? file.outline.contracts.find((it) => contains(it, range))?.name;
  return {
    path: file.path,
    start: source.positionAt(range.start),
    end: source.positionAt(range.end),
    ...(definition && { function: functionName(definition) }),
    ...(contract !== undefined && { contract }),
    isModifier: definition?.kind === "modifier",
  };
}

/** Returns `Vault.withdraw`, `Vault.constructor` or `sqrt`. */
function functionName({ contract, kind, name }: FunctionDefinition): string {
  const own = name === "" ? kind : name;
  return contract === undefined ? own : `${contract}.${own}`;
}
