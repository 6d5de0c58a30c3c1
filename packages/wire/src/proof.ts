import { z } from 'zod'
import { micros, seq, uint256 } from './scalars.ts'

/** 32 bytes as hex digits without `0x`. */
const hex32 = z.string().regex(/^[0-9a-f]{64}$/)
const hex64 = z.string().regex(/^[0-9a-f]{128}$/)
/** Lots or millionths as a whole number; changes may be negative. */
const whole = z.int()
/** Engine milliseconds. */
const millis = z.int().min(0)

/** What the exchange signed of its state. The signed text has a line for each field but the last three, in this order. */
export const signedRoot = z.object({
  stream: z.string(),
  /** Counts the roots from 1. */
  n: z.int().min(1),
  /** Position of the last command in it. */
  seq,
  at: millis,
  /** End of the hour in which that was. */
  closes: millis,
  digest: z.string(),
  /** Checksum of the journal's row at `seq`, which is tied to all rows before it. */
  journal: hex32,
  /** Hash of the root before. */
  previous: hex32,
  /** Of the tree of all balances. */
  root: hex32,
  /** Assets that anybody holds. */
  assets: z.int().min(1),
  /** Accounts that hold USDC. */
  holders: z.int().min(0),
  /** USDC of all accounts, behind outcome tokens, and behind what was converted within events: together what came in and did not go out. */
  usdc: micros,
  locked: micros,
  converted: micros,
  custody: micros,
  /** Ed25519 key that signs. */
  key: hex32,
  /** SHA-256 of the signed text. */
  hash: hex32,
  signature: hex64,
  /** The former key's signature, on the first root of a new key. */
  endorsement: hex64.nullable(),
})

/** A key that signed roots, and which. */
export const proofKeyView = z.object({ key: hex32, first: z.int(), last: z.int(), current: z.boolean() })

const step = z.object({ hash: hex32, sum: micros })

/** That an account's amount of an asset is in a root: the way from its leaf to the asset's total, and from there to the root. */
export const assetProof = z.object({
  /** Null for USDC. */
  market: z.string().nullable(),
  outcome: z.union([z.literal(0), z.literal(1)]).nullable(),
  token_id: uint256.nullable(),
  /** Millionths of USDC, or lots. */
  amount: micros,
  /** The leaf's place among the asset's holders. */
  index: z.int().min(0),
  holders: z.int().min(1),
  path: z.array(step).max(64),
  total: micros,
  /** The asset's place among all. */
  place: z.int().min(0),
  top: z.array(step).max(64),
})

/** Everything that an account had at a root, proven. `salt` is the account's secret: who has it can find the account in public history. */
export const balanceProof = z.object({ root: signedRoot, account: z.string(), salt: hex32, assets: z.array(assetProof) })

const at = { seq, n: z.int().min(0), at: millis }
/** Stands for an order in public history, and for a holder of one asset. */
const orderName = z.string().regex(/^[0-9a-f]{32}$/)
const holder = hex32
const token = { market: z.string(), outcome: z.union([z.literal(0), z.literal(1)]) }
const order = { ...token, side: z.enum(['BUY', 'SELL']), price: z.int().min(1) }

/** One thing that happened, with nobody's name. Prices are steps of 0.0001 of the order's own token, sizes are lots of 0.01 share. */
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
  /** An order is smaller now, or has left the book. */
  z.object({ kind: z.literal('changed'), ...at, order: orderName, lots: whole, ended: z.string().nullable() }),
  /** What an account has of an asset changed; `withdrawing` is what is on its way out. */
  z.object({
    kind: z.literal('entry'),
    ...at,
    holder,
    market: z.string().nullable(),
    outcome: token.outcome.nullable(),
    delta: whole,
    withdrawing: whole,
    reason: z.string(),
  }),
  z.object({ kind: z.literal('market'), ...at, market: z.string(), change: z.string(), mode: z.string(), weight: z.int().nullable() }),
])

export type SignedRoot = z.output<typeof signedRoot>
export type BalanceProof = z.output<typeof balanceProof>
export type AssetProof = z.output<typeof assetProof>
export type Fact = z.output<typeof fact>
