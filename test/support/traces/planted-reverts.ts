/** Way to compile a planted revert. */
export interface CompilerSetting {
  readonly version: string;
  readonly isOptimized: boolean;
  readonly isViaIr: boolean;
}

/** Place of a failing statement. */
export type PlantPlace = (typeof PLACES)[number];

const PLACES = [
  "function",
  "modifier",
  "behind a modifier",
  "library",
  "external library",
  "constructor",
  "loop",
  "inherited",
  "free function",
  "delegate call",
  "called contract",
] as const;

/** Statement that fails for `x` = 13, between statements of the same kind that pass. */
interface PlantKind {
  readonly name: string;
  readonly before?: string;
  readonly failing: string;
  readonly after?: string;
  /** Declarations of the contract or library that has it. */
  readonly members?: string;
  /** Lowest and highest minor version with it: 6 or 8. */
  readonly since?: number;
  readonly until?: number;
  /** Needs a contract with storage or calldata: no library and no free function. */
  readonly needsContract?: boolean;
}

/** Contract that reverts at a line that is known. */
export interface PlantedRevert {
  readonly name: string;
  readonly source: string;
  /** Contract to deploy and call. */
  readonly contract: string;
  /** Line of the failing statement, from 1. */
  readonly line: number;
  /** True if the deployment fails. */
  readonly isCreation: boolean;
  /** Libraries and contracts to deploy first: `{Lib: "Lib"}`; contracts are passed to the constructor. */
  readonly library?: string;
  readonly callee?: string;
  /** Call data in hex, and sun; without it, `run` is called with the arguments. */
  readonly call?: PlantCall;
}

/** Call that makes a contract revert. */
export interface PlantCall {
  readonly data?: string;
  readonly value?: number;
}

const KINDS: readonly PlantKind[] = [
  { name: "require", before: "require(x != 1);", failing: "require(x != 13);", after: "require(x != 2);" },
  {
    name: "require with the same text",
    before: 'require(x != 1, "same");',
    failing: 'require(x != 13, "same");',
    after: 'require(x != 2, "same");',
  },
  {
    name: "require with its own text",
    before: 'require(x != 1, "one");',
    failing: 'require(x != 13, "own");',
    after: 'require(x != 2, "two");',
  },
  {
    name: "require with an error",
    before: "require(x != 1, Bad(x));",
    failing: "require(x != 13, Bad(x));",
    after: "require(x != 2, Bad(x));",
    members: "error Bad(uint256 x);",
    since: 8.3,
  },
  {
    name: "revert",
    before: "if (x == 1) revert();",
    failing: "if (x == 13) revert();",
    after: "if (x == 2) revert();",
  },
  {
    name: "revert in else",
    before: "if (x != 1) { y = 1; } else { revert(); }",
    failing: "if (x != 13) { y = 2; } else { revert(); }",
    after: "if (x != 2) { y = 3; } else { revert(); }",
  },
  {
    name: "revert with text",
    before: 'if (x == 1) revert("same");',
    failing: 'if (x == 13) revert("same");',
    after: 'if (x == 2) revert("same");',
  },
  {
    name: "revert with an error",
    before: "if (x == 1) revert Bad(x);",
    failing: "if (x == 13) revert Bad(x);",
    after: "if (x == 2) revert Bad(x);",
    members: "error Bad(uint256 x);",
    since: 8,
  },
  { name: "assert", before: "assert(x != 1);", failing: "assert(x != 13);", after: "assert(x != 2);" },
  { name: "addition", before: "y = x + 1;", failing: "y = m + x;", after: "y = y + x;", since: 8 },
  { name: "subtraction", before: "y = m - x;", failing: "y = z - x;", after: "y = y - z;", since: 8 },
  { name: "multiplication", before: "y = x * 3;", failing: "y = m * x;", after: "y = x * x;", since: 8 },
  { name: "power", before: "y = 2 ** x;", failing: "y = x ** m;", after: "y = x ** 2;", since: 8 },
  {
    name: "increment",
    before: "y = m + 5;",
    failing: "y++;",
    after: "y = z + 1;",
    since: 8,
  },
  {
    name: "compound assignment",
    before: "uint8 a = uint8(x); a += 1;",
    failing: "a += 245;",
    after: "a -= 1; y = a;",
    since: 8,
  },
  {
    name: "negation",
    before: "int256 a = int256(m / 2 + 3); int256 b = -int256(x);",
    failing: "a = -a;",
    after: "b = -b; y = uint256(a + b);",
    since: 8,
  },
  { name: "division", before: "y = m / x;", failing: "y = x / z;", after: "y = m / x / 2;" },
  { name: "modulo", before: "y = m % x;", failing: "y = x % z;", after: "y = y % x;" },
  {
    name: "enum",
    before: "Color a = Color(x - 12);",
    failing: "Color b = Color(x);",
    after: "y = uint256(Color(z)) + uint256(a) + uint256(b);",
    members: "enum Color { Red, Green }",
  },
  {
    name: "index in memory",
    before: "uint256[] memory a = new uint256[](x); y = a[z];",
    failing: "y = a[x];",
    after: "y = a[x - 1];",
  },
  {
    name: "index of a fixed array",
    before: "uint256[14] memory a; y = a[x];",
    failing: "y = a[x + 1];",
    after: "y = a[z];",
  },
  {
    name: "index in storage",
    before: "items.push(x); y = items[z];",
    failing: "y = items[x];",
    after: "y = items[z];",
    members: "uint256[] items;",
    needsContract: true,
  },
  {
    name: "pop",
    before: "items.push(x); items.pop();",
    failing: "items.pop();",
    after: "items.push(x); items.pop();",
    members: "uint256[] items;",
    needsContract: true,
  },
  {
    name: "memory",
    before: "uint256[] memory a = new uint256[](x);",
    failing: "uint256[] memory b = new uint256[](m);",
    after: "y = a.length + b.length + (new uint256[](x)).length;",
    since: 8,
  },
  {
    name: "function pointer",
    before: "function (uint256) pure returns (uint256) a;",
    failing: "y = a(x);",
    after: "y = y + 1;",
  },
  {
    name: "transfer",
    before: "payable(address(uint160(x))).transfer(0);",
    failing: "payable(address(uint160(x))).transfer(m);",
    after: "payable(address(uint160(x))).transfer(0);",
    needsContract: true,
    since: 8,
  },
  {
    name: "call without code",
    before: "uint256 a = Other(address(this)).half(x);",
    failing: "y = Other(address(uint160(x + 70000))).half(a);",
    after: "y = Other(address(this)).half(y);",
    members: "function half(uint256 a) external pure returns (uint256) { return a / 2; }",
    needsContract: true,
    since: 8,
  },
  {
    name: "decoding",
    before: "y = abi.decode(abi.encode(x), (uint256));",
    failing: "(y, z) = abi.decode(abi.encode(x), (uint256, uint256));",
    after: "y = abi.decode(abi.encode(x, z), (uint256));",
  },
  {
    name: "invalid opcode",
    before: "y = x;",
    failing: "assembly { invalid() }",
    after: "y = z;",
  },
  {
    name: "assembly revert",
    before: "assembly { if eq(x, 1) { revert(0, 0) } }",
    failing: "assembly { if eq(x, 13) { revert(0, 0) } }",
    after: "assembly { if eq(x, 2) { revert(0, 0) } }",
  },
  {
    name: "endless loop",
    before: "for (uint256 i = 0; i < 3; i++) y = y + i;",
    failing: "while (x == 13) { y = y ^ x; }",
    after: "for (uint256 i = 0; i < 3; i++) y = y + i;",
  },
];

