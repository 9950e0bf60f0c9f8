import { ChainError } from "@finality/tron/errors";
import { addressToBytes, anyAddressIn, bytesToHex, hexToBytes, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { DebugScope, DebugValue, RawValue } from "./debug-value.ts";
import { type Token, tokensOf } from "./expression-tokens.ts";
import { hashOf } from "./run-index.ts";
import { elementaryOf, type SolidityType } from "./solidity-type.ts";
import { bytesValue, wordValue } from "./word-value.ts";

const LONGEST = 1_000;
const DEEPEST = 32;
const WORD_BITS = 256;
const WORD_BYTES = 32;
/** Most bits of a number without a type. */
const MOST_BITS = 4_096;
/** Type of a number that is written in the expression. */
const LITERAL = "literal";

/** Reason why an expression has no value, as a phrase. */
class Refused extends Error {
  override readonly name = "Refused";
}

/**
 * Returns the value of a Solidity expression. Sub-expressions have no effects; arithmetic is checked as outside of
 * `unchecked`.
 *
 * @returns `EXPRESSION_REFUSED` if it cannot be evaluated
 */
export function evaluate(expression: string, scopes: readonly DebugScope[]): DebugValue | ChainError {
  try {
    if (expression.length > LONGEST) throw new Refused(t`it is longer than ${LONGEST} characters`);
    const parser = new Parser(tokensOf(expression), scopes);
    return { ...parser.whole(), name: expression };
  } catch (error) {
    if (error instanceof Refused || error instanceof SyntaxError)
      return new ChainError("EXPRESSION_REFUSED", { reason: error.message });
    throw error;
  }
}

/** Operators by precedence, the weakest first. */
const OPERATORS: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["==", "!="],
  ["<", ">", "<=", ">="],
  ["|"],
  ["^"],
  ["&"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];

/** Recursive descent over the tokens of an expression. Branches that are not taken are read, but have no errors. */
class Parser {
  readonly #tokens: readonly Token[];
  readonly #scopes: readonly DebugScope[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], scopes: readonly DebugScope[]) {
    this.#tokens = tokens;
    this.#scopes = scopes;
  }

  whole(): DebugValue {
    const value = this.#ternary();
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw new Refused(t`"${rest.text}" was not expected`);
    if (value.notAvailable !== undefined) throw new Refused(t`${value.name} is not available: ${value.notAvailable}`);
    return typed(value);
  }

  #ternary(): DebugValue {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new Refused(t`it is nested too deeply`);
    const condition = this.#binary(0);
    if (!this.#takes("?")) {
      this.#depth -= 1;
      return condition;
    }
    const isTrue = booleanOf(condition);
    const first = this.#branch(isTrue);
    this.#expect(":");
    const second = this.#branch(!isTrue);
    this.#depth -= 1;
    const taken = isTrue ? first : second;
    if (taken === undefined) throw new Refused(t`it is incomplete`);
    return taken;
  }

  /** Reads an operand; one that is not evaluated may have no value. */
  #branch(isEvaluated: boolean, read: () => DebugValue = () => this.#ternary()): DebugValue | undefined {
    if (isEvaluated) return read();
    const depth = this.#depth;
    try {
      read();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#skipOperand();
      this.#depth = depth;
    }
    return undefined;
  }

  /** Goes to the end of an operand that could not be evaluated. */
  #skipOperand(): void {
    let open = 0;
    for (; this.#at < this.#tokens.length; this.#at += 1) {
      const { text } = this.#tokens[this.#at] ?? { text: "" };
      if (open === 0 && (text === ")" || text === "]" || text === ":" || text === ",")) return;
      if (text === "(" || text === "[") open += 1;
      if (text === ")" || text === "]") open -= 1;
    }
  }

  #binary(level: number): DebugValue {
    const operators = OPERATORS[level];
    if (operators === undefined) return this.#power();
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = operators.find((it) => this.#peek() === it);
      if (operator === undefined) return left;
      this.#at += 1;
      const isShort = (operator === "&&" && !booleanOf(left)) || (operator === "||" && booleanOf(left));
      const right = this.#branch(!isShort, () => this.#binary(level + 1));
      left = right === undefined ? truth(operator === "||") : combine(operator, left, right);
    }
  }

  #power(): DebugValue {
    const base = this.#unary();
    if (!this.#takes("**")) return base;
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new Refused(t`it is nested too deeply`);
    const exponent = this.#power();
    this.#depth -= 1;
    return combine("**", base, exponent);
  }

  #unary(): DebugValue {
    const operator = ["!", "~", "-"].find((it) => this.#peek() === it);
    if (operator === undefined) return this.#postfix();
    this.#at += 1;
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new Refused(t`it is nested too deeply`);
    const value = this.#unary();
    this.#depth -= 1;
    if (operator === "!") return truth(!booleanOf(value));
    const number = numberOf(value);
    if (operator === "-") return numeric(value.type, -number, "-");
    return isFixedBytes(value)
      ? bytesWord(value.type, ~number)
      : numeric(value.type, inverted(value.type, number), "~");
  }

  #postfix(): DebugValue {
    let value = this.#primary();
    for (;;) {
      if (this.#takes(".")) value = memberOf(value, this.#name());
      else if (this.#takes("[")) {
        const key = this.#ternary();
        this.#expect("]");
        value = elementOf(value, key);
      } else return value;
    }
  }

  #primary(): DebugValue {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Refused(t`it is incomplete`);
    this.#at += 1;
    if (token.text === "(") {
      const value = this.#ternary();
      this.#expect(")");
      return value;
    }
    switch (token.kind) {
      case "number":
        return this.#number(token.text);
      case "text":
        return textValue(token.text);
      case "name":
        return this.#named(token.text);
      case "symbol":
        throw new Refused(t`"${token.text}" was not expected`);
    }
  }

  #number(text: string): DebugValue {
    const unit = this.#tokens[this.#at];
    const factor = unit?.kind === "name" ? UNITS.get(unit.text) : undefined;
    if (factor !== undefined) this.#at += 1;
    return literal(text, factor ?? 1n);
  }

  #named(name: string): DebugValue {
    if (name === "true" || name === "false") return truth(name === "true");
    const address = name.length === 34 ? anyAddressIn(name) : undefined;
    if (address !== undefined) return addressValue(BigInt(`0x${bytesToHex(addressToBytes(address)).slice(2)}`));
    if (name === "type" && this.#peek() === "(") return this.#typeLimit();
    if (this.#peek() === "(") return this.#call(name);
    if (name === "abi" && this.#takes(".")) {
      const method = this.#name();
      return encoded(method, this.#arguments());
    }
    const found = this.#lookUp(name) ?? this.#enumMember(name);
    if (found !== undefined) return found;
    // `msg.sender` is one name.
    const member = this.#peek() === "." ? this.#tokens[this.#at + 1]?.text : undefined;
    const global = member === undefined ? undefined : this.#lookUp(`${name}.${member}`);
    if (global === undefined) throw new Refused(t`there is no variable ${name} here`);
    this.#at += 2;
    return global;
  }

  #lookUp(name: string): DebugValue | undefined {
    for (const scope of this.#scopes) {
      // An argument may differ from the parameter of its name, which the function can write.
      if (scope.kind === "call-data") continue;
      const found = scope.variables().findLast((it) => it.name === name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** `Mode.On`, if a variable has this type: its value compares with those of the enum. */
  #enumMember(name: string): DebugValue | undefined {
    const isType = ({ type }: DebugValue): boolean => type.startsWith("enum ") && type.split(/[ .]/).at(-1) === name;
    const owner = this.#scopes.flatMap((scope) => scope.variables()).find(isType);
    const member = this.#peek() === "." ? this.#tokens[this.#at + 1]?.text : undefined;
    if (owner === undefined || member === undefined) return undefined;
    this.#at += 2;
    return { name: "", type: owner.type, text: `${name}.${member}`, raw: `${name}.${member}` };
  }

  /** `type(uint8).max` */
  #typeLimit(): DebugValue {
    this.#expect("(");
    const type = elementaryOf(this.#name());
    this.#expect(")");
    this.#expect(".");
    const limit = this.#name();
    if ((type.kind !== "uint" && type.kind !== "int") || (limit !== "max" && limit !== "min"))
      throw new Refused(t`"${limit}" was not expected`);
    const [low, high] = limitsOf(type);
    return numeric(type.label, limit === "max" ? high : low, limit);
  }

  #call(name: string): DebugValue {
    const values = this.#arguments();
    const [first] = values;
    if (name === "gasleft" && values.length === 0) {
      const left = this.#lookUp("energy.left");
      if (left !== undefined) return left;
    }
    if (first === undefined || values.length > 1) throw new Refused(t`${name} cannot be called here`);
    if (name === "keccak256") return bytesWord("bytes32", hashOf(bytesToHex(bytesIn(first))));
    const type = name === "payable" ? elementaryOf("address") : elementaryOf(name);
    if (type.kind === "unknown") throw new Refused(t`${name} cannot be called here`);
    return cast(type, first);
  }

  #arguments(): readonly DebugValue[] {
    this.#expect("(");
    const values: DebugValue[] = [];
    while (!this.#takes(")")) {
      if (values.length > 0) this.#expect(",");
      values.push(this.#ternary());
    }
    return values;
  }

  #peek(): string | undefined {
    const token = this.#tokens[this.#at];
    return token?.kind === "text" ? undefined : token?.text;
  }

  #takes(text: string): boolean {
    const isNext = this.#peek() === text;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw new Refused(t`"${text}" is missing`);
  }

  #name(): string {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "name") throw new Refused(t`a name is missing`);
    this.#at += 1;
    return token.text;
  }
}

