import { readFileSync } from "node:fs";

interface TransactionVector {
  readonly vector: number;
  readonly name: string;
  readonly rawDataHex: string;
  readonly txId: string;
}

interface SignatureVector {
  readonly vector: number;
  readonly hash: string;
  readonly signature: string;
  readonly address: string;
  readonly privateKey?: string;
}

interface AddressVectors {
  readonly base58: readonly { readonly hex: string; readonly base58: string }[];
  readonly deployed: { readonly owner: string; readonly txId: string; readonly address: string };
  readonly created: readonly { readonly txId: string; readonly nonce: number; readonly address: string }[];
  readonly create2: {
    readonly sender: string;
    readonly salt: string;
    readonly initCode: string;
    readonly address: string;
  };
}

export const transactionVectors = load<readonly TransactionVector[]>("transactions");
export const signatureVectors = load<readonly SignatureVector[]>("signatures");
export const addressVectors = load<AddressVectors>("addresses");

function load<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../fixtures/vectors/${name}.json`, import.meta.url), "utf8")) as T;
}
