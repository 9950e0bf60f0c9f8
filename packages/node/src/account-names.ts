/** Names of the accounts of a local chain, in their order. */
export const ACCOUNT_NAMES: readonly string[] = [
  "Alice",
  "Bob",
  "Carol",
  "Dave",
  "Erin",
  "Frank",
  "Grace",
  "Heidi",
  "Ivan",
  "Judy",
];
