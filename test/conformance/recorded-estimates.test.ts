import assert from "node:assert/strict";
import type { CodeIntent } from "../../packages/client/src/estimates/call-estimate.ts";
import { estimateCall } from "../../packages/client/src/estimates/estimate-call.ts";
import { selectorOf } from "../../packages/tron/src/abi/abi-signature.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { hex } from "../../packages/tron/src/primitives/bytes.ts";
import { type Json, type JsonObject, parseJson, printJson } from "../../packages/tron/src/primitives/json.ts";
import { gatewayAt } from "../support/fakes/gateway-fixtures.ts";
import { startServer, type TestServer, text } from "../support/http/http-server.ts";
import { type ExchangeFile, loadExchanges, loadLines } from "../support/recorded/exchanges.ts";

/** Estimate of a real node before a call, and the receipt after it. */
interface Comparison {
  readonly case: string;
  readonly constant_energy_used?: number | bigint;
  readonly constant_energy_penalty?: number | bigint;
  readonly constant_result: JsonObject;
  readonly estimate: JsonObject;
  readonly receipt: { readonly energy_usage_total: number | bigint };
  readonly fee: number | bigint;
  readonly request: {
    readonly owner_address: string;
    readonly contract_address: string;
    readonly function_selector: string;
    readonly parameter: string;
    readonly fee_limit: number | bigint;
    readonly call_value: number | bigint;
  };
}

function recorded(file: ExchangeFile, name: string): JsonObject {
  const found = loadExchanges(file).find((it) => it.case === name)?.responseBody;
  return found === undefined ? assert.fail(`${file}/${name} is gone`) : (found as JsonObject);
}

/** Starts a server with the recorded answers of a real node, for a caller without stake and free bandwidth. */
async function nodeThatSaid(it: Comparison): Promise<TestServer> {
  const run = {
    ...recorded("contracts", "constant-state-changing"),
    result: it.constant_result,
    energy_used: it.constant_energy_used ?? null,
    ...(it.constant_energy_penalty === undefined ? {} : { energy_penalty: it.constant_energy_penalty }),
  };
  const answers: Readonly<Record<string, Json>> = {
    "/wallet/getnowblock": recorded("lookups", "nowblock-wallet"),
    "/wallet/getchainparameters": recorded("resources", "getchainparameters"),
    "/wallet/getaccount": { ...recorded("resources", "account-fresh"), balance: 1_000_000_000 },
    "/walletsolidity/getaccount": recorded("resources", "account-contract"),
    "/wallet/getaccountresource": { TotalNetLimit: 43_200_000_000, TotalNetWeight: 5_000_000_000 },
    "/wallet/getcontractinfo": recorded("contracts", "getcontractinfo"),
    "/wallet/triggerconstantcontract": it.constant_energy_used === undefined ? { result: it.constant_result } : run,
    "/wallet/estimateenergy": it.estimate,
  };
  return await startServer((response, request, number) => {
    const answer = answers[request.path.split("?")[0] ?? ""];
    const handler = answer === undefined ? text("no such path", 404) : text(printJson(answer));
    handler(response, request, number);
  });
}

function intentOf({ request }: Comparison): CodeIntent {
  return {
    kind: "contract-call",
    owner: parseAddress(request.owner_address),
    contract: parseAddress(request.contract_address),
    data: hex(selectorOf(request.function_selector) + request.parameter),
    callValue: sun(BigInt(request.call_value)),
    feeLimit: sun(BigInt(request.fee_limit)),
  };
}

describe("estimates from recorded answers of a real node", () => {
  const comparisons = loadLines("energy-compare").map((line) => parseJson(printJson(line)) as unknown as Comparison);

  it("S73, S80 equal energy and fee of the receipts, except for code that reads its energy", async () => {
    const endings: string[] = [];
    for (const it of comparisons) {
      await using server = await nodeThatSaid(it);
      await using client = gatewayAt(server.url);
      const estimate = await estimateCall(client.gateway, intentOf(it));
      endings.push(estimate.kind === "estimated" && estimate.limitEffect !== "seen" ? "equal" : it.case);
      if (estimate.kind !== "estimated" || estimate.limitEffect === "seen") continue;
      assert.deepEqual(
        [estimate.energy, estimate.cost.fee],
        [BigInt(it.receipt.energy_usage_total), BigInt(it.fee)],
        it.case,
      );
    }

    const others = endings.filter((one) => one !== "equal");
    assert.deepEqual(others, ["spinN-10000", "gas-dependent", "gas-dependent-low-fee-limit", "spinN-10000-again"]);
    const equal = endings.length - others.length;
    process.stdout.write(
      `      recorded calls: ${equal} / ${equal} equal to the receipt, without a figure or gas-dependent: 4\n`,
    );
  });
});
