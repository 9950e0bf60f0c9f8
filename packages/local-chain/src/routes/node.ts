import { hexToBytes, isHexPairs, type Json, type JsonObject } from "@finality/tron/primitives";
import type { Block } from "../chain/block.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import type { NodeVersion } from "../chain/parameters.ts";
import { validAddress } from "../chain/transaction.ts";
import { parseBody } from "../http/fastjson.ts";
import { type Members, textValue } from "../http/java-values.ts";
import { base58Payload } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import type { ServletRequest } from "../http/servlet-container.ts";
import type { NodeView } from "../node/node-view.ts";
import { unlessZero } from "./print.ts";
import { BASE58_ADDRESS_LENGTH, type Handler, parameter, plainText, type Route } from "./route.ts";

/** Version names that the node prints. */
const VERSION_CODES: { readonly [version in NodeVersion]: string } = { "4.8.0": "18631", "4.8.2": "18643" };
const HEX_ADDRESS_LENGTH = 42;
const BASE64_ADDRESS_LENGTH = 28;

/** Routes about the node and the chain's rules. */
export const nodeRoutes: readonly Route[] = [
  plain("getchainparameters", "GetChainParametersServlet", false, (_request, view) => chainParameters(view)),
  {
    ...plain("getnodeinfo", "GetNodeInfoServlet", true, (_request, view) => nodeInfo(view)),
    paths: ["/wallet/getnodeinfo", "/monitor/getnodeinfo"],
  },
  plain("getenergyprices", "GetEnergyPricesServlet", true, (_request, { state }) =>
    spaced({ prices: state.totals.prices.energy }),
  ),
  plain("getbandwidthprices", "GetBandwidthPricesServlet", true, (_request, { state }) =>
    spaced({ prices: state.totals.prices.bandwidth }),
  ),
  plain("getmemofee", "GetMemoFeePricesServlet", false, (_request, { state }) =>
    spaced({ prices: state.totals.prices.memo }),
  ),
  plain("getburntrx", "GetBurnTrxServlet", true, (_request, { state }) =>
    spaced({ burnTrxAmount: unlessZero(state.totals.burnt) ?? 0 }),
  ),
  plain("getnextmaintenancetime", "GetNextMaintenanceTimeServlet", false, (_request, { state }) =>
    spaced({ num: state.totals.nextMaintenance }),
  ),
  {
    ...plain("listnodes", "ListNodesServlet", false, () => compact({})),
    paths: ["/wallet/listnodes", "/net/listnodes"],
  },
  plain("totaltransaction", "TotalTransactionServlet", false, () => compact({})),
  {
    ...plain("getstatsinfo", "MetricsServlet", false, (_request, view) => statistics(view)),
    paths: ["/monitor/getstatsinfo"],
    post: "refused",
  },
  {
    name: "validateaddress",
    servlet: "ValidateAddressServlet",
    solidity: false,
    post: (request) => {
      const json = readable(request);
      return json === undefined ? "nothing" : validate(textValue(json, "address"), request.nodeVersion);
    },
    get: (request) => validate(parameter(request, "address"), request.nodeVersion),
  },
];

function plain(name: string, servlet: string, solidity: boolean, handler: Handler): Route {
  return { name, servlet, solidity, post: handler, get: handler };
}

function chainParameters({ chain }: NodeView): Reply {
  const entries = Object.entries(chain.parameters);
  return spaced({ chainParameter: entries.map(([key, value]) => ({ key, value: unlessZero(value) })) });
}

/** Prints plain Java objects, which unlike messages include zeros. JVM-specific values are zero. */
function nodeInfo(view: NodeView): Reply {
  const { head, solid } = view;
  return compact({
    activeConnectCount: 0,
    passiveConnectCount: 0,
    currentConnectCount: 0,
    totalFlow: 0,
    peerList: [],
    beginSyncNum: head.header.number - layersOf(view.chain),
    block: place(head),
    solidityBlock: place(solid),
    cheatWitnessInfoMap: {},
    configNodeInfo: configuration(view),
    machineInfo: machine(),
  });
}

/** Returns the number of state layers: one for each unsolidified block, and one for the pool. */
function layersOf({ head, solid, irreversible }: Blockchain): number {
  const blocks = head.header.number - solid.header.number;
  return solid.header.number === irreversible.header.number ? blocks + 1 : blocks;
}

function place({ header, id }: Block): string {
  return `Num:${header.number},ID:${id}`;
}

