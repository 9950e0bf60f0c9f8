/** The proxy on the way to a URL. */
export interface ProxyPlace {
  readonly host: string;
  readonly port: number;
}

/** What came of looking for the addresses of a name. */
export type LookUp =
  | { readonly kind: "found"; readonly addresses: readonly string[]; readonly ms: number }
  | { readonly kind: "unknown"; readonly code: string };

/** An address that did not take a connection, and why: a code of the system, or `TIMEOUT`. */
export interface FailedAttempt {
  readonly address: string;
  readonly code: string;
}

export type Reach =
  | { readonly kind: "reached"; readonly address: string; readonly ms: number }
  | { readonly kind: "unreached"; readonly failed: readonly FailedAttempt[] };

/** Texts of it are the server's own. Times are Unix ms. */
export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  /** The hosts that it is for. */
  readonly names: string;
  readonly from: number;
  readonly until: number;
}

export type Handshake =
  /** `fault`: the code of why nobody should believe the certificate. */
  | {
      readonly kind: "secured";
      readonly certificate: Certificate;
      readonly fault: string | undefined;
      readonly ms: number;
    }
  /** The proxy opens no tunnel. */
  | { readonly kind: "no-tunnel"; readonly status: number }
  /** The server ended the handshake without a client certificate, before its own certificate could be checked. */
  | { readonly kind: "wants-identity" }
  | { readonly kind: "failed"; readonly code: string };

/** What a server speaks that does not answer as HTTP/1.1 over this URL does. */
export type Dialect = "http" | "http2" | "tls" | "unknown";

/**
 * The port through which a connection test looks at the way to a server, below HTTP. It never sends a credential of a
 * network; a proxy gets its own. Each question ends within a few seconds, and none of them throws but the reason of the
 * signal.
 */
export interface ConnectionProbe {
  /** Undefined where the server is asked directly. */
  proxyFor(url: URL): ProxyPlace | undefined;
  lookUp(host: string, signal: AbortSignal): Promise<LookUp>;
  /** Tries the addresses one after the other. */
  reach(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Reach>;
  /** Encrypts, through the proxy if there is one. A client certificate is shown only to a server with a valid one. */
  secure(url: URL, signal: AbortSignal): Promise<Handshake>;
  speaks(url: URL, signal: AbortSignal): Promise<Dialect>;
}
