import { executableCode, type JsonAbiEntry } from "@finality/tron/abi";
import type { Json } from "@finality/tron/primitives";
import type { SyntaxTree } from "./syntax-tree.ts";

/** Source file of a compilation. */
export interface CompiledSource {
  /** As the tool names it: `contracts/Vault.sol`. */
  readonly path: string;
  /** Absent if only the disk has it. */
  readonly text?: string;
  /** Keccak-256 of the compiled text, hex. */
  readonly hash?: string;
  /** Declarations, if the artifact has the syntax tree. */
  readonly tree?: SyntaxTree;
}

/** Code that the compiler adds, such as `#utility.yul`. */
export interface GeneratedSource {
  readonly file: number;
  readonly name: string;
  readonly text: string;
}

/** Bytes that differ between the artifact and the chain: immutable values and addresses of libraries. */
export interface OpenBytes {
  readonly start: number;
  readonly length: number;
}

/** Creation code or runtime code of a compiled contract. */
export interface CompiledCode {
  readonly contract: string;
  /** Path of the file that defines the contract. */
  readonly path: string;
  readonly kind: "creation" | "runtime";
  /** Lower case, with zeros for open bytes. */
  readonly code: string;
  readonly open: readonly OpenBytes[];
  /** Bytes of each immutable variable, by the id of its declaration. */
  readonly immutables: ReadonlyMap<number, readonly OpenBytes[]>;
  readonly sourceMap: string;
  /** Sources by their number. */
  readonly sources: ReadonlyMap<number, CompiledSource>;
  readonly generated: readonly GeneratedSource[];
  readonly abi: readonly JsonAbiEntry[];
  /** `storageLayout` of the compiler, if the artifact has it. */
  readonly storageLayout?: Json;
  /** `transientStorageLayout` of the compiler, if the artifact has it. */
  readonly transientLayout?: Json;
  /** True if the compiler left texts of reverts out. */
  readonly stripsReasons: boolean;
  /** True if the compiler made the code from its intermediate language, which merges code of several statements. */
  readonly isViaIr: boolean;
  /** True if the artifact says that the optimizer was off. */
  readonly isUnoptimized: boolean;
}

/** Compiled code that equals code of a chain. */
export interface MatchedCode {
  readonly compiled: CompiledCode;
  /** False if the metadata differ: comments, names or other files changed, but no instruction did. */
  readonly isExact: boolean;
}

/** Index of compiled code by its instructions. */
export class CompiledCodes {
  readonly #runtime = new Map<number, CompiledCode[]>();
  readonly #creation: CompiledCode[] = [];

  add(code: CompiledCode): void {
    if (code.code === "") return;
    if (code.kind === "creation") {
      this.#creation.push(code);
      return;
    }
    const length = executableCode(code.code).length;
    const known = this.#runtime.get(length);
    if (known === undefined) this.#runtime.set(length, [code]);
    else known.push(code);
  }

  all(): readonly CompiledCode[] {
    return [...[...this.#runtime.values()].flat(), ...this.#creation];
  }

  /**
   * Returns the compiled code that equals the code of a contract, or of its creation with arguments at the end.
   * Undefined if there is none, or if contracts of several files have this code and their metadata do not decide.
   */
  find(code: string, kind: CompiledCode["kind"]): MatchedCode | undefined {
    const digits = code.toLowerCase();
    const candidates = kind === "creation" ? this.#creation : this.#runtime.get(executableCode(digits).length);
    const matches = (candidates ?? []).flatMap((compiled) => matchOf(compiled, digits) ?? []);
    const exact = matches.filter(({ isExact }) => isExact);
    const best = exact.length > 0 ? exact : matches;
    const [first] = best;
    const isOne = best.every(({ compiled }) => isSameSource(compiled, first?.compiled));
    return isOne ? first : undefined;
  }
}

function isSameSource(one: CompiledCode, other: CompiledCode | undefined): boolean {
  return one.contract === other?.contract && one.path === other.path && one.sourceMap === other.sourceMap;
}

function matchOf(compiled: CompiledCode, code: string): MatchedCode | undefined {
  const own = compiled.code;
  if (compiled.kind === "runtime" && code.length !== own.length && code.length < executableCode(own).length)
    return undefined;
  const blank = withZeros(code.slice(0, own.length), compiled.open);
  if (blank === own) return { compiled, isExact: true };
  // Metadata inside creation code belong to the runtime code at its end.
  const end = executableCode(own).length;
  return blank.slice(0, end) === own.slice(0, end) ? { compiled, isExact: false } : undefined;
}

function withZeros(code: string, open: readonly OpenBytes[]): string {
  let text = code;
  for (const { start, length } of open) {
    if (2 * start >= text.length) continue;
    text = text.slice(0, 2 * start) + "0".repeat(2 * length) + text.slice(2 * (start + length));
  }
  return text;
}
