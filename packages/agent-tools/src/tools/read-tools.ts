import { defined, sun, toBase58 } from "@finality/tron/primitives";
import { callIntent } from "../call-intent.ts";
import { estimateIntent, estimateTransfer } from "../estimates.ts";
import { addressField, coinsField, hexField, integerField, listField, textField } from "../fields.ts";
import { type AgentTool, defineTool } from "../tool.ts";
import { untrusted } from "../untrusted.ts";

const network = textField("name of a network from finality_networks; the active one if absent", 60);

/** Arguments that describe a contract call. */
export const callFields = {
  function: textField("signature, such as transfer(address,uint256)", 500),
  arguments: listField("arguments as text; structs and lists as JSON", textField("", 2_000), 50),
  data: hexField("call data in hex, in place of function and arguments", 20_000),
  callValue: integerField("coins to send with the call, in sun"),
};

export const readTools: readonly AgentTool[] = [
  defineTool({
    name: "finality_networks",
    title: "List Networks",
    description: "Lists the networks of the user, with their URLs and if they use real money. Sends no request.",
    effect: "reads",
    required: {},
    optional: {},
    run: async (_values, ports) => ({
      networks: (await ports.networks()).slice(0, 50).map(({ name, baseUrl, production, local }) => ({
        name: untrusted(name),
        url: untrusted(baseUrl),
        realMoney: production,
        local,
      })),
    }),
  }),
  defineTool({
    name: "finality_read_account",
    title: "Read Account",
    description: "Reads balance, stakes and resources of an account.",
    effect: "reads",
    required: { address: addressField("account") },
    optional: { network },
    run: async ({ address, network: name }, ports) =>
      await ports.read(name, async ({ network: { name: shown }, gateway }) => {
        const [account, resources] = await Promise.all([gateway.account(address), gateway.accountResources(address)]);
        const own = account?.stakes?.own;
        return {
          address: toBase58(address),
          network: untrusted(shown),
          isActivated: account !== undefined,
          ...defined({ balanceSun: account?.balance?.toString() }),
          ...(own && { stakedSun: { energy: String(own.ENERGY), bandwidth: String(own.BANDWIDTH) } }),
          ...(resources && {
            energyLeft: String(resources.energyLimit - resources.energyUsed),
            bandwidthLeft: String(
              resources.freeBandwidthLimit -
                resources.freeBandwidthUsed +
                resources.stakedBandwidthLimit -
                resources.stakedBandwidthUsed,
            ),
          }),
        };
      }),
  }),
  defineTool({
    name: "finality_read_chain",
    title: "Read Chain Parameters",
    description: "Reads the newest block, the newest solidified block and the chain parameters of a network.",
    effect: "reads",
    required: {},
    optional: { network },
    run: async ({ network: name }, ports) =>
      await ports.read(name, async ({ network: { name: shown }, gateway }) => {
        const [head, solid, parameters] = await Promise.all([
          gateway.headBlock(),
          gateway.solidBlock(),
          gateway.chainParameters(),
        ]);
        const listed = [...parameters].slice(0, 200).map(([key, value]) => `${key.slice(0, 60)} ${value}`);
        return {
          network: untrusted(shown),
          head: { number: head.number, timestamp: head.timestamp },
          solid: { number: solid.number, timestamp: solid.timestamp },
          parameters: untrusted(listed.join("\n"), 20_000),
        };
      }),
  }),
  defineTool({
    name: "finality_estimate_call",
    title: "Estimate Call",
    description:
      "Simulates a contract call: its energy, its cost and a fee limit, or why it would fail. Sends no transaction.",
    effect: "reads",
    required: { from: addressField("caller"), contract: addressField("contract") },
    optional: { network, ...callFields },
    run: async ({ network: name, callValue, ...call }, ports) => {
      const intent = callIntent({
        ...call,
        ...defined({ callValue: callValue === undefined ? undefined : sun(callValue) }),
      });
      const abi = await ports.names();
      return await ports.read(name, async ({ network: { name: shown }, gateway }) => ({
        network: untrusted(shown),
        ...(await estimateIntent(gateway, intent, abi)).json,
      }));
    },
  }),
  defineTool({
    name: "finality_estimate_transfer",
    title: "Estimate Transfer",
    description: "Returns the fee of a transfer of coins, besides the amount. Sends no transaction.",
    effect: "reads",
    required: { from: addressField("sender"), to: addressField("recipient"), amount: coinsField("amount") },
    optional: { network },
    run: async ({ network: name, from: owner, to, amount }, ports) =>
      await ports.read(name, async ({ network: { name: shown }, gateway }) => ({
        network: untrusted(shown),
        ...(await estimateTransfer(gateway, { kind: "transfer", owner, to, amount })),
      })),
  }),
];
