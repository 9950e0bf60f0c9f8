import type { Address, Hex, TxId } from "@finality/tron/primitives";
import type { Question } from "../prompts/notify.ts";

/** Bytes that were verified, and to which the person said yes in the editor. */
export interface OutsideRequest {
  /** The hash that is signed. */
  readonly txId: TxId;
  readonly rawDataHex: Hex;
  /** Whose signature is wanted. */
  readonly signer: Address;
  readonly owner: Address;
  /** By which permission of the owner; 0 is that of the owner. */
  readonly permissionId: number;
  /** The words to which the person said yes. */
  readonly review: Question;
  /** How long the bytes are valid from now on, ms. */
  readonly validMs: number;
  /** `raw_data.expiration`, chain time in ms. */
  readonly expiration: number;
  /**
   * Writes down that the bytes leave. None may leave before it resolves: whoever has them may sign and send them.
   *
   * @throws {ChainError} none may leave
   */
  readonly handOut: () => Promise<void>;
}

/** Somebody who signs with a key that is not here. How to make one: docs/outside-signers.md. */
export interface OutsideSigner {
  /**
   * Asks for one signature, once.
   *
   * @returns 65 bytes as they came: whoever asked checks whose signature it is. Undefined when the person left
   * @throws {ChainError} `OUTSIDE_SIGNATURE_MISSING`, and what `handOut` throws
   */
  sign(request: OutsideRequest): Promise<Hex | undefined>;
}

/** A wallet in the user's browser, which also tells its account. */
export interface ConnectableWallet extends OutsideSigner {
  /**
   * Asks the wallet for its account.
   *
   * @returns undefined if the user cancels
   * @throws {ChainError} `OUTSIDE_SIGNATURE_MISSING`
   */
  connect(): Promise<Address | undefined>;
  dispose(): void;
}
