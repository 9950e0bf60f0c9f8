import { existsSync } from "node:fs";
import { join } from "node:path";
import { namespaceSlot, readUpgradeCheck, type UpgradeCheck } from "@finality/client/contracts";
import { ChainError } from "@finality/tron/errors";
import { isJsonObject, type Json, type JsonObject, parseJson, wholeNumberIn } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { runWithInput, scriptProcess } from "./run-with-input.ts";

/** Version of a contract: input and output of its compiler. */
export interface CompiledVersion {
  readonly input: JsonObject;
  readonly output: Json;
  /** Output for the input of `namespacedInput`; undefined without namespaced storage (ERC-7201). */
  readonly namespaced?: Json;
  /** `contracts/Vault.sol:Vault` */
  readonly name: string;
  readonly release: string;
}

/** Upgrade to check; without `before` a first deployment. */
export interface UpgradeToCheck {
  readonly before?: CompiledVersion;
  readonly after: CompiledVersion;
  readonly kind: "uups" | "transparent";
}

const PACKAGE = join("node_modules", "@openzeppelin", "upgrades-core");

/** Returns the folder of the package `@openzeppelin/upgrades-core` in the folders or above; undefined without one. */
export function findUpgradesCore(folders: readonly string[]): string | undefined {
  return folders.map((it) => join(it, PACKAGE)).find((it) => existsSync(join(it, "package.json")));
}

interface Layout {
  readonly storage: readonly Variable[];
  readonly types: { readonly [id: string]: { readonly label: string; readonly numberOfBytes?: string } | undefined };
  readonly namespaces?: { readonly [id: string]: readonly Variable[] };
}

interface Variable {
  readonly label: string;
  readonly type: string;
  readonly slot?: string;
  readonly offset?: number;
}

/** Part of the compiler's output that chooses the contracts of a check. */
interface CompilerOutput {
  readonly contracts: { readonly [path: string]: { readonly [name: string]: unknown } };
  readonly sources: { readonly [path: string]: { readonly ast: { readonly nodes: readonly Definition[] } } };
}

/** Node of an AST; the last three are those of contracts. */
interface Definition {
  readonly nodeType: string;
  readonly id: number;
  readonly name: string;
  readonly contractKind: string;
  readonly linearizedBaseContracts: readonly number[];
}

/** Part of the package that the check uses. */
interface UpgradesCore {
  solcInputOutputDecoder(input: unknown, output: unknown): unknown;
  validate(output: unknown, decoder: unknown, release: string, input: unknown, namespaced: unknown): unknown;
  getContractVersion(run: unknown, name: string): unknown;
  getStorageLayout(data: unknown, version: unknown): Layout;
  getErrors(data: unknown, version: unknown, options: unknown): readonly { kind: string; src: string }[];
  withValidationDefaults(options: unknown): unknown;
  getStorageUpgradeReport(
    before: unknown,
    after: unknown,
    options: unknown,
  ): { ok: boolean; explain(color: boolean): string };
  /** Versions before 1.32 do not have it. */
  makeNamespacedInput?(input: unknown, output: unknown, release: string): unknown;
  /** Removes comments that the namespaced input has no place for. */
  trySanitizeNatSpec?(input: unknown, release: string): Promise<unknown>;
}

type Work<T> = (core: UpgradesCore, task: T, relevant: typeof relevantContracts) => unknown;

/** Source of the process that runs the package of the workspace, the first argument, for one task. */
function runTask<T>(work: Work<T>, relevant: typeof relevantContracts): void {
  const [, folder = ""] = process.argv;
  const chunks: Buffer[] = [];
  // The compiler in JavaScript writes the negative numbers of built-in functions as unsigned ones.
  const signed = (key: string, value: unknown): unknown =>
    key === "referencedDeclaration" && Number(value) >= 2 ** 31 ? Number(value) - 2 ** 32 : value;
  const run = async (): Promise<unknown> => {
    const load = process.getBuiltinModule("node:module").createRequire(`${folder}/package.json`);
    const core = load(folder) as UpgradesCore;
    const task = JSON.parse(Buffer.concat(chunks).toString("utf8"), signed) as T;
    try {
      return await work(core, task, relevant);
    } catch (error) {
      return { refusal: error instanceof Error ? error.message : String(error) };
    }
  };
  process.stdin.on("data", (it: Buffer) => chunks.push(it));
  process.stdin.on("end", async () => {
    process.stdout.write(JSON.stringify(await run()), () => process.exit(0));
  });
}

/**
 * Returns an output without the contracts that a contract does not use: the package refuses all of them if it cannot
 * read one.
 *
 * @param name - of the contract, with its path
 */
function relevantContracts(output: CompilerOutput, name: string): CompilerOutput {
  const defined = Object.entries(output.sources).flatMap(([path, { ast }]) =>
    ast.nodes.filter((it) => it.nodeType === "ContractDefinition").map((it) => ({ ...it, key: `${path}:${it.name}` })),
  );
  const bases = defined.find(({ key }) => key === name)?.linearizedBaseContracts ?? [];
  const used = defined.filter(({ id, contractKind }) => contractKind === "library" || bases.includes(id));
  const keys = used.map(({ key }) => key);
  const contracts = Object.entries(output.contracts).map(([path, found]) => {
    const kept = Object.entries(found).filter(([it]) => keys.includes(`${path}:${it}`));
    return [path, Object.fromEntries(kept)] as const;
  });
  return { ...output, contracts: Object.fromEntries(contracts) };
}

