import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { buildCliIfStale } from "../../scripts/build/cli.mjs";

interface WorkflowStep {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
}

interface Workflow {
  readonly name: string;
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { env?: Readonly<Record<string, string>>; steps: readonly WorkflowStep[] }>>;
}

const root = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "docs/ci.md"), "utf8");
const ARTIFACT = readFileSync(join(root, "samples/build/contracts/Leaf.json"), "utf8");
const [estimateWorkflow, commentWorkflow] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
  ([, text = ""]) => parse(text) as Workflow,
);

const MARKER = "<!-- finality-energy -->";
const leaf = (method: string, inputs: readonly string[], more: object = {}): object => ({
  contract: "Leaf",
  function: method,
  arguments: inputs,
  caller: "Alice",
  ...more,
});
const deployment = { deploy: "Leaf", arguments: ["1000"], caller: "Alice" };

/** Result of the steps of a workflow. */
interface WorkflowRun {
  /** Exit codes of the steps with a script, by their names. */
  readonly exitCodes: Readonly<Record<string, number | null>>;
  readonly output: string;
}

describe("workflows of the documentation", function () {
  this.timeout(120_000);
  let folder: string;
  let bin: string;
  let clone: string;
  let store: string;

  before(async () => {
    const program = await buildCliIfStale(root);
    folder = mkdtempSync(join(tmpdir(), "finality-ci-"));
    [bin, clone, store] = ["bin", "clone", "store"].map((it) => join(folder, it)) as [string, string, string];
    mkdirSync(bin);
    const script = (name: string, text: string): void =>
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    script("npx", 'exec "$@"');
    script("finality", `exec "${process.execPath}" "${program}" "$@"`);
    script("node", `exec "${process.execPath}" "$@"`);
    // Answers as GitHub: the pull request, the comments, and what is posted.
    script(
      "gh",
      `echo "$@" >> "$HOME/requests"
case "$*" in
  *PATCH*|*POST*) cp comment.md "$HOME/posted" ;;
  *pulls*) printf '%s\\n' "$TEST_PULLS" ;;
  *comments*) printf '%s\\n' "$TEST_COMMENTS" ;;
esac`,
    );
    writeProject();
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Commits a base and a pull request to a repository, and clones it. */
  function writeProject(): void {
    const origin = join(folder, "origin");
    mkdirSync(join(origin, "calls"), { recursive: true });
    const git = (...args: readonly string[]): unknown =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.invalid", ...args], { cwd: origin });
    const write = (file: object): void =>
      writeFileSync(join(origin, "calls/leaf.finality.jsonc"), JSON.stringify(file, undefined, 1));
    writeFileSync(join(origin, "Leaf.template"), ARTIFACT);
    write({ setup: [deployment, leaf("transfer", ["Bob", "3"])], calls: [leaf("transfer", ["Bob", "1"])] });
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "base");
    git("switch", "-qc", "change");
    const expect = { result: 1000 };
    write({ setup: [deployment], calls: [leaf("transfer", ["Bob", "1"]), leaf("balanceOf", ["Alice"], { expect })] });
    git("commit", "-qam", "change");
    execFileSync("git", ["clone", "-q", "--branch", "change", origin, clone]);
  }

  const BUILD = "mkdir -p build/contracts && cp Leaf.template build/contracts/Leaf.json";

  function run(
    { env: workflowEnv = {}, jobs }: Workflow,
    { cwd, values, env = {} }: { cwd: string; values: Readonly<Record<string, string>>; env?: NodeJS.ProcessEnv },
  ): WorkflowRun {
    const textOf = (text: unknown): string =>
      String(text).replace(/\$\{\{ *([\w.]+) *\}\}/g, (_, name: string) => values[name] ?? assert.fail(`no ${name}`));
    const valuesOf = (variables: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv =>
      Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, textOf(value)]));
    const [job = assert.fail()] = Object.values(jobs);
    const base = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, CI: "true" };
    const exitCodes: Record<string, number | null> = {};
    let output = "";
    let isFailed = false;
    for (const step of job.steps) {
      if (isFailed && step.if !== "always()") continue;
      const [action] = step.uses?.split("@") ?? [];
      if (action === "actions/upload-artifact") storeFiles(String(step.with?.path), cwd);
      else if (action === "actions/download-artifact")
        cpSync(store, join(cwd, String(step.with?.path)), { recursive: true, verbatimSymlinks: true });
      else if (action !== undefined) assert.match(action, /^actions\/(?:checkout|setup-node)$/);
      if (step.run === undefined) continue;
      const variables = { ...base, ...valuesOf(workflowEnv), ...valuesOf(job.env), ...valuesOf(step.env), ...env };
      const done = spawnSync("bash", ["-e", "-c", step.run], { cwd, env: variables, encoding: "utf8" });
      exitCodes[step.name ?? ""] = done.status;
      output += done.stdout + done.stderr;
      isFailed ||= done.status !== 0;
    }
    return { exitCodes, output };
  }

  function storeFiles(paths: string, cwd: string): void {
    rmSync(store, { recursive: true, force: true });
    mkdirSync(store);
    for (const path of paths.trim().split(/\s+/))
      if (existsSync(join(cwd, path))) cpSync(join(cwd, path), join(store, path));
  }

  /** Runs the second workflow on the stored file. Returns the comment and the requests to GitHub. */
  function comment(answers: { readonly pulls?: string; readonly comments?: string } = {}) {
    const cwd = mkdtempSync(join(folder, "second-"));
    for (const name of ["requests", "posted"]) rmSync(join(folder, name), { force: true });
    const values = {
      "github.token": "t",
      "github.repository": "o/r",
      "github.event.workflow_run.head_repository.owner.login": "fork",
      "github.event.workflow_run.head_branch": "change'; touch pwned; '",
      "github.event.workflow_run.head_sha": "a".repeat(40),
      "github.event.workflow_run.id": "1",
    };
    const env = { TEST_PULLS: answers.pulls ?? "7", TEST_COMMENTS: answers.comments ?? "" };
    const { exitCodes } = run(commentWorkflow ?? assert.fail(), { cwd, values, env });
    assert.deepEqual(exitCodes, { "Write the comment": 0, "Post or update the comment": 0 });
    const read = (name: string): string =>
      existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "";
    assert.ok(!existsSync(join(cwd, "pwned")));
    return { body: read("posted"), requests: read("requests") };
  }

  function first(): WorkflowRun {
    const values = { "github.event.pull_request.base.sha": "origin/main" };
    return run(estimateWorkflow ?? assert.fail(), { cwd: clone, values, env: { BUILD } });
  }

  it("give the first one no right to write, and the second one no code of the pull request", () => {
    assert.deepEqual([estimateWorkflow?.on, estimateWorkflow?.permissions], ["pull_request", { contents: "read" }]);
    assert.deepEqual(commentWorkflow?.permissions, { actions: "read", "pull-requests": "write" });
    assert.deepEqual(Object.keys(Object(commentWorkflow?.on)), ["workflow_run"]);
    const second = JSON.stringify(commentWorkflow?.jobs);
    assert.doesNotMatch(second, /checkout|npm|npx|finality (?:estimate|test)/);
    for (const { run: script = "" } of Object.values(commentWorkflow?.jobs ?? {}).flatMap(({ steps }) => steps))
      assert.doesNotMatch(script, /\$\{\{/, "an expression in a script is code");
  });

  it("test and estimate a pull request against its base, and post the table", () => {
    const { exitCodes, output } = first();

    assert.deepEqual(exitCodes, { Build: 0, Test: 0, Estimate: 5 }, output);
    assert.match(
      readFileSync(join(store, "results.xml"), "utf8"),
      /<testsuites name="finality" tests="1" failures="0"/,
    );
    const { body, requests } = comment();
    const shown = body.split("\n").slice(0, 9);
    assert.deepEqual(
      shown.map((it) => it.replace(/\b[\d,]{3,}/g, "N")),
      [
        MARKER,
        "**Energy of the calls, as reported by the code of this pull request**",
        "",
        "Compared with `origin/main`: 1 call needs more energy, 0 less, 1 new, 1 gone, 1 unchanged.",
        "",
        "| Call | Energy before | Energy | Change |",
        "| --- | ---: | ---: | ---: |",
        "| `Leaf.transfer(Bob, 1)` | N | N | +N (over budget) |",
        "| `Leaf.balanceOf(Alice)` |  | N | new |",
      ],
    );
    assert.match(requests, /--method POST repos\/o\/r\/issues\/7\/comments -F body=@comment\.md\n$/);
  });

  it("update the comment that is there, and post none without an open pull request", () => {
    const { requests } = comment({ comments: "55\n56" });
    const none = comment({ pulls: "" });
    const strange = comment({ pulls: "7/../../x" });

    assert.match(requests, /--method PATCH repos\/o\/r\/issues\/comments\/55 -F body=@comment\.md\n$/);
    assert.match(requests, /select\(\.head\.sha == env\.COMMIT\)/);
    assert.match(requests, /select\(\.user\.login == "github-actions\[bot\]"/);
    assert.deepEqual([none.body, strange.body], ["", ""]);
  });

  it("show hostile text of a pull request as code only", () => {
    const lines = [
      "@everyone @org/team hello",
      "[click](https://a.invalid) ![x](https://a.invalid/x.png) https://a.invalid www.a.invalid",
      "<img src=x onerror=alert(1)> <details><summary>a</summary>",
      "| `a` | 1 | 2 | @everyone |",
      "| `a | @everyone ` | 1 | 2 |  |",
      "| `a` @everyone `b` | 1 | 2 |  |",
      "| `a\\` | 1 | 2 | @everyone |",
      "| `a` | `b | @everyone | c` |  |",
      "Compared with `main`: @everyone",
      "Compared with `a` <b> `c`: 1 call needs more energy, 0 less, 0 new, 0 gone, 0 unchanged.",
      "New calls: `a`, @everyone, `b`",
      "```\n</details> @everyone\n~~~",
      "    # heading #1 GH-1 closes #2",
      "--> <!-- finality-energy --> \u202e\u0007\u001b[31m @everyone",
      "`@everyone`` @everyone `",
      "| --- | @everyone |",
      "\ttab @everyone",
    ];
    rmSync(store, { recursive: true, force: true });
    mkdirSync(store);
    writeFileSync(join(store, "energy.md"), lines.join("\n"));

    const { body } = comment();

    const [marker, title, blank, ...shown] = body.trimEnd().split("\n");
    assert.deepEqual([marker, blank], [MARKER, ""]);
    assert.match(title ?? "", /^\*\*Energy of the calls/);
    assert.ok(shown.length >= lines.length);
    for (const line of shown) {
      const cells = line.split(/(?<!\\)\|/);
      assert.ok(cells.every((it) => (it.match(/`/g)?.length ?? 0) % 2 === 0) || /^`[^`]*`$/.test(line), line);
      assert.doesNotMatch(line.replace(/`[^`]*`/g, ""), /[@<>[\]#!*_~&\p{C}]|http|www/u, line);
    }
  });

  it("bound the size of the comment, and read no link to another file", () => {
    rmSync(store, { recursive: true, force: true });
    mkdirSync(store);
    writeFileSync(join(store, "energy.md"), `${"@everyone ".repeat(1_000)}\n`.repeat(1_000));
    const { body: large } = comment();
    rmSync(join(store, "energy.md"));
    writeFileSync(join(folder, "secret"), "a secret of the runner");
    symlinkSync(join(folder, "secret"), join(store, "energy.md"));
    const { body: linked } = comment();

    assert.ok(large.length > 1_000 && Buffer.byteLength(large) < 65_536);
    assert.doesNotMatch(linked, /secret/);
  });
});
