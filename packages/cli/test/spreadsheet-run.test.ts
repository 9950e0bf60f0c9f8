import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseAddress } from "../../tron/src/primitives/address.ts";
import type { JsonObject } from "../../tron/src/primitives/json.ts";
import { CommandChain } from "./support/chain.ts";
import { type JsonRun, partOf, runJson } from "./support/test-terminal.ts";

const ANN = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
const BOB = "TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13";
/** Has the ends of Bob's address. */
const FALSE_BOB = "TTZhLCRC5ZiKoSCbrZGUSTcBeaSEakkU13";
const CAROL = "TUJu5QP3iLbJPJB4xJqv1RLz1b5Yb18BGW";
const HEADER = "Name;Address;Amount;Memo;Idempotency Key";

/** A newcomer exports a payroll from a spreadsheet with German settings, and follows each sentence of the command line. */
describe("a run from the export of a spreadsheet", function () {
  this.timeout(60_000);
  let chain: CommandChain;
  let folder: string;

  before(async () => {
    chain = await CommandChain.start();
    folder = mkdtempSync(join(tmpdir(), "finality-spreadsheet-"));
  });

  after(async () => {
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const input = () => ({ folder, env: { ...chain.env, FINALITY_JOURNAL: "journal", KEY: chain.privateKey(0) } });

  /** Saves the table as a spreadsheet does: with a byte order mark, and both characters at the ends of lines. */
  function save(rows: readonly string[]): void {
    writeFileSync(join(folder, "Gehälter.csv"), `\uFEFF${[HEADER, ...rows].join("\r\n")}\r\n`);
  }

  const pay = async (): Promise<JsonRun> =>
    await runJson(["run", "Gehälter.csv", "--local", "--key-env", "KEY", "--yes", "--expiry", "36000"], input());

  async function refusals(): Promise<readonly string[]> {
    const { exitCode, line, events } = await pay();
    assert.deepEqual([exitCode, partOf(line, "error").code], [4, "RUN_FILE_REFUSED"]);
    return events.filter(({ event }) => event === "refusal").map(({ message }) => String(message));
  }

  async function coinsOf(address: string): Promise<number> {
    const { balance = 0 } = await chain.post("/wallet/getaccount", { address: parseAddress(address) });
    return Number(balance) / 1_000_000;
  }

  it("is refused until each trap is corrected by its sentence, and then pays each row once and is reconciled", async () => {
    save([
      `Ann;${ANN};1.500,00;May;may-ann`,
      `Bob;${BOB} ;1,5;;may-bob`,
      `Carol;${CAROL};1,5E+06;;may-carol`,
      `Dave;${BOB.toLowerCase()};12 TRX;;may-dave`,
      `Erin;${CAROL};2.500;;`,
      `Frank;${ANN};20;;may-frank`,
      `Frank;${ANN};20;;may-frank`,
      ";;;;",
      "Total;;1.521,50;;",
    ]);
    assert.deepEqual(await refusals(), [
      "Row 2, Amount: “1.500,00” has separators of thousands. Write the digits without them.",
      `Row 3, Address: “${BOB}” begins or ends with a space. Remove it.`,
      "Row 3, Amount: “1,5” has a comma, which can mean decimals or thousands. Write a point before decimals, and no separator of thousands.",
      "Row 4, Amount: “1,5E+06” is in scientific notation, which may have lost digits. Write all digits.",
      `Row 5, Address: “${BOB.toLowerCase()}” has lost its upper-case or lower-case letters. Copy the address again.`,
      "Row 5, Amount: “12 TRX” has a currency. Write the number alone; the column token has the token.",
      "Row 6, Amount: “2.500” in a file with semicolons can mean 2500. Write 2.5000 or 2500.",
      "Row 6, Idempotency Key: the key is missing, and other rows have one. Write a key, or remove the keys of all rows.",
      "Row 8, Idempotency Key: row 7 has this key already. A key identifies one payment.",
      "Row 9 is empty, and rows follow it. Remove the row.",
      "Row 10, Address: the address is missing.",
      "Row 10, Amount: “1.521,50” has separators of thousands. Write the digits without them.",
      "Row 10, Idempotency Key: the key is missing, and other rows have one. Write a key, or remove the keys of all rows.",
    ]);

    const rows = [`Ann;${ANN};1500;May;may-ann`, `Bob;${BOB};1.5;;may-bob`, `Carol;${CAROL};1500.25;;may-carol`];
    save([...rows, `Dave;${FALSE_BOB};12;;may-dave`, `Frank;${ANN};20;;may-frank`]);
    const doubtful = await pay();
    const sentence = `Row 5, Address: ${FALSE_BOB} looks like ${BOB}, and only the ends are the same. Compare each character.`;
    assert.deepEqual([doubtful.exitCode, partOf(doubtful.line, "error").code], [4, "NOT_CONFIRMED"]);
    assert.ok(String(doubtful.events[0]?.detail).includes(sentence));
    assert.deepEqual((await runJson(["runs"], input())).line.result, { runs: [] });
    assert.equal(await coinsOf(ANN), 0);

    save([...rows, `Dave;${BOB};12;;may-dave`, `Frank;${ANN};20;;may-frank`]);
    const ended = pay();
    for (let isDone = false; !isDone; isDone = await Promise.race([ended.then(() => true), wait(50, false)]))
      await chain.post("/local/mine", { blocks: 3 });
    const { exitCode, line } = await ended;
    const { run, counts } = partOf(line, "result");
    assert.deepEqual([exitCode, (counts as JsonObject).succeeded], [0, 5]);
    assert.deepEqual(await Promise.all([ANN, BOB, CAROL].map(coinsOf)), [1520, 13.5, 1500.25]);

    await runJson(["runs", "export", String(run), "--out", "paid.csv"], input());
    const rechecked = await runJson(["recheck", "paid.csv", "--local"], input());
    const { kind, rows: checked } = partOf(rechecked.line, "result");
    assert.deepEqual([rechecked.exitCode, kind, checked], [0, "confirmed", 5]);
    assert.deepEqual(readdirSync(folder).sort(), ["Gehälter.csv", "journal", "paid.csv"].sort());
  });
});
