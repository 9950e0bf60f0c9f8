import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installCoveragePeers } from "../../scripts/install/on-demand.mjs";
import {
  type ComparedLine,
  type CoverageProject,
  chainCoverage,
  compareCoverage,
  exposeFunctions,
  hardhatCoverage,
  writeProject,
} from "../support/hardhat-coverage/compare-coverage.ts";

const inFolder = (folder: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `${folder}/${name}.sol`);

const PROJECTS: readonly CoverageProject[] = [
  {
    name: "access",
    sources: [
      ...inFolder("access/extensions", ["AccessControlEnumerable", "AccessControlDefaultAdminRules"]),
      ...["access/manager/AccessManager.sol", "access/Ownable2Step.sol", "governance/TimelockController.sol"],
      ...["utils/ReentrancyGuard.sol", "utils/Pausable.sol", "finance/VestingWallet.sol"],
    ],
  },
  {
    name: "tokens",
    sources: [
      ...inFolder("token/ERC20/extensions", [
        "ERC20Burnable",
        "ERC20Capped",
        "ERC20Pausable",
        "ERC20FlashMint",
        "ERC4626",
      ]),
      ...inFolder("token/ERC721/extensions", [
        "ERC721Enumerable",
        "ERC721URIStorage",
        "ERC721Burnable",
        "ERC721Royalty",
      ]),
      ...inFolder("token/ERC1155/extensions", ["ERC1155Supply", "ERC1155URIStorage", "ERC1155Burnable"]),
    ],
  },
  {
    name: "utils",
    sources: [
      ...inFolder("utils/math", ["Math", "SafeCast", "SignedMath"]),
      ...inFolder("utils/structs", [
        "EnumerableSet",
        "DoubleEndedQueue",
        "BitMaps",
        "Checkpoints",
        "CircularBuffer",
        "Heap",
      ]),
      ...inFolder("utils/structs", ["MerkleTree"]),
      ...inFolder("utils/cryptography", ["MerkleProof", "ECDSA"]),
      ...inFolder("utils", ["Strings", "Base64", "Bytes", "Arrays", "ShortStrings", "Multicall", "Nonces"]),
    ],
  },
];

/** Differences that have a reason. */
const KNOWN: readonly { readonly reason: string; readonly matches: (line: ComparedLine) => boolean }[] = [
  {
    reason: "Hardhat lists statements of blocks only, so an `else if` or `else return` is no line of its own",
    matches: ({ kind, hardhat, text }) => kind === "line" && hardhat === "" && /\belse\b/.test(text),
  },
  {
    reason: "Hardhat measures no `? :` inside others and in arguments, and `||` in conditions and returned values only",
    matches: ({ kind, hardhat, chain, text }) =>
      kind === "branch" && /\?|\|\|/.test(text) && isPartOf(hardhat.split(" "), chain.split(" ")),
  },
];

/** Returns whether outcomes are among others. */
function isPartOf(outcomes: readonly string[], others: readonly string[]): boolean {
  const left = [...others];
  return outcomes.every((it) => it === "" || left.splice(left.indexOf(it), left.includes(it) ? 1 : 0).length > 0);
}

/** The installation and the compilations take minutes. */
const isFull = process.env.FINALITY_RANDOM === "full";

describe("coverage of the chain and of Hardhat", () => {
  for (const project of isFull ? PROJECTS : [])
    it(`is the same for contracts of OpenZeppelin: ${project.name}`, async () => {
      await installCoveragePeers();
      const folder = join(mkdtempSync(join(tmpdir(), "finality-coverage-")), project.name);
      try {
        writeProject(folder, project);
        await exposeFunctions(folder);
        const hardhat = await hardhatCoverage(folder);
        const { lines, branches, differences } = compareCoverage(folder, hardhat, await chainCoverage(folder));

        const unknown = differences.filter((it) => !KNOWN.some(({ matches }) => matches(it)));
        process.stdout.write(
          `      ${project.name}: ${lines} lines, ${branches} branches, ${differences.length} differences\n`,
        );
        assert.deepEqual(unknown, []);
        assert.ok(lines > 100 && branches > 20);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }).timeout(3_600_000);
});
