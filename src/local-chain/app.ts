import { judge } from "./access/access.ts";
import { answerQuery } from "./gateway/gateway.ts";
import { answerTronBox } from "./gateway/tronbox.ts";
import { JavaError } from "./http/java-error.ts";
import { bareRefusal, methodRefused, unknownPath } from "./http/jetty.ts";
import {
  type Answer,
  answered,
  compact,
  emptyResponse,
  errorReply,
  type HttpRequest,
  type HttpResponse,
  headerOf,
  pathOf,
  queryOf,
  type Reply,
  servletResponse,
} from "./http/message.ts";
import { answerRpc } from "./json-rpc/rpc-server.ts";
import { accountRoutes } from "./routes/accounts.ts";
import { blockRoutes, transactionRoutes } from "./routes/blocks.ts";
import { broadcastRoutes, multiSignRoutes } from "./routes/broadcast.ts";
import { builderRoutes, deployRoutes } from "./routes/builders.ts";
import { contractCallRoutes, contractRoutes } from "./routes/contract-calls.ts";
import { answerControl } from "./routes/control.ts";
import { nodeRoutes } from "./routes/node.ts";
import { type Handler, headView, type Route, type ServletRequest, solidView, type View } from "./routes/route.ts";
import { stakeRoutes } from "./routes/stake.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { tradeRoutes } from "./routes/trade.ts";
import { votingRoutes } from "./routes/voting.ts";
import type { Simulation } from "./simulation/simulation.ts";

const routes: readonly Route[] = [
  ...accountRoutes,
  ...blockRoutes,
  ...broadcastRoutes,
  ...builderRoutes,
  ...contractCallRoutes,
  ...contractRoutes,
  ...deployRoutes,
  ...multiSignRoutes,
  ...nodeRoutes,
  ...stakeRoutes,
  ...tokenRoutes,
  ...tradeRoutes,
  ...transactionRoutes,
  ...votingRoutes,
];
const byPath = new Map(
  routes.flatMap((route): [string, Route][] => [
    [`/wallet/${route.name}`, route],
    ...(route.solidity ? [[`/walletsolidity/${route.name}`, route] satisfies [string, Route]] : []),
  ]),
);
/** The paths that the node has. */
export const nodePaths: readonly string[] = [...byPath.keys()];
const RPC_PATH = "/jsonrpc";
const POST_ALLOWED = "POST, TRACE, OPTIONS";

/** Answers one request: control, then what stands in front of the node, then the faults that are on, then the node. */
export async function answer(request: HttpRequest, simulation: Simulation): Promise<Answer> {
  const path = pathOf(request);
  if (path.startsWith("/local/")) return answered(await answerControl(request, path, simulation));
  simulation.requests.count(path);
  const verdict = await judge(request, simulation.access, simulation.now());
  if (verdict.kind === "drop") return verdict;
  if (verdict.kind === "answer") return verdict;
  return await simulation.faults.answer(path, async () => answered(serve(request, path, simulation)));
}

function serve(request: HttpRequest, path: string, simulation: Simulation): HttpResponse {
  const { accept } = request.headers;
  if (path === RPC_PATH) return serveRpc(request, simulation);
  const route = byPath.get(path);
  if (route === undefined) return besideNode(request, path, simulation) ?? unknownPath(request.method, path, accept);
  switch (request.method) {
    case "POST":
      return run(route.post, request, viewOf(path, simulation));
    case "HEAD":
      return withoutBody(serveGet(route, request, path, simulation));
    case "GET":
      return serveGet(route, request, path, simulation);
    case "OPTIONS":
      return emptyResponse({ allow: route.get === "refused" ? POST_ALLOWED : `GET, HEAD, ${POST_ALLOWED}` });
    case "PATCH":
      return { status: 501, headers: {}, body: "" };
    default:
      return bareRefusal();
  }
}

/** What services and tools expect beside a node. */
function besideNode(request: HttpRequest, path: string, simulation: Simulation): HttpResponse | undefined {
  const { chain, node, faults, self } = simulation;
  const context = {
    head: faults.view(headView(chain, node), path),
    solid: faults.view(solidView(chain, node), path),
    now: simulation.now(),
    baseUrl: self.baseUrl,
  };
  return answerTronBox(request, path, simulation) ?? answerQuery(request, path, context);
}

/** The servlet of JSON-RPC takes POST alone. */
function serveRpc({ method, headers, body }: HttpRequest, simulation: Simulation): HttpResponse {
  switch (method) {
    case "POST":
      return answerRpc(body.toString(), { view: viewOf(RPC_PATH, simulation), filters: simulation.filters });
    case "OPTIONS":
      return emptyResponse({ allow: POST_ALLOWED });
    default:
      return methodRefused(method, RPC_PATH, headers.accept, "jsonrpc.JsonRpcServlet");
  }
}

function serveGet(route: Route, request: HttpRequest, path: string, simulation: Simulation): HttpResponse {
  if (route.get === "refused") return methodRefused("GET", path, request.headers.accept, `http.${route.servlet}`);
  if (route.get === "empty") return emptyResponse();
  return run(route.get, request, viewOf(path, simulation));
}

/** HEAD tells how long the answer to GET would be. */
function withoutBody({ status, headers, body }: HttpResponse): HttpResponse {
  return { status, headers: { ...headers, "content-length": String(Buffer.byteLength(body)) }, body: "" };
}

function viewOf(path: string, { chain, node, faults }: Simulation): View {
  const view = path.startsWith("/walletsolidity/") ? solidView(chain, node) : headView(chain, node);
  return faults.view(view, path);
}

function run(handler: Handler, request: HttpRequest, view: View): HttpResponse {
  const servletRequest = readRequest(request);
  return servletResponse(guarded(() => handler(servletRequest, view)));
}

function readRequest(request: HttpRequest): ServletRequest {
  const type = headerOf(request, "content-type")?.split(";")[0]?.trim().toLowerCase();
  return {
    query: queryOf(request),
    body: request.body.toString(),
    form: type === "application/x-www-form-urlencoded",
  };
}

/** Servlets print exceptions instead of failing. */
function guarded(run: () => Reply): Reply {
  try {
    return run();
  } catch (error) {
    if (error instanceof JavaError) return errorReply(error);
    return compact({ Error: `class java.lang.Exception : ${error instanceof Error ? error.message : String(error)}` });
  }
}
