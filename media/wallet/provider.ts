import { t } from "@vscode/l10n";

/**
 * Objects that common wallets put into a page: a TIP-1193 provider, announced as in TIP-6963 or available at
 * `window.tron`, and the older `window.tronLink` and `window.tronWeb`. Their return values are not trusted.
 */

/** A wallet that was found. */
export interface Wallet {
  /** Name that the wallet gives itself. */
  readonly name: string;
  readonly provider: Provider;
}

/** Answer of a wallet for a transaction, as text. */
export interface Signed {
  readonly signature: string;
  readonly txId: string;
}

interface Provider {
  readonly request?: (request: { readonly method: string }) => Promise<unknown>;
  readonly tronWeb?: unknown;
}

interface Signers {
  readonly sign?: (transaction: unknown) => Promise<unknown>;
  readonly multiSign?: (transaction: unknown, key: undefined, permissionId: number) => Promise<unknown>;
}

const NAMELESS = t`the wallet in this browser`;
const LONGEST_NAME = 40;

/** Tells each wallet once: those that announce themselves, and the one that is simply there. */
export function findWallets(found: (wallet: Wallet) => void): void {
  const known = new Set<unknown>();
  const add = (name: string, provider: unknown): void => {
    if (!isObject(provider) || known.has(provider)) return;
    known.add(provider);
    found({ name, provider });
  };
  addEventListener("TIP6963:announceProvider", (event) => {
    const detail = fieldsOf(event instanceof CustomEvent ? event.detail : undefined);
    add(nameOf(fieldsOf(detail.info).name), detail.provider);
  });
  dispatchEvent(new Event("TIP6963:requestProvider"));
  const refresh = (): void => {
    // A wallet that announced itself has a name. A provider that is merely present counts only if no wallet announced
    // itself.
    if (known.size > 0) return;
    const { tron, tronLink, tronWeb } = fieldsOf(window);
    const provider = tron ?? tronLink ?? (isObject(tronWeb) ? { tronWeb } : undefined);
    add(isObject(provider) && fieldsOf(provider).isTronLink === true ? "TronLink" : NAMELESS, provider);
  };
  for (const event of ["tron#initialized", "tronLink#initialized"]) addEventListener(event, refresh);
  for (const after of QUERY_DELAYS_MS) setTimeout(refresh, after);
}

/** Wallets put themselves into a page while it loads, and some a moment later. */
const QUERY_DELAYS_MS = [300, 1_000, 2_500];

/** The account that the wallet lets this page see. @throws what the wallet throws */
export async function accountOf({ provider }: Wallet): Promise<string> {
  const allowed = await request(provider);
  const [first] = Array.isArray(allowed) ? (allowed as readonly unknown[]) : [];
  const account = typeof first === "string" ? first : fieldsOf(fieldsOf(webOf(provider)).defaultAddress).base58;
  if (typeof account === "string" && account !== "") return account;
  const { message } = fieldsOf(allowed);
  throw new Error(typeof message === "string" ? message : t`The wallet reports no account. Unlock it, then try again.`);
}

const UNKNOWN_METHOD = 4200;

/** Older wallets know another word for it, and answer by an object. */
async function request(provider: Provider): Promise<unknown> {
  try {
    return await provider.request?.({ method: "eth_requestAccounts" });
  } catch (error) {
    if (fieldsOf(error).code !== UNKNOWN_METHOD) throw error;
    return await provider.request?.({ method: "tron_requestAccounts" });
  }
}

/**
 * Lets the wallet sign.
 *
 * @param permissionId - where the signature is one of others
 * @throws what the wallet throws
 */
export async function signWith(
  { provider }: Wallet,
  transaction: unknown,
  permissionId: number | null,
): Promise<Signed> {
  const signers = fieldsOf(webOf(provider)).trx as Signers | undefined;
  const signed =
    permissionId === null
      ? await signers?.sign?.(transaction)
      : await signers?.multiSign?.(transaction, undefined, permissionId);
  const { signature, txID } = fieldsOf(signed);
  const last = Array.isArray(signature) ? (signature as readonly unknown[]).at(-1) : signature;
  if (typeof last !== "string") throw new Error(t`The wallet returned no signature.`);
  return { signature: last, txId: typeof txID === "string" ? txID : "" };
}

/** In the words of the wallet; it may throw anything. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  const { message } = fieldsOf(thrown);
  return typeof message === "string" ? message : "";
}

function webOf(provider: Provider): unknown {
  return isObject(provider.tronWeb) ? provider.tronWeb : fieldsOf(window).tronWeb;
}

function nameOf(name: unknown): string {
  return typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, LONGEST_NAME) : NAMELESS;
}

type Fields = { readonly [name: string]: unknown };

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? (value as Fields) : {};
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
