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
import { balanceHistoryRoutes } from "./routes/balance-history.ts";
import { blockRoutes, transactionRoutes } from "./routes/blocks.ts";
import { broadcastRoutes, multiSignRoutes } from "./routes/broadcast.ts";
import { builderRoutes, deployRoutes } from "./routes/builders.ts";
import { contractCallRoutes, contractRoutes } from "./routes/contract-calls.ts";
import { answerControl } from "./routes/control.ts";
import { nodeRoutes } from "./routes/node.ts";
import { type Handler, headView, type Route, type ServletRequest, solidView, type View } from "./routes/route.ts";
import { shieldedRoutes } from "./routes/shielded.ts";
import { stakeRoutes } from "./routes/stake.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { tradeRoutes } from "./routes/trade.ts";
import { votingRoutes } from "./routes/voting.ts";
import type { Simulation } from "./simulation/simulation.ts";

const routes: readonly Route[] = [
  ...accountRoutes,
  ...balanceHistoryRoutes,
  ...blockRoutes,
  ...broadcastRoutes,
  ...builderRoutes,
  ...contractCallRoutes,
  ...contractRoutes,
  ...deployRoutes,
  ...multiSignRoutes,
  ...nodeRoutes,
  ...shieldedRoutes,
  ...stakeRoutes,
  ...tokenRoutes,
  ...tradeRoutes,
  ...transactionRoutes,
  ...votingRoutes,
];
/** The paths that the node has. */
export const nodeEndpoints: ReadonlyMap<string, Route> = new Map(
  routes.flatMap((route) => pathsOf(route).map((path): [string, Route] => [path, route])),
);
const FORM = "application/x-www-form-urlencoded";
const RPC_PATH = "/jsonrpc";
const POST_ALLOWED = "POST, TRACE, OPTIONS";

function pathsOf({ name, solidity, paths = [`/wallet/${name}`] }: Route): string[] {
  return [...paths, ...(solidity ? [`/walletsolidity/${name}`] : [])];
}

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
  const route = nodeEndpoints.get(path);
  if (route === undefined) return besideNode(request, path, simulation) ?? unknownPath(request.method, path, accept);
  switch (request.method) {
    case "POST":
      return servePost(route, request, path, simulation);
    case "HEAD":
      return withoutBody(serveGet(route, request, path, simulation));
    case "GET":
      return serveGet(route, request, path, simulation);
    case "OPTIONS":
      return emptyResponse({ allow: allowed(route) });
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

function allowed({ get, post }: Route): string {
  const methods = [...(get === "refused" ? [] : ["GET", "HEAD"]), ...(post === "refused" ? [] : ["POST"])];
  return [...methods, "TRACE", "OPTIONS"].join(", ");
}

function servePost(route: Route, request: HttpRequest, path: string, simulation: Simulation): HttpResponse {
  if (route.post === "refused") {
    return methodRefused("POST", path, request.headers.accept, `http.${route.servlet}`);
  }
  return run(route.post, request, viewOf(path, simulation));
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
  const reply = guarded(() => handler(servletRequest, view));
  return reply === "nothing" ? emptyResponse() : servletResponse(reply);
}

function readRequest(request: HttpRequest): ServletRequest {
  const sentType = headerOf(request, "content-type");
  // The web server knows the type of forms by heart, and hands it on in its own spelling.
  const contentType = sentType?.toLowerCase() === FORM ? FORM : sentType;
  const body = lines(request.body.toString(encodingOf(contentType)));
  const form = request.method === "POST" && baseType(contentType) === FORM;
  const query = queryOf(request);
  const parameters = form ? new URLSearchParams([...query, ...new URLSearchParams(body)]) : query;
  return { method: request.method, parameters, body, contentType };
}

/** Without a charset the web server takes JSON and XML for UTF-8, and anything else for Latin-1. */
function encodingOf(contentType: string | undefined): "utf8" | "latin1" {
  const charset = /charset="?([\w-]+)/i.exec(contentType ?? "")?.[1];
  if (charset !== undefined) return charset.toLowerCase() === "iso-8859-1" ? "latin1" : "utf8";
  return /^(?:application\/json|text\/html|text\/xml|application\/xhtml\+xml)$/.test(baseType(contentType))
    ? "utf8"
    : "latin1";
}

function baseType(contentType: string | undefined): string {
  return contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Servlets read lines, and put line feeds between them. */
function lines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replace(/\n$/, "");
}

/** Servlets print exceptions instead of failing. */
function guarded(run: () => Reply | "nothing"): Reply | "nothing" {
  try {
    return run();
  } catch (error) {
    if (error instanceof JavaError) return errorReply(error);
    return compact({ Error: `class java.lang.Exception : ${error instanceof Error ? error.message : String(error)}` });
  }
}
