import assert from "node:assert/strict";
import {
  type CodeReport,
  compareCode,
  type DifferenceCause,
  readArtifactCode,
} from "../../../../packages/client/src/contracts.ts";
import { parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { codeReportText } from "../../../../src/features/contracts/code-report.view.ts";

const ADDRESS = parseAddress("TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC");
const compiled = readArtifactCode(
  { abi: [], bytecode: "0x6001", deployedBytecode: "0x6002" },
  { path: "contracts/Leaf.sol", name: "Leaf" },
);

function reportWith(runtimeCode: string, cause: DifferenceCause | undefined, isProven = true): string {
  if (compiled === undefined) throw new Error("no code");
  const match = compareCode({ created: "", runtimeCode }, compiled);
  const report: CodeReport = { match, compiled, cause, isProven, compilations: 1 };
  const source = {
    build: { compiler: "0.8.24" },
    input: { settings: { optimizer: { enabled: true, runs: 200 } } },
    changed: [],
    compiler: { path: "/node_modules/solc/soljson.js", release: "0.8.24" },
  };
  return codeReportText({ report, source, network: "Nile", address: ADDRESS, name: "Leaf", nameOf: () => undefined });
}

describe("report of a comparison with the source", () => {
  it("says that code is equal, with the settings of the compiler", () => {
    const text = reportWith("6002", undefined);
    assert.match(text, /\*\*Equal: according to this gateway/);
    assert.match(text, /\| Optimizer \| 200 runs \|/);
    assert.doesNotMatch(text, /cause/i);
  });

  it("names the first difference, the cause and the next step", () => {
    const text = reportWith("6003", { kind: "evm-version", version: "paris" });
    assert.match(text, /\*\*Different: /);
    assert.match(text, /First difference: byte 1 of the runtime code\. The chain has `0x03`, this source `0x02`\./);
    assert.match(text, /^Cause: the EVM version: the deployed code was compiled for `paris`\.$/m);
    assert.match(text, /^Next step: Set this in the configuration of your compiler/m);
  });

  it("calls a cause likely if no compilation proved it", () => {
    const functions = { isOtherSource: false, onlyThere: ["a9059cbb"], onlyHere: [] };
    const text = reportWith("6003", { kind: "source", changed: [], functions }, false);
    assert.match(text, /^Likely cause: another source.*`0xa9059cbb`/m);
  });

  it("shows text of files as code, so that it cannot become a link", () => {
    const functions = { isOtherSource: false, onlyThere: [], onlyHere: [] };
    const text = reportWith("6003", { kind: "source", changed: ["[x](command:y)"], functions });
    assert.match(text, /`\[x\]\(command:y\)`/);
  });
});
