import { dice } from "../random/dice.ts";

/** Types of local variables. */
type LocalType =
  | "uint256"
  | "uint8"
  | "int128"
  | "bool"
  | "address"
  | "bytes4"
  | "Mode"
  | "string memory"
  | "uint256[] memory"
  | "uint16[3] memory"
  | "Item memory"
  | "Item storage"
  | "bytes calldata"
  | "uint256[] calldata";

interface Local {
  readonly name: string;
  readonly type: LocalType;
  /** True for a variable that ends a loop. */
  readonly isFixed?: boolean;
}

/** Library that logs as Hardhat and Foundry do. */
export const LOG_LIBRARY = `library Log {
    address constant CONSOLE = 0x000000000000000000636F6e736F6c652e6c6f67;
    function send(bytes memory data) internal view {
        (bool ok, ) = CONSOLE.staticcall(data);
        require(ok);
    }
    function l(string memory n, uint256 v) internal view { send(abi.encodeWithSignature("log(string,uint256)", n, v)); }
    function l(string memory n, bool v) internal view { send(abi.encodeWithSignature("log(string,bool)", n, v)); }
    function l(string memory n, address v) internal view { send(abi.encodeWithSignature("log(string,address)", n, v)); }
    function l(string memory n, string memory v) internal view { send(abi.encodeWithSignature("log(string,string)", n, v)); }
}`;

const STATE = `    enum Mode { Off, On, Auto }
    struct Item { uint64 id; bool isOpen; string name; uint16[] parts; }
    uint256 internal total = 3;
    uint256 internal constant SHARE = 2 * HALF + 1;
    uint256 internal constant HALF = 1 days / 2;
    bytes4 internal constant TAG = 0x0a0b0c0d;
    uint8 internal small = 7;
    uint256 internal rounds;
    bool internal flag;
    Mode internal mode = Mode.On;
    int64 internal minus = -4;
    address internal owner;
    string internal label = "first";
    uint16[3] internal fixedList;
    uint32[] internal list;
    Item[] internal items;
    mapping(uint256 => uint256) internal table;
    mapping(address => mapping(string => Item)) internal nested;`;

/** Logged expressions of the state, with what Solidity needs to pass them on. */
const STATE_LOGS: readonly (readonly [label: string, value: string, guard?: string])[] = [
  ["total", "total"],
  ["small", "uint256(small)"],
  ["flag", "flag"],
  ["SHARE", "SHARE"],
  ["uint256(uint32(TAG))", "uint256(uint32(TAG))"],
  ["mode", "uint256(mode)"],
  ["uint256(int256(minus))", "uint256(int256(minus))"],
  ["owner", "owner"],
  ["label", "label"],
  ["fixedList[1]", "uint256(fixedList[1])"],
  ["list.length", "list.length"],
  ["list[0]", "uint256(list[0])", "list.length > 0"],
  ["items.length", "items.length"],
  ["items[0].id", "uint256(items[0].id)", "items.length > 0"],
  ["items[0].name", "items[0].name", "items.length > 0"],
  ["table[2]", "table[2]"],
  ["table[total]", "table[total]"],
  ['nested[owner]["a"].id', 'uint256(nested[owner]["a"].id)'],
];

interface LoggedOptions {
  /** Version of the compiler. */
  readonly version: string;
  /** True for a contract with a third of the statements. */
  readonly isShort?: boolean;
}

/** Writes the source of a contract whose statements are random, with a log of every variable at every statement. */
class ContractWriter {
  readonly #roll: (bound: number) => number;
  readonly #isEight: boolean;
  readonly #isShort: boolean;
  readonly #lines: string[] = [];
  #names = 0;
  #depth = 0;

  constructor(seed: number, { version, isShort = false }: LoggedOptions) {
    this.#isShort = isShort;
    this.#roll = dice(seed);
    this.#isEight = !version.startsWith("0.6.");
  }

