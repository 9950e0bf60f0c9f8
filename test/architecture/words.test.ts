import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { asFile, englishBundle, faultsOf, languages, read } from "../../scripts/words/bundles.mjs";
import { forgottenIn } from "../../scripts/words/forgotten.mjs";
import { spokenPictures } from "../../scripts/words/pictures.mjs";
import { pseudo } from "../../scripts/words/pseudo.mjs";

const root = join(import.meta.dirname, "..", "..");
/** The chain speaks as nodes do; types and the interface for programs say nothing. */
const SPEAKS_TO_NOBODY = /^src\/(local-chain|types|public)\/|\/gen\//;
/** What looks like words and is none: code of contracts, sources and rows, what nodes say, what is signed or kept. */
const NO_TEXTS = new Set([
  "push pop shift unshift splice sort reverse fill copyWithin",
  "return typeof case in of delete void throw new do else await yield instanceof",
  "await return typeof void yield case of in",
  "argument \uFFFC.\uFFFC \uFFFC \uFFFC",
  "private key",
  "key ID (kid)",
  "PRIVATE KEY",
  "RSA PRIVATE KEY",
  "ENCRYPTED PRIVATE KEY",
  "Local chain",
  "LOCK OUT",
  " local chain ",
  "\uFFFC (deployment)",
  " with \uFFFC sun",
  "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
  "CONNECT \uFFFC HTTP/1.1\r\nHost: \uFFFC\r\n\uFFFC\r\n",
  "Proxy-Authorization: \uFFFC\r\n",
  "finality local chain\n\uFFFC\n\uFFFC",
  "finality local chain \uFFFC",
  "finality-ignore fee-limit",
  "group incoming",
  "contract validate error :",
  "contract validate error:",
  "contract execute error :",
  "contract execute error:",
  "validate signature error:",
  "Tapos check error.",
  "Tapos failed, different block hash, {rest}",
  "asks on real networks",
  "codicon codicon-\uFFFC\uFFFC",
  "row \uFFFC\uFFFC",
  "Contract validate error : Validate TransferContract error, balance is not sufficient.",
  "Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[42857], curOpEnergy[20000], usedEnergy[34100]",
  " returns (\uFFFC)",
  "payments and calls",
  "taken back",
]);

/** Names of the sources of explanations: `documented-sources.ts` has the words that are shown for them. */
const SOURCE =
  /^(gateway document|protocol reference|node behaviour|the words of|the node's validation|what is read|Solidity,)(?!\w)/;

/** Pieces of HTML, lines of the log and of an example, what a message of a page was expected to be. */
const NO_TEXT = /^<script|^#\uFFFC |^\d{4}-\d\d-\d\dT|^(a whole number|an object|a known kind)$/;

describe("the words of the product", () => {
  it("are all tagged for translation", () => {
    const files = globSync("{src,media}/**/*.ts", { cwd: root }).filter((file) => !SPEAKS_TO_NOBODY.test(file));

    const forgotten = files.flatMap((file) =>
      forgottenIn(join(root, file))
        .filter((text) => !NO_TEXTS.has(text) && !NO_TEXT.test(text) && !SOURCE.test(text))
        .map((text) => `${file}: ${text}`),
    );

    assert.ok(files.length > 500);
    assert.deepEqual(forgotten, []);
  });

  it("are translated in one place: nothing asks the editor for a second time", () => {
    const files = globSync("src/**/*.ts", { cwd: root });

    assert.deepEqual(
      files.filter((file) => /\bl10n\.t\(/.test(readFileSync(join(root, file), "utf8"))),
      [],
    );
  });

  it("stand in the English bundle, which translators begin with", () => {
    assert.equal(asFile(read(root, "l10n/bundle.l10n.json")), englishBundle(root));
  });

  it("are all said in each language, with everything that is filled in", () => {
    const english = read(root, "l10n/bundle.l10n.json");
    const manifest = read(root, "package.nls.json");

    const faults = languages(root).map(({ language, words, manifest: shown }) => [
      language,
      ...faultsOf(english, words),
      ...faultsOf(manifest, shown),
    ]);

    assert.deepEqual(faults, [["zh-cn"]]);
  });

  it("stand in the pictures of the walkthrough, too", () => {
    for (const { language } of languages(root))
      for (const [file, picture] of Object.entries(spokenPictures(root, language)))
        assert.equal(readFileSync(join(root, file), "utf8"), picture, file);
  });

  it("lack nothing unnoticed: a text that is missing, empty, too much, or fills in something else is a fault", () => {
    const english = { "{0} of {1}": "{0} of {1}", Send: "Send", Stop: "Stop" };

    assert.deepEqual(faultsOf(english, { "{0} of {1}": "{0}", Send: " ", Old: "Old" }), [
      "not translated: Send",
      "not translated: Stop",
      "no text any more: Old",
      "fills in something else: {0} of {1} → {0}",
    ]);
    assert.deepEqual(faultsOf(english, { "{0} of {1}": "{1} 中的 {0}", Send: "发送", Stop: "停止" }), []);
  });

  it("have marks on every letter in the pseudo-locale, but for names, code and what is filled in", () => {
    assert.equal(
      pseudo("Send {0} to `x` [it](command:y) $(zap) fee_limit, SIGERROR of Finality"),
      "Šéñđ {0} ţö `x` [îţ](command:y) $(zap) fee_limit, SIGERROR öƒ Finality",
    );
  });
});
