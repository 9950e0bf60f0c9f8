import { bytesToHex, defined, sun, visibleLine } from "@finality/tron/primitives";
import { ReadError } from "@finality/tron/read";
import { callIntent } from "../call-intent.ts";
import { estimateIntent } from "../estimates.ts";
import { addressField, coinsField, integerField, textField } from "../fields.ts";
import { intentJson } from "../intent-json.ts";
import type { AgentPorts, ReadConnection } from "../ports.ts";
import type { ProposedIntent } from "../proposals.ts";
import { type AgentTool, type Caller, defineTool } from "../tool.ts";
import { untrusted } from "../untrusted.ts";
import { callFields } from "./read-tools.ts";

const network = textField("name of a network from finality_networks; the active one if absent", 60);
const LONGEST_AGENT = 60;

/** Stores a proposal for the network that is read. */
async function propose(
  { agent }: Caller,
  { note, intent }: { readonly note: string | undefined; readonly intent: ProposedIntent },
  { proposals }: Pick<AgentPorts, "proposals">,
  { network: { name }, gateway }: ReadConnection,
) {
  const named = visibleLine(agent, LONGEST_AGENT - 1) || "an agent";
  const chain = await gateway.chainId("solid");
  const content = { at: Date.now(), agent: named, network: name, intent, note: note ?? "", ...defined({ chain }) };
  const stored = await (await proposals()).add(content);
  return {
    proposal: stored.id,
    hash: stored.hash,
    network: untrusted(name),
    intent: intentJson(intent),
    next: "Nothing is signed or sent. The user reviews it in the Transactions view of the editor, and may discard it.",
  };
}

export const proposalTools: readonly AgentTool[] = [
  defineTool({
    name: "finality_propose_transfer",
    title: "Propose Transfer",
    description:
      "Proposes a transfer of coins or of a TRC-10 token. The user reviews it in the editor and signs it or not. It signs and sends nothing.",
    effect: "proposes",
    required: { from: addressField("sender"), to: addressField("recipient") },
    optional: {
      network,
      amount: coinsField("amount of coins"),
      tokenId: textField("id of a TRC-10 token", 20),
      tokenAmount: integerField("amount of the token in its smallest unit"),
      memo: textField("memo of the transaction, which is public", 200),
      note: textField("reason, shown to the user", 500),
    },
    run: async ({ network: name, from: owner, to, amount, tokenId, tokenAmount, memo, note }, ports, caller) => {
      const common = {
        owner,
        to,
        ...defined({ memo: memo === undefined ? undefined : bytesToHex(Buffer.from(memo)) }),
      };
      const intent = transferOf({ amount, tokenId, tokenAmount }, common);
      return await ports.read(name, (connection) => propose(caller, { note, intent }, ports, connection));
    },
  }),
  defineTool({
    name: "finality_propose_call",
    title: "Propose Call",
    description:
      "Proposes a contract call, such as a TRC-20 transfer. It is simulated first. The user reviews it in the editor and signs it or not. It signs and sends nothing.",
    effect: "proposes",
    required: { from: addressField("caller"), contract: addressField("contract") },
    optional: {
      network,
      ...callFields,
      feeLimit: integerField("fee limit in sun; the suggested one if absent"),
      note: textField("reason, shown to the user", 500),
    },
    run: async ({ network: name, callValue, feeLimit, note, ...call }, ports, caller) => {
      const value = callValue === undefined ? undefined : sun(callValue);
      const unlimited = callIntent({ ...call, ...defined({ callValue: value }) });
      const abi = await ports.names();
      return await ports.read(name, async (connection) => {
        const estimate = await estimateIntent(connection.gateway, unlimited, abi);
        const limit = feeLimit === undefined ? estimate.suggestedFeeLimit : sun(feeLimit);
        if (limit === undefined)
          throw new ReadError(
            "set, because the call has no estimate. finality_estimate_call has the reason",
            ".feeLimit",
          );
        const intent = { ...unlimited, feeLimit: limit };
        return { ...(await propose(caller, { note, intent }, ports, connection)), estimate: estimate.json };
      });
    },
  }),
  defineTool({
    name: "finality_proposal_state",
    title: "State of a Proposal",
    description:
      "Returns if a proposal is open, used or discarded, and the transaction that it became. Sends no request.",
    effect: "reads",
    required: { proposal: textField("id of the proposal", 36) },
    optional: {},
    run: async ({ proposal }, ports) => {
      const sent = (await ports.transactions()).find((it) => it.signed?.proposal === proposal);
      const state = sent === undefined ? await (await ports.proposals()).stateOf(proposal) : "used";
      if (state === undefined) throw new ReadError("the id of a proposal", ".proposal");
      return { proposal, state, ...defined({ txId: sent?.txId }) };
    },
  }),
];

/** Returns the intent of a transfer. @throws {ReadError} unless coins or a token are named */
function transferOf(
  {
    amount,
    tokenId,
    tokenAmount,
  }: { amount?: ReturnType<typeof sun> | undefined; tokenId?: string | undefined; tokenAmount?: bigint | undefined },
  common: Pick<ProposedIntent & { kind: "transfer" }, "owner" | "to" | "memo">,
): ProposedIntent {
  if (tokenId === undefined && tokenAmount === undefined) {
    if (amount === undefined) throw new ReadError("an amount of coins", ".amount");
    return { kind: "transfer", ...common, amount };
  }
  if (tokenId === undefined || tokenAmount === undefined || amount !== undefined)
    throw new ReadError("with tokenAmount, and without amount", ".tokenId");
  return { kind: "token-transfer", ...common, tokenId, amount: tokenAmount };
}