  write(): string {
    const { libraryLine, baseLine } = this.#headers();
    this.#lines.push("// SPDX-License-Identifier: MIT", "pragma solidity >=0.6.0;");
    if (!this.#isEight) this.#lines.push("pragma experimental ABIEncoderV2;");
    this.#lines.push(LOG_LIBRARY, libraryLine);
    this.#function(
      [
        { name: "a", type: "uint256" },
        { name: "b", type: "uint8" },
      ],
      { name: "c", type: "uint256" },
      [],
    );
    this.#lines.push("}", baseLine, STATE);
    this.#modifier();
    this.#addConstructor("Base", [{ name: "source", type: "uint256" }]);
    this.#lines.push("    function step(uint256 x, Item memory item) internal virtual returns (uint256 y)");
    this.#body(
      [
        { name: "x", type: "uint256" },
        { name: "item", type: "Item memory" },
      ],
      { name: "y", type: "uint256" },
    );
    this.#lines.push("}", "contract Main is Base {");
    this.#addConstructor("Main", [
      { name: "start", type: "uint256" },
      { name: "tiny", type: "uint8" },
    ]);
    this.#inner();
    this.#run();
    this.#lines.push("}");
    return this.#lines.join("\n");
  }

  #headers() {
    return {
      libraryLine: "library Lib {\n    function mix(uint256 a, uint8 b) internal view returns (uint256 c)",
      baseLine: this.#isEight ? "abstract contract Base {" : "contract Base {",
    };
  }

  #function(parameters: readonly Local[], result: Local, _modifiers: readonly string[]): void {
    this.#lines.push("    {");
    this.#statements([...parameters, result], 3, false);
    this.#lines.push(`        ${result.name} = ${result.name} + a % 50;`, "    }");
  }

  #modifier(): void {
    this.#lines.push("    modifier gate(uint256 most) {");
    const locals: Local[] = [{ name: "most", type: "uint256" }];
    this.#logs(locals, true);
    this.#lines.push("        uint256 seen = most + total % 10;");
    locals.push({ name: "seen", type: "uint256" });
    this.#logs(locals, true);
    this.#lines.push("        _;");
    this.#logs(locals, true);
    this.#lines.push("    }");
  }

  #addConstructor(contract: string, parameters: readonly Local[]): void {
    const list = parameters.map(({ type, name }) => `${type} ${name}`).join(", ");
    const base = contract === "Main" ? " Base(start + 1)" : "";
    const visibility = this.#isEight ? "" : contract === "Base" ? " internal" : " public";
    this.#lines.push(`    constructor(${list})${base}${visibility}`);
    this.#body(parameters, undefined, 3);
  }

  #inner(): void {
    this.#lines.push(
      "    function inner(uint256 depth, Item storage kept, bool isDeep) internal returns (uint256 r, int128 s)",
    );
    this.#lines.push("    {");
    const locals: Local[] = [
      { name: "depth", type: "uint256" },
      { name: "kept", type: "Item storage" },
      { name: "isDeep", type: "bool" },
      { name: "r", type: "uint256" },
      { name: "s", type: "int128" },
    ];
    this.#logs(locals, true);
    this.#statements(locals, 3, true);
    this.#lines.push("        if (rounds < 2) { rounds = rounds + 1; (r, s) = inner(depth % 9, kept, isDeep); }");
    this.#logs(locals, true);
    this.#lines.push("        return (r + depth, s - 1);", "    }");
  }

  #run(): void {
    this.#lines.push(
      "    function ext(uint256 v) external returns (uint256 w) {",
      '        require(v % 3 != 0, "third");',
      "        total = total + v;",
      "        w = v * 2;",
      "    }",
      "    function run(uint256 x, uint8 n, bytes calldata z, uint256[] calldata xs, string memory text) external payable gate(4) returns (uint256 result)",
    );
    const parameters: Local[] = [
      { name: "x", type: "uint256" },
      { name: "n", type: "uint8" },
      { name: "z", type: "bytes calldata" },
      { name: "xs", type: "uint256[] calldata" },
      { name: "text", type: "string memory" },
    ];
    this.#lines.push("    {");
    const locals: Local[] = [...parameters, { name: "result", type: "uint256" }];
    this.#lines.push("        owner = msg.sender;", "        items.push();".replace("()", this.#isEight ? "()" : "()"));
    this.#logs(locals, true);
    this.#statements(locals, 5, true, true);
    this.#lines.push("        result = result + x % 9;");
    this.#logs(locals, true);
    this.#lines.push("    }");
  }

  #body(parameters: readonly Local[], result: Local | undefined, count = 4): void {
    this.#lines.push("    {");
    const locals = [...parameters, ...(result ? [result] : [])];
    this.#logs(locals, true);
    this.#statements(locals, count, true);
    this.#lines.push("    }");
  }

  /** Words that locals may have, so that the compiler reaches all of them. */
  #hasRoom(locals: readonly Local[]): boolean {
    return locals.reduce((sum, { type }) => sum + (type.endsWith("calldata") ? 2 : 1), 0) < 9;
  }

  #statements(outer: readonly Local[], count: number, hasState: boolean, isRun = false): void {
    const locals = [...outer];
    const most = this.#isShort ? Math.ceil(count / 3) : count;
    for (let at = 0; at < most; at += 1) {
      this.#statement(locals, hasState, isRun);
      this.#logs(locals, hasState);
    }
  }

  #statement(locals: Local[], hasState: boolean, isRun: boolean): void {
    const kind = this.#roll(hasState ? 16 : 6);
    const name = `v${this.#names}`;
    if (kind < 3 && this.#hasRoom(locals)) {
      this.#declare(locals, hasState, name);
      return;
    }
    const simple = this.#pick(
      locals.filter(
        ({ type, isFixed }) => isFixed !== true && (type === "uint256" || type === "uint8" || type === "bool"),
      ),
    );
    switch (kind) {
      case 3:
      case 4:
        this.#nested(locals, hasState, isRun);
        return;
      case 6:
        this.#push(`total = ${this.#number(locals)};`);
        return;
      case 7:
        this.#push(
          this.#pick([
            `label = "${"long text of more than 31 bytes ".repeat(this.#roll(3))}";`,
            "flag = !flag;",
            `mode = Mode(${this.#number(locals)} % 3);`,
            `minus = minus - int64(${1 + this.#roll(5)});`,
          ]) ?? "",
        );
        return;
      case 8:
        this.#push(
          this.#pick([
            `fixedList[1] = uint16(${this.#number(locals)});`,
            `list.push(uint32(${this.#number(locals)}));`,
            `table[2] = ${this.#number(locals)};`,
            `table[total] = ${this.#number(locals)};`,
          ]) ?? "",
        );
        return;
      case 9:
        this.#push(
          this.#pick([
            `nested[owner]["a"].id = uint64(${this.#number(locals)});`,
            `if (items.length > 0) { items[0].id = uint64(${this.#number(locals)}); items[0].name = "n"; }`,
          ]) ?? "",
        );
        return;
      case 10:
        if (isRun && this.#depth === 0) this.#push(`(result, ) = inner(2, items[0], true);`);
        else this.#push(`total = Lib.mix(total % 100, small);`);
        return;
      case 11:
        if (isRun) this.#tryCall(locals, hasState);
        else this.#push(`total += ${this.#number(locals)};`);
        return;
      case 12:
        if (isRun)
          this.#push(`total = step(${this.#number(locals)}, Item(${this.#roll(9)}, true, "tmp", new uint16[](1)));`);
        else this.#push("delete small;");
        return;
      case 13:
        if (simple?.type === "uint256") this.#push(`assembly { ${simple.name} := add(${simple.name}, 1) }`);
        else this.#push("small = 9;");
        return;
      default:
        this.#assign(locals, simple);
    }
  }

  #assign(locals: readonly Local[], simple: Local | undefined): void {
    const other = this.#pick(locals.filter(({ type }) => type.endsWith("memory") && !type.startsWith("string")));
    if (other !== undefined && this.#roll(2) === 0) {
      if (other.type === "Item memory") this.#push(`${other.name}.id = uint64(${this.#number(locals)});`);
      if (other.type === "uint16[3] memory") this.#push(`${other.name}[1] = uint16(${this.#number(locals)});`);
      if (other.type === "uint256[] memory")
        this.#push(`if (${other.name}.length > 0) ${other.name}[0] = ${this.#number(locals)};`);
      return;
    }
    if (simple?.type === "bool") this.#push(`${simple.name} = ${this.#number(locals)} > 20;`);
    else if (simple?.type === "uint8") this.#push(`${simple.name} = uint8(${this.#number(locals)} % 256);`);
    else if (simple !== undefined)
      this.#push(
        this.#pick([
          `${simple.name} = ${this.#number(locals)};`,
          `${simple.name}++;`,
          `${simple.name} += ${1 + this.#roll(9)};`,
        ]) ?? "",
      );
  }

  #declare(locals: Local[], hasState: boolean, name: string): void {
    this.#names += 1;
    const types: readonly LocalType[] = [
      "uint256",
      "uint256",
      "uint8",
      "int128",
      "bool",
      "address",
      "bytes4",
      ...(hasState ? STATE_TYPES : []),
    ];
    const type = this.#pick(types) ?? "uint256";
    const value = this.#initial(type, locals);
    const hasPair = type === "uint256" && this.#roll(4) === 0;
    if (hasPair) {
      this.#names += 1;
      this.#push(`(uint256 ${name}, uint8 ${name}b) = (${value}, uint8(${this.#roll(200)}));`);
      locals.push({ name, type }, { name: `${name}b`, type: "uint8" });
      return;
    }
    const isEmpty = type !== "Item storage" && this.#roll(4) === 0;
    this.#push(isEmpty ? `${type} ${name};` : `${type} ${name} = ${value};`);
    locals.push({ name, type });
  }

  #initial(type: LocalType, locals: readonly Local[]): string {
    switch (type) {
      case "uint256":
        return this.#number(locals);
      case "uint8":
        return `uint8(${this.#number(locals)} % 256)`;
      case "int128":
        return `-int128(${1 + this.#roll(50)})`;
      case "bool":
        return `${this.#number(locals)} > 10`;
      case "address":
        return "msg.sender";
      case "bytes4":
        return `bytes4(0x0102030${this.#roll(10)})`;
      case "Mode":
        return `Mode(${this.#number(locals)} % 3)`;
      case "string memory":
        return `"${"abc ".repeat(this.#roll(12))}"`;
      case "uint256[] memory":
        return `new uint256[](${1 + this.#roll(3)})`;
      case "uint16[3] memory":
        return `[uint16(${this.#roll(9)}), 2, 3]`;
      case "Item memory":
        return `Item(${this.#roll(99)}, ${this.#roll(2) === 0}, "it", new uint16[](${this.#roll(3)}))`;
      default:
        return 'nested[owner]["a"]';
    }
  }

  #nested(locals: readonly Local[], hasState: boolean, isRun: boolean): void {
    if (this.#depth > 1) {
      this.#push("{ }");
      return;
    }
    this.#depth += 1;
    const kind = this.#roll(4);
    const name = `i${this.#names}`;
    this.#names += 1;
    const inner = [...locals];
    if (kind === 0) this.#push(`if (${this.#number(locals)} > 25) {`);
    else if (kind === 1 && this.#hasRoom(locals)) {
      this.#push(`for (uint256 ${name} = 0; ${name} < 2; ${name}++) {`);
      inner.push({ name, type: "uint256", isFixed: true });
    } else this.#push(this.#isEight && kind === 2 && this.#depth === 1 ? "unchecked {" : "{");
    this.#logs(inner, hasState);
    this.#statements(inner, 2, hasState, isRun);
    this.#push(kind === 0 ? "} else {" : "}");
    if (kind === 0) {
      this.#logs(inner, hasState);
      this.#statements(inner, 1, hasState, isRun);
      this.#push("}");
    }
    this.#depth -= 1;
  }

  #tryCall(locals: readonly Local[], hasState: boolean): void {
    const name = `w${this.#names}`;
    this.#names += 1;
    this.#push(`try this.ext(${this.#number(locals)}) returns (uint256 ${name}) {`);
    this.#logs([...locals, { name, type: "uint256" }], hasState);
    this.#push(`} catch Error(string memory ${name}r) {`);
    this.#logs([...locals, { name: `${name}r`, type: "string memory" }], hasState);
    this.#push("}");
  }

  /** Returns a small number, so that sums do not overflow. */
  #number(locals: readonly Local[]): string {
    const numbers = locals.flatMap(({ name, type }) =>
      type === "uint256" ? [name] : type === "uint8" ? [`uint256(${name})`] : [],
    );
    const one = this.#pick(numbers) ?? `${this.#roll(30)}`;
    const other = this.#roll(2) === 0 ? `${1 + this.#roll(30)}` : (this.#pick(numbers) ?? "4");
    return (
      this.#pick([
        `${this.#roll(60)}`,
        `(${one} % 50 + ${other} % 50)`,
        `(${one} % 9) * (${other} % 9)`,
        `(${one} > ${other} ? ${one} % 40 : 3)`,
      ]) ?? "1"
    );
  }

  /** Logs every local variable, and some of the state. */
  #logs(locals: readonly Local[], hasState: boolean): void {
    for (const local of locals) for (const line of logsOf(local)) this.#push(line);
    if (!hasState) return;
    for (let count = 0; count < 2; count += 1) {
      const [label = "", value = "", guard] = this.#pick(STATE_LOGS) ?? [];
      this.#push(`${guard === undefined ? "" : `if (${guard}) `}${logLine(label, value)}`);
    }
  }

  #push(line: string): void {
    this.#lines.push(`        ${line}`);
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.#roll(items.length)];
  }
}

