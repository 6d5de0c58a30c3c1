import { z } from 'zod'
import { assetProof, leafPiece, rootWeight, signedRoot } from './proof.ts'
import { checksumAddress, iso } from './scalars.ts'

/**
 * What a member keeps to take their money out of the vault without the exchange. It holds no key: only the account's own wallet can use it. The
 * salt reveals which balances and trades of the public history are the account's.
 */
export const exitFile = z.object({
  kind: z.literal('augury exit file'),
  version: z.literal(1),
  made_at: iso,
  /** Base URL of the exchange. */
  exchange: z.url(),
  chain: z.object({
    id: z.int().min(1),
    name: z.string().max(100),
    /** A public JSON-RPC address; null where none is known. Any other of the same chain will do. */
    rpc_url: z.string().nullable(),
    vault: checksumAddress,
    /** Token of the vault. */
    collateral: checksumAddress,
    /** Factory of deposit addresses. */
    deposit_factory: checksumAddress,
  }),
  account: checksumAddress,
  /** Stream of the exchange's roots. */
  stream: z.string(),
  /** Secret of the account, 64 hex digits, by which its leaves are found in every root of the stream. It never changes. */
  salt: z.string().regex(/^[0-9a-f]{64}$/),
  /** What the account had at the newest root when the file was made, with its paths: enough for an exit as long as that root is the last. */
  proof: z.object({ root: signedRoot, assets: z.array(assetProof) }),
})

export type ExitFile = z.output<typeof exitFile>

/** A root with everything under it, as a mirror keeps it: who has the salt of an account can make its paths. */
export const mirroredRoot = z.object({
  kind: z.literal('augury root'),
  version: z.literal(1),
  root: signedRoot,
  weights: z.array(rootWeight),
  /** `leaves` as in `leafPiece`, all of the asset's. */
  assets: z.array(leafPiece.pick({ market: true, outcome: true, leaves: true })),
})

export type MirroredRoot = z.output<typeof mirroredRoot>
