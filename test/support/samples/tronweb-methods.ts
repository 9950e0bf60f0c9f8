import { TronWeb } from "tronweb";

export interface ClientOptions {
  readonly fullHost: string;
  readonly privateKey: string;
}

/** Members that have named methods of their own. */
const PARTS: ReadonlySet<PropertyKey> = new Set([
  "trx",
  "transactionBuilder",
  "utils",
  "abi",
  "address",
  "read",
  "write",
]);

/** TronWeb as it is published, and a list of whatever was called of it. */
export class TronWebMethods {
  readonly #tried = new Set<string>();

  client(options: ClientOptions): TronWeb {
    return this.#watched(new TronWeb({ ...options, disablePlugins: true }), "");
  }

  /** A contract that a client made. */
  contract<Contract extends object>(contract: Contract): Contract {
    return this.#watched(contract, "contract().");
  }

  /** Prints the called methods in alphabetical order. */
  print(): void {
    const names = [...this.#tried].sort();
    process.stdout.write(`      TronWeb methods tried (${names.length}): ${names.join(", ")}\n`);
  }

  #watched<Target extends object>(target: Target, path: string): Target {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name);
        if (name === "methods" && typeof value === "object" && value !== null) return this.#calls(value);
        if (typeof value === "object" && value !== null && PARTS.has(name)) {
          return this.#watched(value, `${path}${String(name)}.`);
        }
        if (typeof value !== "function" || typeof name === "symbol" || /^[A-Z]/.test(name)) return value;
        return (...values: readonly unknown[]): unknown => {
          this.#tried.add(`${path}${name}`);
          return Reflect.apply(value, object, values);
        };
      },
    });
  }

  /** A contract's own methods go by names of their own; what they offer is the same for all of them. */
  #calls(methods: object): object {
    return new Proxy(methods, {
      get: (object, name) => {
        const make: unknown = Reflect.get(object, name);
        if (typeof make !== "function") return make;
        return (...values: readonly unknown[]): unknown =>
          this.#watched(Reflect.apply(make, object, values) as object, "contract().methods.x().");
      },
    });
  }
}
