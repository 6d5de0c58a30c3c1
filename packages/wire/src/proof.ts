import { z } from 'zod'
import { bytes32, micros, seq, uint256 } from './scalars.ts'

/** 32 bytes as hex digits without `0x`. */
const hex32 = z.string().regex(/^[0-9a-f]{64}$/)
const hex64 = z.string().regex(/^[0-9a-f]{128}$/)
/** Lots or millionths as an integer; changes may be negative. */
const whole = z.int()
/** Engine milliseconds. */
const millis = z.int().min(0)

/** A signed statement of the exchange's state. The signed text has a line for each field but the last three, in this order. */
export const signedRoot = z.object({
  stream: z.string(),
  /** Number of the root, from 1. */
  n: z.int().min(1),
  /** Position of the last command included. */
  seq,
  at: millis,
  /** End of that command's hour. */
  closes: millis,
  digest: z.string(),
  /** Checksum of the journal row that ends at `seq`, chained to all rows before it. */
  journal: hex32,
  /** Hash of the previous root. */
  previous: hex32,
  /** Root hash of the tree of all balances. */
  root: hex32,
  /** Number of assets held. */
  assets: z.int().min(1),
  /** Number of accounts that hold USDC. */
  holders: z.int().min(0),
  /** USDC of accounts, backing outcome tokens, and backing conversions within events. Together they are `custody`: deposits less withdrawals. */
  usdc: micros,
  locked: micros,
  converted: micros,
  custody: micros,
  /** Ed25519 key of the signature. */
  key: hex32,
  /** SHA-256 of the signed text. */
  hash: hex32,
  signature: hex64,
  /** Signature by the previous key; only on the first root of a new key. */
  endorsement: hex64.nullable(),
})

/** A signed root, and the transaction that posted it to the vault; null until a confirmed block has one. */
export const postedRoot = signedRoot.extend({ transaction_hash: bytes32.nullable() })

/** A key that signs roots, and the range of roots it signed. */
export const proofKeyView = z.object({ key: hex32, first: z.int(), last: z.int(), current: z.boolean() })

const step = z.object({ hash: hex32, sum: micros })

/** Proof that an account's amount of an asset is part of a root: the path from its leaf to the asset's total, and from there to the root. */
export const assetProof = z.object({
  /** Null for USDC. */
  market: z.string().nullable(),
  outcome: z.union([z.literal(0), z.literal(1)]).nullable(),
  token_id: uint256.nullable(),
  /** Millionths of USDC, or lots. */
  amount: micros,
  /** Index of the leaf among the asset's holders. */
  index: z.int().min(0),
  holders: z.int().min(1),
  path: z.array(step).max(64),
  total: micros,
  /** Index of the asset among all assets. */
  place: z.int().min(0),
  top: z.array(step).max(64),
})

/** Proofs of everything an account held at a root. `salt` is the account's secret: it reveals the account in the public history. */
export const balanceProof = z.object({ root: signedRoot, account: z.string(), salt: hex32, assets: z.array(assetProof) })

/** A run of an asset's leaves in the tree of a root. Assets are sorted by their bytes, and leaves by their holders. */
export const leafPiece = z.object({
  /** Null for USDC. */
  market: z.string().nullable(),
  outcome: z.union([z.literal(0), z.literal(1)]).nullable(),
  /** Index of the asset among all assets, and its number of leaves. */
  place: z.int().min(0),
  holders: z.int().min(1),
  /** Index of the first leaf of this run. */
  from: z.int().min(0),
  /** Hex digits of 40 bytes a leaf: the holder's pseudonym in 32, and the amount in 8, most significant byte first. */
  leaves: z.string().regex(/^([0-9a-f]{80})+$/),
})

/** What one Yes of a condition pays in ten-thousandths of a USDC, if no result is reported. No pays the rest. */
export const rootWeight = z.object({ market: z.string(), weight: z.int().min(0).max(10_000) })

const at = { seq, n: z.int().min(0), at: millis }
/** Pseudonym of an order in the public history; likewise of a holder of an asset. */
const orderName = z.string().regex(/^[0-9a-f]{32}$/)
const holder = hex32
const token = { market: z.string(), outcome: z.union([z.literal(0), z.literal(1)]) }
const order = { ...token, side: z.enum(['BUY', 'SELL']), price: z.int().min(1) }

/** An anonymised event of the public history. Prices are in steps of 0.0001 in terms of the order's own token, sizes in lots of 0.01 share. */
export const fact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('placed'), ...at, order: orderName, ...order, lots: whole }),
  z.object({
    kind: z.literal('filled'),
    ...at,
    taker: orderName,
    maker: orderName,
    ...order,
    lots: whole,
    how: z.enum(['direct', 'mint', 'merge']),
  }),
  /** An order was reduced, or left the book. */
  z.object({ kind: z.literal('changed'), ...at, order: orderName, lots: whole, ended: z.string().nullable() }),
  /**
   * An account's balance of an asset changed; `withdrawing` is the part being withdrawn. `ref` is the hash of the name of a deposit or
   * withdrawal, by which it can be found on a chain; null for all else.
   */
  z.object({
    kind: z.literal('entry'),
    ...at,
    holder,
    market: z.string().nullable(),
    outcome: token.outcome.nullable(),
    delta: whole,
    withdrawing: whole,
    reason: z.string(),
    ref: hex32.nullable(),
  }),
  z.object({ kind: z.literal('market'), ...at, market: z.string(), change: z.string(), mode: z.string(), weight: z.int().nullable() }),
])

export type SignedRoot = z.output<typeof signedRoot>
export type PostedRoot = z.output<typeof postedRoot>
export type BalanceProof = z.output<typeof balanceProof>
export type AssetProof = z.output<typeof assetProof>
export type LeafPiece = z.output<typeof leafPiece>
export type Fact = z.output<typeof fact>
