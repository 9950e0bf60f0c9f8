import { hexToBytes, isHexPairs } from "../../core/primitives/bytes.ts";
import type { Json } from "../../core/primitives/json.ts";
import type { Block } from "../chain/block.ts";
import { validAddress } from "../chain/transaction.ts";
import { parseBody } from "../http/fastjson.ts";
import { base58Payload } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import { textValue, unlessZero } from "./print.ts";
import { bodyText, type Handler, type Route, type View } from "./route.ts";

const VERSION = "4.8.0";
const HEX_ADDRESS_LENGTH = 42;
const BASE58_ADDRESS_LENGTH = 34;
const BASE64_ADDRESS_LENGTH = 28;

/** What a node says of itself and of the chain's rules. */
export const nodeRoutes: readonly Route[] = [
  plain("getchainparameters", "GetChainParametersServlet", false, (_request, view) => chainParameters(view)),
  plain("getnodeinfo", "GetNodeInfoServlet", true, (_request, view) => nodeInfo(view)),
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
  plain("listnodes", "ListNodesServlet", false, () => compact({})),
  {
    name: "validateaddress",
    servlet: "ValidateAddressServlet",
    solidity: false,
    post: (request) => validate(textValue(parseBody(bodyText(request)) ?? {}, "address")),
    get: (request) => validate(request.query.get("address") ?? undefined),
  },
];

function plain(name: string, servlet: string, solidity: boolean, handler: Handler): Route {
  return { name, servlet, solidity, post: handler, get: handler };
}

function chainParameters({ chain }: View): Reply {
  const entries = Object.entries(chain.parameters);
  return spaced({ chainParameter: entries.map(([key, value]) => ({ key, value: unlessZero(value) })) });
}

/** Plain Java objects: unlike messages they print their zeros. What only a machine with a JVM has is zero. */
function nodeInfo(view: View): Reply {
  const { head, solid } = view;
  return compact({
    activeConnectCount: 0,
    passiveConnectCount: 0,
    currentConnectCount: 0,
    totalFlow: 0,
    peerList: [],
    beginSyncNum: solid.header.number,
    block: place(head),
    solidityBlock: place(solid),
    cheatWitnessInfoMap: {},
    configNodeInfo: configuration(view),
    machineInfo: machine(),
  });
}

function place({ header, id }: Block): string {
  return `Num:${header.number},ID:${id}`;
}

function configuration({ settings }: View): Json {
  return {
    codeVersion: VERSION,
    versionNum: "18631",
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
    memoryDescInfoList: [],
    deadLockThreadCount: 0,
    deadLockThreadInfoList: [],
  };
}

/** By its length a text is hex, base58check or base64 (ValidateAddressServlet). */
function validate(text: string | undefined): Reply {
  const reply = (result: boolean, message: string): Reply => compact({ result, message });
  if (text === undefined) return reply(false, 'Cannot invoke "String.length()" because "<local3>" is null');
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
