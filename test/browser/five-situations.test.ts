import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startLocalChain } from "../../src/local-chain/main.ts";
import { commandPage, isOffered, type NamedCommand, situationNames } from "../support/situations/command-page.ts";
import type { Situation } from "../support/situations/inside.ts";
import type { Seen } from "../support/situations/seen.ts";
import { type SituationSeen, seenInWindow } from "../support/situations/windows.ts";

const root = join(import.meta.dirname, "..", "..");
const PAGE = join(root, "docs", "commands-in-five-worlds.md");
const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
const texts: Readonly<Record<string, string>> = read("package.nls.json");
const commands: readonly NamedCommand[] = read("package.json").contributes.commands.map(
  ({ command, title }: { readonly command: string; readonly title: string }) => ({
    id: command,
    title: texts[title.slice(1, -1)] ?? "",
  }),
);

/** What no person should read: names of code, of arguments, of types, and words of Node. */
const FOR_PROGRAMS =
  /REJECTED|command '.*' not found|\bundefined\b|\[object|\b\w*Error:|\bat .*\.[jt]s:|This did not work|The argument \w+ cannot/;

/** Offered, and answered with a notice alone: nothing that the manifest can ask knows it before. */
const LOOKED_FIRST: Readonly<Record<string, string>> = {
  "finality.importNetworks": "whether a folder has a file of a tool is looked for when somebody wants it",
  "finality.decodeTerminal": "whether a terminal printed something is known when it is asked",
  "finality.decodeDebugOutput": "what was printed is no context key",
  "finality.setClientCertificate": "whether the URL of the network is https is known when one is chosen",
  "finality.inspectToken": "whether a key has its ID is a secret's business",
  "finality.sendCallOfFile": "whether the contract of a call was deployed is known when the call is read",
  "finality.localChainRestore": "snapshots are the chain's; the notice leads to the first one",
};

describe("every command in five situations", function () {
  this.timeout(600_000);
  const seen = new Map<Situation, SituationSeen>();
  const ids = commands.map(({ id }) => id);

  before(async () => {
    const chain = await startLocalChain({ blockTimeMs: 1_000 });
    const settings = {
      "finality.networks": [{ name: "Mainnet", baseUrl: chain.baseUrl, production: true }],
      "finality.activeNetwork": "Mainnet",
    };
    const windows = [
      { situations: ["empty"], withFolder: false },
      { situations: ["folder", "project", "local"], withFolder: true },
      { situations: ["untrusted"], withFolder: true, restricted: true, settings },
    ] as const;
    for (const window of windows)
      for (const [situation, it] of await seenInWindow(ids, window)) seen.set(situation, it);
    await chain.close();
  });

  /** Each command in each situation. */
  function everywhere(): readonly { where: string; command: NamedCommand; offered: boolean; shown: readonly Seen[] }[] {
    return [...seen].flatMap(([situation, there]) =>
      commands.map((command) => ({
        where: `${command.title} in ${situationNames[situation].what}`,
        command,
        offered: isOffered(there, command),
        shown: there.shown[command.id] ?? [],
      })),
    );
  }

  it("sleeps in an empty window and in a folder that has nothing to do with a chain", () => {
    assert.deepEqual([seen.get("empty")?.awake, seen.get("folder")?.awake], [false, false]);
  });

  it("shows something, whoever calls it", () => {
    assert.equal(everywhere().length, commands.length * 5);
    const silent = everywhere().filter(({ shown }) => shown.length === 0);

    assert.deepEqual(
      silent.map(({ where }) => where),
      [],
    );
  });

  it("shows no error for programs", () => {
    const raw = everywhere().flatMap(({ where, shown }) =>
      shown.filter(({ words }) => FOR_PROGRAMS.test(words)).map(({ words }) => `${where}: ${words}`),
    );

    assert.deepEqual(raw, []);
  });

  it("shows no list without a row, and no row that says nothing", () => {
    const bare = everywhere().filter(({ shown }) => shown.some(({ words }) => /\(empty\)|·\s*$/.test(words)));

    assert.deepEqual(
      bare.map(({ where }) => where),
      [],
    );
  });

  it("is offered only where it can work", () => {
    const refusing = everywhere().filter(
      ({ offered, shown, command: { id } }) =>
        offered && shown.every(({ by }) => by === "notice") && !(id in LOOKED_FIRST),
    );

    assert.deepEqual(
      refusing.map(({ where, shown }) => `${where}: ${shown[0]?.words}`),
      [],
    );
  });

  it("is offered in one of them at least, but for what needs a transaction, a watch or a key of one's own", () => {
    const offered = everywhere().filter((it) => it.offered);

    assert.deepEqual(
      commands.filter(({ id }) => !offered.some(({ command }) => command.id === id)).map(({ id }) => id),
      NOWHERE,
    );
  });

  it("does what docs/commands-in-five-worlds.md says", () => {
    const page = commandPage(commands, seen);
    if (process.env.FINALITY_WRITE !== undefined) writeFileSync(PAGE, page);

    assert.equal(readFileSync(PAGE, "utf8"), page);
  });
});

/** Those that need what none of the five situations has: a transaction in the list, a watch, a key of one's own. */
const NOWHERE: readonly string[] = [
  "finality.changeKeyPolicy",
  "finality.showNoticesAgain",
  "finality.sendSameBytesAgain",
  "finality.copyTxId",
  "finality.openInExplorer",
  "finality.lookNow",
  "finality.showTransaction",
  "finality.removeFromList",
  "finality.createReplacement",
  "finality.doItAgain",
  "finality.exportProof",
  "finality.showSignatures",
  "finality.signAgain",
  "finality.stopWatchingIncoming",
  "finality.removeIncoming",
  "finality.exportIncoming",
  "finality.showResult",
  "finality.showLifeLine",
  "finality.copyReport",
  "finality.stopProof",
  "finality.resumeProof",
  "finality.sendToAnotherNode",
];