const SECOND = 1n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["sun", 1n],
  ["trx", 1_000_000n],
  ["wei", 1n],
  ["gwei", 10n ** 9n],
  ["ether", 10n ** 18n],
  ["seconds", SECOND],
  ["minutes", MINUTE],
  ["hours", HOUR],
  ["days", DAY],
  ["weeks", 7n * DAY],
]);

/** Parses `1_000`, `1.5e18` and `0x2a`; the product with its unit has to be whole. */
function literal(text: string, factor: bigint): DebugValue {
  const digits = text.replaceAll("_", "");
  if (/^0x[\da-f]+$/i.test(digits)) {
    const value = numeric(LITERAL, BigInt(digits) * factor, "");
    // A literal of this length may also be bytes or an address.
    return factor === 1n ? { ...value, text: digits } : value;
  }
  const [, whole = "", fraction = "", exponent = "0"] = /^(\d*)(?:\.(\d+))?(?:e(-?\d{1,4}))?$/i.exec(digits) ?? [];
  if (whole + fraction === "") throw new Refused(t`"${text}" is not a number`);
  const shift = Number(exponent) - fraction.length;
  const number = BigInt(whole + fraction) * factor;
  if (Math.abs(shift) > MOST_BITS / 4) throw new Refused(t`a number is too large`);
  const scale = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && number % scale !== 0n) throw new Refused(t`"${text}" is not a whole number`);
  return numeric(LITERAL, shift < 0 ? number / scale : number * scale, "");
}

