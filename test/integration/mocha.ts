import imported from "mocha";

const { default: inner } = imported as unknown as { readonly default?: typeof imported };

/** The Node of an older editor gives the whole module where a newer one gives the class. */
export const Mocha = inner ?? imported;
