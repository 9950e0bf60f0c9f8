import type { Mutation } from "../random/mutants.ts";

/** A deliberate bug in the product, by the name under which people would report it. */
export interface Bug extends Mutation {
  readonly name: string;
  /** Which promise it breaks; any of them will do. */
  readonly promise: readonly string[];
  /** The first of a row of random runs; this one was seen to find the bug soon. */
  readonly seed?: number;
}

/** Notes a proof of absence that is none. */
const claimAbsent = (which: string): string => `
    for (const it of this.#subject.candidates().filter((candidate) => ${which})) {
      const block = { number: it.signed.solidHeight + 1, id: "0".repeat(64), timestamp: it.signed.expiration };
      const blocks = { parentId: block.id, first: block, last: block, count: 1, digest: block.id };
      await this.#subject.recordFacts(this.#proof({ txId: it.txId, ...blocks }, it.signed, context));
    }`;

export const bugs: readonly Bug[] = [
  {
    name: "no fsync",
    promise: ["never lost"],
    file: "/src/host/storage/durable-file.ts",
    from: "await handle.datasync();",
    to: "",
  },
  {
    name: "the first answer is overwritten",
    seed: 15,
    promise: ["the first answer stays"],
    file: "/packages/client/src/transaction-state/tracked-from-history.ts",
    from: "const [first] = answers;",
    to: "const first = answers.at(-1);",
  },
  {
    name: "the interval is short by one block",
    seed: 57,
    promise: ["no state lies"],
    file: "/packages/client/src/proof/inclusion-interval.ts",
    from: "return timestamp >= expiration;",
    to: "return timestamp >= expiration - BLOCK_INTERVAL_MS;",
  },
  {
    name: "local clock instead of block time",
    promise: ["no state lies"],
    file: "/packages/client/src/tracking/absence-poller.ts",
    from: "async round(context: QueryContext): Promise<boolean> {\n    const now = context.clock.now();\n",
    to: `async round(context) {
    const now = context.clock.now();${claimAbsent("candidate.signed.expiration < now")}\n`,
  },
  {
    name: "one {} is taken as proof",
    promise: ["no state lies"],
    file: "/packages/client/src/tracking/absence-poller.ts",
    from: "async #prove(context: QueryContext): Promise<void> {",
    to: `async #prove(context) {
    const missing = new Set();
    for (const { txId } of this.#subject.candidates()) {
      if ((await context.gateway.solidTransactionInfo(txId, context.signal)) === undefined) missing.add(txId);
    }${claimAbsent("missing.has(candidate.txId)")}`,
  },
  {
    name: "a dead poller is never succeeded",
    promise: ["every unknown is resolved"],
    file: "/src/host/windows/tracking-leader.ts",
    from: "else await waitForLeader(options, shared, signal);",
    to: "else await new Promise(() => undefined);",
  },
  {
    name: "the parent hash is ignored",
    seed: 5,
    promise: ["no state lies", "every unknown is resolved"],
    file: "/packages/client/src/proof/solidified-blocks.ts",
    from: "if (previous.id !== undefined && block.parentId !== previous.id) {",
    to: "if (false) {",
  },
  {
    name: "resend on restart",
    promise: ["nothing leaves by itself"],
    file: "/src/sending/transaction-service.ts",
    from: "const warnings = await opened.tracker.load();",
    to: `const warnings = await opened.tracker.load();
    for (const it of opened.tracker.list()) {
      if (it.signed === undefined) continue;
      await opened.parts.resubmitTransaction(await this.#services(opened.tracker, it.network), it.txId);
    }`,
  },
  {
    name: "the bytes leave before they are written down",
    promise: ["nothing leaves by itself", "never lost"],
    file: "/packages/client/src/tracking/submit-transaction.ts",
    from: "  await claim(services, { txId, rawDataHex, signatures }, context);\n  if (signal",
    to: `  await services.gateway.broadcast(transaction);
  await claim(services, { txId, rawDataHex, signatures }, context);
  if (signal`,
  },
  {
    name: "a torn line swallows the next one",
    seed: 14,
    promise: ["never lost"],
    file: "/src/host/storage/durable-file.ts",
    from: "Buffer.from(`\\n${",
    to: "Buffer.from(`${",
  },
  {
    name: "two windows send the same at once",
    seed: 37,
    promise: ["never twice"],
    file: "/packages/client/src/tracking/submit-transaction.ts",
    from: "if (obstacle === undefined) return;",
    to: "return;",
  },
  {
    name: "a reorganisation is not noticed",
    seed: 17,
    promise: ["every unknown is resolved", "no state lies"],
    file: "/packages/client/src/transaction-state/transaction-query.ts",
    from: `if (state.kind === "included") return [{ kind: "lost-from-head", txId, at: clock.now() }];`,
    to: `if (state.kind === "included") return [];`,
  },
  {
    name: "a compaction forgets what is not solidified",
    promise: ["never lost", "every unknown is resolved"],
    file: "/src/host/journal/journal-text.ts",
    from: 'it.kind !== "entry" || !superfluous.has(it.entry)',
    to: 'it.kind === "entry" && it.entry.kind !== "signed"',
  },
  {
    name: "what was taken out of the journal is not written again",
    promise: ["never lost", "never twice"],
    file: "/src/host/journal/journal-file.ts",
    from: "if (missing.length === 0) return await this.#log.sync();",
    to: "if (missing.length >= 0) return;",
  },
  {
    name: "what others may send is not watched",
    promise: ["every unknown is resolved", "no state lies"],
    file: "/packages/client/src/retry/retry-policy.ts",
    from: 'if (state.kind === "signed") return signed.shared === true;',
    to: 'if (state.kind === "signed") return false;',
  },
  {
    name: "signatures of several windows take each other's place",
    promise: ["never lost"],
    file: "/packages/client/src/transaction-state/tracked-from-history.ts",
    from: "if (signers === undefined) found.clear();",
    to: "found.clear();",
  },
];
