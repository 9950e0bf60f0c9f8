import assert from "node:assert/strict";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { bytesToHex, type Hex, hex, type TxId } from "../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../packages/tron/src/primitives/json.ts";
import type { Intent, PermissionIntent, Resource } from "../../packages/tron/src/transaction/intent.ts";
import { verifyAgainstIntent } from "../../packages/tron/src/transaction/verify-against-intent.ts";
import { type ExchangeFile, loadExchanges, type RecordedExchange } from "../support/recorded/exchanges.ts";
import { abiToHex } from "../support/tracking/intents.ts";

const FILES: readonly ExchangeFile[] = ["broadcast", "contracts", "createtransaction", "resources"];

/** Intent of the request to each endpoint. */
const INTENTS: { readonly [path: string]: (request: JsonObject) => Intent } = {
  "/wallet/createtransaction": (it) => ({
    ...common(it),
    kind: "transfer",
    to: address(it.to_address),
    amount: amount(it.amount),
  }),
  "/wallet/freezebalancev2": (it) => ({
    ...common(it),
    kind: "stake",
    resource: resource(it),
    amount: amount(it.frozen_balance),
  }),
  "/wallet/unfreezebalancev2": (it) => ({
    ...common(it),
    kind: "unstake",
    resource: resource(it),
    amount: amount(it.unfreeze_balance),
  }),
  "/wallet/delegateresource": (it) => ({
    ...common(it),
    kind: "delegate",
    resource: resource(it),
    amount: amount(it.balance),
    receiver: address(it.receiver_address),
  }),
  "/wallet/accountpermissionupdate": (it) => ({
    ...common(it),
    kind: "permission-update",
    ownerPermission: permission(it.owner),
    activePermissions: (it.actives as readonly Json[]).map(permission),
  }),
  "/wallet/deploycontract": (it) => ({
    ...common(it),
    kind: "contract-creation",
    name: String(it.name),
    bytecode: hex(`${it.bytecode}${it.parameter}`),
    abi: abiToHex(abiOf(it.abi)),
    callValue: amount(it.call_value),
    feeLimit: amount(it.fee_limit),
    userPercent: BigInt(Number(it.consume_user_resource_percent)),
    originEnergyLimit: BigInt(Number(it.origin_energy_limit)),
  }),
};

const built = FILES.flatMap((file) => loadExchanges(file)).filter(
  (it) => it.path in INTENTS && isJsonObject(it.responseBody) && "raw_data_hex" in it.responseBody,
);

describe("verifyAgainstIntent, with recorded transactions", () => {
  for (const exchange of built) {
    const name = `${exchange.path.slice("/wallet/".length)} ${exchange.case}`;
    it(`S67 accepts ${name}`, () => {
      const result = verify(exchange);

      assert.deepEqual(result.kind === "different" ? result.differences : [], []);
      assert.equal(result.kind, "same");
    });
  }

  it("S67 refuses a transaction for another recipient than requested", () => {
    const transfers = built.filter((it) => it.path === "/wallet/createtransaction");
    for (const exchange of transfers) {
      const result = verify(exchange, { to_address: "41ffffffffffffffffffffffffffffffffffffffff" });

      assert.equal(result.kind, "different", exchange.case);
    }

    assert.ok(transfers.length > 20);
  });
});

function verify(exchange: RecordedExchange, change: JsonObject = {}): ReturnType<typeof verifyAgainstIntent> {
  const answer = exchange.responseBody as { txID: TxId; raw_data_hex: Hex; raw_data: { expiration: number } };
  const intentOf = INTENTS[exchange.path];
  assert.ok(intentOf);
  return verifyAgainstIntent(
    { txId: answer.txID, rawDataHex: answer.raw_data_hex },
    intentOf({ ...requestOf(exchange), ...change }),
    { headTimestamp: answer.raw_data.expiration - 60_000 },
  );
}

/** Returns the JSON of a request. Some were recorded as text. */
function requestOf({ requestBody }: RecordedExchange): JsonObject {
  const request = typeof requestBody === "string" ? parseJson(requestBody) : requestBody;
  assert.ok(isJsonObject(request));
  return request;
}

function common(request: JsonObject): Pick<Intent, "owner" | "memo" | "permissionId"> {
  const { owner_address, Permission_id, extra_data } = request;
  const memo = String(extra_data ?? "");
  return {
    owner: address(owner_address),
    ...(typeof Permission_id === "number" ? { permissionId: Permission_id } : {}),
    ...(memo === "" ? {} : { memo: request.visible === true ? bytesToHex(Buffer.from(memo)) : hex(memo) }),
  };
}

function address(value: Json | undefined): ReturnType<typeof parseAddress> {
  return parseAddress(String(value));
}

function amount(value: Json | undefined): ReturnType<typeof sun> {
  return sun(BigInt((value as number | undefined) ?? 0));
}

function resource(request: JsonObject): Resource {
  return request.resource === "ENERGY" ? "ENERGY" : "BANDWIDTH";
}

function permission(value: Json | undefined): PermissionIntent {
  const { permission_name, threshold, keys, operations } = value as {
    permission_name: string;
    threshold: number;
    keys: readonly { address: string; weight: number }[];
    operations?: Hex;
  };
  return {
    name: permission_name,
    threshold: BigInt(threshold),
    keys: keys.map((it) => ({ address: parseAddress(it.address), weight: BigInt(it.weight) })),
    ...(operations === undefined ? {} : { operations }),
  };
}

function abiOf(value: Json | undefined): readonly JsonObject[] {
  return (typeof value === "string" ? parseJson(value) : value) as unknown as readonly JsonObject[];
}