function typed(value: DebugValue): DebugValue {
  if (value.type !== LITERAL) return value;
  const number = numberOf(value);
  return numeric(number < 0n ? "int256" : "uint256", number, "");
}

function limitsOf({ kind, bits }: { readonly kind: string; readonly bits: number }): readonly [bigint, bigint] {
  const half = 1n << BigInt(bits - 1);
  return kind === "int" ? [-half, half - 1n] : [0n, 2n * half - 1n];
}

/** Returns a number of a type. @throws {Refused} it does not fit */
function numeric(label: string, number: bigint, operator: string): DebugValue {
  const type = label === LITERAL ? undefined : elementaryOf(label);
  if (type === undefined) {
    if (number.toString(16).length * 4 > MOST_BITS) throw new Refused(t`a number is too large`);
    return { name: "", type: LITERAL, text: `${number}`, raw: number };
  }
  if (type.kind === "uint" || type.kind === "int") {
    const [low, high] = limitsOf(type);
    if (number < low || number > high)
      throw new Refused(t`${operator} gives ${String(number)}, which does not fit ${label}`);
  }
  return { name: "", type: label, text: `${number}`, raw: number };
}

function truth(isTrue: boolean): DebugValue {
  return { name: "", type: "bool", text: `${isTrue}`, raw: isTrue };
}

