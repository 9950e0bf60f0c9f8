import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { BLACK_HOLE } from "../../../packages/local-chain/src/chain/account.ts";
import { NODE_VERSIONS } from "../../../packages/local-chain/src/chain/parameters.ts";
import { type LocalChain as Chain, startLocalChain } from "../../../packages/local-chain/src/main.ts";
import { checkTracesOfBlock } from "../traces/traced-chain.ts";
import {
  type DifferingCase,
  type FieldDifference,
  isOfHttp,
  type Kind,
  reasonFor,
  reasons,
  versionOf,
} from "./known-differences.ts";

/**
 * `node test/support/recorded/play-recorded.ts FOLDER [--only TEXT] [--node-version VERSION] [--list FILE]`: plays the
 * recorded cases of a folder with a `check.mjs` on chains of this checkout, one for each recording, and says why what
 * differs does. It fails when something differs that `known-differences.ts` does not explain. `--traces` also traces each
 * transaction that ran code, and fails when a trace does not equal its receipt.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    "node-version": { type: "string", default: "4.8.0" },
    list: { type: "string" },
    traces: { type: "boolean", default: false },
    modules: { type: "string" },
  },
});
const nodeVersion = NODE_VERSIONS.find((it) => it === values["node-version"]) ?? "4.8.0";
const root = join(import.meta.dirname, "../../..");
const folder = positionals[0] ?? ".";
/** Check.mjs and its parts look for the codecs there. */
const modules = ["--modules", values.modules ?? root];
process.argv.push(...modules);

interface Recording {
  readonly views: readonly { readonly notRun?: string }[];
  readonly cases: readonly {
    readonly id?: string;
    readonly case?: { readonly id: string };
    readonly e: readonly number[];
  }[];
}
interface Played {
  readonly compared: number;
  readonly differing: readonly DifferingCase[];
}
interface ReportLine {
  readonly id: string;
  readonly bad: readonly FieldDifference[];
}
/** A step of a case; those of `http.json` that are requests have names. */
interface Step {
  readonly do: string;
  readonly note?: string;
}

/** Ms between blocks: those of a network where answers depend on which block is the newest, 0 for when check.mjs asks. */
const BLOCK_TIMES_MS: { readonly [file: string]: number } = {
  "http.json": 3000,
  "http-4.8.2.json": 3000,
  "admission.json": 0,
};
const QUICK_BLOCK_TIME_MS = 300;
/** Earlier state of the recorded chain: heights with four digits (with three on the one of 4.8.2), tokens, and stakes for TRON_POWER. */
const HISTORY: { readonly [file: string]: readonly string[] } = {
  "http.json": ["votes.json", "tokens.json", "names.json"],
  "http-4.8.2.json": ["tokens-4.8.2.json"],
  "names.json": ["names-2.json"],
  "names-2.json": ["names.json"],
};
const BLOCKS = 990;
/** So few blocks at once leave chain time where it is: proposals are as old as they were. */
const ROW = 6;
/** Addresses that had received coins, some from destroyed contracts. */
const GIVEN = [
  { address: `41${"0".repeat(40)}`, amount: 318_575_730 },
  { address: BLACK_HOLE, amount: 264_962_516 },
];
/** Those that check.mjs does not play. */
const OTHERS = /^(?:jsonrpc|precompile)-/;
const TITLES = {
  "4.8.0": [
    "# What differs from the recordings of a real node",
    "Written by `node test/support/recorded/play-recorded.ts FOLDER --list docs/differences.md`; the reasons are in\n`test/support/recorded/known-differences.ts`. The recordings of java-tron 4.8.2 have [their own list](differences-4.8.2.md).",
  ],
  "4.8.2": [
    "# What differs from the recordings of java-tron 4.8.2",
    "Written by `node test/support/recorded/play-recorded.ts FOLDER --node-version 4.8.2 --list docs/differences-4.8.2.md`; the\nreasons are in `test/support/recorded/known-differences.ts`. The node was Nile's 4.8.2, which does more than the release\nof the same number.",
  ],
};
/** On the recorded network of 4.8.2 a proposal lasted a minute. */
const PARAMETERS = { "4.8.0": {}, "4.8.2": { getProposalExpireTime: 60_000 } };

