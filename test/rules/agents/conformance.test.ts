import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { AgentPorts } from "../../../packages/agent-tools/src/ports.ts";
import { type HttpEntry, serveOnHttp } from "../../support/agents/http-entry.ts";

const run = promisify(execFile);
const SUITE = new URL(import.meta.resolve("@modelcontextprotocol/conformance/package.json"));
const PROGRAM = new URL("dist/index.js", SUITE).pathname;

/** Scenarios that apply to a server with tools alone. The two calls are of tools that do not exist, so they end as errors. */
const APPLICABLE = ["server-initialize", "ping", "tools-list", "tools-call-simple-text", "tools-call-error"];

/** Scenarios of the suite that need a feature that Finality does not offer. */
const NOT_OFFERED: Readonly<Record<string, readonly string[]>> = {
  "logging to the client": ["logging-set-level", "tools-call-with-logging"],
  completion: ["completion-complete"],
  "content other than text": [
    ...["tools-call-image", "tools-call-audio", "tools-call-embedded-resource", "tools-call-mixed-content"],
  ],
  "progress of a call": ["tools-call-with-progress"],
  "requests to the model or the user of the client": [
    ...["tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums"],
  ],
  "tools of the suite's own server": ["json-schema-2020-12"],
  resources: [
    ...["resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read"],
    ...["resources-subscribe", "resources-unsubscribe"],
  ],
  prompts: [
    ...["prompts-list", "prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource"],
    "prompts-get-with-image",
  ],
  "the HTTP transport": ["server-sse-polling", "server-sse-multiple-streams", "dns-rebinding-protection"],
};

describe("the conformance suite of the protocol", () => {
  let entry: HttpEntry;
  let folder: string;

  before(async () => {
    entry = await serveOnHttp({} as AgentPorts);
    folder = mkdtempSync(join(tmpdir(), "finality-conformance-"));
  });
  after(async () => {
    await entry.close();
    rmSync(folder, { recursive: true });
  });

  for (const scenario of APPLICABLE) {
    it(`passes ${scenario}`, async () => {
      const args = [PROGRAM, "server", "--url", entry.url, "--scenario", scenario];
      const { stdout } = await run(process.execPath, args, { cwd: folder });

      assert.match(stdout, /Passed: [1-9]\d*\/\d+, 0 failed/, stdout);
    });
  }

  it("has no server scenario that is neither passed nor named", async () => {
    const { stdout } = await run(process.execPath, [PROGRAM, "list"]);
    const server = stdout.split("Client scenarios")[0] ?? "";
    const names = Array.from(server.matchAll(/^\s+- (\S+)/gm), ([, name]) => name);

    assert.deepEqual(names.toSorted(), [...APPLICABLE, ...Object.values(NOT_OFFERED).flat()].toSorted());
  });
});
