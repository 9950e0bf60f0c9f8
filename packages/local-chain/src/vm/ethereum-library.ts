import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { getActivePrecompiles, getOpcodesForHF, NobleBN254, paramsEVM } from "@ethereumjs/evm";

// `lazy-library.ts` loads this module.

export const common = new Common({ chain: Mainnet, hardfork: Hardfork.Cancun, params: paramsEVM });
export const { handlers } = getOpcodesForHF(common);
export const blake2 = getActivePrecompiles(common).get("9".padStart(40, "0"));
export const bn254 = new NobleBN254();
