import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { runWithInput, scriptProcess } from "./run-with-input.ts";

/** Version of a contract: input and output of its compiler. */
export interface CompiledVersion {
  readonly input: JsonObject;
  readonly output: Json;
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
}

interface Variable {
  readonly label: string;
  readonly type: string;
  readonly slot?: string;
  readonly offset?: number;
}

/** Part of the package that the check uses. */
interface UpgradesCore {
  solcInputOutputDecoder(input: unknown, output: unknown): unknown;
  validate(output: unknown, decoder: unknown, release: string, input: unknown): unknown;
  getContractVersion(run: unknown, name: string): unknown;
  getStorageLayout(data: unknown, version: unknown): Layout;
  getErrors(data: unknown, version: unknown, options: unknown): readonly { kind: string; src: string }[];
  withValidationDefaults(options: unknown): unknown;
  getStorageUpgradeReport(
    before: unknown,
    after: unknown,
    options: unknown,
  ): { ok: boolean; explain(color: boolean): string };
}

/**
 * Source of the process that checks an upgrade with the package of the workspace, the first argument. It stands alone:
 * the process has no other code.
 */
function runUpgradesCore(): void {
  const [, folder = ""] = process.argv;
  const chunks: Buffer[] = [];
  process.stdin.on("data", (it: Buffer) => chunks.push(it));
  process.stdin.on("end", () => {
    const load = process.getBuiltinModule("node:module").createRequire(`${folder}/package.json`);
    const core = load(folder) as UpgradesCore;
    const { before, after, kind } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as UpgradeToCheck;
    const options = core.withValidationDefaults({ kind });
    const read = ({ input, output, name, release }: CompiledVersion) => {
      const run = core.validate(output, core.solcInputOutputDecoder(input, output), release, input);
      const data = { version: "3.4", log: [run] };
      const version = core.getContractVersion(run, name);
      return { layout: core.getStorageLayout(data, version), errors: core.getErrors(data, version, options) };
    };
    const variables = ({ storage, types }: Layout) =>
      storage.map(({ label, type, slot, offset }) => ({
        label,
        type: types[type]?.label ?? type,
        slot: slot ?? "0",
        offset: offset ?? 0,
        bytes: Number(types[type]?.numberOfBytes ?? 0),
      }));
    const [old, next] = [before === undefined ? undefined : read(before), read(after)];
    const report = old && core.getStorageUpgradeReport(old.layout, next.layout, options);
    const result = {
      before: old === undefined ? null : variables(old.layout),
      after: variables(next.layout),
      errors: next.errors
        .filter(({ kind: it }) => kind === "uups" || it !== "missing-public-upgradeto")
        .map(({ kind: it, src }) => ({ kind: it, source: src })),
      storageErrors: report === undefined || report.ok ? [] : report.explain(false).split("\n\n"),
    };
    process.stdout.write(JSON.stringify(result), () => process.exit(0));
  });
}

const LONGEST_MS = 120_000;

/**
 * Checks an upgrade with the package `@openzeppelin/upgrades-core` of the workspace, in a process of its own. Returns
 * its result as JSON text.
 *
 * @param folder - of the package
 * @throws {Error} the process failed; the reason of the signal
 */
export async function runUpgradeCheck(folder: string, upgrade: UpgradeToCheck, signal: AbortSignal): Promise<string> {
  const process = { ...scriptProcess(runUpgradesCore, folder), longestMs: LONGEST_MS };
  const { code, output, errors } = await runWithInput(process, JSON.stringify(upgrade), signal);
  if (code === 0) return output;
  const lines = errors.split("\n");
  const reason = lines.find((it) => /^\w*Error: /.test(it)) ?? lines.at(-1) ?? "";
  throw new Error(t`the check of the upgrade ended with code ${String(code)}: ${reason.slice(0, 300)}`);
}
