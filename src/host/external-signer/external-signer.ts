import type { Address, Hex, TxId } from "@finality/tron/primitives";
import type { ModalContent } from "../prompts/notify.ts";

/** A request to sign verified bytes that the user has approved. */
export interface SigningRequest {
  /** Hash to sign. */
  readonly txId: TxId;
  readonly rawDataHex: Hex;
  /** Address that has to sign. */
  readonly signer: Address;
  readonly owner: Address;
  /** Permission of the owner; 0 is the owner permission. */
  readonly permissionId: number;
  /** Review that the user approved. */
  readonly review: ModalContent;
  /** Remaining validity of the bytes, ms. */
  readonly validMs: number;
  /** `raw_data.expiration`, chain time in ms. */
  readonly expiration: number;
  /**
   * Records that the bytes are handed out. None may leave before it resolves, because the recipient can sign and send
   * them.
   *
   * @throws {ChainError} the bytes must not leave
   */
  readonly handOut: () => Promise<void>;
}

/** A signer whose key is outside the extension. See docs/outside-signers.md to write one. */
export interface ExternalSigner {
  /**
   * Requests one signature, once.
   *
   * @returns 65 bytes as received: the caller verifies the signer. Undefined if the user cancels
   * @throws {ChainError} `OUTSIDE_SIGNATURE_MISSING`, and errors of `handOut`
   */
  sign(request: SigningRequest): Promise<Hex | undefined>;
}

/** A wallet in the user's browser, which also tells its account. */
export interface ConnectableWallet extends ExternalSigner {
  /**
   * Asks the wallet for its account.
   *
   * @returns undefined if the user cancels
   * @throws {ChainError} `OUTSIDE_SIGNATURE_MISSING`
   */
  connect(): Promise<Address | undefined>;
  dispose(): void;
}
