import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** Every input box for a secret: its file, and a pattern of its arguments. */
const BOXES: readonly (readonly [file: string, words: RegExp])[] = [
  ["features/jwt-keys/commands", /API Key of/],
  ["features/signing-keys/import-key", /IMPORT_TITLE, password/],
  ["features/signing-keys/import-key", /The private key, 64 hex digits/],
  ["features/signing-keys/import-key", /The words, separated by spaces/],
  ["features/signing-keys/import-key", /The passphrase, if these words/],
  ["features/jwt-keys/ask-jwt-key", /The private key \(RSA, PEM\)/],
  ["features/jwt-keys/ask-jwt-key", /The PEM is encrypted/],
  ["features/signing-keys/export-key", /A password for the keystore file/],
  ["features/signing-keys/export-key", /Repeat the password/],
  ["features/networks/edit-networks", /API key\. It is stored/],
  ["features/networks/edit-networks", /Passphrase of the key/],
];

interface Box {
  readonly file: string;
  readonly called: string;
  /** The arguments, with the constants of the enclosing function that they name. */
  readonly input: string;
}

/** Returns every call of `inputBox` and `textStep`. */
function boxesOf(file: string): readonly Box[] {
  const text = read(file);
  if (!/\b(inputBox|textStep)\b/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Box[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(inputBox|textStep)$/.test(node.expression.getText()))
      found.push({ file, called: node.expression.getText(), input: argumentsOf(node) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function argumentsOf(call: ts.CallExpression): string {
  const text = call.arguments.map((it) => it.getText()).join(", ");
  const whole = enclosing(call)?.getText() ?? "";
  const named = text.match(/\b[a-z]\w*\b/g) ?? [];
  const constants = [...new Set(named)].flatMap(
    (name) => new RegExp(`const ${name} = ([^;(]*);`).exec(whole)?.[1] ?? [],
  );
  return [text, ...constants].join("\n");
}

function enclosing(node: ts.Node): ts.Node | undefined {
  for (let above = node.parent; above !== undefined; above = above.parent) if (ts.isFunctionLike(above)) return above;
  return undefined;
}

/** `textStep` always stays open without focus; `inputBox` needs `ignoreFocusOut`. */
const hides = ({ called, input }: Box): boolean =>
  called === "textStep"
    ? /\bsecret: true\b/.test(input)
    : /\bpassword: true\b/.test(input) && /\bignoreFocusOut: true\b/.test(input);

describe("input boxes for secrets", () => {
  const boxes = globSync("{src,packages/*/src}/**/*.ts", { cwd: root }).flatMap(boxesOf);

  for (const [file, words] of BOXES)
    it(`22: mask the input and stay open without focus: ${words.source} of ${file}`, () => {
      const own = boxes.filter((box) => box.file === `src/${file}.ts` && words.test(box.input));

      assert.equal(own.length, 1, `${own.length} boxes match`);
      assert.ok(own.every(hides), own[0]?.input);
    });

  it("22: are all listed here, as is every box whose text names a secret", () => {
    const listed = (box: Box): boolean =>
      BOXES.some(([file, words]) => box.file === `src/${file}.ts` && words.test(box.input));
    const secret = (box: Box): boolean =>
      /\b(password|secret): true\b/.test(box.input) ||
      /\bt`[^`]*(API key is|private key|password|passphrase|recovery words)/i.test(box.input);

    assert.ok(boxes.length > 25, `${boxes.length} boxes were seen`);
    assert.deepEqual(
      boxes.filter((box) => secret(box) && !listed(box)).map(({ file, input }) => `${file}: ${input}`),
      [],
    );
  });

  it("22: mask secret steps and stay open without focus in multi-step input", () => {
    const steps = read("src/host/prompts/quick-input.ts");

    assert.match(steps, /secret: password = false/);
    assert.match(
      steps,
      /createInputBox\(\);[\s\S]*?Object\.assign\(input, position, .*\bpassword, ignoreFocusOut: true/,
    );
  });
});
