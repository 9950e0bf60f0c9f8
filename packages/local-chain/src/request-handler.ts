import { checkAccess } from "./access/access.ts";
import { answerQuery } from "./gateway/gateway.ts";
import { answerTronBox } from "./gateway/tronbox.ts";
import { longsAsText } from "./http/longs-as-text.ts";
import {
  emptyResponse,
  type HttpRequest,
  type HttpResponse,
  pathOf,
  type Reply,
  respondWith,
  type ServerAction,
  servletResponse,
} from "./http/message.ts";
import {
  emptyRefusal,
  methodRefused,
  readRequest,
  runHandler,
  type ServletRequest,
  unknownPath,
  withoutBody,
} from "./http/servlet-container.ts";
import { answerRpc } from "./json-rpc/rpc-server.ts";
import { headView, type NodeView, solidView } from "./node/node-view.ts";

import type { Handler, Route } from "./routes/route.ts";
import { nodeEndpoints } from "./routes/route-table.ts";

import { answerControl } from "./simulation/control.ts";
import { runStep, type Simulation } from "./simulation/simulation.ts";

const RPC_PATH = "/jsonrpc";
/** Not printed as a message: its numbers stay numbers. */
const PLAIN_NUMBERS = "getnodeinfo";
const POST_ALLOWED = "POST, TRACE, OPTIONS";

/** Answers one request: control, then gateway access, then active faults, then the node. */
export async function handleRequest(request: HttpRequest, simulation: Simulation): Promise<ServerAction> {
  const path = pathOf(request);
  if (path.startsWith("/local/")) return respondWith(await answerControl(request, path, simulation));
  simulation.requests.count(path);
  const verdict = await checkAccess(request, simulation.access, simulation.now());
  if (verdict.kind === "drop") return verdict;
  if (verdict.kind === "answer") return verdict;
  return await simulation.faults.answer(path, async () =>
    respondWith(await runStep(simulation, () => serve(request, path, simulation))),
  );
}

function serve(request: HttpRequest, path: string, simulation: Simulation): HttpResponse {
  const { accept } = request.headers;
  if (path === RPC_PATH) return serveRpc(request, simulation);
  const route = nodeEndpoints.get(path);
  if (route === undefined)
    return serveGatewayOrTools(request, path, simulation) ?? unknownPath(request.method, path, accept);
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
      return emptyRefusal();
  }
}

/** Answers the endpoints of hosted services and development tools. */
function serveGatewayOrTools(request: HttpRequest, path: string, simulation: Simulation): HttpResponse | undefined {
  const { chain, node, faults, identity: self } = simulation;
  const context = {
    head: faults.view(headView(chain, node), path),
    solid: faults.view(solidView(chain, node), path),
    now: simulation.now(),
    baseUrl: self.baseUrl,
  };
  return answerTronBox(request, path, simulation) ?? answerQuery(request, path, context);
}

/** The JSON-RPC servlet accepts POST only. */
function serveRpc({ method, headers, body }: HttpRequest, simulation: Simulation): HttpResponse {
  switch (method) {
    case "POST":
      return answerRpc(body.toString(), {
        view: viewOf(RPC_PATH, simulation),
        filters: simulation.filters,
        isLenient: simulation.lenientRpc,
      });
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
  return run(route.get, request, viewOf(path, simulation), route.name !== PLAIN_NUMBERS);
}

function viewOf(path: string, { chain, node, faults }: Simulation): NodeView {
  const view = path.startsWith("/walletsolidity/") ? solidView(chain, node) : headView(chain, node);
  return faults.view(view, path);
}

function run(handler: Handler, request: HttpRequest, view: NodeView, printsMessages = false): HttpResponse {
  const { nodeVersion } = view.chain;
  const servletRequest = readRequest(request, nodeVersion);
  const reply = runHandler(() => handler(servletRequest, view), nodeVersion);
  if (reply === "nothing") return emptyResponse();
  return servletResponse(printsMessages && wantsText(servletRequest) ? inText(reply) : reply);
}

/** Returns whether 64-bit integers are to be text, which 4.8.2 knows (`Util.getInt64AsString`). */
function wantsText({ nodeVersion, parameters }: ServletRequest): boolean {
  return nodeVersion !== "4.8.0" && parameters.get("int64_as_string")?.toLowerCase() === "true";
}

function inText(reply: Reply): Reply {
  return reply.style === "text" ? reply : { ...reply, json: longsAsText(reply.json) };
}
