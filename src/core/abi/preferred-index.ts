import type { AbiIndex } from "./abi-index.ts";

/** The same index with one signature first, where a selector has it among others: a person said which one it is. */
export function preferSignature(index: AbiIndex, signature: string): AbiIndex {
  return {
    lookup: (key, contract) => {
      const found = index.lookup(key, contract);
      const preferred = found.filter((it) => it.signature === signature);
      return preferred.length === 0 ? found : [...preferred, ...found.filter((it) => it.signature !== signature)];
    },
  };
}
