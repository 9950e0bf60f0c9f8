import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

type EthereumLibrary = typeof import("./ethereum-library.ts");

/** Returns the library of instructions, which the first code that runs loads: that takes 20 ms. */
export function ethereumLibrary(): EthereumLibrary {
  return require("./ethereum-library.ts") as EthereumLibrary;
}