function textValue(text: string): DebugValue {
  return { name: "", type: "string", text: JSON.stringify(visibleLine(text)), raw: text };
}

function addressValue(number: bigint): DebugValue {
  const type = { kind: "address", label: "address" } as const;
  return { name: "", type: type.label, ...(wordValue(type, number) ?? { text: "" }) };
}

/** Returns bytes1 to bytes32 from their number. */
function bytesWord(label: string, number: bigint): DebugValue {
  const type = elementaryOf(label);
  if (type.kind !== "fixed-bytes") throw new Refused(t`${label} is not bytes`);
  const bits = 8 * type.size;
  const word = BigInt.asUintN(bits, number) << BigInt(WORD_BITS - bits);
  return { name: "", type: label, ...(wordValue(type, word) ?? { text: "" }) };
}

function availableRaw(value: DebugValue): RawValue {
  const { name, notAvailable, raw, type } = value;
  if (notAvailable !== undefined) throw new Refused(t`${name} is not available: ${notAvailable}`);
  if (raw === undefined) throw new Refused(t`a value of type ${type} has no operators`);
  return raw;
}

function booleanOf(value: DebugValue): boolean {
  const raw = availableRaw(value);
  if (typeof raw !== "boolean") throw new Refused(t`a value of type ${value.type} is not true or false`);
  return raw;
}

function isFixedBytes({ type }: DebugValue): boolean {
  return /^bytes\d/.test(type);
}

function numberOf(value: DebugValue): bigint {
  const raw = availableRaw(value);
  if (typeof raw === "bigint") return raw;
  if (typeof raw === "string" && isFixedBytes(value)) return BigInt(raw);
  throw new Refused(t`a value of type ${value.type} is not a number`);
}

function inverted(label: string, number: bigint): bigint {
  const type = elementaryOf(label);
  return type.kind === "uint" ? BigInt.asUintN(type.bits, ~number) : ~number;
}

function combine(operator: string, left: DebugValue, right: DebugValue): DebugValue {
  switch (operator) {
    case "&&":
    case "||":
      return truth(booleanOf(right));
    case "==":
      return truth(isEqual(left, right));
    case "!=":
      return truth(!isEqual(left, right));
    case "<":
    case ">":
    case "<=":
    case ">=":
      return truth(compare(operator, numberOf(left), numberOf(right)));
    case "<<":
    case ">>":
      return shifted(operator, left, numberOf(right));
    case "**":
      return power(left, numberOf(right));
    default:
      return calculated(operator, left, right);
  }
}

function isEqual(left: DebugValue, right: DebugValue): boolean {
  const [one, other] = [availableRaw(left), availableRaw(right)];
  if (left.type === right.type && left.type.startsWith("enum ")) return left.text === right.text;
  if (typeof one === typeof other && typeof one !== "string") return one === other;
  if (typeof one === "string" && typeof other === "string")
    return isBytes(left) && isBytes(right) ? one.toLowerCase() === other.toLowerCase() : one === other;
  return numberOf(left) === numberOf(right);
}

function isBytes({ type }: DebugValue): boolean {
  return /^bytes/.test(type);
}

function compare(operator: string, one: bigint, other: bigint): boolean {
  if (operator === "<") return one < other;
  if (operator === ">") return one > other;
  return operator === "<=" ? one <= other : one >= other;
}

