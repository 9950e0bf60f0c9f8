import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Exactly the paths that the gateway document lists (Endpoints). */
export const TEN_PATHS: readonly string[] = [
  "/wallet/createtransaction",
  "/wallet/broadcasttransaction",
  "/walletsolidity/gettransactioninfobyid",
  "/walletsolidity/gettransactionbyid",
  "/wallet/gettransactioninfobyid",
  "/wallet/triggerconstantcontract",
  "/wallet/estimateenergy",
  "/walletsolidity/getblockbynum",
  "/wallet/getaccountresource",
  "/wallet/getchainparameters",
];

const CONSTANT_CALL = "/wallet/triggerconstantcontract";
/** Answer of a node with `vm.supportConstant` off. */
const CODE_OFF = {
  code: "CONTRACT_VALIDATE_ERROR",
  message: Buffer.from("this node does not support constant").toString("hex"),
};

/** Answer to all other paths: an error page, none, or that of the node. */
export type ToOthers = "404" | "silence" | "everything passes";

/** A front before a gateway that passes the listed paths alone, and counts what was asked. */
export interface TenPaths extends AsyncDisposable {
  readonly url: string;
  /** Treatment of unlisted paths; may be changed at any time. */
  toOthers: ToOthers;
  /** The answer to a broadcast is dropped, after the gateway behind has it, or instead of that. */
  broadcasts: "pass" | "answer lost" | "lost";
  /** False if the node refuses constant calls, as its operator may configure. */
  runsCode: boolean;
  /** Returns the number of requests per path since the last call. */
  counted(): ReadonlyMap<string, number>;
}

/** @param behind - the base URL of the gateway that answers */
export async function startTenPaths(behind: string, toOthers: ToOthers): Promise<TenPaths> {
  const counts = new Map<string, number>();
  const front = { toOthers, broadcasts: "pass" as TenPaths["broadcasts"], runsCode: true };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", behind);
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    if (!front.runsCode && pathname === CONSTANT_CALL) response.end(JSON.stringify({ result: CODE_OFF }));
    else if (passes(pathname, front.toOthers)) void pass({ request, response, behind, front });
    else refuse(response, front);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return Object.assign(front, {
    url: `http://127.0.0.1:${port}`,
    counted: () => {
      const all = new Map(counts);
      counts.clear();
      return all;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  });
}

function passes(path: string, toOthers: ToOthers): boolean {
  return toOthers === "everything passes" || TEN_PATHS.includes(path);
}

function refuse(response: ServerResponse, { toOthers }: Pick<TenPaths, "toOthers">): void {
  if (toOthers === "404") response.writeHead(404, { "content-type": "text/plain" }).end("Not Found");
}

interface Passing {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly behind: string;
  readonly front: Pick<TenPaths, "broadcasts">;
}

/** The node behind drops requests without a valid token, and so does the front. */
async function pass({ request, response, behind, front }: Passing): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const isBroadcast = request.url === "/wallet/broadcasttransaction";
  try {
    if (isBroadcast && front.broadcasts === "lost") throw new Error("It is lost on the way.");
    const { method = "POST", url = "", headers } = request;
    const kept = Object.entries(headers).filter(([name]) => !["host", "connection", "content-length"].includes(name));
    const answer = await fetch(behind + url, {
      method,
      headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
      body: Buffer.concat(chunks),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (isBroadcast && front.broadcasts === "answer lost") throw new Error("Its answer is lost on the way.");
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(body);
  } catch {
    response.socket?.destroy();
  }
}
