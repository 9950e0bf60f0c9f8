import assert from "node:assert/strict";
import { join } from "node:path";
import { DebugSession } from "../../packages/client/src/debugger.ts";
import { coverageReport, lineCounts } from "../../packages/client/src/traces.ts";
import { selectorOf } from "../../packages/tron/src/abi.ts";
import { readCoverage } from "../../packages/tron/src/traces.ts";
import { type ContractFixture, contractFixture } from "../support/chain/contract-fixture.ts";
import { compileForDebugger, type DebugBuild } from "../support/debugger/debugged-contract.ts";
import { debuggeeOf, recordOf } from "../support/debugger/debugged-run.ts";
import { howOften } from "../support/random/how-often.ts";
import { sourcesOf } from "../support/verified-code/solc.ts";

/** None in `npm test`: the compiler takes half a minute. */
const SETTINGS = [false, true].slice(0, howOften(0, 2));
const OZ = "@openzeppelin/contracts";
const PATH = "contracts/Walked.sol";
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "${OZ}/governance/Governor.sol";
import "${OZ}/governance/extensions/GovernorCountingSimple.sol";
import "${OZ}/governance/extensions/GovernorVotes.sol";
import "${OZ}/proxy/ERC1967/ERC1967Proxy.sol";
import "${OZ}/token/ERC20/extensions/ERC20Votes.sol";
import "${OZ}/token/ERC20/utils/SafeERC20.sol";
import "${OZ}/utils/cryptography/EIP712.sol";

