import { BLOCKED } from "@finality/tron/node-messages";
import { t } from "@vscode/l10n";
import { type CatalogueEntry, group } from "./template.ts";

/** Names of failures in network stacks, and our own. */
const CODES: readonly (readonly [symptom: string, codes: readonly string[]])[] = [
  ["http-refused", ["ECONNREFUSED"]],
  ["http-name", ["ENOTFOUND", "EAI_AGAIN", "ENODATA"]],
  ["http-unreachable", ["EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ERR_NETWORK", "GATEWAY_UNREACHABLE"]],
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
      "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
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

/** Entry for the name of a failure. */
export const symptomOfCode: { readonly [code: string]: string } = Object.fromEntries(
  CODES.flatMap(([symptom, codes]) => codes.map((code) => [code, symptom])),
);

const REASONS =
  "Bad Request|Unauthorized|Forbidden|Not Found|Method Not Allowed|Request Timeout|Payload Too Large|Too Many Requests|Internal Server Error|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out";

/** Forms in which programs and pages write a status as a number. */
export const STATUS: readonly RegExp[] = [
  /^HTTP\/[\d.]{1,4} (\d{3})\b/,
  /<title>\s{0,5}(?:Error )?([1-5]\d\d)\b/i,
  /<title>[^<]{0,120}\b([45]\d\d): /i,
  /\bHTTP ERROR ([45]\d\d)\b/i,
  /\bstatus(?:[ _]?code)?["']?\s{0,3}(?:[:=]|of|was|is)?\s{0,3}["']?([45]\d\d)\b/i,
  /\bresponse code(?: was| is|:)? ([45]\d\d)\b/i,
  /(?<!-)\bcode(?:: ?|=| )([45]\d\d)\b/i,
  /\banswered ([45]\d\d)\b/,
  /\binvalid (?:http )?response received: ([45]\d\d)\b/i,
  /\b(?:returned|unexpected server) (?:error|response): ([45]\d\d)\b/i,
  /\bindicate success: ([45]\d\d)\b/,
  /\b(?:client|server) error:? [('"]?([45]\d\d)\b/i,
  /\b([45]\d\d) (?:client|server) error\b/i,
  /\b(?:ResponseError|HTTPError|HttpError): ([45]\d\d)\b/,
  /\btoo many ([45]\d\d) error responses\b/,
  /\berror ([45]\d\d)(?::|\s{0,3}$)/im,
  /\berror code: (52\d)\b/i,
  /\b([45]\d\d), message=/,
  new RegExp(`\\b([45]\\d\\d):? "?(?:${REASONS})\\b`, "i"),
  /\bHTTP(?:\/[\d.]{1,4})?[ _:]{1,2}([45]\d\d)\b/i,
];

/**
 * gRPC status codes with their entries; the node serves gRPC beside HTTP. Undefined for those unrelated to the
 * connection.
 */
export const symptomOfRpc: { readonly [name: string]: readonly [symptom: string, code: string] } = {
  UNAVAILABLE: ["http-5xx", "UNAVAILABLE"],
  DEADLINE_EXCEEDED: ["http-timeout", "TIMEOUT"],
  RESOURCE_EXHAUSTED: ["http-429", "HTTP_429"],
  UNAUTHENTICATED: ["http-401", "HTTP_401"],
  PERMISSION_DENIED: ["http-401", "HTTP_403"],
  UNIMPLEMENTED: ["http-404", "UNIMPLEMENTED"],
  INTERNAL: ["http-5xx", "INTERNAL"],
  CANCELLED: ["http-timeout", "ABORTED"],
  CANCELED: ["http-timeout", "ABORTED"],
  UNKNOWN: ["http-5xx", "UNKNOWN"],
};

/** Forms in which gRPC libraries write the name of a status: Java, Go, Node, Python and .NET. */
export const RPC_STATUS: readonly RegExp[] = [
  /\bStatusRuntimeException: ([A-Z_]{5,20})\b/,
  /\brpc error: code = ([A-Za-z]{5,20})\b/,
  /\b\d{1,2} ([A-Z_]{5,20}): /,
  /\bStatusCode\.([A-Z_]{5,20})\b/,
  /\bStatusCode="([A-Za-z]{5,20})"/,
  /\b(UNIMPLEMENTED): (?:Method not found|HTTP status|unknown (?:service|method)|The server does not implement|[Mm]ethod \S{1,100} is unimplemented)/,
  /\b(UNAVAILABLE): (?:io exception|[Nn]etwork closed|[Cc]onnection|HTTP status|Unable to resolve|[Cc]hannel|[Ff]ailed to connect|[Kk]eepalive|error reading|upstream|no healthy)/,
  /\b(DEADLINE_EXCEEDED): (?:[Dd]eadline|CallOptions|ClientCall|context)/,
];

/** Meaning of a phrase of a network stack. */
export type NetworkPhrase = readonly [symptom: string, code: string, phrase: RegExp];

/**
 * Failure messages of libraries, runtimes and browsers, with their entry and code. The first match counts. Deeper
 * causes come first, because stacks wrap them in text of their own.
 */
export const PHRASES: readonly NetworkPhrase[] = [
  [
    "grpc-size",
    "MESSAGE_SIZE",
    /\bresource_?exhausted\b[^\n]{0,60}\b(?:message (?:exceeds maximum size|larger than max)|frame size \d{1,12} exceeds maximum)/,
  ],
  [
    "grpc-unimplemented",
    "UNIMPLEMENTED",
    /\bunimplemented\b[^\n]{0,120}\bprotocol\.[a-z]|\b(?:method not found|unknown (?:method|service)):? (?:\w{1,30} for service )?["'/]?protocol\.[a-z]/,
  ],
  [
    "http-protobuf",
    "PROTOBUF",
    /(?:failed to|error) (?:un)?marshal(?:l?ing)? (?:the )?(?:received )?(?:message|request|response)|message (?:parsing error|serialization failure)|invalid protobuf byte sequence|invalid wire-format data|\bwrong wiretype\b|\bgoogle-protobuf\b[^\n]{0,80}\bassertion ?(?:error|failed)/,
  ],
  [
    "http-429",
    "HTTP_429",
    /too many requests|\brequest has been rate limited\b|\btoomanyrequests\b(?!:)|api rate limit exceeded|error code: 1015|\byou are being rate limited/,
  ],
  ["http-blocked", "HTTP_403", BLOCKED],
  [
    "http-name",
    "ENOTFOUND",
    /getaddrinfo|could(?:n't| not) resolve (?:host|proxy)(?! name of)|\bno such host\b|unknownhostexception|unresolvedaddress|name_not_resolved|name or service not known|nodename nor servname|(?:temporary failure|no address record|error) in name resolution|nameresolutionerror|unable to resolve host|failed to (?:resolve|lookup)|name does not resolve|dns resolution failed|name resolution failed|failed to resolve name|(?:address|hostname) lookup (?:error|failed)|(?:remote )?name could not be resolved|no address associated with (?:host)?name/,
  ],
  [
    "http-refused",
    "ECONNREFUSED",
    /connection ?refused|err_connection_refused|could(?:n't| not) connect to server|failed to connect to \S|actively refused|connect call failed|all connection attempts failed/,
  ],
  [
    "http-cors",
    "CORS",
    /blocked by cors policy|cross-origin request blocked|not allowed by access-control-allow-origin|due to access control checks/,
  ],
  [
    "http-tls-handshake",
    "TLS",
    /err_ssl_protocol_error|wrong[_ ]version[_ ]number|packet length too long|ssl routines|unexpected tls packet|unable to establish ssl|\bsslv3 alert|tlsv1 alert|unrecognized ssl message|first record does not look like a tls handshake|http response to https client|http request was sent to https port|eof occurred in violation of protocol/,
  ],
  [
    "http-tls",
    "TLS",
    /certificate|err_cert_|\bpkix path\b|\bx509:|ssl\/?tls handshake|handshake[_ ]fail|sslhandshakeexception|ssl connection could not be established|\[ssl: [a-z_]{5,40}\]/,
  ],
  [
    "http-reset",
    "ECONNRESET",
    /socket hang up|connection (?:was |has been )?(?:reset|aborted|closed|forcibly closed|lost)|other side closed|empty reply from server|remote end closed connection|server disconnected|remotedisconnected|broken pipe|forcibly closed|err_connection_(?:reset|closed|aborted)|err_http2_|err_quic_|err_empty_response|premature(?:ly)? (?:close|end)|unexpected eof|": eof\b|\bread: eof\b|unexpected end of stream|server closed (?:the )?connection|(?:: |^)terminated\s{0,3}$|trying to fetch [^\n]{0,300}: aborted|failed to respond\b|end of file reached|\beoferror\b|no data received|header parser received no bytes|stream has been aborted|ssl_error_syscall|running migration: \d[\s\S]{0,2000}?\nerror: aborted\s{0,8}$|error: aborted\s{1,9}at (?:connresetexception|abortincoming)\b|underlying connection was closed|http server did not send|stream (?:was )?reset|\brst_stream\b|goaway/m,
  ],
  [
    "http-truncated",
    "TRUNCATED_JSON",
    /unexpected end of json input|incompleteread|transfer closed with (?:\d|outstanding)|response ended prematurely|peer closed connection without sending complete|unterminated string (?:in json|starting at)|unexpected end-of-input/,
  ],
  ["http-timeout", "ABORTED", /operation was aborted/],
  [
    "http-not-http",
    "NOT_HTTP",
    /http2 exception|malformed http (?:response|version|status)|expected http\/|http\/0\.9 when not allowed|badstatusline|invalid http (?:response|version)|hpe_invalid|illegal status line|committed a protocol violation/,
  ],
  ["http-empty", "EMPTY_ANSWER", /(?:decod|pars|json|unmarshal)[^\n]{0,40}: eof$/m],
  [
    "http-timeout",
    "TIMEOUT",
    /\dms exceeded|\b(?:connect|read|pool|write)timeout\b|\btimed[ -]?out\b|err_timed_out|deadline[ _]?exceeded|net::(?:read|open)timeout|(?:read|request|connect(?:ion)?|response|socket|gateway) time-?out|(?<!(?:except|catch|raise|new|instanceof|import) \(?)\b\w{0,30}timeout ?(?:error|exception)\b|aborted due to timeout|httpclient\.timeout|timeout (?:was )?(?:reached|exceeded|expired)|\bcode="?timeout\b|(?<!\brpc error: code[^\n]{0,300})\bi\/o timeout\b|tls handshake timeout|exceeded (?:the )?timeout|\bthreads\.timeout: \d/,
  ],
  [
    "http-timeout",
    "ABORTED",
    /operation was aborted|aborted a request|signal is aborted|\baborterror\b|request was (?:cancell?ed|aborted)/,
  ],
  [
    "http-not-json",
    "NOT_JSON",
    /not valid json|in json at position|expecting value: line \d|expected value at line \d|error decoding response body|kind: decode\b|invalid character '<'|unexpected token (?:at )?'?<|json::parsererror|jsonexception|unrecognized token '<'|'<' is an invalid start of a value|encountered while parsing value: <|\bmalformedjsonexception|expected begin_object but was|unexpected mimetype|invalid json\b|attempt to decode json with unexpected|json decode error|jsondecodeerror/,
  ],
  [
    "http-401",
    "HTTP_401",
    /\bmust be authenticated!|\bproject id is required\b|\binvalid project id\b|authenticate your request|\bapi key is (?:missing|required|not allowed)|invalid api key|\bno api key\b|\bapikey not exists\b/,
  ],
  ["http-404", "HTTP_404", /no route matched with those values/],
  ["http-5xx", "HTTP_503", /upstream connect error/],
  ["http-5xx", "HTTP_500", /\bthis exception has been logged with id\b/],
  ["http-unreachable", "UNAVAILABLE", /io exception\b/],
  [
    "http-unreachable",
    "NETWORK_ERROR",
    /network is unreachable|no route to host|unable to connect to the remote server|network ?error|network request failed|failed to establish a new connection|error while dialing|could not detect network|java\.net\.connectexception|http request failed!|could(?:n't| not) connect to node|error trying to connect|cannot connect to the network\b|failed to detect network|\bmissing response \(|\bchannel shutdown(?:now)? invoked/,
  ],
  [
    "http-unreachable",
    "FETCH_FAILED",
    /fetch failed|failed to fetch|load failed|max retries exceeded(?! while)|error sending request for url/,
  ],
];

/** Symptoms of failures without a usable answer (gateway document, Errors 1; protocol reference §2.3). */
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
      t`The program gives no reason: the URL is wrong, or the network or the node is down.`,
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
      t`The connection was cut off`,
      t`The answer never arrived. The request may have been processed. With JWT on, a gateway drops requests whose token it does not accept.`,
      t`Repeat reads after a pause. For a write, send only the same bytes. With JWT, run Test Connection.`,
    ],
    [
      "http-timeout",
      ["timed out", "timeout of {limit}ms exceeded", "request timeout", "operation was aborted due to timeout"],
      t`No answer in time`,
      t`The node or the network is slow, or the query is expensive. The request may have been processed.`,
      t`Repeat reads with a longer timeout. Split expensive queries, or use the extension APIs of the gateway. The outcome of a write is unknown: look it up, and send only the same bytes.`,
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
      t`TLS failed: the port serves plain http, an https port was used with http, or a proxy intercepts the connection.`,
      t`Check whether the URL begins with http or https, and its port.`,
    ],
    [
      "http-not-http",
      "malformed HTTP response",
      t`The server does not use HTTP`,
      t`Another service, or another service of the node, listens on this port: gRPC has its own port.`,
      t`Check the URL and the port.`,
    ],
    [
      "http-protobuf",
      "failed to unmarshal the received message",
      t`Client and node use different protobuf definitions`,
      t`One side cannot read the other side's messages: their .proto files differ, or another service answers on this port. A request may have been processed although its answer could not be read.`,
      t`Use the .proto files of the node's version, and check host and port. For a write, look up the txID, and send only the same bytes.`,
    ],
    [
      "http-cors",
      "blocked by CORS policy",
      t`The browser blocked the answer`,
      t`The page and the node have different origins, and the answer does not allow that: nodes send no CORS headers. The request may still have been processed.`,
      t`Send the request through your own server or proxy, or use a gateway that allows your origin. If a transaction was being sent, send the same bytes again.`,
    ],
    [
      "http-5xx",
      "service unavailable",
      t`The gateway has an internal problem ({status})`,
      t`The node is overloaded or failed inside. The request may have been processed.`,
      t`Repeat reads with growing pauses. For a write, find out whether it was processed, and send only the same bytes. Use another URL if the problem continues.`,
    ],
    [
      "http-empty",
      "empty body",
      t`The answer is empty`,
      t`The path does not support this method, or the answer was lost.`,
      t`Use POST with a JSON body. The outcome of a write is unknown: look up the txID.`,
    ],
    [
      "http-not-json",
      "not JSON",
      t`The answer is not JSON`,
      t`The answer is not from a node but from a proxy, a login page, or another service.`,
      t`Check the URL of the network. The outcome of a write is unknown.`,
    ],
    [
      "http-truncated",
      "unexpected end of JSON input",
      t`The answer is cut off`,
      t`The connection ended before the answer did.`,
      t`Try again. The outcome of a write is unknown, so send only the same bytes.`,
    ],
  ]),
  ...group({ category: "http", retry: "request-later", source: "gateway document, Errors 1 and Retry summary" }, [
    [
      "http-429",
      "too many requests",
      t`Too many requests ({status})`,
      t`The rate limit of the gateway was reached. As far as is known, the request was not processed.`,
      t`Wait as long as Retry-After says, then send the same request. Check the limits of the plan.`,
    ],
  ]),
  ...group({ category: "http", retry: "turned-away", source: "gateway document, Errors 1 and Authentication" }, [
    [
      "http-401",
      "unauthorized",
      t`The API key is missing or wrong ({status})`,
      t`The gateway requires a valid API key.`,
      t`Run Set API Key, and check the name of its header in the network's profile.`,
    ],
    [
      "http-token",
      "token refused",
      t`The access token was refused ({status})`,
      t`The gateway says that the token of the request is missing, expired or unknown.`,
      t`Run Test Connection: it checks the token, its key and the clock.`,
    ],
    [
      "http-blocked",
      "used Cloudflare to restrict access",
      t`A firewall of the gateway blocked the request (403)`,
      t`A firewall in front of the gateway blocked the request because of its address or its program.`,
      t`Use another network connection, or ask the operator of the gateway.`,
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
      t`The path does not accept this request ({status})`,
      t`A node answers 405 to a POST request if the path does not exist or if the endpoint takes a different method.`,
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
      t`The gateway does not accept the request ({status})`,
      t`The path is wrong, a header is missing, or the JSON is malformed.`,
      t`Correct the client or the URL; repeating the request does not help.`,
    ],
  ]),
] satisfies readonly CatalogueEntry[];
