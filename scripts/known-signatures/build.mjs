// Writes packages/tron/src/abi/gen/known-signatures.ts: the names of selectors that are shipped.
//
//   npm install --prefix scripts/known-signatures && node scripts/known-signatures/build.mjs
//
// It takes errors, functions and events from the artifacts of OpenZeppelin's contracts, and errors from the sources of
// Solady. Only signatures are taken, no code. A new package is a line in package.json here, and one in `sources` below.

import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keccak_256 } from "@noble/hashes/sha3.js";

const here = import.meta.dirname;
const target = join(here, "../../packages/tron/src/abi/gen/known-signatures.ts");
const sources = [
  { name: "@openzeppelin/contracts", files: "build/contracts/*.json", read: ofArtifact },
  { name: "solady", files: "src/**/*.sol", read: errorsOfSource },
];

/** Errors that wallets and tools meet everywhere, of standards that no package above declares. */
const standards = [
  "e WrappedError(address target,bytes4 selector,bytes reason,bytes details)",
  "f transfer(address to,uint256 value)",
  "f approve(address spender,uint256 value)",
  "f transferFrom(address from,address to,uint256 value)",
  "f increaseAllowance(address spender,uint256 addedValue)",
  "f decreaseAllowance(address spender,uint256 subtractedValue)",
];

/** What a signature can name without the compilation around it. */
const ELEMENTARY = /^(?:u?int\d*|address|bool|string|bytes\d*)(?:\[\d*\])*(?:\s+\w+)?$/;

/** @type {Map<string, { line: string, origins: Set<number> }>} */
const entries = new Map();
const origins = ["standards (ERC-20, ERC-7751)"];

for (const line of standards) add(line, 0);
for (const { name, files, read } of sources) {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const origin = origins.push(`${name} ${version} (${license})`) - 1;
  for (const file of globSync(files, { cwd: folder }).sort()) {
    if (/mock|test/i.test(file)) continue;
    for (const line of read(readFileSync(join(folder, file), "utf8"))) add(line, origin);
  }
}

/** @param {string} line @param {number} origin */
function add(line, origin) {
  const key = `${line[0]} ${canonical(line.slice(2))}`;
  const known = entries.get(key);
  if (known === undefined) entries.set(key, { line, origins: new Set([origin]) });
  else known.origins.add(origin);
}

/** @param {string} text */
function ofArtifact(text) {
  const { abi } = JSON.parse(text);
  const kinds = { error: "e", function: "f", event: "v" };
  return abi
    .filter(({ type }) => Object.hasOwn(kinds, type))
    .map((it) => `${kinds[it.type]} ${it.name}(${it.inputs.map(parameter).join(",")})`);
}

/** Elementary types only: a struct or an enum would need the whole compilation. */
function errorsOfSource(text) {
  const plain = text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "");
  return [...plain.matchAll(/\berror\s+(\w+)\s*\(([^)]*)\)\s*;/g)]
    .filter(([, , list]) => list.trim() === "" || list.split(",").every((it) => ELEMENTARY.test(it.trim())))
    .map(
      ([, name, list]) =>
        `e ${name}(${list
          .split(",")
          .map((it) => it.trim().replace(/\s+/g, " "))
          .join(",")})`,
    );
}

/** @param {{ type: string, name: string, indexed?: boolean, components?: any[] }} input */
function parameter({ type, name, indexed, components }) {
  const shown = type.startsWith("tuple") ? `(${components.map(parameter).join(",")})${type.slice(5)}` : type;
  return `${shown}${indexed ? " indexed" : ""}${name === "" ? "" : ` ${name}`}`;
}

/** The signature without names, as its selector is made. */
function canonical(text) {
  return text
    .replace(/ indexed\b/g, "")
    .replace(/ \w+(?=[,)])/g, "")
    .replace(/\buint(?=[,)[])/g, "uint256")
    .replace(/\bint(?=[,)[])/g, "int256");
}

const rows = [...entries.values()]
  .map(({ line, origins: from }) => {
    const selector = Buffer.from(keccak_256(Buffer.from(canonical(line.slice(2)))))
      .subarray(0, 4)
      .toString("hex");
    return `${selector} ${[...from].join("")} ${line}`;
  })
  .sort();

writeFileSync(
  target,
  `// Made by scripts/known-signatures/build.mjs. Signatures only; the packages and their licences stand in knownOrigins.

/** Where the names come from, by the digits of a row. */
export const knownOrigins: readonly string[] = ${JSON.stringify(origins, null, 2)};

/**
 * A row each: the first 8 hex digits of the hash, the digits of its origins, e(rror) f(unction) or (e)v(ent), the
 * signature.
 */
export const knownSignatures = \`
${rows.join("\n")}
\`;
`,
);
console.log(
  `${rows.length} signatures: ${rows.filter((it) => / e /.test(it)).length} errors, ${rows.filter((it) => / f /.test(it)).length} functions, ${rows.filter((it) => / v /.test(it)).length} events`,
);
