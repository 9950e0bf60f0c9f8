import { defined } from "@finality/tron/primitives";
import { type CallFileCall, type CallFileDeployment, readCallFile, type SampleCall } from "./call-file.ts";
import type { CallExpectation } from "./call-file-expectation.ts";
import {
  type CallOptions,
  type CallSite,
  type ContractReference,
  literalValue,
  type ScriptCallSite,
  type TextRange,
  valueWithText,
} from "./call-site.ts";
import { findSolidityContracts, type SolidityCallable, type SolidityContract } from "./solidity.ts";
import { findScriptCallSites } from "./tronweb.ts";

/** TronWeb's default `feeLimit`; sun. */
const TRONWEB_FEE_LIMIT = 150_000_000n;

/** Finds the calls in a TypeScript or JavaScript source. @param within - Returns only calls that touch this range. */
export function callSitesInScript(text: string, within?: TextRange): readonly CallSite[] {
  return findScriptCallSites(text, within)
    .filter((site) => !answersRequest(site))
    .map((site) => fromScript(text, site));
}

const SERVER_ANSWERS = new Set(["res", "resp", "response", "reply"]);

/** `res.status(200).send(…)` looks like a contract method, and is frequent in web servers. */
function answersRequest({ form, target }: ScriptCallSite): boolean {
  return form === "send" && target.kind === "variable" && SERVER_ANSWERS.has(target.name);
}

/**
 * Finds the calls that a Solidity source can receive: each external or public function, once for each of its samples,
 * and the deployment of each contract. Interfaces, libraries and abstract contracts are never deployed.
 */
export function callSitesInSolidity(text: string): readonly CallSite[] {
  return findSolidityContracts(text)
    .filter(({ kind }) => kind === "contract")
    .flatMap((contract) => contract.callables.flatMap((callable) => fromSolidity(contract, callable)));
}

/** Function of a call file that deploys its contract. */
const CONSTRUCTOR = "constructor";

/** Call of a call file. One with an expectation is a test. */
export interface CallFileSite extends CallSite {
  readonly expect?: CallExpectation;
}

/** Finds the calls and deployments in a call file. */
export function callSitesInCallFile(text: string): readonly CallFileSite[] {
  const { network, calls } = readCallFile(text);
  return calls.map((call) => ({
    ...fromCallFile(text, call, network?.value),
    ...defined({ expect: call.expect }),
  }));
}

/** Step that the embedded chain executes before the calls of a file: a call or a deployment. */
export interface SetupSite extends CallSite {
  /** Name of the deployed contract in the file; undefined for a call. */
  readonly deployedAs?: string;
}

/** Finds the steps of the setup in a call file, in order. */
export function setupSitesInCallFile(text: string): readonly SetupSite[] {
  const { network, setup } = readCallFile(text);
  return setup.map((step) =>
    "deploy" in step ? fromDeployment(text, step, network?.value) : fromCallFile(text, step, network?.value),
  );
}

function fromDeployment(text: string, step: CallFileDeployment, network: string | undefined): SetupSite {
  return {
    ...inputsOf(text, step, network),
    kind: "deployment",
    contract: { kind: "named", name: step.deploy.value },
    method: CONSTRUCTOR,
    deployedAs: step.name ?? step.deploy.value,
    ...amounts(text, step),
  };
}

function fromCallFile(text: string, call: CallFileCall, network: string | undefined): CallSite {
  return {
    ...inputsOf(text, call, network),
    kind: call.method.value === CONSTRUCTOR ? "deployment" : "call",
    label: call.label,
    contract: { kind: "named", name: call.contract.value },
    method: call.method.value,
    ...amounts(text, call),
  };
}

type CallFileInputs = Pick<
  CallSite,
  "language" | "range" | "label" | "network" | "arguments" | "caller" | "defaultFeeLimit" | "problem"
>;

