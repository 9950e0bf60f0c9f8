import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import ts from "typescript";
import { type Command, examplesIn, isPrinted, Shell } from "../support/recorded/document-examples.ts";

/** Page whose examples `local-chain-docs.test.ts` runs, each on its own chain. */
const ELSEWHERE = "docs/local-chain.md";
const pages = ["README.md", "samples/README.md", ...globSync("docs/*.md")].filter((it) => it !== ELSEWHERE).sort();

/** Commands that run until they are stopped. */
const UNTIL_ENDED = /^npm run (--silent )?chain\b/;

/** Lines of `sh` blocks that start a program or this test, with the test that runs each. */
const RUN_BY: { readonly [line: string]: string } = {
  "npm start": "test/browser/npm-start.test.ts",
  "code --install-extension finality-0.2.0.vsix": "test/browser/extension-page.test.ts",
  "npm test": "scripts/test.mjs",
};

describe("commands in the documentation", () => {
  for (const page of pages) {
    for (const { line, commands } of examplesIn(readFileSync(page, "utf8"))) {
      for (const command of commands) {
        it(`print what ${page}:${line} shows: ${command.text.split("\n")[0]}`, async () => {
          const printed = UNTIL_ENDED.test(command.text) ? await firstLine(command) : await wholeOutput(command);
          assert.ok(isPrinted(command.printed, printed), `printed\n${printed}\nand not\n${command.printed}`);
        }).timeout(60_000);
      }
    }
  }

  it("in sh blocks are run by a test", () => {
    const blocks = pages.flatMap((page) => [
      ...readFileSync(page, "utf8").matchAll(/^```(?:sh|bash|shell)\n(.*?)^```$/gms),
    ]);
    const lines = blocks.flatMap(([, block = ""]) => block.trim().split("\n"));

    assert.deepEqual([...new Set(lines)].sort(), Object.keys(RUN_BY).sort());
    for (const [line, file] of Object.entries(RUN_BY)) {
      const words =
        line
          .split(" ")
          .filter((it) => !it.includes("finality-"))
          .at(-1) ?? "";
      assert.ok(readFileSync(file, "utf8").includes(words), `${file} does not run ${line}`);
    }
  });
});

describe("API examples", () => {
  const examples = [...readFileSync("docs/api.md", "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, it = ""]) => it);

  for (const [at, example] of examples.entries()) {
    it(`compile against the public interface: ${at + 1}`, () => {
      assert.deepEqual(mistakesIn(example), []);
    }).timeout(30_000);
  }

  it("do not compile with a missing member", () => {
    assert.ok(mistakesIn((examples[0] ?? "").replace("transactions.track", "transactions.send")).length > 0);
  });

  it("describe the members that the sample extension uses", () => {
    const sample = readFileSync("samples/extension/extension.js", "utf8");

    assert.deepEqual(mistakesIn(sample, "extension.js"), []);
    assert.ok(mistakesIn(sample.replace("finality.explain", "finality.sign"), "extension.js").length > 0);
  });
});

/** Returns the compiler errors of a file that imports the public interface. */
function mistakesIn(source: string, file = "example-of-the-documentation.ts"): readonly string[] {
  const name = `${process.cwd()}/${file}`;
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    allowJs: true,
    checkJs: true,
    types: ["vscode", "node"],
    paths: { "@finality/api": [`${process.cwd()}/packages/api/src/index.ts`] },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (file) => file === name || fileExists.call(host, file);
  host.readFile = (file) => (file === name ? source : readFile.call(host, file));
  host.getSourceFile = (file, language) =>
    file === name ? ts.createSourceFile(file, source, language) : getSourceFile.call(host, file, language);
  const program = ts.createProgram([name], options, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(name))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

async function wholeOutput({ text }: Command): Promise<string> {
  await using shell = new Shell({});
  const printed = await shell.run(text);
  return printed
    .split("\n")
    .filter((it) => !it.startsWith("npm warn"))
    .join("\n");
}

/** Starts a command, reads its first line, and interrupts it as Ctrl-C does. */
async function firstLine({ text }: Command): Promise<string> {
  const child = spawn("bash", ["-c", `exec ${text}`], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    return line;
  } finally {
    await interrupt(child);
  }
}

async function interrupt(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  process.kill(-(child.pid ?? 0), "SIGINT");
  await ended;
}
