import { bindCall, callSitesInCallFile, literalValue } from "@finality/client/call-sites";
import type { CodeIntent } from "@finality/client/estimates";
import {
  type CodeDescription,
  describeCall,
  describeDeployment,
  describeTokenUse,
  tokenUseData,
  tokenUseLabel,
} from "@finality/client/reviews";
import { parseTokenAmount } from "@finality/client/tokens";
import { type AbiIndex, type Mutability, onlyReads, typedValues } from "@finality/tron/abi";
import {
  type Address,
  addressIn,
  bytesToHex,
  foreignText,
  type Json,
  parseCoins,
  parseJson,
  sun,
  toBase58,
  visibleText,
  wholeNumberIn,
} from "@finality/tron/primitives";
import type { IntentOf } from "@finality/tron/transaction";
import { addressNamed, type CallInFile, callContext, readArtifacts, readCalls } from "./call-context.ts";
import { CliError } from "./cli-error.ts";
import type { Invocation } from "./command.ts";
import type { Sender } from "./sender.ts";
import type { Terminal } from "./terminal.ts";

/** A call or a deployment, as its file or the arguments have it. */
interface CallRequest {
  readonly kind: "call";
  readonly call: CallInFile;
}

/** A payment, as the arguments have it. */
interface PaymentRequest {
  readonly kind: "payment";
  readonly to: string;
  readonly amount: string;
  /** Contract of a TRC-20 token or number of a TRC-10 token; undefined for coins. */
  readonly token: string | undefined;
  readonly memo: string | undefined;
}

/** Transaction to send, before it is bound to a network and an account. */
export type SendRequest = CallRequest | PaymentRequest;

/** Call or deployment with its review. */
export interface CodeOrder {
  readonly kind: "code";
  readonly intent: CodeIntent;
  /** False if a simulation chooses the `fee_limit`. */
  readonly hasFeeLimit: boolean;
  readonly code: CodeDescription;
  /** Code of the artifact that names the functions of a called contract. */
  readonly compiled?: { readonly bytecode: string | undefined; readonly path: string };
  readonly abi: AbiIndex;
  readonly mutability: Mutability;
  /** Undefined for a deployment. */
  readonly functionSignature: string | undefined;
  readonly label: string | undefined;
}

/** Transaction to build, with its owner. */
export type Order =
  | { readonly kind: "transfer"; readonly intent: IntentOf<"transfer"> }
  | { readonly kind: "token-transfer"; readonly intent: IntentOf<"token-transfer"> }
  | CodeOrder;

const CALL_OPTIONS = ["contract", "function", "arguments", "call-value", "fee-limit"];
const PAYMENT_OPTIONS = ["to", "amount", "token", "memo"];

/**
 * Reads the call of the call file, or of the arguments, or the payment of the arguments.
 *
 * @throws {CliError} `USAGE`, `INPUT_UNREADABLE`
 */
export async function readSendRequest(invocation: Invocation, terminal: Terminal): Promise<SendRequest> {
  const given = (names: readonly string[]): readonly string[] =>
    names.filter((it) => invocation.text(it) !== undefined).map((it) => `--${it}`);
  const sources = [invocation.positionals, given(CALL_OPTIONS), given(PAYMENT_OPTIONS)].filter((it) => it.length > 0);
  const [source] = sources;
  const next = "Use CALLFILE, or --to and --amount, or --contract and --function. finality send --help has examples.";
  if (source === undefined) throw new CliError("USAGE", { cause: "There is nothing to send.", next });
  if (sources.length > 1) {
    const cause = `These arguments exclude each other: ${sources.map(([first]) => first).join(", ")}.`;
    throw new CliError("USAGE", { cause, next });
  }
  if (invocation.positionals.length > 0)
    return { kind: "call", call: chooseCall(await readCalls(invocation.positionals, terminal), invocation) };
  return source.some((it) => PAYMENT_OPTIONS.includes(it.slice(2))) ? readPayment(invocation) : readCall(invocation);
}

/** Returns the call of `--call`, or the only one. @throws {CliError} `USAGE` */
export function chooseCall(calls: readonly CallInFile[], invocation: Invocation): CallInFile {
  const choice = invocation.text("call");
  const [only, ...others] = calls;
  if (choice === undefined && only !== undefined && others.length === 0) return only;
  const found = calls.filter(({ site }, index) => site.label === choice || String(index + 1) === choice);
  const [chosen] = found;
  if (chosen !== undefined && found.length === 1) return chosen;
  const names = calls.map(
    ({ site }, index) => `${index + 1}${site.label === undefined ? "" : ` (${visibleText(site.label, 60)})`}`,
  );
  throw new CliError("USAGE", { cause: `Choose one call with --call NUMBER or --call LABEL: ${names.join(", ")}.` });
}

function readPayment(invocation: Invocation): PaymentRequest {
  const [to, amount, token, memo] = PAYMENT_OPTIONS.map((it) => invocation.text(it));
  if (to === undefined || amount === undefined)
    throw new CliError("USAGE", { cause: "A payment needs --to ADDRESS and --amount NUMBER." });
  if (memo !== undefined && token !== undefined)
    throw new CliError("USAGE", { cause: "--memo is for coins; a payment of tokens has none." });
  return { kind: "payment", to, amount, token, memo };
}