const unpacked = mkdtempSync(join(tmpdir(), "recorded-"));
process.on("exit", () => rmSync(unpacked, { recursive: true }));
const files = readdirSync(join(folder, "recorded"))
  .map((it) => it.replace(/\.gz$/, ""))
  .filter((it) => it.endsWith(".json") && !OTHERS.test(it))
  .filter((it) => it.includes(values.only) && versionOf(it) === nodeVersion);
const traced = { equal: 0, failures: [] as string[] };
const played: Played[] = [];
for (const file of files.sort()) played.push(await play(file));
const differing = played.flatMap((it) => it.differing);
const compared = played.reduce((sum, it) => sum + it.compared, 0);
const text = describe();
process.stdout.write(text.summary);
if (values.list !== undefined) writeFileSync(values.list, text.list);
if (values.traces) {
  const { equal, failures } = traced;
  process.stdout.write(`Traces: ${equal} equal their receipts, ${failures.length} do not.\n`);
  for (const line of failures) process.stdout.write(`${line}\n`);
}
const isExplained = differing.every((it) => reasonFor(it) !== undefined);
process.exitCode = isExplained && traced.failures.length === 0 ? 0 : 1;

async function play(file: string): Promise<Played> {
  const parameters = { getMaxCpuTimeOfOneTx: 400, ...PARAMETERS[nodeVersion] };
  const chain = await startLocalChain({
    nodeVersion,
    parameters,
    blockTimeMs: BLOCK_TIMES_MS[file] ?? QUICK_BLOCK_TIME_MS,
  });
  if (values.traces) traceEachBlock(chain, file);
  const reports = mkdtempSync(join(tmpdir(), "play-recorded-"));
  try {
    if (file in HISTORY && nodeVersion === "4.8.0") {
      for (let made = 0; made < BLOCKS; made += ROW) await control(chain, "/local/mine", { blocks: ROW });
      for (const gift of GIVEN) await control(chain, "/local/fund", gift);
    }
    const report = join(reports, "report.jsonl");
    const printed = await check(chain, [...(HISTORY[file] ?? []), file], report);
    const lines = readFileSync(report, "utf8")
      .split("\n")
      .filter((line) => line.includes(`"file":"${file}"`));
    const differing = await casesOf(
      file,
      lines.map((line) => JSON.parse(line) as ReportLine),
    );
    const [, matched = 0, differ = 0] =
      new RegExp(`^${file}: (\\d+) matched, (\\d+) differ`, "m").exec(printed)?.map(Number) ?? [];
    process.stdout.write(`${file}: ${matched} match, ${differ} do not\n`);
    return { compared: matched + differ, differing };
  } finally {
    rmSync(reports, { recursive: true });
    await chain.close();
  }
}

/** Traces the transactions of each block as soon as it is produced. */
function traceEachBlock({ simulation: { chain } }: Chain, file: string): void {
  chain.production.onEvent(({ kind }) => {
    if (kind !== "block") return;
    const { number } = chain.head.header;
    try {
      traced.equal += checkTracesOfBlock(chain, number, file);
    } catch (error) {
      traced.failures.push(error instanceof Error ? error.message : String(error));
    }
  });
}

