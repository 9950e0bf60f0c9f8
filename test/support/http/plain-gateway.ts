import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { wireBlock } from "../fakes/gateway-fixtures.ts";
import { type Handler, json, text } from "./http-server.ts";

/** State of a gateway that answers every path. */
export interface PlainGateway {
  /** Unix ms by which its blocks and its `Date` are made. */
  readonly now: number;
  readonly headAgeMs?: number;
  /** Blocks between the newest and the newest solidified one. */
  readonly behind?: number;
  /** Two digits of hex that tell its chain from others. */
  readonly chain?: string;
  /** The same of what its side of `/wallet` follows after the first block. */
  readonly fork?: string;
  readonly version?: string;
  /** Paths that it answers with this status; a beginning counts too. */
  readonly missing?: { readonly [path: string]: number };
  readonly headers?: Readonly<Record<string, string>>;
  /** True if its answers have a `Date`. */
  readonly tellsTime?: boolean;
}

const HEAD = 5_000;

/** A gateway of one node, without a chain behind it: blocks whose ids follow from their headers, and empty answers. */
export function plainGateway(gateway: PlainGateway): Handler {
  const { now, missing = {}, headers = {}, tellsTime = true } = gateway;
  const time: Readonly<Record<string, string>> = tellsTime ? { date: new Date(now).toUTCString() } : {};
  return (response, request, number) => {
    if (!tellsTime) response.sendDate = false;
    const refused = Object.entries(missing).find(([path]) => request.path.startsWith(path));
    const answer =
      refused === undefined
        ? json(answerOf(request.path, request.body, gateway), 200, { ...time, ...headers })
        : text("<html>", refused[1], time);
    answer(response, request, number);
  };
}

function answerOf(path: string, body: string, gateway: PlainGateway): unknown {
  const isHead = path.startsWith("/wallet/");
  const { headAgeMs = 2_000, behind = 19, chain = "aa", fork = chain, version = "4.8.0", now } = gateway;
  const blockAt = (number: number) =>
    wireBlock({
      number,
      timestamp: number === 0 ? 0 : now - headAgeMs - (HEAD - number) * 3_000,
      parentId: (isHead && number > 0 ? fork : chain).repeat(32) as BlockId,
    });
  switch (path.replace(/^\/wallet(?:solidity)?\//, "")) {
    case "getnowblock":
      return blockAt(isHead ? HEAD : HEAD - behind);
    case "getblockbynum":
      return blockAt(Number(JSON.parse(body).num));
    case "getnodeinfo":
      return {
        block: `Num:${HEAD},ID:00`,
        solidityBlock: `Num:${HEAD - behind},ID:00`,
        configNodeInfo: { codeVersion: version },
      };
    case "getchainparameters":
      return { chainParameter: [{ key: "getEnergyFee", value: 210 }] };
    case "createtransaction":
      return { Error: "class org.tron.core.exception.ContractValidateException : Invalid ownerAddress!" };
    default:
      return {};
  }
}
