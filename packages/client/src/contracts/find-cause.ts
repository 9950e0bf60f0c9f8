import type { Hex, JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { objectOf } from "../explain/decode/json.ts";
import { pushLength } from "../traces/source-map.ts";
import { metadataOf } from "./code-metadata.ts";
import { type ChainCode, type CodeMatch, compareCode } from "./compare-code.ts";
import type { CompiledContract, CompilerResult, ContractTarget } from "./compiled-contract.ts";
import {
  type CompilerSettings,
  inputWith,
  linkedLibraries,
  optimizerOf,
  settingsOf,
  standardJson,
} from "./compiler-input.ts";

/** Likely cause of a difference. Settings name the value of the chain's code. */
export type DifferenceCause =
  /** `there` is undefined if the chain's code has no metadata. */
  | {
      readonly kind: "metadata";
      readonly there: "ipfs" | "bzzr" | undefined;
      readonly here: "ipfs" | "bzzr" | undefined;
    }
  | { readonly kind: "immutables" }
  | { readonly kind: "libraries"; readonly linked: readonly LinkedTwice[] }
  | { readonly kind: "constructor-arguments" }
  | { readonly kind: "optimizer"; readonly enabled: boolean; readonly runs: number }
  | { readonly kind: "evm-version"; readonly version: string }
  | { readonly kind: "via-ir"; readonly enabled: boolean }
  | { readonly kind: "settings"; readonly settings: CompilerSettings }
  | { readonly kind: "compiler-version"; readonly there: string; readonly here: string | undefined }
  /** `changed`: sources whose recorded text leads to the chain's code. */
  | { readonly kind: "source"; readonly changed: readonly string[]; readonly functions: OtherFunctions }
  /** Without a compiler: other settings, or another source. */
  | { readonly kind: "unknown" };

/** Library with its address on the chain and in the settings. */
interface LinkedTwice {
  readonly name: string;
  /** 20 bytes, hex. */
  readonly there: string;
  readonly here: string | undefined;
}

/** Selectors that only one of the two codes has: those of functions, errors and calls. */
interface OtherFunctions {
  /** True if only one of the codes has a function with such a selector, so no setting makes them equal. */
  readonly isOtherSource: boolean;
  readonly onlyThere: readonly string[];
  readonly onlyHere: readonly string[];
}

/** Result of a comparison with a source. */
export interface CodeReport {
  readonly match: CodeMatch;
  /** Undefined for equal code. */
  readonly cause: DifferenceCause | undefined;
  /** True if a compilation with this cause led to the chain's code. */
  readonly isProven: boolean;
  readonly compilations: number;
  /** The contract as compiled with the settings of the workspace. */
  readonly compiled: CompiledContract;
}

/** Compiles standard JSON with a release of solc; undefined if the computer does not have the release. */
export type Compile = (input: JsonObject, release: string | undefined) => Promise<CompilerResult | undefined>;

/** Contract to compare. */
export interface ComparedContract {
  readonly chain: ChainCode;
  readonly target: ContractTarget;
  /** Standard JSON with the sources of the workspace. */
  readonly input: JsonObject;
  /** The same with the sources of the last build, if they differ, and the paths of those. */
  readonly recorded?: { readonly input: JsonObject; readonly changed: readonly string[] } | undefined;
  readonly compiler: string | undefined;
  readonly expectedArguments?: Hex | undefined;
}

/** Result, or the first error of the compiler. */
export type CompareResult = { readonly kind: "report"; readonly report: CodeReport } | FailedCompilation;

interface FailedCompilation {
  readonly kind: "failed";
  readonly message: string;
}

/** Most compilations of one comparison. */
const MOST_COMPILATIONS = 48;

/**
 * Compiles a contract and compares it with the chain. If the code differs, it compiles again with other settings, until
 * one leads to the chain's code.
 */
export async function compareWithSource(contract: ComparedContract, compile: Compile): Promise<CompareResult> {
  const { chain, target, expectedArguments } = contract;
  const first = await compile(inputWith(contract.input, {}, target), undefined);
  if (first === undefined) return { kind: "failed", message: t`this computer does not have the compiler` };
  if (first.kind === "failed") return first;
  const compiled = first.contract;
  const match = compareCode(chain, compiled, expectedArguments);
  const report = { match, compiled, compilations: 1, isProven: true };
  if (match.kind === "equal") return { kind: "report", report: { ...report, cause: undefined } };
  const search = new CauseSearch(contract, compiled, compile);
  const found = await search.find(match);
  return { kind: "report", report: { ...report, ...found, compilations: search.compilations } };
}

/** Returns the cause that the bytes alone show, for a comparison with an artifact. */
export function causeOfBytes(
  chain: ChainCode,
  match: CodeMatch,
  compiled: CompiledContract,
): DifferenceCause | undefined {
  const [there, here] = [metadataOf(chain.runtimeCode ?? chain.created), metadataOf(codeOf(compiled))];
  if (match.kind === "equal") return undefined;
  switch (match.cause) {
    case undefined:
      return { kind: "unknown" };
    case "metadata":
      return { kind: "metadata", there: there?.hash, here: here?.hash };
    case "compiler-version":
      return { kind: "compiler-version", there: there?.solc ?? "", here: here?.solc };
    case "libraries":
      return { kind: "libraries", linked: match.libraries.map(({ name, address }) => linkedTwice(name, address, [])) };
    default:
      return { kind: match.cause };
  }
}

function linkedTwice(name: string, there: string, linked: readonly (readonly [string, string])[]): LinkedTwice {
  return { name, there, here: linked.find(([library]) => library === name || library.endsWith(`:${name}`))?.[1] };
}

function codeOf({ runtime, creation }: CompiledContract): string {
  return (runtime ?? creation).code;
}

/** Settings to try, and the cause that they prove. */
interface Variant {
  readonly settings: CompilerSettings;
  readonly cause: DifferenceCause;
}

type Found = Pick<CodeReport, "cause" | "isProven">;

/** Causes that the bytes prove without another compilation. */
const SEEN_IN_BYTES: ReadonlySet<string> = new Set(["immutables", "constructor-arguments", "libraries"]);

class CauseSearch {
  compilations = 1;
  readonly #contract: ComparedContract;
  readonly #compiled: CompiledContract;
  readonly #compile: Compile;

  constructor(contract: ComparedContract, compiled: CompiledContract, compile: Compile) {
    this.#contract = contract;
    this.#compiled = compiled;
    this.#compile = compile;
  }

  async find(match: CodeMatch): Promise<Found> {
    const { chain, recorded, input } = this.#contract;
    if (recorded !== undefined && (await this.#isEqual(recorded.input, {}, undefined))) {
      const { changed } = recorded;
      return { cause: { kind: "source", changed, functions: otherFunctions(chain, this.#compiled) }, isProven: true };
    }
    const bytes = causeOfBytes(chain, match, this.#compiled);
    if (match.kind === "same-instructions" || (match.cause !== undefined && SEEN_IN_BYTES.has(match.cause)))
      return { cause: bytes, isProven: true };
    const linked = linkedLibraries(settingsOf(input));
    if (linked.length > 0) {
      const found = await this.#unlinked(linked);
      if (found !== undefined) return found;
    }
    if (bytes?.kind === "compiler-version")
      return { cause: bytes, isProven: await this.#isEqual(input, {}, bytes.there) };
    const functions = otherFunctions(chain, this.#compiled);
    const source: Found = { cause: { kind: "source", changed: [], functions }, isProven: functions.isOtherSource };
    // Settings change both codes.
    const isOnlyCreation = match.first?.of === "creation" && chain.runtimeCode !== undefined;
    if (functions.isOtherSource || isOnlyCreation) return source;
    for (const variant of variantsOf(settingsOf(input), chain, this.#compiled)) {
      if (this.compilations >= MOST_COMPILATIONS) break;
      if (await this.#isEqual(input, variant.settings, undefined)) return { cause: variant.cause, isProven: true };
    }
    return source;
  }

  /** Compiles without the libraries of the settings, so that the addresses of the chain count. */
  async #unlinked(linked: readonly (readonly [string, string])[]): Promise<Found | undefined> {
    const match = await this.#match(this.#contract.input, { libraries: {} }, undefined);
    if (match === undefined || match.kind === "different") return undefined;
    const libraries = match.libraries.map(({ name, address }) => linkedTwice(name, address, linked));
    return { cause: { kind: "libraries", linked: libraries }, isProven: true };
  }

  async #isEqual(input: JsonObject, settings: CompilerSettings, release: string | undefined): Promise<boolean> {
    const match = await this.#match(input, settings, release);
    return match !== undefined && match.kind !== "different";
  }

  /** Returns undefined if the compiler refuses the settings. */
  async #match(
    input: JsonObject,
    settings: CompilerSettings,
    release: string | undefined,
  ): Promise<CodeMatch | undefined> {
    const { target, chain, expectedArguments } = this.#contract;
    this.compilations += 1;
    const small = standardJson(input, this.#compiled.metadata);
    const compiled = await this.#compile(inputWith(small, settings, target), release);
    return compiled?.kind === "compiled" ? compareCode(chain, compiled.contract, expectedArguments) : undefined;
  }
}

/** Oldest first. */
const EVM_VERSIONS = ["istanbul", "berlin", "london", "paris", "shanghai", "cancun", "prague", "osaka"];
/** Numbers of runs that projects use, the most frequent first. */
const RUNS = [200, 1, 1000, 10_000, 999_999, 800, 1_000_000, 100, 500, 2000, 20_000, 99_999, 4_294_967_295, 10, 50];

/** Returns settings that projects use, the likely ones first: single changes, then pairs. */
function variantsOf(settings: CompilerSettings, chain: ChainCode, compiled: CompiledContract): readonly Variant[] {
  const own = optimizerOf(settings);
  const optimized = (enabled: boolean, runs: number): Variant => ({
    settings: { optimizer: { ...objectOf(settings.optimizer), enabled, runs } },
    cause: { kind: "optimizer", enabled, runs },
  });
  const runs = RUNS.filter((it) => !own.enabled || it !== own.runs).map((it) => optimized(true, it));
  const toggled = optimized(!own.enabled, own.runs);
  const isViaIr = settings.viaIR === true;
  const viaIr: Variant = { settings: { viaIR: !isViaIr }, cause: { kind: "via-ir", enabled: !isViaIr } };
  const versions = likelyVersions(settings, chain, compiled).map(
    (version): Variant => ({ settings: { evmVersion: version }, cause: { kind: "evm-version", version } }),
  );
  const both = (one: Variant, other: Variant): Variant => {
    const joined = { ...one.settings, ...other.settings };
    return { settings: joined, cause: { kind: "settings", settings: joined } };
  };
  const optimizers = [toggled, ...runs.slice(0, 2)];
  const pairs = [
    ...optimizers.flatMap((it) => versions.slice(0, 4).map((version) => both(it, version))),
    ...optimizers.map((it) => both(viaIr, it)),
    ...versions.slice(0, 3).map((version) => both(viaIr, version)),
  ];
  const single = [toggled, ...runs.slice(0, 4), ...versions.slice(0, 3), viaIr, ...versions.slice(3), ...runs.slice(4)];
  return [...metadataVariants(settings, chain, compiled), ...unique(single), ...pairs];
}

/** Metadata of another length move code that creates contracts. */
function metadataVariants(
  settings: CompilerSettings,
  { created, runtimeCode }: ChainCode,
  compiled: CompiledContract,
): readonly Variant[] {
  const [there, here] = [metadataOf(runtimeCode ?? created), metadataOf(codeOf(compiled))];
  if (there?.hash === here?.hash && (there === undefined) === (here === undefined)) return [];
  const { metadata } = settings;
  const own = objectOf(metadata);
  const changed = there === undefined ? { appendCBOR: false } : { bytecodeHash: HASH_NAMES[there.hash ?? "none"] };
  const cause = { kind: "metadata", there: there?.hash, here: here?.hash } as const;
  return [{ settings: { metadata: { ...own, ...changed } }, cause }];
}

const HASH_NAMES = { ipfs: "ipfs", bzzr: "bzzr1", none: "none" } as const;

function unique(variants: readonly Variant[]): readonly Variant[] {
  const keys = variants.map(({ settings }) => JSON.stringify(settings));
  return variants.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
}

const PUSH0 = 0x5f;
const MCOPY = 0x5e;

/** Returns versions of the EVM other than that of the settings, those first that fit the instructions of the chain. */
function likelyVersions(
  { evmVersion }: CompilerSettings,
  { created, runtimeCode }: ChainCode,
  compiled: CompiledContract,
): readonly string[] {
  const [there, here] = [opcodesOf(runtimeCode ?? created), opcodesOf(codeOf(compiled))];
  const others = EVM_VERSIONS.filter((it) => it !== evmVersion);
  const isSame = there.has(PUSH0) === here.has(PUSH0) && there.has(MCOPY) === here.has(MCOPY);
  const fits = (version: string): boolean => {
    const at = EVM_VERSIONS.indexOf(version);
    if (there.has(MCOPY)) return at >= EVM_VERSIONS.indexOf("cancun");
    return there.has(PUSH0) ? at >= EVM_VERSIONS.indexOf("shanghai") : at < EVM_VERSIONS.indexOf("shanghai");
  };
  if (isSame) return others;
  return [...others.filter(fits).reverse(), ...others.filter((it) => !fits(it))];
}

const PUSH4 = 0x63;

function opcodesOf(code: string): ReadonlySet<number> {
  const found = new Set<number>();
  walkCode(code, (opcode) => found.add(opcode));
  return found;
}

/** Calls back for each instruction, with the pushed bytes in hex. */
function walkCode(code: string, each: (opcode: number, pushed: string) => void): void {
  for (let at = 0; at < code.length; at += 2) {
    const opcode = Number.parseInt(code.slice(at, at + 2), 16);
    const length = 2 * pushLength(opcode);
    each(opcode, code.slice(at + 2, at + 2 + length));
    at += length;
  }
}

/** Compares the selectors that both codes push: those of their functions, errors and calls. */
function otherFunctions({ created, runtimeCode }: ChainCode, compiled: CompiledContract): OtherFunctions {
  const [there, here] = [selectorsOf(runtimeCode ?? created), selectorsOf(codeOf(compiled))];
  const onlyThere = [...there.all].filter((it) => !here.all.has(it));
  const onlyHere = [...here.all].filter((it) => !there.all.has(it));
  const isOtherSource =
    onlyThere.some((it) => there.ofFunctions.has(it)) || onlyHere.some((it) => here.ofFunctions.has(it));
  return { isOtherSource, onlyThere, onlyHere };
}

const EQ = 0x14;

/** Returns the selectors that code pushes. It compares those of its own functions with the data of the call. */
function selectorsOf(code: string): { readonly all: ReadonlySet<string>; readonly ofFunctions: ReadonlySet<string> } {
  const [all, ofFunctions] = [new Set<string>(), new Set<string>()];
  let last: string | undefined;
  walkCode(code, (opcode, pushed) => {
    if (opcode === EQ && last !== undefined) ofFunctions.add(last);
    last = opcode === PUSH4 && pushed !== NO_SELECTOR ? pushed : undefined;
    if (last !== undefined) all.add(last);
  });
  return { all, ofFunctions };
}

const NO_SELECTOR = "ffffffff";
