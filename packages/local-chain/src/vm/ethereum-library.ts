import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { getActivePrecompiles, getOpcodesForHF, NobleBN254, paramsEVM } from "@ethereumjs/evm";

// `lazy-library.ts` loads this module.

const common = new Common({ chain: Mainnet, hardfork: Hardfork.Cancun, params: paramsEVM });

/** Instructions and precompiles of the library. */
export const library = {
  common,
  handlers: getOpcodesForHF(common).handlers,
  blake2: getActivePrecompiles(common).get("9".padStart(40, "0")),
  bn254: new NobleBN254(),
};
