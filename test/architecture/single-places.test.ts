import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** A name that only these files may use; other files call their functions. */
interface Danger {
  readonly title: string;
  readonly word: RegExp;
  readonly files: readonly string[];
}

const dangers: readonly Danger[] = [
  {
    title: "H5: private keys are lent to the signer, and to the one door by which a person exports one",
    word: /\bwithPrivateKey\b/,
    files: ["src/sending/reveal-key.ts", "src/sending/signer.ts", "src/host/secrets/signing-keys.ts"],
  },
  {
    title: "H5: a signer outside is asked by the signer alone",
    word: /\boutside\.sign\b/,
    files: ["src/sending/signer.ts"],
  },
  {
    title: "H5: only the signer signs",
    word: /(?<!finality\.)\b(?:signTransaction|signTransactionId|addSignature)\b/,
    files: [
      "packages/tron/src/transaction/sign-transaction.ts",
      "packages/tron/src/transaction/signature.ts",
      "src/host/secrets/lazy-signing.ts",
      "src/sending/signer.ts",
    ],
  },
  {
    title: "H5: bytes leave through the transaction service alone",
    word: /\b(?:submitTransaction|resubmitTransaction)\b/,
    files: [
      "packages/client/src/tracking/submit-transaction.ts",
      "src/sending/lazy-tracking.ts",
      "src/sending/transaction-service.ts",
    ],
  },
  {
    title: "H5: a gateway is handed bytes by a submission alone",
    word: /\.broadcast\(/,
    files: ["packages/client/src/tracking/submit-transaction.ts"],
  },
  {
    title: "H5: a click counts as consent where sending again is asked for, and nowhere else",
    word: /\bconsentOfClick\b/,
    files: ["src/features/transactions/transaction-commands.ts", "src/sending/consent.ts"],
  },
  {
    title: "H8: the local chain consents where it has to prove itself, and nowhere else",
    word: /\bconsentOfLocalChain\b/,
    files: [
      "src/features/transactions/transaction-commands.ts",
      "src/sending/consent.ts",
      "src/sending/transaction-sender.ts",
    ],
  },
  {
    title: "H7: a key is shown to nobody but by the export of a person",
    word: /\brevealKey\b/,
    files: ["src/features/signing-keys/export-key.ts", "src/sending/reveal-key.ts"],
  },
  { title: "H5: nobody makes a consent by a cast", word: /\bas Consent\b/, files: ["src/sending/consent.ts"] },
  {
    title: "H8: the environment names a local chain in one place",
    word: /\bFINALITY_DEV_CHAIN\b/,
    files: ["src/extension.ts"],
  },
  {
    title: "F8: files of a person become text in one place, whatever their encoding is",
    word: /(?:fs\.readFile\(\w+\)\)|\bbytes)\.toString\("(?:utf8|latin1)"\)|\bfile\.readFile\("utf8"\)/,
    files: [],
  },
];

describe("the doors", () => {
  const sources = globSync("{src,packages/*/src}/**/*.ts", { cwd: root })
    // The entry points of the packages only pass names on.
    .filter((file) => !/^packages\/(local-chain\/|[^/]+\/src\/[^/]+$)/.test(file))
    .map((file) => ({ file, code: readFileSync(join(root, file), "utf8") }));

  for (const { title, word, files } of dangers) {
    it(title, () => {
      const found = sources.filter(({ code }) => word.test(code)).map(({ file }) => file);

      assert.deepEqual(found.sort(), [...files].sort());
    });
  }
});

/** Files that make a `bigint` of something that is not an amount of people, and of what they make it. */
const OTHER_INTEGERS: Readonly<Record<string, string>> = {
  "packages/tron/src/abi/typed-value.ts": "hex",
  "packages/client/src/call-sites/cost-history.ts": "figures of the product's own file",
  "packages/client/src/call-sites/source-value.ts": "literals of a source, by the rules of its language",
  "src/features/contracts/show-result.ts": "a result of the product's own",
  "src/features/decoder/fields.view.ts": "a decoded value",
  "src/features/energy-hints/save-snapshot.ts": "a difference of numbers",
  "src/host/commands/command-arguments.ts": "a number of JSON that lost no digit",
  "src/host/settings/settings.ts": "a number of percent",
  "packages/tron/src/format/amounts.ts": "digits to print",
};

/** Folders in which people, files and programs are read. */
const INPUT =
  "{packages/tron/src/{abi/typed-value.ts,format/**},packages/client/src/{call-sites,incoming,keys,permissions,tokens}/**,src/{features,host,labels,sending}/**}";
/** `BigInt(…)` of anything but a rounded number or hex with its prefix, and readers of floats. */
const READS_INTEGER = /\bBigInt\((?!Math\.|`0x)|\bparseFloat\b|\bBigInt\b(?=[,)])/;

describe("amounts", () => {
  const read = (file: string): string =>
    readFileSync(join(root, file), "utf8").replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, "");
  const files = globSync(INPUT, { cwd: root }).filter((file) => file.endsWith(".ts"));

  it("T1: are read by primitives/parse-amount.ts alone", () => {
    assert.ok(files.length > 200, `only ${files.length} files were seen`);
    assert.deepEqual(files.filter((file) => READS_INTEGER.test(read(file))).sort(), Object.keys(OTHER_INTEGERS).sort());
  });

  it("T1: are refused elsewhere only because they are 0", () => {
    const refusing = globSync("{src,packages/*/src}/**/*.ts", { cwd: root }).filter((file) =>
      /ChainError\("AMOUNT_MALFORMED"/.test(read(file)),
    );

    assert.deepEqual(refusing.sort(), [
      "packages/tron/src/primitives/parse-amount.ts",
      "src/features/incoming/incoming.view.ts",
      "src/features/system-contracts/commands.ts",
    ]);
  });

  it("T1: are noticed where another file reads them", () => {
    for (const code of ["BigInt(text)", "BigInt(text.trim())", "texts.map(BigInt)", "parseFloat(text)"])
      assert.match(code, READS_INTEGER, code);
  });
});
