import { type CatalogueEntry, group } from "./entry.ts";

/** What a failure without a usable answer looks like (gateway document, Errors 1; protocol reference §2.3). */
export const httpSymptoms = [
  ...group({ category: "http", retry: "unknown-outcome", source: "gateway document, Errors 1" }, [
    [
      "http-refused",
      "connection refused",
      "Connection refused",
      "Nothing listens at this address: a wrong URL or port, or a node that is down.",
      "Verify the URL and fail over to another node. A transaction that was being sent is sent again with the same bytes.",
    ],
    [
      "http-unreachable",
      "fetch failed",
      "No answer came",
      "The program does not say why: a wrong URL, a network that is down, or a node that is.",
      "Verify the URL and the connection, and fail over to another node. A transaction that was being sent is sent again with the same bytes.",
    ],
    [
      "http-name",
      "getaddrinfo",
      "The host name is not known",
      "No server has this name: a typing error, or no network.",
      "Check the URL of the network and the connection.",
    ],
    [
      "http-reset",
      ["socket hang up", "connection reset", "other side closed"],
      "The connection was cut",
      "The answer never arrived. The request may have been processed. With JWT on, a gateway drops requests whose token it does not accept.",
      "Repeat reads after a pause. Of a write, send the same bytes only. With JWT, run Test Connection.",
    ],
    [
      "http-timeout",
      ["timed out", "timeout of {limit}ms exceeded", "request timeout", "operation was aborted due to timeout"],
      "No answer in time",
      "The node or the network is slow, or the query is expensive. The request may have been processed.",
      "Repeat reads with a longer timeout, and split expensive queries. The outcome of a write is unknown: look it up, and send the same bytes only.",
    ],
    [
      "http-tls",
      "unable to verify the first certificate",
      "The certificate is not trusted",
      "TLS failed before anything was sent: an own certificate authority, a wrong host, or a proxy.",
      "Check the URL and the certificates of the computer.",
    ],
    [
      "http-5xx",
      "service unavailable",
      "The gateway has a problem of its own ({status})",
      "The node is overloaded or failed inside. The request may have been processed.",
      "Repeat reads with growing pauses. Of a write, find out whether it was processed, and send the same bytes only. Use another URL if it lasts.",
    ],
    [
      "http-empty",
      "empty body",
      "The answer is empty",
      "A path that does not serve this method answers with nothing, or the answer was lost.",
      "Use POST with a JSON body. The outcome of a write is unknown: look the txID up.",
    ],
    [
      "http-not-json",
      "not JSON",
      "The answer is not JSON",
      "Something else than the node answered: a proxy, a login page, or another service.",
      "Check the URL of the network. The outcome of a write is unknown.",
    ],
    [
      "http-truncated",
      "unexpected end of JSON input",
      "The answer is cut off",
      "The connection ended before the answer did.",
      "Ask again. The outcome of a write is unknown: the same bytes only.",
    ],
  ]),
  ...group({ category: "http", retry: "request-later", source: "gateway document, Errors 1 and Retry summary" }, [
    [
      "http-429",
      "too many requests",
      "Too many requests (429)",
      "The rate limit of the gateway was hit. The request was not processed as far as is known.",
      "Wait as long as Retry-After says, then send the same request. Check the limits of the plan.",
    ],
  ]),
  ...group({ category: "http", retry: "turned-away", source: "gateway document, Errors 1 and Authentication" }, [
    [
      "http-401",
      "unauthorized",
      "The API key is missing or wrong ({status})",
      "The gateway takes only requests with a valid key (or token).",
      "Run Set API Key, and check the name of its header in the network's profile.",
    ],
    [
      "http-404",
      "not found",
      "There is nothing at this path ({status})",
      "The path is wrong (case, slashes, /wallet or /walletsolidity), or the node does not serve it on this port.",
      "Check the URL of the network. A node answers 404 to GET and 405 to POST on unknown paths.",
    ],
    [
      "http-405",
      "method not allowed",
      "The path does not take this request ({status})",
      "A node answers 405 to a POST on a path that it does not have, and where an endpoint takes another method.",
      "Check the path: case, slashes, /walletsolidity on its own port. Send POST with JSON.",
    ],
    [
      "http-413",
      "payload too large",
      "The request is too big ({status})",
      "The body exceeds what the node takes (4 MiB).",
      "Send less at once.",
    ],
    [
      "http-4xx",
      "bad request",
      "The request does not fit this gateway ({status})",
      "The path is wrong, a header is missing, or the JSON is malformed.",
      "Correct the client or the URL; repeating it does not help.",
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

/** Names that network stacks give to failures, and our own. */
const CODES: readonly (readonly [symptom: string, codes: readonly string[]])[] = [
  ["http-refused", ["ECONNREFUSED"]],
  ["http-name", ["ENOTFOUND", "EAI_AGAIN"]],
  ["http-unreachable", ["EHOSTUNREACH", "ENETUNREACH", "ERR_NETWORK", "GATEWAY_UNREACHABLE"]],
  ["http-reset", ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "GATEWAY_SILENT"]],
  [
    "http-timeout",
    [
      "ECONNABORTED",
      "ETIMEDOUT",
      "ESOCKETTIMEDOUT",
      "UND_ERR_CONNECT_TIMEOUT",
      "UND_ERR_HEADERS_TIMEOUT",
      "UND_ERR_BODY_TIMEOUT",
    ],
  ],
  ["http-5xx", ["ERR_BAD_RESPONSE", "GATEWAY_HTTP_STATUS"]],
  ["http-4xx", ["ERR_BAD_REQUEST"]],
  [
    "http-tls",
    [
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "SELF_SIGNED_CERT_IN_CHAIN",
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "CERT_HAS_EXPIRED",
      "ERR_TLS_CERT_ALTNAME_INVALID",
    ],
  ],
  ["http-401", ["GATEWAY_UNAUTHORIZED"]],
  ["http-429", ["GATEWAY_RATE_LIMITED"]],
  ["http-not-json", ["GATEWAY_ANSWER_MALFORMED"]],
];

/** The entry for the name of a failure. */
export const symptomOfCode: { readonly [code: string]: string } = Object.fromEntries(
  CODES.flatMap(([symptom, codes]) => codes.map((code) => [code, symptom])),
);

/** How programs and pages write a status as a number. */
export const STATUS: readonly RegExp[] = [
  /^HTTP\/[\d.]{1,4} (\d{3})\b/,
  /<title>\s{0,5}(?:Error )?([1-5]\d\d)\b/i,
  /<title>[^<]{0,120}\b([45]\d\d): /i,
  /\bHTTP ERROR ([45]\d\d)\b/i,
  /\bstatus(?: ?code)?\s{0,3}[:=]?\s{0,3}"?([45]\d\d)\b/i,
  /\bHTTP(?:\/[\d.]{1,4})?[ _:]{1,2}([45]\d\d)\b/i,
  /\bcode:? ([45]\d\d)\b/i,
  /\banswered ([45]\d\d)\b/,
  /\b([45]\d\d) (?:Bad Request|Unauthorized|Forbidden|Not Found|Method Not Allowed|Request Timeout|Payload Too Large|Too Many Requests|Internal Server Error|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)\b/i,
];

/**
 * What libraries, runtimes and browsers print of a failure, in lower case, with the entry and the code for it. The
 * first that occurs counts.
 */
export const PHRASES: readonly (readonly [symptom: string, code: string, phrases: readonly string[]])[] = [
  ["http-refused", "ECONNREFUSED", ["connection refused"]],
  ["http-name", "ENOTFOUND", ["getaddrinfo"]],
  ["http-reset", "ECONNRESET", ["socket hang up", "connection reset", "other side closed", "empty reply from server"]],
  ["http-429", "HTTP_429", ["too many requests"]],
  ["http-timeout", "TIMEOUT", ["ms exceeded", "timed out", "err_timed_out", "deadline exceeded", "deadline_exceeded"]],
  ["http-timeout", "ABORTED", ["operation was aborted"]],
  ["http-name", "ENOTFOUND", ["could not resolve host", "no such host", "unknownhostexception", "name_not_resolved"]],
  ["http-unreachable", "NETWORK_ERROR", ["unable to connect to the remote server"]],
  ["http-refused", "ECONNREFUSED", ["err_connection_refused"]],
  [
    "http-reset",
    "ECONNRESET",
    [
      "err_connection_reset",
      "err_connection_closed",
      "err_empty_response",
      "premature close",
      "unexpected eof",
      "typeerror: terminated",
      "ssl_error_syscall",
    ],
  ],
  ["http-5xx", "UNAVAILABLE", ["statusruntimeexception: unavailable", "code = unavailable"]],
  ["http-unreachable", "FETCH_FAILED", ["max retries exceeded"]],
  ["http-timeout", "TIMEOUT", ["request timeout", "timeouterror", "aborted due to timeout"]],
  ["http-truncated", "TRUNCATED_JSON", ["unexpected end of json input"]],
  ["http-not-json", "NOT_JSON", ["is not valid json", "in json at position"]],
  [
    "http-tls",
    "TLS",
    [
      "unable to verify the first certificate",
      "self-signed certificate",
      "self signed certificate",
      "certificate has expired",
    ],
  ],
  ["http-429", "HTTP_429", ["api rate limit exceeded"]],
  ["http-401", "HTTP_401", ["invalid api key", "no api key found"]],
  ["http-404", "HTTP_404", ["no route matched with those values"]],
  ["http-5xx", "HTTP_503", ["upstream connect error"]],
  ["http-429", "HTTP_429", ["error code: 1015"]],
  ["http-unreachable", "FETCH_FAILED", ["fetch failed", "failed to fetch"]],
  ["http-unreachable", "NETWORK_ERROR", ["network error"]],
];

/** Texts of gateways about too many requests, and about tokens that they refuse. */
export const RATE_LIMIT =
  /\brate[ -]?limit|^too many requests|\brequests? too (?:quickly|frequent(?:ly)?|fast)|\bcompute units\b|\brequest (?:rate|count)\b.{0,40}\bexceed/;
export const TOKEN_REFUSED = /^no (?:mandatory '\w{1,20}' in|credentials found)|\b(?:jwt|token) (?:is |has )?expired$/;

/** The status whose phrase a gateway or a proxy writes instead of the number, in lower case. */
export const statusOfReason: { readonly [phrase: string]: number } = {
  "bad request": 400,
  unauthorized: 401,
  "no authorization": 401,
  forbidden: 403,
  "access denied": 403,
  "not found": 404,
  "page not found": 404,
  "method not allowed": 405,
  "request timeout": 408,
  "payload too large": 413,
  "request entity too large": 413,
  "internal server error": 500,
  "bad gateway": 502,
  "service unavailable": 503,
  "service temporarily unavailable": 503,
  "no healthy upstream": 503,
  "an invalid response was received from the upstream server": 502,
  "the upstream server is timing out": 504,
  "failure to get a peer from the ring-balancer": 503,
  "limit exceeded": 429,
  "gateway timeout": 504,
  "gateway time-out": 504,
  "endpoint request timed out": 504,
};
