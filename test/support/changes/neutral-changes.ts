import { projectContracts, type SourceChange, sourceOf } from "./openzeppelin-project.ts";

/** Change of a source without effect on its energy. */
export interface NeutralChange {
  readonly title: string;
  /** Contract of the project that has the code. */
  readonly contract: string;
  readonly change: SourceChange;
}

/** A source, and the contract of the project that has its code. */
const files: readonly (readonly [contract: string, path: string])[] = [
  ...Object.keys(projectContracts).map((name) => [name, `${name}.sol`] as const),
  ["Coin", "@openzeppelin/contracts/token/ERC20/ERC20.sol"],
  ["Coin", "@openzeppelin/contracts/access/Ownable.sol"],
  ["Coin", "@openzeppelin/contracts/utils/Pausable.sol"],
  ["Deed", "@openzeppelin/contracts/token/ERC721/ERC721.sol"],
  ["Items", "@openzeppelin/contracts/token/ERC1155/ERC1155.sol"],
  ["Roles", "@openzeppelin/contracts/access/AccessControl.sol"],
];

/** Matches strings first, so that nothing in them counts as a comment. */
const COMMENT = /("(?:[^"\\\n]|\\.)*")|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const LICENCE = "// SPDX-License-Identifier: MIT";

function withoutComments(source: string): string {
  const bare = source.replace(COMMENT, (found, quoted?: string) => quoted ?? (found === LICENCE ? found : " "));
  // Inherited documentation is gone too, and `@inheritdoc` is one of the comments.
  return bare;
}

/** Functions with a body, from their first line to the closing bracket, at the indentation of a contract. */
const FUNCTION = /\n {4}function \w+[^;{]*\{\n[\s\S]*?\n {4}\}\n/g;

function reversedFunctions(source: string): string {
  const bare = withoutComments(source)
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{2,}/g, "\n\n");
  const functions = bare.match(FUNCTION) ?? [];
  const reversed = [...functions].reverse();
  return bare.replace(FUNCTION, () => reversed.shift() ?? "");
}

function renamed(source: string, names: Readonly<Record<string, string>>): string {
  return Object.entries(names).reduce(
    (text, [from, to]) => text.replace(new RegExp(`(?<![\\w.{"])${from}\\b(?!\\()`, "g"), to),
    source,
  );
}

const edits: Readonly<Record<string, (source: string) => string>> = {
  "remove comments and NatSpec": withoutComments,
  "add comments": (source) => source.replace(/;\n/g, "; // the end of a statement\n"),
  "reverse the order of functions": reversedFunctions,
  "use tabs and Windows line ends": (source) => source.replace(/ {4}/g, "\t").replace(/\n/g, "\r\n"),
  "write each statement on several lines": (source) =>
    withoutComments(source).replace(/ (=|\+=|-=|==|!=|<|\|\||&&) (?!=)/g, "\n        $1\n        "),
  "rename locals and parameters": (source) =>
    renamed(source, {
      ...{ fromBalance: "held", currentAllowance: "left", value: "amount_", spender: "user_", tokenId: "number_" },
      ...{ previousOwner: "last_", oldOwner: "last_", account: "who_", role: "group_", ids: "kinds_", i: "index_" },
    }),
};

/** Returns all changes without effect: each edit in each file that it changes. */
export function neutralChanges(): readonly NeutralChange[] {
  return Object.entries(edits).flatMap(([title, edit]) =>
    files.flatMap(([contract, path]) => {
      const source = sourceOf(path);
      const changed = edit(source);
      const name = path.replace(/^.*\//, "");
      return changed === source ? [] : [{ title: `${title} in ${name}`, contract, change: new Map([[path, changed]]) }];
    }),
  );
}