/** Parameters of each function: `x` is 13, `m` is 2^256 - 6, `z` is 0. */
const PARAMETERS = "uint256 x, uint256 m, uint256 z";
export const ARGUMENTS = [13n, 2n ** 256n - 6n, 0n] as const;
const RUN = `function run(${PARAMETERS}) external returns (uint256 y)`;

/** Returns the failing statement with those around it, in a body that returns `y`. */
function bodyOf({ before = "", failing, after = "" }: PlantKind): string {
  return `        ${before}\n        ${failing} // FAILS\n        ${after}`;
}

type Template = (kind: PlantKind) => { readonly text: string; readonly library?: string; readonly callee?: string };

const TEMPLATES: Readonly<Record<PlantPlace, Template>> = {
  function: (kind) => ({
    text: `contract Main {
    ${kind.members ?? ""}
    uint256 public last;
    ${RUN} {
${bodyOf(kind)}
        last = y;
    }
}`,
  }),
  modifier: (kind) => ({
    text: `contract Main {
    ${kind.members ?? ""}
    uint256 public last;
    modifier checked(${PARAMETERS}) {
        uint256 y;
${bodyOf(kind)}
        last = y;
        _;
    }
    function run(${PARAMETERS}) external checked(x, m, z) returns (uint256 y) {
        y = last + x;
    }
}`,
  }),
  "behind a modifier": (kind) => ({
    text: `contract Main {
    ${kind.members ?? ""}
    uint256 public last;
    modifier checked() {
        require(last == 0, "not the first run");
        _;
    }
    ${RUN.replace("external", "external checked")} {
${bodyOf(kind)}
        last = y;
    }
}`,
  }),
  library: (kind) => ({
    text: `library Checks {
    ${kind.members ?? ""}
    function check(${PARAMETERS}) internal view returns (uint256 y) {
${bodyOf(kind)}
    }
}
contract Main {
    uint256 public last;
    ${RUN} {
        last = x;
        y = Checks.check(x, m, z);
        last = y;
    }
}`,
  }),
  "external library": (kind) => ({
    text: `library Checks {
    ${kind.members ?? ""}
    function check(${PARAMETERS}) external view returns (uint256 y) {
${bodyOf(kind)}
    }
}
contract Main {
    uint256 public last;
    ${RUN} {
        last = x;
        y = Checks.check(x, m, z);
        last = y;
    }
}`,
    library: "Checks",
  }),
  constructor: (kind) => ({
    text: `contract Main {
    ${kind.members ?? ""}
    uint256 public last;
    constructor(${PARAMETERS}) payable {
        uint256 y;
${bodyOf(kind)}
        last = y;
    }
}`,
  }),
  loop: (kind) => ({
    text: `contract Main {
    ${kind.members ?? ""}
    uint256 public last;
    ${RUN} {
        for (uint256 i = 0; i < 3; i++) {
            y = step(x + i - 1, m, z);
            last = y;
        }
    }
    function step(${PARAMETERS}) internal returns (uint256 y) {
        last = x;
${bodyOf(kind)}
    }
}`,
  }),
  inherited: (kind) => ({
    text: `contract Base {
    ${kind.members ?? ""}
    uint256 public last;
    function check(${PARAMETERS}) internal virtual returns (uint256 y) {
        last = x;
${bodyOf(kind)}
    }
}
contract Main is Base {
    ${RUN} {
        y = check(x, m, z);
        last = y + 1;
    }
    function check(${PARAMETERS}) internal override returns (uint256 y) {
        y = super.check(x, m, z);
        last = y;
    }
}`,
  }),
  "free function": (kind) => ({
    text: `${kind.members ?? ""}
function check(${PARAMETERS}) view returns (uint256 y) {
${bodyOf(kind)}
}
contract Main {
    uint256 public last;
    ${RUN} {
        last = x;
        y = check(x, m, z);
        last = y;
    }
}`,
  }),
  "delegate call": (kind) => ({
    text: `contract Logic {
    uint256 public last;
    ${kind.members ?? ""}
    ${RUN} {
${bodyOf(kind)}
        last = y;
    }
}
contract Main {
    address logic;
    constructor(address target) payable { logic = target; }
    fallback() external payable {
        address target = logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}`,
    callee: "Logic",
  }),
  "called contract": (kind) => ({
    text: `contract Logic {
    uint256 public last;
    ${kind.members ?? ""}
    ${RUN} {
${bodyOf(kind)}
        last = y;
    }
}
contract Main {
    Logic logic;
    constructor(Logic target) payable { logic = target; }
    ${RUN} {
        require(x != 1);
        y = logic.run(x, m, z);
        require(y != 0);
    }
}`,
    callee: "Logic",
  }),
};

