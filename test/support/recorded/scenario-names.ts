import { type Address, toBase58 } from "../../../packages/tron/src/primitives/address.ts";

/** Addresses by the names that a scenario gives them, and back. */
export class ScenarioNames {
  readonly #digits = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #chainIdWord: string;

  constructor(chainIdWord: string) {
    this.#chainIdWord = chainIdWord;
  }

  set(name: string, address: string): void {
    const digits = withoutPrefix(address);
    this.#digits.set(name, digits);
    if (!this.#names.has(digits)) this.#names.set(digits, name);
  }

  /** Names an address that is met for the first time. @returns whether it was */
  learn(address: string, name: string): boolean {
    const digits = withoutPrefix(address);
    if (digits.length !== 40 || /^0{30}/.test(digits) || this.#names.has(digits)) return false;
    this.set(name, digits);
    return true;
  }

  /** 20 bytes in hex. */
  digits(name: string): string {
    const digits = this.#digits.get(name);
    if (digits === undefined) throw new Error(`No address has the name ${name}.`);
    return digits;
  }

  address(name: string): Address {
    return `41${this.digits(name)}` as Address;
  }

  /** Puts addresses where their names are. */
  fill(text: string): string {
    return text.replaceAll(/<([A-Za-z][A-Za-z0-9_#./-]*)>/g, (_, name: string) => this.digits(name));
  }

  /** The field of an address, by name where it has one. */
  reference(address: string): { $address: string } | string {
    const digits = withoutPrefix(address);
    const name = this.#names.get(digits);
    return name === undefined ? digits : { $address: name };
  }

  /** Puts names where their addresses are in hex. */
  mask(hex: string): string {
    const text = hex.toLowerCase().replaceAll(this.#chainIdWord, "<chainId>");
    if (this.#names.size === 0) return text;
    return text.replaceAll(new RegExp([...this.#names.keys()].join("|"), "g"), (it) => `<${this.#names.get(it)}>`);
  }

  /** Puts names where their addresses are in a sentence. */
  maskText(text: string): string {
    const base58 = new Map(
      [...this.#names].map(([digits, name]) => [toBase58(`41${digits}` as Address) as string, name]),
    );
    return text
      .replaceAll(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, (it) => `<${base58.get(it) ?? "?"}>`)
      .replaceAll(/\b(?:0x|41)?([0-9a-f]{40})\b/g, (all, digits: string) => {
        const name = this.#names.get(digits);
        return name === undefined ? all : `<${name}>`;
      });
  }
}

function withoutPrefix(address: string): string {
  return address.toLowerCase().replace(/^41(?=[0-9a-f]{40}$)/, "");
}
