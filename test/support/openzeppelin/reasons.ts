/** Tests of OpenZeppelin Contracts that pass on Hardhat's own network and not on TRON, by reason. */
export const reasons: readonly { readonly reason: string; readonly titles: RegExp }[] = [
  {
    reason: "TVM: no transaction delegates an account to code (EIP-7702)",
    titles: /^(AccountERC7702|EIP7702Utils fetchDelegate EOA)/,
  },
  {
    reason: "TVM: CREATE2 has the prefix 0x41, and the libraries compute addresses with 0xff",
    titles: /^(Clones .* cloneDeterministic address prediction|Create2 computeAddress computes|RelayedCall )/,
  },
  {
    reason: "TVM: BASEFEE is the price of energy, in calls too",
    titles: /^ERC4337Utils userOp values returns gasPrice/,
  },
  {
    reason: "java-tron: a call without a transaction needs the coins that it passes on",
    titles: /^ERC2771Forwarder .*forced by the relayer$/,
  },
];
