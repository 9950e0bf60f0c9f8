// `npm run compile [-- FOLDER]`: contracts/*.sol become build/contracts/*.json, in the form that TronBox writes.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import solc from "solc";

const root = join(import.meta.dirname, "..");

/** What the chain's machine understands is what Ethereum's did at Shanghai, and more. */
const settings = {
  evmVersion: "shanghai",
  optimizer: { enabled: true, runs: 200 },
  outputSelection: {
    "*": {
      "": ["ast"],
      "*": [
        ...["abi", "metadata", "devdoc", "userdoc", "storageLayout", "evm.bytecode.object", "evm.bytecode.sourceMap"],
        ...["evm.deployedBytecode.object", "evm.deployedBytecode.sourceMap", "evm.deployedBytecode.immutableReferences"],
      ],
    },
  },
};

/**
 * The artifacts by name of their contract.
 *
 * @returns {Record<string, object>}
 * @throws {Error} what the compiler objects to
 */
function compile() {
  const files = readdirSync(join(root, "contracts")).sort();
  const sources = Object.fromEntries(files.map((file) => [file, { content: readFileSync(join(root, "contracts", file), "utf8") }]));
  const output = JSON.parse(solc.compile(JSON.stringify({ language: "Solidity", sources, settings })));
  const complaints = (output.errors ?? []).map(({ formattedMessage }) => formattedMessage);
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
  return Object.fromEntries(
    Object.entries(output.contracts).flatMap(([file, contracts]) =>
      Object.entries(contracts).map(([name, contract]) => [name, artifact(name, file, contract, output.sources[file].ast)]),
    ),
  );
}

/** Of the syntax tree, only the range of the file is kept: it has the number that source maps use for the file. */
function artifact(contractName, file, { abi, metadata, devdoc, userdoc, evm, storageLayout }, { absolutePath, id, nodeType, src }) {
  return {
    contractName,
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    deployedBytecode: `0x${evm.deployedBytecode.object}`,
    sourceMap: evm.bytecode.sourceMap,
    deployedSourceMap: evm.deployedBytecode.sourceMap,
    immutableReferences: evm.deployedBytecode.immutableReferences,
    storageLayout,
    ast: { absolutePath, id, nodeType, src },
    sourcePath: `contracts/${file}`,
    compiler: { name: "solc", version: JSON.parse(metadata).compiler.version },
    devdoc,
    userdoc,
    metadata,
    networks: {},
    schemaVersion: "3.4.16",
  };
}

const folder = resolve(process.argv[2] ?? join(root, "build", "contracts"));
mkdirSync(folder, { recursive: true });
for (const [name, json] of Object.entries(compile())) {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(json, undefined, 2)}\n`);
  console.log(join(folder, `${name}.json`));
}
