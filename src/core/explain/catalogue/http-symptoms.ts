import { t } from "@vscode/l10n";
import { type CatalogueEntry, group } from "./entry.ts";

/** What a failure without a usable answer looks like (gateway document, Errors 1; protocol reference §2.3). */
export const httpSymptoms = [
  ...group({ category: "http", retry: "unknown-outcome", source: "gateway document, Errors 1" }, [
    [
      "http-refused",
      "connection refused",
      t`Connection refused`,
      t`Nothing listens at this address: a wrong URL or port, or a node that is down.`,
      t`Verify the URL and fail over to another node. A transaction that was being sent is sent again with the same bytes.`,
    ],
    [
      "http-unreachable",
      "fetch failed",
      t`No answer came`,
      t`The program does not say why: a wrong URL, a network that is down, or a node that is.`,
      t`Verify the URL and the connection, and fail over to another node. A transaction that was being sent is sent again with the same bytes.`,
    ],
    [
      "http-name",
      "getaddrinfo",
      t`The host name is not known`,
      t`No server has this name: a typing error, or no network.`,
      t`Check the URL of the network and the connection.`,
    ],
    [
      "http-reset",
      ["socket hang up", "connection reset", "other side closed"],
      t`The connection was cut`,
      t`The answer never arrived. The request may have been processed. With JWT on, a gateway drops requests whose token it does not accept.`,
      t`Repeat reads after a pause. Of a write, send the same bytes only. With JWT, run Test Connection.`,
    ],
    [
      "http-timeout",
      ["timed out", "timeout of {limit}ms exceeded", "request timeout", "operation was aborted due to timeout"],
      t`No answer in time`,
      t`The node or the network is slow, or the query is expensive. The request may have been processed.`,
      t`Repeat reads with a longer timeout, and split expensive queries. The outcome of a write is unknown: look it up, and send the same bytes only.`,
    ],
    [
      "http-tls",
      "unable to verify the first certificate",
      t`The certificate is not trusted`,
      t`TLS failed before anything was sent: an own certificate authority, a wrong host, or a proxy.`,
      t`Check the URL and the certificates of the computer.`,
    ],
    [
      "http-tls-handshake",
      "SSL routines",
      t`No encrypted connection could be made`,
      t`The server does not speak TLS as it was asked to: https to a port of plain http, or the other way round, or a proxy between.`,
      t`Check whether the URL begins with http or https, and its port.`,
    ],
    [
      "http-not-http",
      "malformed HTTP response",
      t`What answers there does not speak HTTP`,
      t`Another service listens at this port, or another one of the node: gRPC has a port of its own.`,
      t`Check the URL and the port.`,
    ],
    [
      "http-cors",
      "blocked by CORS policy",
      t`The browser kept the answer from the page`,
      t`The page comes from another origin than the node, and the answer does not allow that: nodes send no CORS headers. The request may have been processed all the same.`,
      t`Let a server or a proxy of your own ask the node, or use a gateway that allows your origin. A transaction that was being sent is sent again with the same bytes.`,
    ],
    [
      "http-5xx",
      "service unavailable",
      t`The gateway has a problem of its own ({status})`,
      t`The node is overloaded or failed inside. The request may have been processed.`,
      t`Repeat reads with growing pauses. Of a write, find out whether it was processed, and send the same bytes only. Use another URL if it lasts.`,
    ],
    [
      "http-empty",
      "empty body",
      t`The answer is empty`,
      t`A path that does not serve this method answers with nothing, or the answer was lost.`,
      t`Use POST with a JSON body. The outcome of a write is unknown: look the txID up.`,
    ],
    [
      "http-not-json",
      "not JSON",
      t`The answer is not JSON`,
      t`Something else than the node answered: a proxy, a login page, or another service.`,
      t`Check the URL of the network. The outcome of a write is unknown.`,
    ],
    [
      "http-truncated",
      "unexpected end of JSON input",
      t`The answer is cut off`,
      t`The connection ended before the answer did.`,
      t`Ask again. The outcome of a write is unknown: the same bytes only.`,
    ],
  ]),
  ...group({ category: "http", retry: "request-later", source: "gateway document, Errors 1 and Retry summary" }, [
    [
      "http-429",
      "too many requests",
      t`Too many requests (429)`,
      t`The rate limit of the gateway was hit. The request was not processed as far as is known.`,
      t`Wait as long as Retry-After says, then send the same request. Check the limits of the plan.`,
    ],
  ]),
  ...group({ category: "http", retry: "turned-away", source: "gateway document, Errors 1 and Authentication" }, [
    [
      "http-401",
      "unauthorized",
      t`The API key is missing or wrong ({status})`,
      t`The gateway takes only requests with a valid key (or token).`,
      t`Run Set API Key, and check the name of its header in the network's profile.`,
    ],
    [
      "http-blocked",
      "used Cloudflare to restrict access",
      t`Whoever guards the gateway turned the request away (403)`,
      t`A firewall before the gateway did not let it pass: it takes this address or this program for one that it does not serve.`,
      t`Ask from another network, or ask the operator of the gateway.`,
    ],
    [
      "http-404",
      "not found",
      t`There is nothing at this path ({status})`,
      t`The path is wrong (case, slashes, /wallet or /walletsolidity), or the node does not serve it on this port.`,
      t`Check the URL of the network. A node answers 404 to GET and 405 to POST on unknown paths.`,
    ],
    [
      "http-405",
      "method not allowed",
      t`The path does not take this request ({status})`,
      t`A node answers 405 to a POST on a path that it does not have, and where an endpoint takes another method.`,
      t`Check the path: case, slashes, /walletsolidity on its own port. Send POST with JSON.`,
    ],
    [
      "http-413",
      "payload too large",
      t`The request is too big ({status})`,
      t`The body exceeds what the node takes (4 MiB).`,
      t`Send less at once.`,
    ],
    [
      "http-4xx",
      "bad request",
      t`The request does not fit this gateway ({status})`,
      t`The path is wrong, a header is missing, or the JSON is malformed.`,
      t`Correct the client or the URL; repeating it does not help.`,
    ],
  ]),
] satisfies readonly CatalogueEntry[];

/** The entry for a status that is no success. */
export function symptomOfStatus(status: number): string {
  if (status === 401 || status === 403) return "http-401";
  if (status === 404 || status === 405 || status === 413 || status === 429) return `http-${status}`;
  if (status === 408 || status === 504) return "http-timeout";
  return status >= 500 ? "http-5xx" : "http-4xx";
}
