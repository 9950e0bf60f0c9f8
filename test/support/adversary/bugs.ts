import type { Bug } from "../model/bugs.ts";

/** Deliberate bugs that an adversarial gateway has to reveal. */
export const bugs: readonly Bug[] = [
  {
    name: "differences from the request do not prevent signing",
    seed: 2,
    promise: ["no unrequested signature"],
    file: "/packages/tron/src/transaction/verify-against-intent.ts",
    from: [
      'if (differences.length > 0) return { kind: "different", differences };',
      '  if (hasOtherBytes) return { kind: "different", differences: [OTHER_BYTES] };',
    ].join("\n"),
    to: "",
  },
  {
    name: "bytes of an earlier payment are signed again",
    seed: 27,
    promise: ["no unrequested signature"],
    file: "/src/sending/transaction-sender.ts",
    from: "if (known !== undefined) throw",
    to: "if (false) throw",
  },
  {
    name: "secrets in answers are not removed",
    seed: 3,
    promise: ["no secret leaks"],
    file: "/packages/client/src/gateway/http/http-sender.ts",
    from: "const remove = this.#removerOf(carried);",
    to: "const remove = (text: string) => text;",
  },
  {
    name: "an API key is sent to each URL of its network",
    promise: ["no secret leaks"],
    file: "/packages/client/src/gateway/http/http-sender.ts",
    from: "apiKey: apiKey !== undefined && isBoundTo(apiKey, url) ? apiKey.value : undefined,",
    to: "apiKey: apiKey?.value,",
  },
  {
    name: "another genesis ID alone counts as another chain",
    seed: 2,
    promise: ["never twice"],
    file: "/packages/client/src/retry/conflicting-transactions.ts",
    from: "const answer = await findReferenceOn(",
    to: 'return "apart"; const answer = await findReferenceOn(',
  },
  {
    name: "the other network is not searched for the reference block",
    seed: 2,
    promise: ["never twice"],
    file: "/packages/client/src/retry/conflicting-transactions.ts",
    from: "return RELATION[await findReferenceOn(sources.networkOf(other), here.rawDataHex, sources)];",
    to: 'return "apart";',
  },
  {
    name: "a failure is accepted although another URL denies it",
    seed: 10,
    promise: ["never twice"],
    file: "/packages/client/src/retry/conflicting-transactions.ts",
    from: "const facts = answers.flat();",
    to: "return { facts: [], isOpen: false };",
  },
];
