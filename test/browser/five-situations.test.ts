import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startLocalChain } from "../../packages/local-chain/src/main.ts";
import { commandPage, isOffered, type NamedCommand, situationNames } from "../support/situations/command-page.ts";
import type { Situation } from "../support/situations/makings.ts";
import type { Seen } from "../support/situations/seen.ts";
import { type SituationSeen, seenInWindow } from "../support/situations/windows.ts";

const root = join(import.meta.dirname, "..", "..");
const PAGE = join(root, "docs", "commands-in-five-situations.md");
const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
const texts: Readonly<Record<string, string>> = read("package.nls.json");
const commands: readonly NamedCommand[] = read("package.json").contributes.commands.map(
  ({ command, title }: { readonly command: string; readonly title: string }) => ({
    id: command,
    title: texts[title.slice(1, -1)] ?? "",
  }),
);

/** Texts that users must not see: names of code, arguments and types, and messages of Node. */
const FOR_PROGRAMS =
  /REJECTED|command '.*' not found|\bundefined\b|\[object|\b\w*Error:|\bat .*\.[jt]s:|The command failed|The argument \w+ cannot/;

/** Commands that only show progress, with the place where their result is visible. */
const SEEN_IN_A_VIEW: Readonly<Record<string, string>> = {
  "finality.startLocalChain": "the row of the chain and its accounts",
};

/** Messages of commands that succeeded without a prompt. Any other notification or status bar text is a refusal. */
const DONE: Readonly<Record<string, RegExp>> = {
  "finality.refreshAccounts": /Balances read from/,
  "finality.refreshContracts": /Contracts read/,
  "finality.forgetAnswers": /There are no saved answers/,
  "finality.estimateEnergy": /\d energy/,
  "finality.sendCallOfFile": /^Leaf\.balanceOf\(.*\) = leaves: 0/,
  "finality.refreshEstimates": /Estimated [1-9]\d* of \d+ calls|calls? estimated/,
};

/** Offered, and refused all the same: nothing that the manifest can ask knows it before. Each in these situations alone. */
const LOOKED_FIRST: Readonly<Record<string, { readonly where: readonly Situation[]; readonly why: string }>> = {
  "finality.importNetworks": {
    where: ["folder"],
    why: "whether a folder has a file of a tool is looked for when somebody wants it",
  },
  "finality.estimateEnergy": {
    where: ["own"],
    why: "which network and which contract a call names is known when the call is read",
  },
  "finality.traceCall": { where: ["own"], why: "which network a call names is known when the call is read" },
  "finality.debugCall": { where: ["own"], why: "which network a call names is known when the call is read" },
  "finality.refreshEstimates": { where: ["own"], why: "which network calls name is known when they are read" },
  "finality.saveCostSnapshot": { where: ["own"], why: "whether a call has a figure is known when all are read" },
  "finality.writeDeployments": {
    where: ["own"],
    why: "whether a contract of the network was deployed or added is known when the journal is read",
  },
  "finality.showRuns": {
    where: ["empty", "folder", "project", "own", "local", "untrusted"],
    why: "whether a run is stored is known when its folder is read",
  },
  "finality.decodeTerminal": {
    where: ["empty", "folder", "project", "own", "local", "untrusted"],
    why: "whether a terminal printed something is known when it is asked",
  },
  "finality.decodeDebugOutput": {
    where: ["empty", "folder", "project", "own", "local", "untrusted"],
    why: "what was printed is no context key",
  },
};

/** Changes of commands that remain although their prompts were dismissed, with the reason. */
const LEAVES: Readonly<Record<string, string>> = {
  "finality.createJwtKey": "its question says so: Press Escape to keep the key without an ID",
  "finality.rotateJwtKey": "its question says so: Press Escape to keep the key without an ID",
};

describe("every command in five workspace states and without a key", function () {
  this.timeout(600_000);
  const seen = new Map<Situation, SituationSeen>();
  const ids = commands.map(({ id }) => id);

  before(async () => {
    const chain = await startLocalChain({ blockTimeMs: 1_000 });
    const gateway = chain.baseUrl;
    const settings = {
      "finality.networks": [{ name: "Mainnet", baseUrl: gateway, production: true, audience: "127.0.0.1" }],
      "finality.activeNetwork": "Mainnet",
    };
    const windows = [
      { situations: ["empty"], withFolder: false, gateway },
      { situations: ["folder", "project", "own", "local"], withFolder: true, gateway },
      { situations: ["untrusted"], withFolder: true, restricted: true, settings, gateway },
    ] as const;
    for (const window of windows)
      for (const [situation, it] of await seenInWindow(ids, window)) seen.set(situation, it);
    await chain.close();
  });

  interface Run {
    readonly where: string;
    readonly situation: Situation;
    readonly command: NamedCommand;
    readonly offered: boolean;
    readonly shown: readonly Seen[];
  }

  /** Each command in each situation. */
  function everywhere(): readonly Run[] {
    return [...seen].flatMap(([situation, there]) =>
      commands.map((command) => ({
        where: `${command.title} in ${situationNames[situation].what}`,
        situation,
        command,
        offered: isOffered(there, command),
        shown: there.shown[command.id] ?? [],
      })),
    );
  }

  it("does not activate in an empty window or an unrelated folder", () => {
    assert.deepEqual([seen.get("empty")?.awake, seen.get("folder")?.awake], [false, false]);
  });

  it("is offered equally before and after activation in a window without setup", () => {
    for (const situation of ["empty", "folder"] as const) {
      const { asleep = [], palette = ["?"] } = seen.get(situation) ?? {};

      assert.deepEqual([...asleep].sort(), [...palette].sort(), situation);
    }
  });

  it("is offered before activation in a window with a network: a hidden command could not activate the extension", () => {
    const { asleep = [], palette = ["?"] } = seen.get("untrusted") ?? {};

    assert.deepEqual(
      palette.filter((id) => !asleep.includes(id)),
      [],
    );
    assert.deepEqual(
      ["editNetwork", "copyAddress", "showBalance", "showTimeline", "lookNow", "exportIncoming", "jwtKeys"].filter(
        (name) => !asleep.includes(`finality.${name}`),
      ),
      [],
    );
  });

  it("shows a result for every caller, not only that it started", () => {
    assert.equal(everywhere().length, commands.length * 6);
    const silent = everywhere().filter(
      ({ shown, command: { id } }) => shown.every(({ by }) => by === "progress") && !(id in SEEN_IN_A_VIEW),
    );

    assert.deepEqual(
      silent.map(({ where, shown }) => `${where}: ${shown.map(({ words }) => words).join(" → ")}`),
      [],
    );
  });

  it("ends without an internal error message", () => {
    const raw = everywhere().flatMap(({ where, shown }) =>
      shown.filter(({ words }) => FOR_PROGRAMS.test(words)).map(({ words }) => `${where}: ${words}`),
    );

    assert.deepEqual(raw, []);
  });

  it("shows no empty list and no empty row", () => {
    const bare = everywhere().filter(({ shown }) => shown.some(({ words }) => /\(empty\)|·\s*$|yet: *$/.test(words)));

    assert.deepEqual(
      bare.map(({ where }) => where),
      [],
    );
  });

  it("is offered only where it can run", () => {
    const refusing = everywhere().filter(
      ({ offered, shown, situation, command: { id } }) =>
        offered && refuses(id, shown) && LOOKED_FIRST[id]?.where.includes(situation) !== true,
    );

    assert.deepEqual(
      refusing.map(({ where, shown }) => `${where}: ${shown.map(({ words }) => words).join(" → ")}`),
      [],
    );
  });

  it("has no outdated exception in the table of commands that need a check", () => {
    const refused = everywhere().filter(({ offered, shown, command: { id } }) => offered && refuses(id, shown));

    for (const [id, { where }] of Object.entries(LOOKED_FIRST))
      assert.deepEqual(
        refused.filter(({ command }) => command.id === id).map(({ situation }) => situation),
        where,
        id,
      );
  });

  it("changes nothing when its prompts are dismissed, except where it says so", () => {
    const left = [...seen].flatMap(([situation, { changed }]) =>
      Object.entries(changed).map(([id, what]) => ({ id, text: `${id} in ${situation}: ${what.join(", ")}` })),
    );

    assert.deepEqual(
      left.filter(({ id }) => !(id in LEAVES)).map(({ text }) => text),
      [],
    );
  });

  it("is offered in at least one state, except commands that need another state", () => {
    const offered = everywhere().filter((it) => it.offered);

    assert.deepEqual(
      commands.filter(({ id }) => !offered.some(({ command }) => command.id === id)).map(({ id }) => id),
      NOWHERE,
    );
  });

  it("behaves as docs/commands-in-five-situations.md describes", () => {
    const page = commandPage(commands, seen);
    if (process.env.FINALITY_WRITE !== undefined) writeFileSync(PAGE, page);

    const known = readFileSync(PAGE, "utf8").split("\n");
    const found = page.split("\n");
    // Compares differing lines first, because a diff of two whole pages is unreadable.
    assert.deepEqual(
      found.filter((line) => !known.includes(line)),
      known.filter((line) => !found.includes(line)),
    );
    assert.deepEqual(found, known);
  });
});

/** A refusal is a notice, or a text of the status bar, and nothing that is asked, opened or shown beside it. */
function refuses(id: string, shown: readonly Seen[]): boolean {
  const answers = shown.filter(({ by }) => by !== "progress" && by !== "view");
  const isSaid = answers.every(({ by }) => by === "notice" || by === "status bar");
  return answers.length > 0 && isSaid && !answers.some(({ words }) => DONE[id]?.test(words));
}

/**
 * Commands that need a state which no situation has. Such states are an https network, a hidden notification, a running
 * search, a removal, a filter, and a stopped watch. Others are a signed, replaceable or proven absent transaction. Rows
 * and links alone call the other commands here.
 */
const NOWHERE: readonly string[] = [
  "finality.setClientCertificate",
  "finality.showNoticesAgain",
  "finality.sendSigned",
  "finality.openInExplorer",
  "finality.showTransaction",
  "finality.removeSelected",
  "finality.undoRemove",
  "finality.clearTransactionFilter",
  "finality.showMoreTransactions",
  "finality.createReplacement",
  "finality.doItAgain",
  "finality.exportProof",
  "finality.signAgain",
  "finality.resumeWatching",
  "finality.showEvents",
  "finality.exportEvents",
  "finality.reviewProposal",
  "finality.discardProposal",
  "finality.copyValue",
  "finality.stopProof",
  "finality.resumeProof",
  "finality.sendToAnotherNode",
  "finality.traceFailure",
  "finality.showLineEnergy",
  "finality.compareLineEnergy",
  "finality.hideLineEnergy",
];