/** Returns the call of the arguments, which have the names and forms of a call file. */
function readCall(invocation: Invocation): CallRequest {
  const [contract, method, written = "[]", callValue, feeLimit] = CALL_OPTIONS.map((it) => invocation.text(it));
  if (contract === undefined || method === undefined)
    throw new CliError("USAGE", { cause: "A call needs --contract NAME|ADDRESS and --function NAME." });
  if (!Array.isArray(listIn(written)))
    throw new CliError("USAGE", {
      cause: `--arguments has to be a list in JSON such as '["T…", "5"]', not ${visibleText(written, 60)}.`,
    });
  const fields = { contract, function: method, callValue, feeLimit };
  const text = `{"calls":[${JSON.stringify(fields).slice(0, -1)},"arguments":${written}}]}`;
  const [site] = callSitesInCallFile(text);
  if (site === undefined) throw new CliError("USAGE", { cause: "--contract and --function may not be empty." });
  return { kind: "call", call: { site, file: "arguments", line: 1 } };
}

function listIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Owner of a transaction, and what its names mean. */
export interface OrderContext {
  readonly invocation: Invocation;
  readonly terminal: Terminal;
  readonly owner: Address;
  readonly addresses: ReadonlyMap<string, Address>;
}

/**
 * Binds a request to the network of the sender and to the owner.
 *
 * @throws {CliError} `CALL_UNUSABLE`, `USAGE`
 * @throws {ChainError} `AMOUNT_MALFORMED`, `CONTRACT_UNKNOWN`, `TOKEN_DECIMALS_DIFFER`, and the errors of the gateway
 */
export async function orderOf(request: SendRequest, sender: Sender, context: OrderContext): Promise<Order> {
  return request.kind === "call" ? await callOrder(request, sender, context) : await payment(request, sender, context);
}

async function payment(
  { to: named, amount, token, memo }: PaymentRequest,
  sender: Sender,
  { owner, addresses, invocation, terminal }: OrderContext,
): Promise<Order> {
  const to = addressNamed(named, addresses);
  if (token === undefined) {
    const text = memo === undefined ? {} : { memo: bytesToHex(Buffer.from(memo, "utf8")) };
    return { kind: "transfer", intent: { kind: "transfer", owner, to, amount: parseCoins(amount), ...text } };
  }
  if (/^\d+$/.test(token)) {
    const units = wholeNumberIn(amount);
    const cause = `A TRC-10 token has no decimals that the chain checks: write --amount in its smallest units, not "${amount}".`;
    if (units === undefined) throw new CliError("USAGE", { cause });
    return { kind: "token-transfer", intent: { kind: "token-transfer", owner, to, tokenId: token, amount: units } };
  }
  const known = await sender.tokenAt(addressNamed(token, addresses));
  const units = parseTokenAmount(amount, known);
  const use = { kind: "transfer" as const, token: known, party: to, amount: units, nameOf: () => undefined };
  const { index } = await readArtifacts(invocation, terminal);
  return {
    kind: "code",
    intent: {
      kind: "contract-call",
      owner,
      contract: known.address,
      data: tokenUseData(use),
      callValue: sun(0n),
      feeLimit: sun(0n),
    },
    hasFeeLimit: false,
    code: describeTokenUse({ ...use, lookalikes: [] }),
    abi: index,
    mutability: "nonpayable",
    functionSignature: "transfer(address,uint256)",
    label: tokenUseLabel(use),
  };
}

async function callOrder(
  { call: { site, file, line } }: CallRequest,
  { connection: { profile } }: Sender,
  { owner, addresses, invocation, terminal }: OrderContext,
): Promise<CodeOrder> {
  const artifacts = await readArtifacts(invocation, terminal);
  const caller = site.caller ?? literalValue(site.range, toBase58(owner));
  const bound = bindCall({ ...site, caller }, callContext(artifacts, profile, { addresses, caller: owner }));
  const where = file === "arguments" ? "" : `${file}:${line}: `;
  if (bound.kind !== "bound") {
    const cause = bound.kind === "wrong" ? bound.reason : bound.missing.map(({ question }) => question).join("; ");
    throw new CliError("CALL_UNUSABLE", { cause: `${where}${cause}.` });
  }
  const { intent, called, contract, assumptions } = bound;
  if (onlyReads(called)) throw new CliError("CALL_UNUSABLE", { cause: `${where}the function only reads.` });
  const typed = typedValues(called.parameters, bound.arguments, (name) => addresses.get(name) ?? addressIn(name));
  const values = typed.ok ? typed.value : [];
  const described = { values, nameOf: () => undefined };
  const description =
    intent.kind === "contract-call"
      ? describeCall({
          ...intent,
          contract: { address: intent.contract, name: claimedName(contract) },
          called,
          ...described,
        })
      : describeDeployment({
          ...intent,
          artifact: contract.origin,
          libraries: [],
          parameters: called.parameters,
          ...described,
        });
  return {
    kind: "code",
    intent,
    hasFeeLimit: bound.limit.isReal,
    code: { ...description, details: [...description.details, ...assumptions] },
    compiled: { bytecode: contract.bytecode, path: contract.origin },
    abi: artifacts.index,
    mutability: called.mutability,
    functionSignature: intent.kind === "contract-call" ? called.signature : undefined,
    label: site.label,
  };
}

/** A contract without an artifact has its address as name. */
function claimedName({ name, address }: { readonly name: string; readonly address: Address | undefined }) {
  return foreignText(address !== undefined && name === toBase58(address) ? "" : name);
}
