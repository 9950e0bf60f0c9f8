import type { BlockId } from "@finality/tron/primitives";

/** State and blocks of the network from which a chain was forked. Items are read once and never change. */
export interface StateOrigin {
  /** The newest block of the network at the fork. */
  readonly block: { readonly number: number; readonly timestamp: number };
  /** Chain time in ms of the network's next maintenance, 0 if it is unknown. */
  readonly nextMaintenance: number;
  /**
   * Returns the entry of a table as the network has it, undefined for an absent one.
   *
   * @throws {MissingItem | UnreadableItem}
   */
  value(table: string, key: unknown): unknown;
  /** Returns the id of a block up to the fork. @throws {MissingItem | UnreadableItem} */
  blockId(height: number): BlockId | undefined;
}

/** An item has not been read from the network yet: the step runs again once it has been. */
export class MissingItem extends Error {
  override readonly name = "MissingItem";
}

/** The network cannot give an item. Its message says which one, and why. */
export class UnreadableItem extends Error {
  override readonly name = "UnreadableItem";
}
