/**
 * Where a network is and how it wants to be asked. Holds no secret: keys live in SecretStorage, by the profile's name.
 */
export interface NetworkProfile {
  /** Unique, shown to people. */
  readonly name: string;
  /** Origin and path that `/wallet/…` is appended to; https, or http on loopback. */
  readonly baseUrl: string;
  /** For plain nodes that serve `/walletsolidity/…` on another port. */
  readonly solidityBaseUrl?: string;
  /** Further gateways of the same network, for reads when the first one fails. */
  readonly fallbackUrls: readonly string[];
  /** Whether the account's JWT switch is on. */
  readonly jwt: boolean;
  /** `aud` of the token. */
  readonly audience?: string;
  /** `kid` of the token: the ID that the service gave to the public key. */
  readonly keyId?: string;
  readonly apiKeyHeader: string;
  /** Real money: sends are confirmed more strongly. */
  readonly production: boolean;
  readonly explorerUrl?: string;
  /** The embedded chain: no confirmation dialog when a command is called with arguments. */
  readonly local: boolean;
}
