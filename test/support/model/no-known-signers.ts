/** In the place of the chain's memory for signers, which knows curves: signatures of the model are on none. */
export class KnownSigners {
  recognises(): boolean {
    return false;
  }

  note(): void {
    // There is nothing to learn from a hash.
  }
}