function inputsOf(text: string, call: CallFileCall | CallFileDeployment, network: string | undefined): CallFileInputs {
  return {
    language: "call-file",
    range: call.range,
    label: undefined,
    network,
    arguments: call.arguments.map((one) => valueWithText(text, one)),
    caller: call.caller === undefined ? undefined : literalValue(call.range, call.caller),
    defaultFeeLimit: undefined,
    problem: call.problem,
  };
}

function fromScript(text: string, site: ScriptCallSite): CallSite {
  const { form, range, method, options } = site;
  const isSent = form === "send" || form === "triggerSmartContract";
  return {
    kind: "call",
    language: "script",
    range,
    label: undefined,
    network: undefined,
    contract: scriptContract(text, site),
    method: method.value,
    arguments: site.arguments?.map((one) => valueWithText(text, one)),
    caller: valueWithText(text, options.from),
    defaultFeeLimit: isSent ? TRONWEB_FEE_LIMIT : undefined,
    ...amounts(text, isSent ? withUnread(options) : options),
    ...(form === "send" ? { omitsValue: true } : {}),
    ...(options.unread === undefined ? {} : { unread: text.slice(options.unread.start, options.unread.end) }),
  };
}

/** Options that may be inside an unreadable expression are unknown, not absent. */
function withUnread({ unread, ...options }: CallOptions): CallOptions {
  if (unread === undefined) return options;
  const unknown = { range: unread, value: undefined };
  return { feeLimit: unknown, callValue: unknown, ...options };
}

function scriptContract(text: string, { target }: ScriptCallSite): ContractReference {
  switch (target.kind) {
    case "address":
      return { kind: "address", address: valueWithText(text, target.address) };
    case "variable": {
      const { name, address } = target;
      if (address?.value !== undefined) return { kind: "address", address: valueWithText(text, address) };
      return { kind: "variable", name, madeFrom: valueWithText(text, address)?.text ?? "" };
    }
    case "expression":
      return { kind: "variable", name: "", madeFrom: "" };
  }
}

type Amounts = Pick<CallSite, "feeLimit" | "callValue" | "tokenId" | "tokenValue">;

function amounts(
  text: string,
  options: { readonly [K in keyof Amounts]?: Parameters<typeof valueWithText>[1] },
): Amounts {
  return {
    feeLimit: valueWithText(text, options.feeLimit),
    callValue: valueWithText(text, options.callValue),
    tokenId: valueWithText(text, options.tokenId),
    tokenValue: valueWithText(text, options.tokenValue),
  };
}

function fromSolidity(contract: SolidityContract, callable: SolidityCallable): readonly CallSite[] {
  const samples: readonly (SampleCall | undefined)[] = callable.samples.length === 0 ? [undefined] : callable.samples;
  return samples.map((sample) => fromSample(contract, callable, sample));
}

function fromSample(
  { name: contract }: SolidityContract,
  { kind, name, range, parameters }: SolidityCallable,
  sample: SampleCall | undefined,
): CallSite {
  const literal = (of: SampleCall["feeLimit"]) => (of?.value === undefined ? undefined : literalValue(range, of.value));
  const known = parameters.length === 0 ? [] : undefined;
  return {
    kind: kind === "constructor" ? "deployment" : "call",
    language: "solidity",
    range,
    label: undefined,
    network: undefined,
    contract: { kind: "named", name: contract },
    method: kind === "constructor" ? "constructor" : name,
    types: parameters.map(({ type }) => type),
    arguments: sample?.arguments.map((one) => ({ range, value: one.value, text: textOf(one.value) })) ?? known,
    caller: sample?.caller === undefined ? undefined : literalValue(range, sample.caller),
    feeLimit: literal(sample?.feeLimit),
    callValue: literal(sample?.callValue),
    problem: sample?.problem,
    defaultFeeLimit: undefined,
    tokenId: undefined,
    tokenValue: undefined,
  };
}

/** Value of a sample, for display. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, it: unknown) => (typeof it === "bigint" ? it.toString() : it)) ?? "";
}
