import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import {
  type CallTestContext,
  type CallTestResult,
  type CallTestSite,
  isCallTest,
  runCallTest,
} from "@finality/client/call-tests";
import type { CallOutcome } from "@finality/client/estimates";
import { loadDictionary } from "@finality/client/explain";
import { joinAbiIndexes } from "@finality/tron/abi";
import type { Address } from "@finality/tron/primitives";
import {
  type CallFileContent,
  type CallInFile,
  callContext,
  positionAt,
  readArtifacts,
  readCallFiles,
} from "../call-context.ts";
import { accountsOn, type CallTarget, openTarget } from "../call-target.ts";
import { type CallTestReport, githubOutput, junitXml, plainTests, testJson } from "../call-test-report.ts";
import { CliError, EXIT } from "../cli-error.ts";
import type { Invocation, RunCommand } from "../command.ts";
import { executeStep } from "../estimate-calls.ts";
import type { Terminal } from "../terminal.ts";

/** Runs the calls of call files that have an expectation. Sends no transaction of the user. */
export const runTest: RunCommand = async (invocation, { terminal, progress }) => {
  const annotates = annotatesGithub(invocation);
  const contents = await readCallFiles(invocation.positionals, terminal);
  const count = contents.flatMap(({ calls }) => calls.filter(({ site }) => isCallTest(site))).length;
  if (count === 0) {
    const next = 'A test is a call with "expect"; see docs/call-tests.md.';
    throw new CliError("INPUT_UNREADABLE", { cause: `${invocation.positionals.join(", ")}: there is no test.`, next });
  }
  const target = await openTarget(invocation, terminal, contents);
  const reports: CallTestReport[] = [];
  try {
    await runTests(target, { contents, invocation, terminal }, (report) => {
      reports.push(report);
      progress("test", testJson(report), `${reports.length} of ${count}: ${report.name}`);
    });
  } finally {
    await target.close();
  }
  const junit = invocation.text("junit");
  if (junit !== undefined) await writeFile(terminal.resolve(junit), junitXml(reports));
  const passed = reports.filter(({ status }) => status === "passed").length;
  return {
    result: {
      network: target.profile.name,
      passed,
      failed: count - passed,
      tests: reports.map(testJson),
      ...(junit !== undefined && { junit }),
    },
    text: annotates ? githubOutput(reports, randomUUID()) : plainTests(reports),
    exitCode: exitCodeOf(reports),
  };
};

/** Returns the exit code for the reports of tests. */
export function exitCodeOf(reports: readonly CallTestReport[]) {
  if (reports.some(({ status }) => status === "failed" || status === "unusable")) return EXIT.negative;
  return reports.some(({ status }) => status === "unavailable") ? EXIT.network : EXIT.ok;
}

/** @throws {CliError} `USAGE` */
function annotatesGithub(invocation: Invocation): boolean {
  const annotations = invocation.text("annotations");
  if (annotations === undefined) return false;
  if (annotations !== "github") throw new CliError("USAGE", { cause: "--annotations can be github only." });
  if (invocation.isOn("json")) throw new CliError("USAGE", { cause: "Use only one of --annotations and --json." });
  return true;
}

/** Call files to test. */
interface TestRun {
  readonly contents: readonly CallFileContent[];
  readonly invocation: Invocation;
  readonly terminal: Terminal;
}

/**
 * Runs the tests of call files. Each file starts from the same state of the embedded chain.
 *
 * @throws {CliError} `SETUP_FAILED`, `USAGE`
 */
export async function runTests(
  target: CallTarget,
  { contents, invocation, terminal }: TestRun,
  reported: (report: CallTestReport) => void,
): Promise<void> {
  const { embedded, profile } = target;
  const artifacts = await readArtifacts(invocation, terminal);
  const accounts = await accountsOn(target, invocation, terminal);
  const abi = joinAbiIndexes(artifacts.index, await loadDictionary());
  const start = callContext(artifacts, embedded === undefined ? profile : undefined, accounts);
  for (const { text, setup, calls } of contents) {
    const runFile = async (): Promise<void> => {
      let binding = start;
      const names = new Map([...accounts.addresses].map(([name, address]) => [address, name]));
      for (const step of setup) {
        if (embedded === undefined) break;
        binding = await executeStep(embedded, step, binding, artifacts);
        const { deployedAs = "" } = step.site;
        const address = binding.addressOf(deployedAs);
        if (address !== undefined) names.set(address, deployedAs);
      }
      const context = { binding, abi, nameOf: (address: Address) => names.get(address) };
      for (const call of calls)
        if (isCallTest(call.site)) reported(reportOf(call, text, await runSite(target, call.site, context)));
    };
    await (embedded === undefined ? runFile() : embedded.isolated(runFile));
  }
}

async function runSite({ gateway }: CallTarget, site: CallTestSite, context: CallTestContext): Promise<CallTestResult> {
  if (context.binding.caller === undefined && site.caller === undefined)
    return { kind: "unusable", reason: "the call names no caller: use --caller ADDRESS" };
  return await runCallTest(gateway, site, context);
}

function reportOf({ site, file, line }: CallInFile, text: string, result: CallTestResult): CallTestReport {
  const { label, method = "call", arguments: inputs = [] } = site;
  const name = label ?? `${method}(${inputs.map((it) => it.text).join(", ")})`;
  const report = { file, line, name, status: result.kind };
  const atCall = (message: string) => [{ ...positionAt(text, site.range.start), message }];
  switch (result.kind) {
    case "unusable":
      return { ...report, differences: atCall(`The call cannot be made: ${result.reason}.`) };
    case "unavailable":
      return { ...report, differences: atCall(result.error.message) };
    case "passed":
      return { ...report, ...energyOf(result.outcome), differences: [] };
    case "failed": {
      const differences = result.differences.map(({ range, ...it }) => ({ ...positionAt(text, range.start), ...it }));
      return { ...report, ...energyOf(result.outcome), differences };
    }
  }
}

function energyOf(outcome: CallOutcome) {
  return outcome.kind === "halted" ? {} : { energy: outcome.energy };
}
