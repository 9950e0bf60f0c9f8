import { isJsonObject, type Json, type JsonObject, parseJson } from "../../core/primitives/json.ts";
import { fastjsonException } from "./java-error.ts";

const END = "\u001A";
/** Blanks and comments. */
const IGNORED = /(?:\s|\/\*.*?\*\/|\/\/[^\n]*)+/sy;
const BOM = "\uFEFF";

/**
 * Reads a body as the node's first parser does, with its complaints. Integers keep every digit.
 *
 * @returns undefined for an empty body, as the node has `null` there
 * @throws {JavaError} fastjson's exception
 */
export function parseBody(text: string): JsonObject | undefined {
  const body = text.startsWith(BOM) ? text.slice(1) : text;
  if (body.trim() === "") return undefined;
  const value = parseOrExplain(body);
  if (value === null) return undefined;
  if (!isJsonObject(value)) throw fastjsonException("can not cast to JSONObject.");
  return value;
}

function parseOrExplain(body: string): Json {
  try {
    return parseJson(body);
  } catch {
    const reader = new LenientReader(body);
    const value = reader.value();
    reader.close();
    return value;
  }
}

/**
 * fastjson is more lenient than JSON: it takes single quotes, names without any, and comments. This reads what it takes and says what it says
 * where it stops; of the many texts it has, those for the mistakes that clients make.
 */
class LenientReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): Json {
    switch (this.#skip()) {
      case "{":
        return this.#object();
      case "[":
        return this.#array();
      case '"':
      case "'":
        return this.#string("unclosed string : ");
      default:
        return this.#literal();
    }
  }

  /** What may stand after the value: nothing. */
  close(): void {
    const next = this.#skip();
    if (next === END) return;
    if (next === "x") throw fastjsonException(`illegal state. ${this.#text[this.#at + 1] ?? END}`);
    throw fastjsonException(`not close json text, token : ${tokenName(next)}`);
  }

  #object(): Json {
    const object: Record<string, Json> = {};
    this.#at += 1;
    for (;;) {
      while (this.#skip() === ",") this.#at += 1;
      const next = this.#skip();
      if (next === "}") break;
      const key = next === '"' || next === "'" ? this.#string("unclosed.str") : this.#bareKey();
      if (this.#skip() !== ":") throw fastjsonException(`expect ':' at ${this.#at}, name ${key}`);
      this.#at += 1;
      object[key] = this.value();
      const after = this.#skip();
      if (after !== "," && after !== "}") throw this.#syntaxError();
    }
    this.#at += 1;
    return object;
  }

  /** A name or a number without quotes. */
  #bareKey(): string {
    const key = /^(?:[A-Za-z_$][\w$]*|\d+)/.exec(this.#text.slice(this.#at))?.[0];
    if (key === undefined) throw this.#syntaxError();
    this.#at += key.length;
    return key;
  }

  #array(): Json {
    const items: Json[] = [];
    this.#at += 1;
    for (;;) {
      while (this.#skip() === ",") this.#at += 1;
      const next = this.#skip();
      if (next === "]") break;
      if (next === END) throw fastjsonException("unclosed jsonArray");
      items.push(this.value());
    }
    this.#at += 1;
    return items;
  }

  #string(complaint: string): string {
    const quote = this.#text[this.#at];
    const begin = this.#at + 1;
    for (let at = begin; at < this.#text.length; at += 1) {
      if (this.#text[at] === "\\") at += 1;
      else if (this.#text[at] === quote) {
        this.#at = at + 1;
        return this.#text.slice(begin, at);
      }
    }
    throw fastjsonException(complaint.endsWith(" ") ? `${complaint}${END}` : complaint);
  }

  #literal(): Json {
    const word = /^(?:-?\d[\d.eE+-]*|true|false|null)/.exec(this.#text.slice(this.#at))?.[0];
    if (word === undefined) throw this.#syntaxError(1);
    this.#at += word.length;
    return /\d/.test(word) ? Number(word) : (JSON.parse(word) as Json);
  }

  #skip(): string {
    IGNORED.lastIndex = this.#at;
    this.#at += IGNORED.exec(this.#text)?.[0].length ?? 0;
    return this.#text[this.#at] ?? END;
  }

  #syntaxError(ahead = 0): Error {
    const position = this.#at + ahead;
    return fastjsonException(`syntax error, pos ${position}, line 1, column ${position + 1}${this.#text}`);
  }
}

function tokenName(character: string): string {
  if (/[-\d]/.test(character)) return "int";
  if (/["']/.test(character)) return "string";
  return /[{}[\],:]/.test(character) ? character : "error";
}
