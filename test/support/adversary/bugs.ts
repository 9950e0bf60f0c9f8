import type { Bug } from "../model/bugs.ts";

/** Deliberate bugs, by the names under which people would report them, that a liar has to find. */
export const bugs: readonly Bug[] = [
  {
    name: "differences do not stop a signature",
    seed: 2,
    promise: ["nothing unasked"],
    file: "/packages/tron/src/transaction/verify-against-intent.ts",
    from: [
      'if (differences.length > 0) return { kind: "different", differences };',
      '  if (!equalBytes(encodeRawData(expected), bytes)) return { kind: "different", differences: [OTHER_BYTES] };',
    ].join("\n"),
    to: "",
  },
  {
    name: "bytes of an earlier payment are signed again",
    seed: 27,
    promise: ["nothing unasked"],
    file: "/src/sending/transaction-sender.ts",
    from: "if (known !== undefined) throw",
    to: "if (false) throw",
  },
  {
    name: "what a gateway repeats of a request is read",
    seed: 3,
    promise: ["no secret leaves"],
    file: "/packages/client/src/gateway/http/http-sender.ts",
    from: "const remove = this.#removerOf(carried);",
    to: "const remove = (text: string) => text;",
  },
  {
    name: "an API key goes to every URL of its network",
    promise: ["no secret leaves"],
    file: "/packages/client/src/gateway/http/http-sender.ts",
    from: "apiKey: apiKey !== undefined && isBoundTo(apiKey, url) ? apiKey.value : undefined,",
    to: "apiKey: apiKey?.value,",
  },
  {
    name: "a network that names another genesis block is another chain",
    seed: 2,
    promise: ["never twice"],
    file: "/packages/client/src/retry/conflicting-transactions.ts",
    from: "const answer = await findReferenceOn(",
    to: 'return "apart"; const answer = await findReferenceOn(',
  },
  {
    name: "the other network is not asked for the block of the new bytes",
    seed: 2,
    promise: ["never twice"],
    file: "/packages/client/src/retry/conflicting-transactions.ts",
    from: "return RELATION[await findReferenceOn(sources.networkOf(other), here.rawDataHex, sources)];",
    to: 'return "apart";',
  },
  {
    name: "a failure is believed although a further URL denies it",
    seed: 10,
    promise: ["never twice"],
    file: "/packages/client/src/retry/conflicting-transactions.ts",
    from: "const facts = answers.flat();",
    to: "return { facts: [], isOpen: false };",
  },
];