const STATE_TYPES: readonly LocalType[] = [
  "Mode",
  "string memory",
  "uint256[] memory",
  "uint16[3] memory",
  "Item memory",
  "Item storage",
];

function logLine(label: string, value: string): string {
  return `Log.l(${JSON.stringify(label)}, ${value});`;
}

function logsOf({ name, type }: Local): readonly string[] {
  switch (type) {
    case "uint8":
    case "Mode":
      return [logLine(name, `uint256(${name})`)];
    case "int128":
      return [logLine(`uint256(int256(${name}))`, `uint256(int256(${name}))`)];
    case "bytes4":
      return [logLine(`uint256(uint32(${name}))`, `uint256(uint32(${name}))`)];
    case "bytes calldata":
      return [logLine(`uint256(keccak256(${name}))`, `uint256(keccak256(${name}))`)];
    case "uint256[] memory":
    case "uint256[] calldata":
      return [
        logLine(`${name}.length`, `${name}.length`),
        `if (${name}.length > 0) ${logLine(`${name}[0]`, `${name}[0]`)}`,
      ];
    case "uint16[3] memory":
      return [logLine(`${name}[1]`, `uint256(${name}[1])`)];
    case "Item memory":
    case "Item storage":
      return [
        logLine(`${name}.id`, `uint256(${name}.id)`),
        logLine(`${name}.isOpen`, `${name}.isOpen`),
        logLine(`${name}.name`, `${name}.name`),
        logLine(`${name}.parts.length`, `${name}.parts.length`),
      ];
    default:
      return [logLine(name, name)];
  }
}

/** Returns the source of a random contract `Main`. */
export function loggedContract(seed: number, options: LoggedOptions): string {
  return new ContractWriter(seed, options).write();
}
