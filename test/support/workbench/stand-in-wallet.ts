import type { BrowserContext } from "playwright-core";
import { TronWeb } from "tronweb";

/** Reaction of the user in the wallet. */
type Deed = "approve" | "reject" | "sign-another" | "leave-open";

/** Request of a page, with the method names of existing wallets. */
interface Asked {
  readonly method: string;
  readonly params: readonly never[];
}

interface Failure {
  readonly code: number;
  readonly message: string;
}

/**
 * Puts a wallet into every page of a browser except the workbench, with the published interfaces: the provider
 * of TIP-1193, announced by TIP-6963, with a `tronWeb` that signs. Checks and signatures are TronWeb's own.
 */
export class StandInWallet {
  readonly #web: TronWeb;
  readonly #key: string;
  /** Requests to sign, oldest first. */
  readonly asked: { readonly txID: string; readonly raw_data_hex: string; readonly signature?: unknown }[] = [];
  /** The account that it shows. */
  account: string;
  deed: Deed = "approve";
  #open = Promise.withResolvers<void>();

  constructor(privateKey: string) {
    this.#key = privateKey;
    this.#web = new TronWeb({ fullHost: "http://127.0.0.1:9", privateKey });
    this.account = TronWeb.address.fromPrivateKey(privateKey) || "";
  }

  async installIn(context: BrowserContext): Promise<void> {
    await context.exposeFunction("askStandInWallet", (asked: Asked) => this.#answer(asked));
    await context.addInitScript(INSTALL);
  }

  /** The person answers what was left open, and says yes. */
  release(): void {
    this.#open.resolve();
    this.#open = Promise.withResolvers();
  }

  async #answer({ method, params }: Asked): Promise<{ readonly result?: unknown; readonly failure?: Failure }> {
    if (method === "eth_requestAccounts") return { result: [this.account] };
    if (method !== "sign" && method !== "multiSign") return { failure: { code: 4200, message: "Unsupported Method" } };
    const [transaction, permissionId] = params as readonly [(typeof this.asked)[number] & never, never];
    this.asked.push(transaction);
    if (this.deed === "reject") return { failure: { code: 4001, message: "Confirmation declined by user" } };
    if (this.deed === "leave-open") await this.#open.promise;
    try {
      const signedTransaction = this.deed === "sign-another" ? await this.#later(transaction) : transaction;
      const { trx } = this.#web;
      const signing =
        method === "sign"
          ? trx.sign(signedTransaction, this.#key)
          : trx.multiSign(signedTransaction, this.#key, permissionId);
      return { result: await signing };
    } catch (error) {
      return { failure: { code: -32000, message: String(error) } };
    }
  }

  /** The same payment with another expiration: other bytes. */
  async #later(transaction: never): Promise<never> {
    return (await this.#web.transactionBuilder.extendExpiration(transaction, 60, { txLocal: true })) as never;
  }
}

const INSTALL = `(() => {
  if (location.hostname !== "127.0.0.1" || location.search !== "") return;
  const ask = async (method, params) => {
    const { result, failure } = await window.askStandInWallet({ method, params });
    if (failure !== undefined) throw Object.assign(new Error(failure.message), { code: failure.code });
    return result;
  };
  const trx = {
    sign: (transaction) => ask("sign", [transaction]),
    multiSign: (transaction, _key, permissionId) => ask("multiSign", [transaction, permissionId]),
  };
  const provider = {
    isTronLink: true,
    tronWeb: { ready: true, trx },
    request: ({ method, params = [] }) => ask(method, params),
    on() {},
    removeListener() {},
  };
  window.tron = provider;
  const info = { uuid: "5f2c7bd4-0000-4000-8000-000000000001", name: "Stand-In", icon: "data:,", rdns: "test.stand-in" };
  const announce = () => {
    const detail = Object.freeze({ info, provider });
    window.dispatchEvent(new CustomEvent("TIP6963:announceProvider", { detail }));
  };
  window.addEventListener("TIP6963:requestProvider", announce);
  announce();
})();`;
