// `npm run package-chain`: builds the local chain alone and packs it as finality-local-chain-<version>.tgz, which a project
// installs as a development dependency. It has the program `finality-chain` and exports `startLocalChain`.

import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildIfStale } from "./build/bundles.mjs";
import { packFolder } from "./pack-folder.mjs";

const root = join(import.meta.dirname, "..");
const source = join(root, "packages", "local-chain");
const PROGRAM = "local-chain.js";
const PARTS = "local-chain-parts";
const HARDHAT_PLUGIN = "hardhat.cjs";
/** Folder of the package: the first argument, or the root of the repository. */
const destination = resolve(process.argv[2] ?? root);
/** Types of what the bundle exports. */
const TYPES = `export interface FundedAccount { readonly address: string; readonly hex: string; readonly privateKey: string; readonly balance: string }
export interface LocalChain {
  readonly baseUrl: string;
  readonly ready: { readonly baseUrl: string; readonly faucet: FundedAccount; readonly accounts: readonly FundedAccount[] };
  close(): Promise<void>;
}
/** Options are those of the command line, see the README. */
export function startLocalChain(options?: { readonly [option: string]: unknown }): Promise<LocalChain>;
`;

await buildIfStale(root);
const folder = mkdtempSync(join(tmpdir(), "finality-chain-package-"));
try {
  const { name, version, description, license } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const manifest = {
    name,
    version,
    description,
    license,
    main: PROGRAM,
    types: "local-chain.d.ts",
    exports: {
      ".": { types: "./local-chain.d.ts", default: `./${PROGRAM}` },
      "./hardhat": { types: "./hardhat.d.cts", default: `./${HARDHAT_PLUGIN}` },
    },
    bin: { "finality-chain": PROGRAM },
    engines: { node: ">=22" },
  };
  const program = readFileSync(join(root, "dist", PROGRAM), "utf8");
  writeFileSync(join(folder, PROGRAM), `#!/usr/bin/env node\n${program}`, { mode: 0o755 });
  const parts = join(root, "dist", PARTS);
  cpSync(parts, join(folder, PARTS), { recursive: true, filter: (file) => !file.endsWith(".map") });
  writeFileSync(join(folder, "local-chain.d.ts"), TYPES);
  writeFileSync(join(folder, "hardhat.d.cts"), "export {};\n");
  for (const file of ["README.md", HARDHAT_PLUGIN]) copyFileSync(join(source, file), join(folder, file));
  console.log(packFolder({ root, folder, manifest, destination }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
