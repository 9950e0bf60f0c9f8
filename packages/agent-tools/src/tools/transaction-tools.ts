import { failureReason, runOf } from "@finality/client/explain";
import { allowedActions, failureOf, stateNames, type TrackedTransaction } from "@finality/client/tracking";
import type { AbiIndex } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { defined, type JsonObject } from "@finality/tron/primitives";
import { choiceField, countField, textField, txIdField } from "../fields.ts";
import { intentJson } from "../intent-json.ts";
import { type AgentTool, defineTool } from "../tool.ts";
import { untrusted } from "../untrusted.ts";

const FINAL: readonly string[] = ["solidified", "provenAbsent", "replaced"];
const MOST_LISTED = 50;

const network = textField("name of a network from finality_networks; the active one if absent", 60);

/** Returns a transaction for a model. Everything that a node or a contract wrote is marked. */
function transactionJson(tracked: TrackedTransaction): JsonObject {
  const { txId, state, label, createdAt, signed } = tracked;
  const block = "block" in state ? { number: state.block.number } : undefined;
  const outcome = "outcome" in state ? state.outcome?.kind : undefined;
  return {
    txId,
    state: stateNames[state.kind],
    final: FINAL.includes(stateNames[state.kind]),
    network: untrusted(tracked.network),
    createdAt: new Date(createdAt).toISOString(),
    ...defined({ block, outcome, label: label === undefined ? undefined : untrusted(label) }),
    ...(signed === undefined ? {} : { intent: intentJson(signed.intent) }),
  };
}

/** Returns the reason of a failure, a refusal or an unknown outcome. */
function whyOf(tracked: TrackedTransaction, abi: AbiIndex): JsonObject | undefined {
  const { state, signed } = tracked;
  if (state.kind === "unknown") return untrusted(state.reason);
  if (state.kind === "rejected") return untrusted(`${state.code}: ${state.message}`);
  const failed = failureOf(tracked);
  if (failed === undefined) return undefined;
  const reason = failureReason(failed, runOf(signed?.intent), { abi, nameOf: () => undefined });
  return untrusted(reason?.text ?? failed.message ?? failed.result);
}

/** Advice for each state, so that an agent never pays twice. */
const ADVICE: Readonly<Record<(typeof stateNames)[keyof typeof stateNames], string>> = {
  signed: "It was signed and not sent. Only the user can send it.",
  unknown:
    "It may be executed. Propose nothing new: query it again, or the user sends the same bytes again, which cannot pay twice.",
  pending: "A node accepted it. It is not final: query it again.",
  included: "A block contains it, and a reorganization can still remove it. It is not final: query it again.",
  solidified:
    "It is final. Outcome success means that it was executed; outcome failed means that it only cost its fee.",
  rejected:
    "The node refused it. Its bytes may still be executed until they expire. Propose nothing new before that: query it again.",
  provenAbsent: "It is proven that it was never executed. A replacement is safe.",
  replaced: "Another transaction has its place.",
};

export const transactionTools: readonly AgentTool[] = [
  defineTool({
    name: "finality_list_transactions",
    title: "List Transactions",
    description: "Lists the transactions of the user's journal with their states, newest first. Sends no request.",
    effect: "reads",
    required: {},
    optional: {
      limit: countField("number of transactions, 20 if absent", 1, MOST_LISTED),
      state: choiceField("only transactions in this state", ...Object.values(stateNames)),
    },
    run: async ({ limit = 20, state }, ports) => {
      const all = (await ports.transactions()).filter((it) => !it.hidden);
      const matching = all.filter((it) => state === undefined || stateNames[it.state.kind] === state);
      return { total: matching.length, transactions: matching.slice(0, limit).map(transactionJson) };
    },
  }),
  defineTool({
    name: "finality_explain_transaction",
    title: "Explain Transaction",
    description:
      "Queries a transaction once: its state, if it is final, why it failed, and what may be done next. Also finds the outcome after a lost answer.",
    effect: "reads",
    required: { txId: txIdField },
    optional: { network },
    run: async ({ txId, network: name }, ports) => {
      const tracked = await ports.refresh(txId, name);
      if (tracked === undefined) throw new ChainError("TRANSACTION_NOT_FOUND", { txId, network: name ?? "" });
      const why = whyOf(tracked, await ports.names());
      const actions = allowedActions(tracked, { all: await ports.transactions() });
      return {
        ...transactionJson(tracked),
        ...defined({ why }),
        advice: ADVICE[stateNames[tracked.state.kind]],
        userCan: actions,
      };
    },
  }),
];