async function control({ baseUrl }: Chain, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${await answer.text()}`);
}

/** Check.mjs in a process of its own. @returns what it printed */
async function check(chain: Chain, names: string[], report: string): Promise<string> {
  const recordings = names.map(pathOf);
  const how = ["--base", chain.baseUrl, "--key", chain.ready.faucet.privateKey, "--report", report, "--quiet"];
  if (names.some((name) => BLOCK_TIMES_MS[name] === 0)) how.push("--mine", "--pool", "1");
  const child = spawn(process.execPath, [join(folder, "check.mjs"), ...how, ...modules, ...recordings]);
  child.stderr.pipe(process.stderr);
  let printed = "";
  for await (const chunk of child.stdout) printed += String(chunk);
  return printed;
}

/** Of a recording as check.mjs reads it. */
function pathOf(name: string): string {
  const path = join(folder, "recorded", name);
  if (existsSync(path)) return path;
  const copy = join(unpacked, name);
  if (!existsSync(copy)) writeFileSync(copy, gunzipSync(readFileSync(`${path}.gz`)));
  return copy;
}

async function casesOf(file: string, lines: readonly ReportLine[]): Promise<DifferingCase[]> {
  const { views, cases } = JSON.parse(readFileSync(pathOf(file), "utf8")) as Recording;
  const brokeOff = (id: string): boolean =>
    cases.some((it) => (it.case?.id ?? it.id) === id && it.e.some((view) => views[view]?.notRun !== undefined));
  if (!isOfHttp(file)) {
    return lines.map(({ id, bad }) => ({ file, name: id, differences: bad, brokeOff: brokeOff(id) }));
  }
  const suite = pathToFileURL(join(folder, "lib/suite-http.mjs")).href;
  const { httpCase } = (await import(suite)) as { httpCase: (path: string) => { steps: readonly Step[] } };
  return lines.flatMap(({ id, bad }) => {
    const { steps } = httpCase(id);
    const bySteps = Map.groupBy(bad, ([step]) => step);
    return [...bySteps].map(([step, differences]) => {
      const name = `${id} ${steps[step]?.note ?? steps[step]?.do ?? step}`;
      return { file, name, differences, brokeOff: false };
    });
  });
}

function describe(): { readonly summary: string; readonly list: string } {
  const byReason = Map.groupBy(differing, (it) => reasonFor(it));
  const brokeOff = byReason.get("broke-off") ?? [];
  const unexplained = byReason.get(undefined) ?? [];
  const explained = reasons.map((reason) => ({ reason, cases: byReason.get(reason) ?? [] }));
  const ofKind = (kind: Kind): number =>
    explained.reduce((sum, { reason, cases }) => sum + (reason.kind === kind ? cases.length : 0), 0);
  const recording = ofKind("recording") + brokeOff.length;
  const comparable = compared - recording;
  const others = differing.length - recording;
  const head = [
    `${compared} cases, of which ${recording} cannot be compared: the recording broke off (${brokeOff.length}), or is not what check.mjs asks for.`,
    `Of ${comparable} others ${comparable - others} match and ${others} differ (${((100 * others) / comparable).toFixed(2)} %): ` +
      `${ofKind("history")} by what the recorded chain had seen before, ${ofKind("moment")} by the moment or by random addresses, ` +
      `${ofKind("defect")} known defects, ${unexplained.length} unexplained.`,
  ];
  const rows = explained.map(
    ({ reason, cases }) => `${String(cases.length).padStart(6)}  ${reason.kind}  ${reason.key}`,
  );
  const odd = unexplained.map(
    ({ file, name, differences }) => `${file} ${name} ${JSON.stringify(differences.slice(0, 2))}`,
  );
  const sections = explained
    .filter(({ cases }) => cases.length > 0)
    .map(({ reason, cases }) =>
      [`## ${reason.key} (${reason.kind}, ${cases.length})`, "", reason.why, "", ...namesOf(cases), ""].join("\n"),
    );
  const broke = [
    `## broke-off (recording, ${brokeOff.length})`,
    "",
    "The recording says `no answer in 60000 ms` in place of an answer.",
    "",
    ...namesOf(brokeOff),
    "",
  ];
  return {
    summary: `${[...head, ...rows, `${String(brokeOff.length).padStart(6)}  recording  broke-off`, ...odd].join("\n")}\n`,
    list: `${[...TITLES[nodeVersion].flatMap((it) => [it, ""]), ...head, "", ...sections, ...broke].join("\n")}`,
  };
}

/** One line for each recording or endpoint. */
function namesOf(cases: readonly DifferingCase[]): string[] {
  const groups = Map.groupBy(cases, ({ file, name }) => (isOfHttp(file) ? `${name.split(" ", 1)[0]}` : file));
  return [...groups].map(([group, all]) => {
    const names = all.map(({ name }) => (name.startsWith(group) ? name.slice(group.length + 1) : name));
    return `- \`${group}\`: ${names.map((name) => `\`${name.replaceAll("`", "'").replace(/\s+/g, " ")}\``).join(", ")}`;
  });
}
