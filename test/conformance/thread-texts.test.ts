import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadDictionary } from "../../packages/client/src/explain/documented-sources.ts";
import { explain } from "../../packages/client/src/explain/explain.ts";
import type { AbiIndex } from "../../packages/tron/src/abi/abi-index.ts";
import { alarmsIn } from "../support/explanations/collected-messages.ts";

/** An error message from a public thread. `says` matches the title, the cause without the quoted text, or the fix. */
interface ThreadText {
  readonly source: string;
  readonly text: string;
  readonly expected: {
    readonly category: readonly string[];
    readonly says: string;
    readonly sameBytes?: readonly string[];
  };
}

interface Texts {
  readonly failures: readonly ThreadText[];
  readonly ordinary: readonly { readonly source: string; readonly text: string }[];
}

/** A collection. `missed` has the texts that its first run missed and that are not mended: they are counted, and fail no test. */
interface Collection extends Texts {
  readonly missed?: Texts;
}

const folder = join(import.meta.dirname, "..", "fixtures", "explanations", "threads");
const collections = globSync("*.json", { cwd: folder }).map(
  (file): Collection => JSON.parse(readFileSync(join(folder, file), "utf8")),
);
const missed = collections.flatMap((it) => it.missed ?? []);

/** Words of the input at the end of a cause. */
const QUOTED_TEXT = / The text: [\s\S]*$/;

function mistakesIn({ source, text, expected }: ThreadText, abi: AbiIndex): readonly string[] {
  const { category, code, title, cause, fix, retry } = explain(text, { abi });
  const isRight =
    expected.category.includes(category) &&
    new RegExp(expected.says, "i").test(`${title} ${cause.replace(QUOTED_TEXT, "")} ${fix}`) &&
    (expected.sameBytes?.includes(retry.sameBytes) ?? true);
  return isRight ? [] : [`${source}: ${category} ${code} ${retry.sameBytes} "${title}" ${cause} ${fix}`];
}

function alarmsOf({ source, text }: Texts["ordinary"][number], abi: AbiIndex): readonly string[] {
  return alarmsIn({ id: source, tool: source, origin: "wording", what: "", text }, abi).map((it) => `${source}: ${it}`);
}

describe("error messages of public threads", () => {
  let abi: AbiIndex;

  before(async () => {
    abi = await loadDictionary();
  });

  it("are explained with their cause, and with the safety of a rebroadcast", () => {
    const texts = collections.flatMap(({ failures }) => failures);

    const mistakes = texts.flatMap((text) => mistakesIn(text, abi));

    const known = missed.flatMap(({ failures }) => failures);
    const remaining = known.filter((text) => mistakesIn(text, abi).length > 0);
    process.stdout.write(`      threads: ${texts.length - mistakes.length} of ${texts.length} right\n`);
    process.stdout.write(`      threads: ${remaining.length} of ${known.length} known misses remain\n`);
    assert.deepEqual(mistakes, []);
  });

  it("have no false alarms in ordinary texts", () => {
    const texts = collections.flatMap(({ ordinary }) => ordinary);

    const alarms = texts.flatMap((text) => alarmsOf(text, abi));

    const known = missed.flatMap(({ ordinary }) => ordinary);
    const remaining = known.filter((text) => alarmsOf(text, abi).length > 0);
    process.stdout.write(`      threads: ${alarms.length} false alarms in ${texts.length} ordinary texts\n`);
    process.stdout.write(`      threads: ${remaining.length} of ${known.length} known false alarms remain\n`);
    assert.deepEqual(alarms, []);
  });
});