/** Checks an upgrade. It runs in the process of the package. */
function checkInProcess(
  core: UpgradesCore,
  { before, after, kind }: UpgradeToCheck,
  relevant: typeof relevantContracts,
): unknown {
  const options = core.withValidationDefaults({ kind });
  const read = ({ input, output: whole, namespaced, name, release }: CompiledVersion) => {
    const output = relevant(whole as unknown as CompilerOutput, name);
    const run = core.validate(output, core.solcInputOutputDecoder(input, output), release, input, namespaced);
    const data = { version: "3.4", log: [run] };
    const version = core.getContractVersion(run, name);
    return { layout: core.getStorageLayout(data, version), errors: core.getErrors(data, version, options) };
  };
  const variables = ({ storage, types, namespaces = {} }: Layout) =>
    [["", storage] as const, ...Object.entries(namespaces)].flatMap(([namespace, found]) =>
      found
        .filter(({ slot }) => slot !== undefined)
        .map(({ label, type, slot, offset }) => ({
          namespace,
          label,
          type: types[type]?.label ?? type,
          slot,
          offset: offset ?? 0,
          bytes: Number(types[type]?.numberOfBytes ?? 0),
        })),
    );
  const [old, next] = [before === undefined ? undefined : read(before), read(after)];
  const report = old && core.getStorageUpgradeReport(old.layout, next.layout, options);
  return {
    before: old === undefined ? null : variables(old.layout),
    after: variables(next.layout),
    errors: next.errors
      .filter(({ kind: it }) => kind === "uups" || it !== "missing-public-upgradeto")
      .map(({ kind: it, src }) => ({ kind: it, source: src })),
    storageErrors: report === undefined || report.ok ? [] : report.explain(false).split("\n\n"),
  };
}

/** Returns the namespaced input of a version. It runs in the process of the package. */
async function namespacedInProcess(core: UpgradesCore, { input, output, release }: CompiledVersion): Promise<unknown> {
  const made = core.makeNamespacedInput?.(input, output, release);
  return { input: made === undefined ? null : ((await core.trySanitizeNatSpec?.(made, release)) ?? made) };
}

const LONGEST_MS = 120_000;

/**
 * Checks an upgrade with the package `@openzeppelin/upgrades-core` of the workspace, in a process of its own. Variables
 * of a namespace (ERC-7201) have their absolute slot.
 *
 * @param folder - of the package
 * @throws {ChainError} `UPGRADE_REFUSED` if the package cannot check the sources
 * @throws {Error} the process failed; the reason of the signal
 */
export async function runUpgradeCheck(
  folder: string,
  upgrade: UpgradeToCheck,
  signal: AbortSignal,
): Promise<UpgradeCheck> {
  const { before, after, ...rest } = await runPackage(folder, checkInProcess, upgrade, signal);
  return readUpgradeCheck({ ...rest, before: absoluteSlots(before), after: absoluteSlots(after) });
}

/**
 * Returns the compiler input that makes the storage of namespaces (ERC-7201) part of the storage layout; undefined if the
 * sources have none.
 *
 * @throws {ChainError} `UPGRADE_REFUSED` if the package cannot read the sources
 */
export async function namespacedInput(
  folder: string,
  version: CompiledVersion,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const { sources } = version.input;
  const texts = Object.values(isJsonObject(sources) ? sources : {});
  const hasNamespace = (it: Json | undefined): boolean =>
    isJsonObject(it) && String(it.content).includes(NAMESPACE_TAG);
  if (!texts.some(hasNamespace)) return undefined;
  const { input } = await runPackage(folder, namespacedInProcess, version, signal);
  return isJsonObject(input) ? input : undefined;
}

const NAMESPACE_TAG = "@custom:storage-location";

async function runPackage<T>(folder: string, work: Work<T>, task: T, signal: AbortSignal): Promise<JsonObject> {
  const process = { ...scriptProcess(runTask<T>, folder, work, relevantContracts), longestMs: LONGEST_MS };
  const { code, output, errors } = await runWithInput(process, JSON.stringify(task), signal);
  const json = code === 0 ? parseJson(output) : undefined;
  if (isJsonObject(json) && typeof json.refusal === "string")
    throw new ChainError("UPGRADE_REFUSED", { reason: t`OpenZeppelin cannot check it: ${json.refusal}` });
  if (isJsonObject(json)) return json;
  const lines = errors.split("\n");
  const reason = lines.find((it) => /^\w*Error: /.test(it)) ?? lines.at(-1) ?? "";
  throw new Error(t`the check of the upgrade ended with code ${String(code)}: ${reason.slice(0, 300)}`);
}

/** Adds the first slot of its namespace to each variable, and the namespace to its label. */
function absoluteSlots(variables: Json | undefined): Json {
  if (!Array.isArray(variables)) return null;
  return variables.map((it) => {
    if (!isJsonObject(it) || typeof it.namespace !== "string") return it;
    const [first, slot] = [namespaceSlot(it.namespace), wholeNumberIn(String(it.slot))];
    if (first === undefined || slot === undefined) return it;
    return { ...it, label: `${it.namespace}:${String(it.label)}`, slot: String(first + slot) };
  });
}
