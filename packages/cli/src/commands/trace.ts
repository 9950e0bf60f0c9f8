import { bindCall } from "@finality/client/call-sites";
import { contractRunOf } from "@finality/client/estimates";
import { loadDictionary } from "@finality/client/explain";
import { isLoopback, type NetworkProfile } from "@finality/client/gateway";
import {
  compiledContracts,
  failureLines,
  lineSources,
  storageVariables,
  type TraceNames,
  type TraceSources,
  traceLines,
  treeText,
} from "@finality/client/traces";
import { requestTrace, type TracedRun } from "@finality/node/local-trace";
import { type AbiIndex, joinAbiIndexes } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { grouped } from "@finality/tron/format";
import { type Address, defined, parseTxId, visibleLine } from "@finality/tron/primitives";
import type { Trace } from "@finality/tron/traces";
import { callContext, readArtifacts, readCallFiles } from "../call-context.ts";
import { accountsOn, openTarget } from "../call-target.ts";
import { CliError } from "../cli-error.ts";
import type { CommandResult, Context, Invocation, RunCommand } from "../command.ts";
import { readConfiguration } from "../configuration.ts";
import { executeStep } from "../estimate-calls.ts";
import { chooseNetwork } from "../network.ts";
import { chooseCall } from "../send-request.ts";
import type { Terminal } from "../terminal.ts";
import { readTraceSources } from "../trace-sources.ts";

/** Traces a transaction of the local chain, or a call of a file. */
export const runTrace: RunCommand = async (invocation, context) => {
  const txId = parseTxId(invocation.positionals[0] ?? "");
  if (txId === undefined) return await traceCall(invocation, context);
  const { profile } = await chooseNetwork(invocation, context.terminal);
  const { addresses } = await readConfiguration(invocation, context.terminal);
  return await printTrace({ profile, traced: { kind: "transaction", txId }, addresses }, invocation, context);
};

/** Traces one call of a file, on the embedded chain after the setup of the file. */
async function traceCall(invocation: Invocation, context: Context): Promise<CommandResult> {
  const { terminal } = context;
  const contents = await readCallFiles(invocation.positionals, terminal);
  const call = chooseCall(
    contents.flatMap(({ calls }) => calls),
    invocation,
  );
  const target = await openTarget(invocation, terminal, contents);
  const { embedded, profile } = target;
  try {
    const artifacts = await readArtifacts(invocation, terminal);
    const accounts = await accountsOn(target, invocation, terminal);
    const named = new Map(accounts.addresses);
    let binding = callContext(artifacts, embedded === undefined ? profile : undefined, accounts);
    for (const step of embedded === undefined ? [] : contents.flatMap(({ setup }) => setup)) {
      binding = await executeStep(embedded ?? unreachable(), step, binding, artifacts);
      const { deployedAs = "" } = step.site;
      const address = binding.addressOf(deployedAs);
      if (address !== undefined) named.set(deployedAs, address);
    }
    const bound = bindCall(call.site, binding);
    if (bound.kind !== "bound") {
      const reason = bound.kind === "wrong" ? bound.reason : bound.missing.map(({ question }) => question).join("; ");
      throw new CliError("INPUT_UNREADABLE", {
        cause: `${call.file}:${call.line}: the call cannot be made: ${reason}.`,
      });
    }
    const traced = { kind: "call", run: contractRunOf(bound.intent) } as const;
    return await printTrace({ profile, traced, addresses: named }, invocation, context);
  } finally {
    await target.close();
  }
}

interface ShownRun {
  readonly profile: NetworkProfile;
  readonly traced: TracedRun;
  readonly addresses: ReadonlyMap<string, Address>;
}

const MOST_STEPS = 200_000;
/** With stack and memory, the keys of mappings are known. */
const WITH_VALUES = { steps: true, stack: true, memory: true } as const;

async function printTrace(
  { profile, traced, addresses }: ShownRun,
  invocation: Invocation,
  { terminal, output, show }: Context,
): Promise<CommandResult> {
  if (!profile.local && !isLoopback(new URL(profile.baseUrl)))
    throw new ChainError("TRACE_UNAVAILABLE", {
      reason: `${profile.name} serves no traces. Run the call on the chain that finality chain starts, with --local`,
    });
  show("tracing");
  const trace = await requestTrace(profile.baseUrl, traced, { ...WITH_VALUES, maxSteps: MOST_STEPS });
  const kinds = ["runtime", "creation"] as const;
  const sources = await readTraceSources(invocation, terminal, (contracts) =>
    trace.codes.flatMap(({ bytes }) => kinds.flatMap((kind) => contracts.find(bytes, kind)?.compiled ?? [])),
  );
  const names = await namesOf(trace, sources, { invocation, terminal, addresses });
  const lines = traceLines(trace, names, lineSources(trace, sources).sourceOf);
  for (const line of lines) output("line", { ...line }, `${visibleTree(treeText([line], trace.energy))}\n`);
  const failure = failureLines(trace, sources);
  const { result, energy, frames, txId } = trace;
  return {
    result: {
      network: profile.name,
      ...defined({ txId }),
      result,
      energy,
      calls: frames.length,
      failure: failure.map((it) => ({ ...it })),
    },
    text: [
      "",
      `${visibleLine(result)}, ${grouped(energy)} energy`,
      ...failure.map(({ text }) => `  at ${visibleLine(text)}`),
      "",
    ].join("\n"),
  };
}

/** Keeps the indent of a line and makes all of its characters visible. */
function visibleTree(line: string): string {
  return `${/^ */.exec(line)?.[0] ?? ""}${visibleLine(line, 2_000)}`;
}

function unreachable(): never {
  throw new Error("Only an embedded chain has a setup.");
}

interface NameOptions {
  readonly invocation: Invocation;
  readonly terminal: Terminal;
  readonly addresses: ReadonlyMap<string, Address>;
}

async function namesOf(
  trace: Trace,
  sources: TraceSources,
  { invocation, terminal, addresses }: NameOptions,
): Promise<TraceNames> {
  const { index } = await readArtifacts(invocation, terminal);
  const known: AbiIndex = joinAbiIndexes(index, await loadDictionary());
  const compiled = compiledContracts(trace, sources);
  const labels = new Map([...addresses].map(([name, address]) => [address, name]));
  return {
    nameOf: (address) => labels.get(address),
    abiOf: (address) => {
      const own = compiled.get(address)?.abi;
      return own === undefined ? known : joinAbiIndexes(own, known);
    },
    contractNameOf: (address) => compiled.get(address)?.name ?? index.deploymentsAt(address)[0]?.contract,
    variableOf: storageVariables(trace, sources, (address) => labels.get(address)),
  };
}
