import {
  createHttpGateway,
  type HttpGateway,
  type HttpGatewayOptions,
} from "../../../packages/client/src/gateway/http/http-gateway.ts";
import { bindToOrigins, type NetworkProfile } from "../../../packages/client/src/gateway/network.ts";
import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import type { Hex, TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject } from "../../../packages/tron/src/primitives/json.ts";
import {
  type BlockHeader,
  blockId,
  type SignedTransaction,
} from "../../../packages/tron/src/transaction/built-transaction.ts";
import { loadExchanges } from "../recorded/exchanges.ts";
import { FakeClock } from "./fake-clock.ts";

export function profileAt(baseUrl: string, change: Partial<NetworkProfile> = {}): NetworkProfile {
  return {
    name: "Test",
    baseUrl,
    fallbackUrls: [],
    jwt: false,
    apiKeyHeader: "CHAIN-PRO-API-KEY",
    production: false,
    local: false,
    ...change,
  };
}

/** Credentials are bound to the base URL. */
interface GatewayOptions extends Omit<Partial<HttpGatewayOptions>, "accessToken" | "apiKey"> {
  readonly accessToken?: () => Promise<string>;
  readonly apiKey?: string;
}

/** A gateway whose waits pass at once and whose own connections the test closes with it. */
export function gatewayAt(
  baseUrl: string,
  change: Partial<NetworkProfile> = {},
  { accessToken, apiKey, ...options }: GatewayOptions = {},
): { gateway: HttpGateway; clock: FakeClock } & AsyncDisposable {
  const clock = new FakeClock();
  const profile = profileAt(baseUrl, change);
  const gateway = createHttpGateway(profile, {
    clock,
    random: () => 0,
    ...options,
    ...(accessToken === undefined ? {} : { accessToken: bindToOrigins(profile, accessToken) }),
    ...(apiKey === undefined ? {} : { apiKey: bindToOrigins(profile, apiKey) }),
  });
  return { gateway, clock, [Symbol.asyncDispose]: () => gateway.close() };
}

/** A transfer that a real node built, with a signature of the right length. */
export function recordedTransfer(): SignedTransaction {
  const built = loadExchanges("createtransaction").find((it) => it.case === "ok")?.responseBody;
  if (!isJsonObject(built)) throw new Error("The recording createtransaction/ok is gone.");
  return {
    txId: built.txID as TxId,
    rawDataHex: built.raw_data_hex as Hex,
    signatures: ["ab".repeat(65) as Hex],
  };
}

/** The block that a real node answered as its newest one. */
export function recordedBlock(): unknown {
  return loadExchanges("lookups").find((it) => it.case === "nowblock-wallet")?.responseBody;
}

const HEADER: BlockHeader = {
  number: 1,
  timestamp: 1_767_225_600_000,
  parentId: "11".repeat(32) as BlockId,
  transactionRoot: "00".repeat(32) as Hex,
  witness: `41${"00".repeat(19)}01` as Hex,
  version: 32,
};

/** The JSON of a block without transactions, as a node prints it, with the id that follows from its header. */
export function wireBlock(change: Partial<BlockHeader>) {
  const header = { ...HEADER, ...change };
  const { number, timestamp, parentId: parentHash, transactionRoot: txTrieRoot, witness, version } = header;
  const raw_data = { number, timestamp, parentHash, txTrieRoot, witness_address: witness, version };
  return { blockID: blockId(header), block_header: { raw_data } };
}