function shifted(operator: string, value: DebugValue, by: bigint): DebugValue {
  if (by < 0n || by > BigInt(MOST_BITS)) throw new Refused(t`${operator} by ${String(by)} has no result`);
  const number = numberOf(value);
  const moved = operator === "<<" ? number << by : number >> by;
  if (isFixedBytes(value)) return bytesWord(value.type, moved);
  const type = elementaryOf(value.type);
  if (type.kind === "uint") return numeric(value.type, BigInt.asUintN(type.bits, moved), operator);
  return numeric(value.type, type.kind === "int" ? BigInt.asIntN(type.bits, moved) : moved, operator);
}

function power(value: DebugValue, exponent: bigint): DebugValue {
  const base = numberOf(value);
  if (exponent < 0n) throw new Refused(t`${"**"} by ${String(exponent)} has no result`);
  const isSmall = base === 0n || base === 1n || base === -1n;
  if (!isSmall && exponent > BigInt(MOST_BITS)) throw new Refused(t`a number is too large`);
  return numeric(
    value.type,
    isSmall ? base ** (exponent % 2n === 0n && exponent > 0n ? 2n : exponent > 0n ? 1n : 0n) : base ** exponent,
    "**",
  );
}

function calculated(operator: string, left: DebugValue, right: DebugValue): DebugValue {
  const type = commonType(left, right);
  const [one, other] = [numberOf(left), numberOf(right)];
  if ((operator === "/" || operator === "%") && other === 0n) throw new Refused(t`it divides by zero`);
  const result = resultOf(operator, one, other);
  return /^bytes\d/.test(type) ? bytesWord(type, result) : numeric(type, result, operator);
}

function resultOf(operator: string, one: bigint, other: bigint): bigint {
  switch (operator) {
    case "+":
      return one + other;
    case "-":
      return one - other;
    case "*":
      return one * other;
    case "/":
      return one / other;
    case "%":
      return one % other;
    case "&":
      return one & other;
    case "|":
      return one | other;
    default:
      return one ^ other;
  }
}

/** Returns the type of an operation: that of both operands, or the wider one. */
function commonType(left: DebugValue, right: DebugValue): string {
  if (left.type === right.type) return left.type;
  if (left.type === LITERAL) return right.type;
  if (right.type === LITERAL) return left.type;
  const [one, other] = [elementaryOf(left.type), elementaryOf(right.type)];
  const areNumbers = (one.kind === "uint" || one.kind === "int") && one.kind === other.kind;
  if (!areNumbers) throw new Refused(t`${left.type} and ${right.type} have no common type`);
  return one.bits >= other.bits ? left.type : right.type;
}

function memberOf(value: DebugValue, name: string): DebugValue {
  if (value.notAvailable !== undefined) throw new Refused(t`${value.name} is not available: ${value.notAvailable}`);
  const found = value.children?.().find((it) => it.name === name);
  if (found !== undefined) return found;
  if (name === "length") return lengthOf(value);
  throw new Refused(t`a value of type ${value.type} has no member ${name}`);
}

function lengthOf({ length, raw, type }: DebugValue): DebugValue {
  if (length !== undefined) return numeric("uint256", length, "");
  if (typeof raw !== "string" || type === "string")
    throw new Refused(t`a value of type ${type} has no member ${"length"}`);
  return numeric("uint256", BigInt((raw.length - 2) / 2), "");
}

function elementOf(value: DebugValue, key: DebugValue): DebugValue {
  if (value.notAvailable !== undefined) throw new Refused(t`${value.name} is not available: ${value.notAvailable}`);
  const raw = availableRaw(key);
  if (value.element !== undefined) {
    const found = value.element({ type: key.type, raw });
    if (found === undefined) throw new Refused(t`there is no element ${key.text}`);
    return found;
  }
  const digits = typeof value.raw === "string" && isBytes(value) ? value.raw.slice(2) : undefined;
  if (digits === undefined || typeof raw !== "bigint")
    throw new Refused(t`a value of type ${value.type} has no elements`);
  const at = Number(raw);
  const byte = raw < 0n || at >= digits.length / 2 ? "" : digits.slice(2 * at, 2 * at + 2);
  if (byte === "") throw new Refused(t`there is no element ${key.text}`);
  return bytesWord("bytes1", BigInt(`0x${byte}`));
}

