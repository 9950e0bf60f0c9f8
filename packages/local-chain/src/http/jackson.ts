import { jsonInteger, parseJson } from "@finality/tron/primitives";
import { Decimal, inOrder, isMembers, JavaError, type Members, type Value } from "./java-values.ts";

const MAX_DEPTH = 20;
const HIDDEN = "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled)";
const VALUES = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";
const NAME_START = "was expecting either valid name character (for unquoted name) or double-quote (for quoted)";

/** Matches numbers with a point or an exponent, and similar text in strings. */
const FRACTION = /[[:,]\s*-?\d+[.eE]/;
const SPACE = /\s/;
const NAME_CHARACTER = /[\p{L}\p{N}_$]/u;
/** Of a name without quotes, digits at its start too. */
const UNQUOTED = /[\p{L}\p{N}_$@#*+-]/u;
const NUMBER = /[-+]?\d*\.?\d*(?:[eE][-+]?\d+)?/y;
const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const SPECIAL = new Set(["NaN", "INF", "Infinity"]);
const ESCAPES: { readonly [letter: string]: string } = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "/": "/",
  "\\": "\\",
};

export function jsonException(message: string): JavaError {
  return new JavaError("org.tron.json.JSONException", message);
}

/**
 * Parses a body as the first parser of 4.8.2 does, with its messages. It reads one value and ignores what follows.
 *
 * @returns undefined for an empty body and for `null`
 * @throws {JavaError}
 */
export function parseJacksonBody(text: string): Members | undefined {
  const value = parseJacksonValue(text);
  if (value === null) return undefined;
  if (!isMembers(value)) throw jsonException("can not cast to JSONObject.");
  return value;
}

/** Parses any value; empty text is null. @throws {JavaError} */
export function parseJacksonValue(text: string): Value {
  if (text.trim() === "") return null;
  if (!FRACTION.test(text) && (text.match(/[[{]/g)?.length ?? 0) <= MAX_DEPTH) {
    try {
      return marked(parseJson(text));
    } catch {
      // Text that is not JSON may still be readable.
    }
  }
  return new Reader(text).read();
}

/** Marks all objects of a value as Jackson's. */
function marked(value: Value): Value {
  if (Array.isArray(value)) for (const item of value as readonly Value[]) marked(item);
  else if (isMembers(value)) for (const item of Object.values(inOrder(value))) marked(item ?? null);
  return value;
}

/** Reader of the JSON that the node's Jackson is configured for: comments, single quotes, unquoted names. */
class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Value {
    this.#skipSpace();
    return this.#at >= this.#text.length ? null : this.#value("root");
  }

  /** @param container - where the value is, for the message about a closing bracket */
  #value(container: "root" | "inner"): Value {
    const first = this.#text[this.#at];
    if (first === undefined) throw this.#complaint("Unexpected end-of-input within/between Object entries");
    if (first === "{") return this.#nested(() => this.#object());
    if (first === "[") return this.#nested(() => this.#array());
    if (first === '"' || first === "'") return this.#string("a string value");
    if (/[-+.\d]/.test(first)) return this.#number();
    if (container === "root" && (first === "}" || first === "]")) {
      const other = first === "}" ? "]" : "}";
      throw this.#complaint(
        `Unexpected close marker '${first}': expected '${other}' (for root starting at ${HIDDEN}; line: 1])`,
      );
    }
    return this.#word();
  }

  #nested(read: () => Value): Value {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      throw jsonException(
        `Document nesting depth (${this.#depth}) exceeds the maximum allowed (${MAX_DEPTH}, from \`StreamReadConstraints.getMaxNestingDepth()\`)`,
      );
    }
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #object(): Members {
    const [begin, object] = [this.#at, inOrder({}) as Record<string, Value>];
    this.#at += 1;
    for (let first = true; ; first = false) {
      this.#skipInside("Object", begin);
      if (!first && !this.#closes("}")) this.#takeComma("Object", begin);
      if (this.#closes("}")) {
        this.#at += 1;
        return object;
      }
      const name = this.#name();
      this.#skipSpace();
      const after = this.#text[this.#at];
      if (after === undefined) throw this.#complaint("Unexpected end-of-input within/between Object entries");
      if (after !== ":") throw this.#unexpected("was expecting a colon to separate field name and value");
      this.#at += 1;
      this.#skipSpace();
      object[name] = this.#value("inner");
    }
  }

  #array(): Value[] {
    const [begin, items] = [this.#at, [] as Value[]];
    this.#at += 1;
    for (let first = true; ; first = false) {
      this.#skipInside("Array", begin);
      if (!first && !this.#closes("]")) this.#takeComma("Array", begin);
      if (this.#closes("]")) {
        this.#at += 1;
        return items;
      }
      items.push(this.#value("inner"));
    }
  }

  #closes(bracket: string): boolean {
    return this.#text[this.#at] === bracket;
  }

  #takeComma(kind: "Object" | "Array", begin: number): void {
    if (this.#text[this.#at] !== ",") throw this.#unexpected(`was expecting comma to separate ${kind} entries`);
    this.#at += 1;
    this.#skipInside(kind, begin);
  }

  /** Skips to the next character of an object or a list. */
  #skipInside(kind: "Object" | "Array", begin: number): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) return;
    const start = `${HIDDEN}; ${this.#placeOf(begin)}]`;
    throw this.#complaint(`Unexpected end-of-input: expected close marker for ${kind} (start marker at ${start})`);
  }

  #name(): string {
    const first = this.#text[this.#at] ?? "";
    if (first === '"' || first === "'") return this.#string("a field name");
    if (!UNQUOTED.test(first)) throw this.#unexpected(`${NAME_START} to start field name`);
    return this.#identifier(UNQUOTED);
  }

  #identifier(character = NAME_CHARACTER): string {
    const begin = this.#at;
    while (character.test(this.#text[this.#at] ?? "")) this.#at += 1;
    return this.#text.slice(begin, this.#at);
  }

  #word(): Value {
    const first = this.#text[this.#at] ?? "";
    if (!NAME_CHARACTER.test(first)) throw this.#unexpected(`expected a valid value ${VALUES}`);
    const word = this.#identifier();
    const value = WORDS.get(word);
    if (value !== undefined) return value;
    if (SPECIAL.has(word)) {
      throw this.#complaint(
        `Non-standard token '${word}': enable \`JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS\` to allow`,
      );
    }
    throw this.#complaint(`Unrecognized token '${word}': was expecting ${VALUES}`);
  }

  #number(): Value {
    NUMBER.lastIndex = this.#at;
    const text = NUMBER.exec(this.#text)?.[0] ?? "";
    const sign = /^[-+]/.exec(text)?.[0];
    if (!/\d/.test(text)) {
      this.#at += text.length;
      throw this.#unexpected(
        `expected digit (0-9) to follow ${sign === "+" ? "plus" : "minus"} sign, for valid numeric value`,
        " in numeric value",
      );
    }
    this.#at += text.length;
    return /[.eE]/.test(text) ? Decimal.parse(text).stripped() : jsonInteger(BigInt(text.replace("+", "")));
  }

  #string(what: "a string value" | "a field name"): string {
    const quote = this.#text[this.#at];
    let text = "";
    for (this.#at += 1; this.#text[this.#at] !== quote; this.#at += 1) {
      const character = this.#text[this.#at];
      if (character === undefined) {
        throw this.#complaint(
          what === "a field name"
            ? "Unexpected end-of-input in field name"
            : "Unexpected end-of-input: was expecting closing quote for a string value",
        );
      }
      text += character === "\\" ? this.#escaped() : character;
    }
    this.#at += 1;
    return text;
  }

  #escaped(): string {
    this.#at += 1;
    const letter = this.#text[this.#at];
    if (letter === undefined) throw this.#complaint("Unexpected end-of-input in character escape sequence");
    if (letter === "u") return this.#codePoint();
    const meant = ESCAPES[letter];
    if (meant !== undefined) return meant;
    throw this.#complaint(`Unrecognized character escape ${described(letter)}`);
  }

  #codePoint(): string {
    const begin = this.#at + 1;
    while (this.#at < begin + 3) {
      this.#at += 1;
      const digit = this.#text[this.#at];
      if (digit === undefined) throw this.#complaint("Unexpected end-of-input in character escape sequence");
      if (!/[\da-fA-F]/.test(digit)) throw this.#unexpected("expected a hex-digit for character escape sequence");
    }
    return String.fromCharCode(Number.parseInt(this.#text.slice(begin, begin + 4), 16));
  }

  #skipSpace(): void {
    for (;;) {
      const character = this.#text[this.#at] ?? "";
      if (character === "/") this.#skipComment();
      else if (SPACE.test(character) && character !== "\uFEFF") this.#at += 1;
      else return;
    }
  }

  #skipComment(): void {
    const opening = this.#text.slice(this.#at, this.#at + 2);
    if (opening !== "//" && opening !== "/*") {
      this.#at += 1;
      throw this.#unexpected("was expecting either '*' or '/' for a comment");
    }
    const [end, length] = opening === "//" ? ["\n", 1] : ["*/", 2];
    const found = this.#text.indexOf(end, this.#at + 2);
    this.#at = found < 0 ? this.#text.length : found + length;
  }

  #unexpected(expectation: string, where = ""): JavaError {
    const character = this.#text[this.#at];
    if (character === undefined) return this.#complaint("Unexpected end-of-input in a value");
    return this.#complaint(`Unexpected character (${described(character)})${where}: ${expectation}`);
  }

  #complaint(message: string): JavaError {
    return jsonException(`${message}\n at ${HIDDEN}; ${this.#placeOf(this.#at)}]`);
  }

  #placeOf(index: number): string {
    const lines = this.#text.slice(0, index).split("\n");
    return `line: ${lines.length}, column: ${(lines.at(-1)?.length ?? 0) + 1}`;
  }
}

const LAST_BYTE = 255;

/** Prints a character with its code. */
function described(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code > LAST_BYTE ? ` / 0x${code.toString(16)}` : "";
  return `'${character}' (code ${code}${hex})`;
}
