import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { readCommandLine } from "../../packages/local-chain/src/command-line.ts";
import type { ReadyLine } from "../../packages/local-chain/src/main.ts";
import { defaultSettings } from "../../packages/local-chain/src/node/simulated-node.ts";
import { nodeEndpoints } from "../../packages/local-chain/src/routes/route-table.ts";
import {
  contractTypeTable,
  type Example,
  endpointTable,
  examplesIn,
  isPrinted,
  Shell,
} from "../support/recorded/document-examples.ts";

const program = new URL("../../packages/local-chain/src/main.ts", import.meta.url).pathname;
const document = readFileSync("docs/local-chain.md", "utf8");
const START = "npm run chain -- ";
const USUAL = "--seed docs --block-time manual";

describe("docs/local-chain.md", () => {
  for (const example of examplesIn(document)) {
    it(`shows the output of the example in line ${example.line}`, async () => {
      await runExample(example);
    }).timeout(60_000);
  }

  it("has examples for every control request, and for the settings of the node", () => {
    const typed = examplesIn(document).flatMap(({ commands }) => commands.map(({ text }) => text));
    const controls = [...document.matchAll(/^\| `(?:POST|GET|DELETE) \/local\/(\w+)` \|/gm)].map(([, it]) => it);
    assert.ok(controls.length > 12);
    for (const name of new Set(controls)) {
      assert.ok(
        typed.some((it) => it.includes(`/local/${name}`)),
        `there is no example of /local/${name}`,
      );
    }
    for (const [name, usual] of Object.entries(defaultSettings)) {
      assert.ok(document.includes(`| \`"${name}": ${usual}\` |`), `there is no row for ${name}`);
    }
  });

  it("names every flag of the program", async () => {
    const line = await readCommandLine(["--help"]);
    const flags = line.kind === "help" ? [...line.text.matchAll(/--[a-z-]+/g)].map(([it]) => it) : [];
    assert.ok(flags.length > 15);
    assert.deepEqual(
      flags.filter((it) => !document.includes(it)),
      [],
    );
  });

  it("has the endpoint and contract type tables of the code", () => {
    const lines = document.split("\n");
    const tableAfter = (heading: string): string[] => {
      const begin = lines.indexOf(heading);
      assert.ok(begin >= 0, `there is no table with ${heading}`);
      return lines.slice(begin, lines.indexOf("", begin));
    };
    for (const table of [endpointTable(), contractTypeTable()]) assert.deepEqual(tableAfter(String(table[0])), table);
  });

  it("lists every TronWeb endpoint that is missing", () => {
    const [, absent = ""] = /Of what TronWeb 6\.5 can ask that(.*?)its event server/s.exec(document) ?? [];
    const requested = new Set(["triggersmartcontract", "triggerconstantcontract"]);
    for (const file of globSync("node_modules/tronweb/lib/esm/**/*.js")) {
      const calls = readFileSync(file, "utf8").matchAll(/wallet(?:solidity)?(?:\$\{[^}]*\})?\/(\w+)/g);
      for (const [, name = ""] of calls) requested.add(name);
    }
    assert.ok(requested.size > 40, `only ${requested.size} were found`);
    const missing = [...requested].filter((it) => !nodeEndpoints.has(`/wallet/${it}`));
    assert.deepEqual(
      missing.filter((it) => !absent.includes(`\`${it}\``)),
      [],
    );
    assert.deepEqual(
      [...absent.matchAll(/`(\w+)`/g)].map(([, it]) => it).filter((it) => !missing.includes(String(it))),
      [],
    );
  });
});

async function runExample({ commands }: Example): Promise<void> {
  const [first] = commands;
  const own = first?.text.startsWith(START) === true;
  const chain = await startChain(own ? first.text.slice(START.length) : USUAL);
  try {
    if (own) assertPrinted(first.text, first.printed, chain.line);
    await using shell = new Shell(environment(chain.line));
    for (const { text, printed } of own ? commands.slice(1) : commands) {
      assertPrinted(text, printed, await shell.run(text));
    }
  } finally {
    chain.child.stdin?.end();
    await once(chain.child, "exit");
  }
}

/** Starts a chain through a shell, which parses the flags. */
async function startChain(flags: string): Promise<{ readonly child: ChildProcess; readonly line: string }> {
  const command = `exec "$0" "$1" --exit-with-parent ${flags}`;
  const child = spawn("bash", ["-c", command, process.execPath, program], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: ".cache/compiled" },
  });
  const ended = once(child, "exit").then(([code]) => assert.fail(`The chain ended with ${code}: ${flags}`));
  ended.catch(() => undefined);
  const [line] = await Promise.race([once(createInterface(child.stdout), "line") as Promise<[string]>, ended]);
  return { child, line };
}

function environment(line: string): { readonly [name: string]: string } {
  const { baseUrl, accounts } = JSON.parse(line) as ReadyLine;
  const [alice, bob] = accounts;
  assert.ok(alice !== undefined && bob !== undefined);
  return { CHAIN: baseUrl, ALICE: alice.address, BOB: bob.address, KEY: alice.privateKey };
}

function assertPrinted(command: string, expected: string, actual: string): void {
  assert.ok(isPrinted(expected, actual), `$ ${command}\nprinted\n${actual}\nand not\n${expected}`);
}
