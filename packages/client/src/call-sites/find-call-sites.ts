import { readCallFile, type SampleCall } from "./call-file.ts";
import {
  type CallOptions,
  type ScriptCallSite,
  type TextRange,
  type WantedCall,
  type WantedContract,
  wantedLiteral,
  wantedValue,
} from "./call-site.ts";
import { findSolidityContracts, type SolidityCallable, type SolidityContract } from "./solidity.ts";
import { findScriptCallSites } from "./tronweb.ts";

/** What TronWeb puts into a transaction whose `feeLimit` nobody wrote; sun. */
const TRONWEB_FEE_LIMIT = 150_000_000n;

/** The calls of a TypeScript or JavaScript source. @param within only those that touch this range */
export function wantedInScript(text: string, within?: TextRange): readonly WantedCall[] {
  return findScriptCallSites(text, within)
    .filter((site) => !answersRequest(site))
    .map((site) => fromScript(text, site));
}

const SERVER_ANSWERS = new Set(["res", "resp", "response", "reply"]);

/** `res.status(200).send(…)` looks like a contract's method, and is what web servers are full of. */
function answersRequest({ form, target }: ScriptCallSite): boolean {
  return form === "send" && target.kind === "variable" && SERVER_ANSWERS.has(target.name);
}

/**
 * The calls that a Solidity source could get: each function that can be called from outside, once for each of its
 * samples, and the deployment of each contract. Interfaces, libraries and abstract contracts are never deployed.
 */
export function wantedInSolidity(text: string): readonly WantedCall[] {
  return findSolidityContracts(text)
    .filter(({ kind }) => kind === "contract")
    .flatMap((contract) => contract.callables.flatMap((callable) => fromSolidity(contract, callable)));
}

/** The calls of a call file. */
export function wantedInCallFile(text: string): readonly WantedCall[] {
  const { network, calls } = readCallFile(text);
  return calls.map((call) => ({
    kind: "call",
    language: "call-file",
    range: call.range,
    label: call.label,
    network: network?.value,
    contract: { kind: "named", name: call.contract.value },
    method: call.method.value,
    arguments: call.arguments.map((one) => wantedValue(text, one)),
    caller: call.caller === undefined ? undefined : wantedLiteral(call.range, call.caller),
    usualFeeLimit: undefined,
    problem: call.problem,
    ...amounts(text, call),
  }));
}

function fromScript(text: string, site: ScriptCallSite): WantedCall {
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
    arguments: site.arguments?.map((one) => wantedValue(text, one)),
    caller: wantedValue(text, options.from),
    usualFeeLimit: isSent ? TRONWEB_FEE_LIMIT : undefined,
    ...amounts(text, isSent ? withUnread(options) : options),
    ...(form === "send" ? { omitsValue: true } : {}),
    ...(options.unread === undefined ? {} : { unread: text.slice(options.unread.start, options.unread.end) }),
  };
}

/** A limit or a value that may stand where nobody can read it is not known, rather than none. */
function withUnread({ unread, ...options }: CallOptions): CallOptions {
  if (unread === undefined) return options;
  const unknown = { range: unread, value: undefined };
  return { feeLimit: unknown, callValue: unknown, ...options };
}

function scriptContract(text: string, { target }: ScriptCallSite): WantedContract {
  switch (target.kind) {
    case "address":
      return { kind: "address", address: wantedValue(text, target.address) };
    case "variable": {
      const { name, address } = target;
      if (address?.value !== undefined) return { kind: "address", address: wantedValue(text, address) };
      return { kind: "variable", name, madeFrom: wantedValue(text, address)?.text ?? "" };
    }
    case "expression":
      return { kind: "variable", name: "", madeFrom: "" };
  }
}

type Amounts = Pick<WantedCall, "feeLimit" | "callValue" | "tokenId" | "tokenValue">;

function amounts(
  text: string,
  options: { readonly [K in keyof Amounts]?: Parameters<typeof wantedValue>[1] },
): Amounts {
  return {
    feeLimit: wantedValue(text, options.feeLimit),
    callValue: wantedValue(text, options.callValue),
    tokenId: wantedValue(text, options.tokenId),
    tokenValue: wantedValue(text, options.tokenValue),
  };
}

function fromSolidity(contract: SolidityContract, callable: SolidityCallable): readonly WantedCall[] {
  const samples: readonly (SampleCall | undefined)[] = callable.samples.length === 0 ? [undefined] : callable.samples;
  return samples.map((sample) => fromSample(contract, callable, sample));
}

function fromSample(
  { name: contract }: SolidityContract,
  { kind, name, range, parameters }: SolidityCallable,
  sample: SampleCall | undefined,
): WantedCall {
  const literal = (of: SampleCall["feeLimit"]) =>
    of?.value === undefined ? undefined : wantedLiteral(range, of.value);
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
    caller: sample?.caller === undefined ? undefined : wantedLiteral(range, sample.caller),
    feeLimit: literal(sample?.feeLimit),
    callValue: literal(sample?.callValue),
    problem: sample?.problem,
    usualFeeLimit: undefined,
    tokenId: undefined,
    tokenValue: undefined,
  };
}

/** A value of a sample, for people. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, it: unknown) => (typeof it === "bigint" ? it.toString() : it)) ?? "";
}