/** Converts as Solidity does: numbers are cut, and bytes are filled on the right. */
function cast(type: SolidityType, value: DebugValue): DebugValue {
  const raw = availableRaw(value);
  switch (type.kind) {
    case "uint":
      return numeric(type.label, BigInt.asUintN(type.bits, numberOf(value)), type.label);
    case "int":
      return numeric(type.label, BigInt.asIntN(type.bits, numberOf(value)), type.label);
    case "address":
      return addressValue(BigInt.asUintN(160, numberOf(value)));
    case "fixed-bytes":
      return fixedBytes(type, value);
    case "bytes":
    case "string":
      return { name: "", type: type.label, ...bytesValue(type, bytesIn(value)) };
    case "bool":
      if (typeof raw === "boolean") return value;
      break;
    default:
  }
  throw new Refused(t`a value of type ${value.type} is no ${type.label}`);
}

function fixedBytes(type: SolidityType & { readonly kind: "fixed-bytes" }, value: DebugValue): DebugValue {
  if (isBytes(value) && typeof value.raw === "string") {
    const digits = value.raw.slice(2, 2 + 2 * type.size).padEnd(2 * type.size, "0");
    return bytesWord(type.label, BigInt(`0x${digits}`));
  }
  return bytesWord(type.label, numberOf(value));
}

/** Returns the bytes of a text or of bytes. */
function bytesIn(value: DebugValue): Uint8Array {
  const raw = availableRaw(value);
  if (typeof raw !== "string") throw new Refused(t`a value of type ${value.type} is not bytes`);
  if (isBytes(value) || /^0x/.test(raw) === false)
    return isBytes(value) ? hexToBytes(raw.slice(2)) : Buffer.from(raw, "utf8");
  // Text that is not UTF-8 is shown as bytes.
  return value.text === raw ? hexToBytes(raw.slice(2)) : Buffer.from(raw, "utf8");
}

/** `abi.encode` of values of one word, and `abi.encodePacked`. */
function encoded(method: string, values: readonly DebugValue[]): DebugValue {
  if (method !== "encode" && method !== "encodePacked") throw new Refused(t`${`abi.${method}`} cannot be called here`);
  const digits = values.map((it) => (method === "encode" ? wordDigits(typed(it)) : packedDigits(it)));
  return { name: "", type: "bytes", ...bytesValue({ kind: "bytes", label: "bytes" }, hexToBytes(digits.join(""))) };
}

function wordDigits(value: DebugValue): string {
  const raw = availableRaw(value);
  if (typeof raw === "boolean") return (raw ? "1" : "0").padStart(2 * WORD_BYTES, "0");
  if (typeof raw === "bigint")
    return BigInt.asUintN(WORD_BITS, raw)
      .toString(16)
      .padStart(2 * WORD_BYTES, "0");
  if (!isFixedBytes(value)) throw new Refused(t`${"abi.encode"} of type ${value.type} is not supported`);
  return raw.slice(2).padEnd(2 * WORD_BYTES, "0");
}

function packedDigits(value: DebugValue): string {
  const raw = availableRaw(value);
  if (typeof raw === "boolean") return raw ? "01" : "00";
  if (typeof raw === "string") return bytesToHex(bytesIn(value));
  const type = elementaryOf(value.type);
  if (type.kind === "address") return raw.toString(16).padStart(40, "0");
  if (type.kind !== "uint" && type.kind !== "int") throw new Refused(t`${"abi.encodePacked"} needs a type: uint256(…)`);
  return BigInt.asUintN(type.bits, raw)
    .toString(16)
    .padStart(type.bits / 4, "0");
}