const OTHER = "interface Other { function half(uint256 a) external returns (uint256); }";

/** Lists every planted revert that a compiler of this version can compile, in an order that mixes kinds and places. */
export function plantedReverts(version: string): readonly PlantedRevert[] {
  const [, minor = 0, patch = 0] = version.split(".").map(Number);
  const supports = ({ since = 0, until = 99 }: PlantKind): boolean =>
    since === 8.3 ? minor === 8 && patch >= 27 : minor >= since && minor <= until;
  const plants: PlantedRevert[] = [];
  for (let shift = 0; shift < PLACES.length; shift += 1)
    for (const [at, kind] of KINDS.entries()) {
      const place = PLACES[(at + shift) % PLACES.length] ?? "function";
      if (supports(kind) && fits(kind, place, minor)) plants.push(plant(kind, place, minor));
    }
  return plants;
}

function fits({ needsContract = false, name }: PlantKind, place: PlantPlace, minor: number): boolean {
  if (place === "free function" && minor < 8) return false;
  if (name === "call without code" && place === "constructor") return false;
  return !needsContract || !["library", "external library", "free function"].includes(place);
}

function plant(kind: PlantKind, place: PlantPlace, minor: number): PlantedRevert {
  const { text, library, callee } = TEMPLATES[place](kind);
  const lines = `// SPDX-License-Identifier: MIT\npragma solidity >=0.6.0;\n${OTHER}\n${text}\n`
    .replaceAll(") payable {", minor < 7 ? ") public payable {" : ") payable {")
    .split("\n");
  return {
    name: `${kind.name} in ${place}`,
    source: lines.join("\n"),
    contract: "Main",
    line: lines.findIndex((line) => line.includes("// FAILS")) + 1,
    isCreation: place === "constructor",
    ...(library !== undefined && { library }),
    ...(callee !== undefined && { callee }),
  };
}
