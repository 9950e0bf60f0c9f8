import { JournalFile } from "../../../packages/node/src/journal/journal-file.ts";
import { fakeTxId } from "../fakes/fake-gateway.ts";

/** A process that appends until it is killed, and tells its parent each entry that it was told is safe. */
const journal = new JournalFile(process.argv[2] ?? "");
for (let number = 0; ; number++) {
  await journal.append([{ kind: "seen-in-pool", txId: fakeTxId(number), at: number }]);
  process.send?.(number);
}