function configuration({ settings, chain }: NodeView): Json {
  return {
    codeVersion: chain.nodeVersion,
    versionNum: VERSION_CODES[chain.nodeVersion],
    p2pVersion: "20990101",
    supportConstant: settings.constantCalls,
    discoverEnable: false,
    dbVersion: 2,
    listenPort: 0,
    maxConnectCount: 0,
    sameIpMaxConnectCount: 0,
    backupListenPort: 0,
    activeNodeSize: 0,
    passiveNodeSize: 0,
    sendNodeSize: 0,
    backupMemberSize: 0,
    backupPriority: 0,
    allowAdaptiveEnergy: 0,
    allowCreationOfContracts: 1,
    maxTimeRatio: 5,
    minTimeRatio: 0,
    minParticipationRate: 0,
  };
}

function machine(): Json {
  return {
    cpuCount: 0,
    cpuRate: 0,
    processCpuRate: 0,
    threadCount: 0,
    osName: "embedded",
    javaVersion: "none",
    freeMemory: 0,
    totalMemory: 0,
    jvmFreeMemory: 0,
    jvmTotalMemory: 0,
    memoryDescInfoList: [{ initSize: 0, maxSize: 0, name: "none", useRate: 0, useSize: 0 }],
    deadLockThreadCount: 0,
    deadLockThreadInfoList: [],
  };
}

const NO_RATE = { count: 0, fifteenMinuteRate: 0, fiveMinuteRate: 0, meanRate: 0, oneMinuteRate: 0 };

/** Prints statistics; nothing is counted here. */
function statistics({ head, chain }: NodeView): Reply {
  return compact({
    blockchain: {
      blockProcessTime: NO_RATE,
      dupWitness: [],
      failForkCount: 0,
      failProcessBlockNum: 0,
      failProcessBlockReason: "",
      forkCount: 0,
      headBlockHash: head.id,
      headBlockNum: head.header.number,
      headBlockTimestamp: head.header.timestamp,
      missedTransaction: NO_RATE,
      tps: NO_RATE,
      transactionCacheSize: 0,
      witnesses: [],
    },
    interval: 0,
    net: trafficStatistics(),
    node: { backupStatus: 0, ip: "127.0.0.1", nodeType: 0, version: chain.nodeVersion },
  });
}

function trafficStatistics(): JsonObject {
  return {
    api: { detail: [], failQps: NO_RATE, outTraffic: NO_RATE, qps: NO_RATE },
    connectionCount: 0,
    disconnectionCount: 0,
    disconnectionDetail: [],
    errorProtoCount: 0,
    latency: { delay1S: 0, delay2S: 0, delay3S: 0, detail: [], top75: 0, top95: 0, top99: 0, totalCount: 0 },
    tcpInTraffic: NO_RATE,
    tcpOutTraffic: NO_RATE,
    udpInTraffic: NO_RATE,
    udpOutTraffic: NO_RATE,
    validConnectionCount: 0,
  };
}

/** Reads the body; this servlet's response to an unreadable one is empty. */
function readable(request: ServletRequest): Members | undefined {
  try {
    return parseBody(plainText(request), request.nodeVersion);
  } catch {
    return undefined;
  }
}

/** Validates an address, whose length selects hex, base58check or base64 (ValidateAddressServlet). */
function validate(text: string | undefined, version: NodeVersion): Reply {
  const reply = (result: boolean, message: string): Reply => compact({ result, message });
  if (text === undefined) {
    const variable = version === "4.8.0" ? "<local3>" : "<parameter1>";
    return reply(false, `Cannot invoke "String.length()" because "${variable}" is null`);
  }
  if (text.length === HEX_ADDRESS_LENGTH) return isAddressHex(text) ? reply(true, "Hex string format") : invalid();
  if (text.length === BASE58_ADDRESS_LENGTH) {
    return base58Payload(text).kind === "payload" ? reply(true, "Base58check format") : invalid();
  }
  if (text.length === BASE64_ADDRESS_LENGTH) {
    return validAddress(Buffer.from(text, "base64")) === undefined ? invalid() : reply(true, "Base64 format");
  }
  return reply(false, "Length error");
}

function invalid(): Reply {
  return compact({ result: false, message: "Invalid address" });
}

function isAddressHex(text: string): boolean {
  return isHexPairs(text) && validAddress(hexToBytes(text)) !== undefined;
}
