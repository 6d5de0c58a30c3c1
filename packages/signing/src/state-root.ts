/** What the exchange says, and signs, of its state between two rows of its journal. Hashes are 64 hex digits, money is in millionths. */
export interface StateRoot {
  stream: string
  /** Counts the roots of the stream from 1. */
  n: number
  /** Position of the last command in it. */
  seq: number
  /** Engine milliseconds of that command, and of the end of the hour in which it was. */
  at: number
  closes: number
  /** Of all writes of the engine, 16 hex digits. */
  digest: string
  /** Checksum of the journal's row that ends at `seq`, which is tied to all rows before it. */
  journal: string
  /** Hash of the root before this one; 64 zeros for the first. */
  previous: string
  /** Of the tree of all balances. */
  root: string
  /** Assets that anybody holds: USDC, and outcome tokens. */
  assets: number
  /** Accounts that hold USDC. */
  holders: number
  /** USDC of all accounts: free, in orders, and on its way out. */
  usdc: number
  /** USDC behind the outcome tokens of all markets. */
  locked: number
  /** USDC behind what was converted within events. */
  converted: number
  /** What came in and did not go out: what all of this adds up to. */
  custody: number
  /** Public key that signs, 64 hex digits. */
  key: string
}

/** Names in the order in which they are signed. */
const STATE_ROOT_FIELDS = [
  ...(['stream', 'n', 'seq', 'at', 'closes', 'digest', 'journal', 'previous', 'root'] as const),
  ...(['assets', 'holders', 'usdc', 'locked', 'converted', 'custody', 'key'] as const),
]

/** What the first root calls its predecessor. */
export const NO_ROOT = '0'.repeat(64)

/** The text that is hashed and signed: a line for each field. */
export const stateRootText = (root: Readonly<Record<keyof StateRoot, string | number>>): string =>
  ['augury state root 1', ...STATE_ROOT_FIELDS.map((name) => `${name} ${root[name]}`)].join('\n')
