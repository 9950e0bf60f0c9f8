import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** A name that only the listed files may use. */
interface RestrictedName {
  readonly title: string;
  readonly name: RegExp;
  readonly files: readonly string[];
}

const restrictedNames: readonly RestrictedName[] = [
  {
    title: "H5: passes private keys only to the signer and to the export of a key",
    name: /\bwithPrivateKey\b/,
    files: ["src/sending/reveal-key.ts", "src/sending/signer.ts", "src/host/secrets/signing-keys.ts"],
  },
  {
    title: "H5: calls the external signer only in the signer",
    name: /\boutside\.sign\b/,
    files: ["src/sending/signer.ts"],
  },
  {
    title: "H5: signs only in the signer",
    name: /(?<!finality\.|")\b(?:signTransaction|signTransactionId|addSignature)\b/,
    files: [
      "packages/cli/src/key-source.ts",
      "packages/tron/src/transaction/sign-transaction.ts",
      "packages/tron/src/transaction/signature.ts",
      "src/host/secrets/lazy-signing.ts",
      "src/sending/signer.ts",
    ],
  },
  {
    title: "H5: signs messages only in the signer",
    name: /\b(?:signHash|signMessageDigest)\b/,
    files: [
      "packages/cli/src/key-source.ts",
      "packages/tron/src/transaction/signature.ts",
      "packages/tron/src/typed-data/message-signature.ts",
      "src/host/secrets/lazy-signing.ts",
      "src/sending/signer.ts",
    ],
  },
  {
    title: "H5: submits bytes only in the transaction service",
    name: /\b(?:submitTransaction|resubmitTransaction)\b/,
    files: [
      "packages/cli/src/send-transaction.ts",
      "packages/client/src/tracking/submit-transaction.ts",
      "src/sending/lazy-tracking.ts",
      "src/sending/transaction-service.ts",
    ],
  },
  {
    title: "H5: broadcasts only in submitTransaction",
    name: /\.broadcast\(/,
    files: ["packages/client/src/tracking/submit-transaction.ts"],
  },
  {
    title: "H5: accepts a click as consent only for a rebroadcast",
    name: /\bconsentOfClick\b/,
    files: ["src/features/transactions/transaction-commands.ts", "src/sending/consent.ts"],
  },
  {
    title: "H8: grants the local chain's consent only to transaction commands and the sender",
    name: /\bconsentOfLocalChain\b/,
    files: [
      "src/features/transactions/transaction-commands.ts",
      "src/sending/consent.ts",
      "src/sending/transaction-sender.ts",
    ],
  },
  {
    title: "H7: reveals a key only in the export command",
    name: /\brevealKey\b/,
    files: ["src/features/signing-keys/export-key.ts", "src/sending/reveal-key.ts"],
  },
  {
    title: "H5: asks for a consent to a message only in the sender, which shows its review",
    name: /\baskForMessageConsent\b/,
    files: ["src/sending/consent.ts", "src/sending/transaction-sender.ts"],
  },
  {
    title: "H5: casts nothing to a consent outside consent.ts",
    name: /\bas (?:Message)?Consent\b/,
    files: ["src/sending/consent.ts"],
  },
  {
    title: "H8: reads the local chain's environment variable only at activation",
    name: /\bFINALITY_DEV_CHAIN\b/,
    files: ["src/extension.ts"],
  },
  {
    title: "F8: decodes user files only with the shared decoder",
    name: /(?:fs\.readFile\(\w+\)\)|\bbytes)\.toString\("(?:utf8|latin1)"\)|\bfile\.readFile\("utf8"\)/,
    files: [],
  },
];

describe("restricted names", () => {
  const sources = globSync("{src,packages/*/src}/**/*.ts", { cwd: root })
    // Entry points of packages only re-export.
    .filter((file) => !/^packages\/(local-chain\/|(tron|client)\/src\/[^/]+$)/.test(file))
    .map((file) => ({ file, code: readFileSync(join(root, file), "utf8") }));

  for (const { title, name, files } of restrictedNames) {
    it(title, () => {
      const found = sources.filter(({ code }) => name.test(code)).map(({ file }) => file);

      assert.deepEqual(found.sort(), [...files].sort());
    });
  }
});

/** Files that make a `bigint` of a value that is no amount entered by a user, with that value. */
const OTHER_INTEGERS: Readonly<Record<string, string>> = {
  "packages/tron/src/abi/typed-value.ts": "hex",
  "packages/client/src/call-sites/cost-history.ts": "figures of a file that Finality writes",
  "packages/client/src/call-sites/source-value.ts": "literals of a source, by the rules of its language",
  "src/features/contracts/form-fields.ts": "the number of bits of a type",
  "src/features/decoder/fields.view.ts": "a decoded value",
  "src/features/energy-hints/save-snapshot.ts": "a difference of numbers",
  "src/host/commands/command-arguments.ts": "a number of JSON that lost no digit",
  "src/host/settings/settings.ts": "a number of percent",
  "packages/tron/src/format/amounts.ts": "digits to print",
};

/** Folders that read input of users, files and programs. */
const INPUT =
  "{packages/tron/src/{abi/typed-value.ts,format/**},packages/client/src/{call-sites,incoming,keys,labels,permissions,reviews,tokens}/**,packages/node/src/**,src/{features,host,sending}/**}";
/** `BigInt(…)` of a value other than a rounded number or prefixed hex, and parsers of floats. */
const READS_INTEGER = /\bBigInt\((?!Math\.|`0x)|\bparseFloat\b|\bBigInt\b(?=[,)])/;

describe("amount parsing", () => {
  const read = (file: string): string =>
    readFileSync(join(root, file), "utf8").replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, "");
  const files = globSync(INPUT, { cwd: root }).filter((file) => file.endsWith(".ts"));

  it("T1: happens only in primitives/parse-amount.ts", () => {
    assert.ok(files.length > 200, `only ${files.length} files were seen`);
    assert.deepEqual(files.filter((file) => READS_INTEGER.test(read(file))).sort(), Object.keys(OTHER_INTEGERS).sort());
  });

  it("T1: reports AMOUNT_MALFORMED elsewhere only for 0", () => {
    const refusing = globSync("{src,packages/*/src}/**/*.ts", { cwd: root }).filter((file) =>
      /ChainError\("AMOUNT_MALFORMED"/.test(read(file)),
    );

    assert.deepEqual(refusing.sort(), [
      "packages/tron/src/primitives/parse-amount.ts",
      "src/features/incoming/incoming.view.ts",
      "src/features/system-contracts/commands.ts",
    ]);
  });

  it("T1: is recognized in other files by the pattern", () => {
    for (const code of ["BigInt(text)", "BigInt(text.trim())", "texts.map(BigInt)", "parseFloat(text)"])
      assert.match(code, READS_INTEGER, code);
  });
});
