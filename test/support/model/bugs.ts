import type { Mutation } from "../random/mutants.ts";

/** A deliberate bug in the product, by the name that a bug report would have. */
export interface Bug extends Mutation {
  readonly name: string;
  /** Promises that it may break. */
  readonly promise: readonly string[];
  /** Seed of the random runs, chosen because it finds the bug early. */
  readonly seed?: number;
  /** Path of the random run that finds a bug that few runs find. */
  readonly path?: string;
}

/** Returns code that records a false proof of absence. */
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
    file: "/packages/node/src/storage/durable-file.ts",
    from: "await handle.datasync();",
    to: "",
  },
  {
    name: "the first answer is overwritten",
    seed: 3,
    promise: ["the first answer stays"],
    file: "/packages/client/src/transaction-state/tracked-from-history.ts",
    from: "const [first] = answers;",
    to: "const first = answers.at(-1);",
  },
  {
    name: "the interval is short by one block",
    seed: 57,
    promise: ["states match the chain"],
    file: "/packages/client/src/proof/inclusion-interval.ts",
    from: "return timestamp >= expiration;",
    to: "return timestamp >= expiration - BLOCK_INTERVAL_MS;",
  },
  {
    name: "local clock instead of block time",
    promise: ["states match the chain"],
    file: "/packages/client/src/tracking/absence-poller.ts",
    from: "async round(context: QueryContext): Promise<boolean> {\n    const now = context.clock.now();\n",
    to: `async round(context) {
    const now = context.clock.now();${claimAbsent("candidate.signed.expiration < now")}\n`,
  },
  {
    name: "one empty answer counts as proof",
    promise: ["states match the chain"],
    file: "/packages/client/src/tracking/absence-poller.ts",
    from: "async #prove(context: QueryContext): Promise<void> {",
    to: `async #prove(context) {
    const missing = new Set();
    for (const { txId } of this.#subject.candidates()) {
      if ((await context.gateway.solidTransactionInfo(txId, context.signal)) === undefined) missing.add(txId);
    }${claimAbsent("missing.has(candidate.txId)")}`,
  },
  {
    name: "no window replaces a dead poller",
    promise: ["every unknown is resolved"],
    file: "/src/host/windows/tracking-leader.ts",
    from: "else await waitForLeader(options, shared, signal);",
    to: "else await new Promise(() => undefined);",
  },
  {
    name: "the parent hash is ignored",
    seed: 5,
    promise: ["states match the chain", "every unknown is resolved"],
    file: "/packages/client/src/proof/solidified-blocks.ts",
    from: "if (previous.id !== undefined && block.parentId !== previous.id) {",
    to: "if (false) {",
  },
  {
    name: "rebroadcast on restart",
    promise: ["no broadcast without a request"],
    file: "/src/sending/transaction-service.ts",
    from: "const warnings = await opened.tracker.load();",
    to: `const warnings = await opened.tracker.load();
    for (const it of opened.tracker.list()) {
      if (it.signed === undefined) continue;
      await opened.parts.resubmitTransaction(await this.#services(opened.tracker, it.network), it.txId);
    }`,
  },
  {
    name: "bytes are broadcast before the journal is written",
    promise: ["no broadcast without a request", "never lost"],
    file: "/packages/client/src/tracking/submit-transaction.ts",
    from: "  await claim(services, { txId, rawDataHex, signatures }, context);\n  if (signal",
    to: `  await services.gateway.broadcast(transaction);
  await claim(services, { txId, rawDataHex, signatures }, context);
  if (signal`,
  },
  {
    name: "a torn line absorbs the next one",
    seed: 14,
    promise: ["never lost"],
    file: "/packages/node/src/storage/durable-file.ts",
    from: "Buffer.from(`\\n${",
    to: "Buffer.from(`${",
  },
  {
    name: "two windows send equal transactions at once",
    seed: 37,
    promise: ["never twice"],
    file: "/packages/client/src/tracking/submit-transaction.ts",
    from: "if (obstacle === undefined) return;",
    to: "return;",
  },
  {
    name: "a reorganization is not detected",
    seed: 17,
    promise: ["every unknown is resolved", "states match the chain"],
    file: "/packages/client/src/transaction-state/transaction-query.ts",
    from: `if (state.kind === "included") return [{ kind: "lost-from-head", txId, at: clock.now() }];`,
    to: `if (state.kind === "included") return [];`,
  },
  {
    name: "compaction drops unsettled transactions",
    promise: ["never lost", "every unknown is resolved"],
    file: "/packages/node/src/journal/journal-text.ts",
    from: 'it.kind !== "entry" || !superfluous.has(it.entry)',
    to: 'it.kind === "entry" && it.entry.kind !== "signed"',
  },
  {
    name: "removed journal entries are not restored",
    promise: ["never lost", "never twice"],
    file: "/packages/node/src/journal/journal-file.ts",
    from: "if (missing.length === 0) return await this.#log.sync();",
    to: "if (missing.length >= 0) return;",
  },
  {
    name: "transactions in files are not tracked",
    promise: ["every unknown is resolved", "states match the chain"],
    file: "/packages/client/src/retry/retry-policy.ts",
    from: 'if (state.kind === "signed") return signed.shared === true;',
    to: 'if (state.kind === "signed") return false;',
  },
  {
    name: "signatures of two windows overwrite each other",
    path: "670",
    promise: ["never lost"],
    file: "/packages/client/src/transaction-state/tracked-from-history.ts",
    from: "if (signers === undefined) found.clear();",
    to: "found.clear();",
  },
];
