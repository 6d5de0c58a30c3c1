/** A signed statement of the exchange's state after a row of its journal. Hashes are 64 hex digits, money is in millionths. */
export interface StateRoot {
  stream: string
  /** Number of the root in its stream, from 1. */
  n: number
  /** Position of the last command included. */
  seq: number
  /** Engine time of that command, and of the end of its hour, in milliseconds. */
  at: number
  closes: number
  /** Digest of all writes of the engine, 16 hex digits. */
  digest: string
  /** Checksum of the journal row that ends at `seq`, chained to all rows before it. */
  journal: string
  /** Hash of the previous root; 64 zeros for the first. */
  previous: string
  /** Root hash of the tree of all balances. */
  root: string
  /** Number of assets held: USDC and outcome tokens. */
  assets: number
  /** Number of accounts that hold USDC. */
  holders: number
  /** USDC of all accounts: available, held by orders, and being withdrawn. */
  usdc: number
  /** USDC behind the outcome tokens of all markets. */
  locked: number
  /** USDC behind what was converted within events. */
  converted: number
  /** Deposits less withdrawals: the sum of the three above. */
  custody: number
  /** Public key of the signature, 64 hex digits. */
  key: string
}

/** Fields in the order in which they are signed. */
const STATE_ROOT_FIELDS = [
  'stream',
  'n',
  'seq',
  'at',
  'closes',
  'digest',
  'journal',
  'previous',
  'root',
  'assets',
  'holders',
  'usdc',
  'locked',
  'converted',
  'custody',
  'key',
] as const

/** `previous` of the first root. */
export const NO_ROOT = '0'.repeat(64)

/** The text that is hashed and signed: one line per field. */
export const stateRootText = (root: Readonly<Record<keyof StateRoot, string | number>>): string =>
  ['augury state root 1', ...STATE_ROOT_FIELDS.map((name) => `${name} ${root[name]}`)].join('\n')