contract Coin is ERC20Votes {
    constructor() ERC20("Coin", "CN") EIP712("Coin", "1") { _mint(msg.sender, 1000); }
    function gift(address to, uint256 amount) external { _mint(to, amount); }
}
library Shares {
    function split(uint256 amount, uint256 parts) public pure returns (uint256 share) { share = amount / parts; }
}
contract Router {
    using SafeERC20 for IERC20;
    function route(IERC20 token, address first, address second, uint256 amount) external {
        token.safeTransferFrom(msg.sender, address(this), amount);
        uint256 share = Shares.split(amount, 2);
        token.safeTransfer(first, share);
        token.safeTransfer(second, amount - share);
    }
}
contract Box {
    uint256 public value;
    function store(uint256 next) external { value = next; }
}
contract Board is Governor, GovernorCountingSimple, GovernorVotes {
    constructor(IVotes token) Governor("Board") GovernorVotes(token) {}
    function votingDelay() public pure override returns (uint256) { return 0; }
    function votingPeriod() public pure override returns (uint256) { return 3; }
    function quorum(uint256) public pure override returns (uint256) { return 1; }
}
`;

const word = (value: string | bigint): string =>
  (typeof value === "bigint" ? value.toString(16) : value.slice(2)).padStart(64, "0");
const call = (signature: string, ...values: readonly (string | bigint)[]): string =>
  selectorOf(signature) + values.map(word).join("");

/** Returns `path:line` of each statement that begins, stepping in one direction. */
function walked(debuggee: ReturnType<typeof debuggeeOf>, direction: "forwards" | "backwards"): readonly string[] {
  const { run } = debuggee;
  const session = new DebugSession(run, {
    contractName: () => "",
    evaluate: () => ({ error: "" }),
    print: () => undefined,
  });
  session.breakpoints.setFilters({ uncaught: false, reverts: false, panics: false, errors: [] });
  for (const file of run.sources.files()) {
    const lines = new Set(run.index.statementsIn(file).map(({ first }) => first.line));
    session.breakpoints.setLines(
      file.path,
      [...lines].map((line) => ({ line })),
    );
  }
  const places: string[] = [];
  if (direction === "backwards") session.goTo(run.count - 1);
  for (let step = 0; step <= run.count; step += 1) {
    const stop =
      direction === "backwards"
        ? session.reverseContinue()
        : step === 0
          ? session.start(undefined)
          : session.continue();
    if (stop.kind !== "breakpoint") break;
    const { path, first } = session.stack()[0]?.location ?? assert.fail();
    places.push(`${path}:${first.line + 1}`);
  }
  return places;
}

type Statements = ReturnType<typeof coverageReport>["files"][number]["functions"][number]["statements"];

/** Returns whether the smallest statement around a line ran: a line of assembly has none of its own. */
function hasRun(counts: ReadonlyMap<string, Statements>, place: string): boolean {
  const [path = "", number = ""] = place.split(":");
  const line = Number(number) - 1;
  const around = (counts.get(path) ?? []).filter(({ start, end }) => start.line <= line && line <= end.line);
  const lines = ({ start, end }: Statements[number]): number => end.line - start.line;
  const least = Math.min(...around.map(lines));
  return around.some((it) => lines(it) === least && it.count > 0);
}

describe("debugger of OpenZeppelin's contracts", function () {
  this.timeout(600_000);
  for (const isOptimized of SETTINGS)
    it(`reaches ${isOptimized ? "no line that did not run" : "each line that ran"}, in both directions`, async () => {
      const texts = Object.fromEntries(
        Object.entries(sourcesOf(PATH, SOURCE)).map(([path, it]) => [path, (it as { content: string }).content]),
      );
      const compiler = join(import.meta.dirname, "../../node_modules/solc/index.js");
      const setting = { version: "0.8.37", isOptimized, isViaIr: false };
      const build = compileForDebugger(texts, setting, compiler) ?? assert.fail();
      const fixture = await contractFixture();
      let statements = 0;
      for (const { name, to, data } of await transactions(fixture, build)) {
        await fixture.chain.ask("/tre", { jsonrpc: "2.0", id: 1, method: "finality_startCoverage", params: [] });
        const receipt = await fixture.call(to as never, data);
        const counted = await fixture.chain.ask("/tre", {
          ...{ jsonrpc: "2.0", id: 1, method: "finality_endCoverage", params: [] },
        });
        assert.equal(receipt.result, "SUCCESS", `${name}: ${receipt.message}`);
        const debuggee = debuggeeOf(recordOf(fixture, receipt), build.sources, "/none");
        const forwards = walked(debuggee, "forwards");
        assert.deepEqual([...walked(debuggee, "backwards")].reverse(), forwards, name);
        const reached = new Set(forwards);
        const { files } = coverageReport(readCoverage(counted.result), build.sources);
        const ran = files.flatMap((file) =>
          [...lineCounts(file)].flatMap(([line, count]) => (count > 0 ? [`${file.path}:${line}`] : [])),
        );
        const counts = new Map(files.map((file) => [file.path, file.functions.flatMap((it) => it.statements)]));
        assert.deepEqual(
          [...reached].filter((it) => !hasRun(counts, it)),
          [],
          `${name}: lines that did not run were reached`,
        );
        const steppable = new Set(
          debuggee.run.sources
            .files()
            .flatMap((file) =>
              debuggee.run.index.statementsIn(file).map(({ first }) => `${file.path}:${first.line + 1}`),
            ),
        );
        // An optimizer removes the code of statements, which ran by what they lead to.
        const missed = isOptimized ? [] : ran.filter((it) => steppable.has(it) && !reached.has(it));
        assert.deepEqual(missed, [], `${name}: lines that ran were not reached`);
        assert.ok(forwards.length > 5, name);
        statements += forwards.length;
      }
      assert.ok(statements > 200, `${statements}`);
    });
});

/** Deploys the contracts, and yields the transactions to debug. Each may be sent when the former one is in a block. */
async function transactions(fixture: ContractFixture, build: DebugBuild) {
  const owner = fixture.chain.accounts[0]?.hex ?? "";
  const [second, third] = [`41${"22".repeat(20)}`, `41${"33".repeat(20)}`];
  const deploy = async (name: string, more = "", code = build.bytecode(PATH, name)): Promise<string> =>
    (await fixture.deploy(code + more)).address;
  const coin = await deploy("Coin");
  const shares = await deploy("Shares");
  const router = await deploy("Router", "", build.bytecode(PATH, "Router").replaceAll(/__.{38}/g, shares.slice(2)));
  const box = await deploy("Box");
  const board = await deploy("Board", word(coin));
  const proxyCode = build.bytecode(`${OZ}/proxy/ERC1967/ERC1967Proxy.sol`, "ERC1967Proxy");
  const first = call("gift(address,uint256)", owner, 1n);
  const setUp = word(coin) + word(64n) + word(BigInt(first.length / 2)) + first.padEnd(192, "0");
  const proxy = await deploy("ERC1967Proxy", setUp, proxyCode);
  const targets = [word(1n), word(box)].join("");
  const values = [word(1n), word(0n)].join("");
  const inner = call("store(uint256)", 9n);
  const datas = [word(1n), word(32n), word(36n), inner.padEnd(128, "0")].join("");
  const proposal = (last: string): string =>
    [word(128n), word(192n), word(256n), last, targets, values, datas].join("");
  const text = word(128n + 64n + 64n + 160n);
  const propose = selectorOf("propose(address[],uint256[],bytes[],string)") + proposal(text) + word(0n);
  const hash = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
  const execute = selectorOf("execute(address[],uint256[],bytes[],bytes32)") + proposal(hash);
  const proposalId = call("hashProposal(address[],uint256[],bytes[],bytes32)").slice(0, 8) + proposal(hash);
  const answer = await fixture.chain.ask("/wallet/triggerconstantcontract", {
    ...{ owner_address: owner, contract_address: board, data: proposalId },
  });
  const id = String((answer.constant_result as readonly string[])[0]);
  const vote = selectorOf("castVote(uint256,uint8)") + id + word(1n);
  return [
    { name: "transfer", to: coin, data: call("transfer(address,uint256)", second, 5n) },
    { name: "approve", to: coin, data: call("approve(address,uint256)", router, 500n) },
    {
      name: "route",
      to: router,
      data: call("route(address,address,address,uint256)", coin, second, third, 101n),
    },
    { name: "gift by proxy", to: proxy, data: call("gift(address,uint256)", owner, 7n) },
    { name: "transfer by proxy", to: proxy, data: call("transfer(address,uint256)", second, 3n) },
    { name: "delegate", to: coin, data: call("delegate(address)", owner) },
    { name: "approve again", to: coin, data: call("approve(address,uint256)", router, 1n) },
    { name: "propose", to: board, data: propose },
    { name: "vote", to: board, data: vote },
    { name: "wait", to: coin, data: call("approve(address,uint256)", router, 2n) },
    { name: "wait longer", to: coin, data: call("approve(address,uint256)", router, 3n) },
    { name: "execute", to: board, data: execute },
  ];
}
