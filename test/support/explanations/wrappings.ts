import { readFileSync } from "node:fs";
import { messageEntries } from "../../../packages/client/src/explain/messages/catalogue.ts";

/** A way in which programs print a message of the node, with text of their own around it. */
type Wrapping = (message: string) => string;

const PATH = "/wallet/broadcasttransaction";
const NEXT_LINE =
  "22:52:35.066 INFO  [http-nio] [API](RateLimiterServlet.java:105) /wallet/getnowblock took 12 of 30 ms.";
const STACK = [
  "\tat org.tron.core.actuator.TransferActuator.validate(TransferActuator.java:156) ~[FullNode.jar:?]",
  "\tat org.tron.core.Wallet.broadcastTransaction(Wallet.java:511)",
  "\t... 12 more",
].join("\n");
const TAIL = "while broadcasting the transaction to create the contract Leaf with TronWeb";

/** JSON as a text inside of JSON, without the quotes around it. */
const escaped = (json: object): string => JSON.stringify(JSON.stringify(json)).slice(1, -1);

/**
 * The ten wrappings, each in the variants that programs write. Every one shows that the text is of the chain, because
 * words such as `Permission denied` count nowhere else.
 */
export const wrappings: { readonly [name: string]: readonly Wrapping[] } = {
  "a log prefix": [
    (message) => `22:52:35.066 ERROR [http-nio] [API](Wallet.java:517) ${PATH}: ${message}`,
    (message) => `2026-03-01T22:52:35.066Z ERROR [main] org.tron.core.Wallet - ${message}`,
    (message) => `[2026-03-01 22:52:35] TronWeb error: ${message}`,
    (message) => `2026/03/01 22:52:35 [ERROR] gotron: broadcast: ${message}`,
    (message) => `E0301 22:52:35.066  12 gotron.go:12] ${message}`,
    (message) => `2026-03-01 22:52:35.066 | ERROR | org.tron.core.Wallet | ${message}`,
    (message) => `  ✖ TronWeb: ${message}`,
  ],
  "two lines": [
    (message) => `${message}\n${NEXT_LINE}`,
    (message) => `${message}\r\n${NEXT_LINE}\r\n`,
    (message) => `${NEXT_LINE}\n${message}`,
  ],
  quotes: [
    (message) => `TronWeb said "${message}"`,
    (message) => `TronWeb: '${message}'`,
    (message) => `Error: "${message}" (tronweb.js:12)`,
    (message) => `the TRON node said '${message}', giving up`,
    (message) => `TronWeb failed with “${message}”, giving up`,
  ],
  "parentheses and a tail": [
    (message) => `(${message}) ${TAIL}`,
    (message) => `Error: broadcast failed (${message}) ${TAIL}`,
    (message) => `TronWeb error [${message}] at line 3`,
  ],
  "a Java stack": [
    (message) => `ContractValidateException: ${message}\n${STACK}`,
    (message) => `org.tron.core.exception.ContractValidateException: ${message}\n${STACK}`,
    (message) => `Caused by: org.tron.core.exception.ContractValidateException: ${message}\r\n${STACK}`,
    (message) => `Exception in thread "main" java.lang.RuntimeException: ${message}\n${STACK}`,
  ],
  "a JSON string": [
    (message) => JSON.stringify(message),
    (message) => JSON.stringify({ level: "error", msg: message, path: PATH }),
    (message) => JSON.stringify({ ts: 1, error: message, caller: "tronweb.js:12" }, null, 2),
    (message) => `TronWeb error: ${JSON.stringify(message)}`,
    (message) => JSON.stringify({ path: PATH, log: `${message}\n${STACK}` }),
  ],
  "escaped JSON": [
    (message) => `payload="${escaped({ level: "error", msg: message, path: PATH })}"`,
    (message) => JSON.stringify({ log: `${JSON.stringify({ error: message, path: PATH })}\n`, stream: "stderr" }),
    (message) => JSON.stringify({ path: PATH, log: JSON.stringify({ msg: `send: ${message}\n${STACK}` }) }),
  ],
  YAML: [
    (message) => `path: ${PATH}\nerror: ${message}\nattempt: 2`,
    (message) => `result:\n  message: ${JSON.stringify(message)}\n  path: ${PATH}`,
    (message) => `result:\n  message: '${message.replaceAll("'", "''")}'\n  path: ${PATH}`,
    (message) => `message: |-\n  ${message}\npath: ${PATH}`,
  ],
  logfmt: [
    (message) => `ts=2026-03-01T22:52:35Z level=error msg=${JSON.stringify(message)} path=${PATH} attempt=2`,
    (message) => `level=error path=${PATH} err=${JSON.stringify(message)}`,
  ],
  "colours of a terminal": [
    (message) => `\u001b[31m${message}\u001b[39m`,
    (message) => `\u001b[1m\u001b[31mTronWeb error:\u001b[39m\u001b[22m ${message}\u001b[0m`,
    (message) => `\u001b[2m22:52:35.066\u001b[22m \u001b[31mERROR\u001b[39m ${message}\u001b[0m\n${NEXT_LINE}`,
  ],
};

/** Wrappings in which nothing but the message shows that the text is of the chain. */
export const plainWrappings: readonly Wrapping[] = [
  (message) => `2026-03-01 22:52:35,066 ERROR ${message}`,
  (message) => `Sending...\n${message}\nDone in 3.2s.`,
  (message) => `Error: '${message}'`,
  (message) => `Error: (${message})`,
  (message) => `error:\n  message: ${JSON.stringify(message)}\n  code: 2`,
  (message) => `level=error msg=${JSON.stringify(message)} attempt=2`,
  (message) => `\u001b[31merror\u001b[0m: \u001b[1m${message}\u001b[0m`,
];

const folder = new URL("../../fixtures/explanations/", import.meta.url);
const messagesOf = (file: string): readonly string[] =>
  (JSON.parse(readFileSync(new URL(file, folder), "utf8")) as readonly { readonly message: string }[]).map(
    ({ message }) => message,
  );

const SAMPLES: { readonly [gap: string]: string } = {
  line: "1",
  column: "17",
  account: "41dd791d6b49e190062d650e6a23c575510d35f2f9",
  address: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp",
  limit: "250000000",
  name: "ALLOW_TVM_VOTE",
  rest: "so and so",
};

/** The text of an entry with an example in each of its gaps; a bracket that it leaves open is closed. */
function filled(text: string): string {
  const closing = /\([^)]*$/.test(text) ? ")" : "";
  return text.replace(/\{([A-Za-z]+)\}/g, (_gap, name: string) => SAMPLES[name] ?? `some-${name}`) + closing;
}

/** Every message of the fixtures, with the words before it with which the node refuses, and every text of the catalogue. */
export function catalogueMessages(): readonly string[] {
  const validations = messagesOf("validation-messages.json");
  const prefixed = validations.map((message) => `Contract validate error : ${message}`);
  const files = [...messagesOf("node-messages.json"), ...validations, ...prefixed];
  return [...new Set([...files, ...messageEntries.flatMap(({ texts }) => texts.map(filled))])];
}
