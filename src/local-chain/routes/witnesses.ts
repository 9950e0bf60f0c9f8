import { type Address, parseAddress } from "../../core/primitives/address.ts";
import type { JsonObject } from "../../core/primitives/json.ts";
import { slotAt } from "../chain/usage.ts";
import { type Reply, spaced } from "../http/reply.ts";
import { printAddress, unlessZero } from "./print.ts";
import { queryVisible, type Route, type ServletRequest, type View } from "./route.ts";

/** Nobody votes here: the witnesses have the votes that they began with. */
const VOTES = 1_000_000;

export const witnessRoutes: readonly Route[] = [
  {
    name: "listwitnesses",
    servlet: "ListWitnessesServlet",
    solidity: true,
    post: listWitnesses,
    get: listWitnesses,
  },
];

interface Turn {
  readonly witness: Address;
  /** The height and the time of the newest block that it has made. */
  readonly height: number;
  readonly timestamp: number;
}

function listWitnesses(request: ServletRequest, view: View): Reply {
  const turns = latestTurns(view);
  const visible = queryVisible(request);
  return spaced({ witnesses: turns.map((it, index) => printWitness(it, index, turns.length, visible)) });
}

/** Witnesses take turns, so the newest blocks are by all of them. */
function latestTurns(view: View): readonly Turn[] {
  const turns: Turn[] = [];
  for (let height = view.newest.header.number; height > 0; height -= 1) {
    const header = view.block(height)?.header;
    if (header === undefined || turns.some(({ witness }) => witness === (header.witness as string))) break;
    turns.push({ witness: parseAddress(header.witness), height, timestamp: header.timestamp });
  }
  return turns;
}

function printWitness(
  { witness, height, timestamp }: Turn,
  index: number,
  count: number,
  visible: boolean,
): JsonObject {
  return {
    address: printAddress(witness, visible),
    voteCount: VOTES - index,
    url: `http://witness-${height % count}.invalid`,
    totalProduced: unlessZero(Math.ceil(height / count)),
    latestBlockNum: height,
    latestSlotNum: slotAt(timestamp),
    isJobs: true,
  };
}
