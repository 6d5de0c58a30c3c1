import type { Hex } from '@augury/engine/command'
import { LAST_CURSOR } from '@augury/wire/limits'
import type { Input, Output } from '@augury/wire/operation'
import type { operatorOperations } from '@augury/wire/operations/operator'
import type { proofOperations } from '@augury/wire/operations/proof'
import type { Fact, PostedRoot, SignedRoot } from '@augury/wire/proof'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress } from 'viem'
import type { LeafPlace } from '../../record/history/read-root-leaves.ts'
import type { RootRecord } from '../../record/history/read-state-roots.ts'
import type { Trader, Visitor } from '../access/identity.ts'
import type { Context } from './context.ts'
import { Cursors } from './cursors.ts'

type Operations = typeof proofOperations

/** Signed roots, newest first. */
export async function listStateRoots(
  { venue }: Context,
  _: Visitor,
  { query }: Pick<Input<Operations['listStateRoots']>, 'query'>,
): Promise<Output<Operations['listStateRoots']>> {
  const cursors = new Cursors('state-roots', {})
  const before = cursors.position(query.next_cursor) || null
  if (before === Number.MAX_SAFE_INTEGER) return { data: [], next_cursor: LAST_CURSOR }
  const roots = await venue.readModel.stateRoots(before, query.limit)
  const last = roots.at(-1)?.n ?? 1
  const postings = await venue.readModel.postings(roots.map(({ n }) => n))
  const data = roots.map((root) => ({ ...view(root), transaction_hash: postings.get(root.n) ?? null }))
  return { data, next_cursor: last === 1 ? LAST_CURSOR : cursors.at(String(last)) }
}

/** One signed root. Throws `not_found`. */
export async function getStateRoot(
  { venue }: Context,
  _: Visitor,
  { params }: Pick<Input<Operations['getStateRoot']>, 'params'>,
): Promise<PostedRoot> {
  const root = await rootAt(venue, params.n === 'latest' ? undefined : params.n)
  return { ...view(root), transaction_hash: (await venue.readModel.postings([root.n])).get(root.n) ?? null }
}

/** Remembers which transaction posted a root to the vault. Throws `not_found` for a hash that is of no root. */
export async function notePostedRoot(
  { venue, postedRoots }: Context,
  _: Trader,
  { body }: Pick<Input<typeof operatorOperations.notePostedRoot>, 'body'>,
): Promise<Output<typeof operatorOperations.notePostedRoot>> {
  const found = await postedRoots.note(venue.stream, body.hash, body.transaction_hash as Hex)
  if (!found) throw new ServiceError('not_found')
  return { n: found.n, transaction_hash: found.transaction }
}

/**
 * Signs the state as it is now; where nothing happened since the last root, returns that one. Throws `not_found` where there is nothing to
 * sign, or roots are off, `standby`, and `read_model_lagging` when it takes too long: then it may be asked again.
 */
export async function cutStateRoot({ venue }: Context, _: Trader): Promise<SignedRoot> {
  if (venue.status().writer !== 'primary') throw new ServiceError('standby')
  if (!(await venue.cutRoot())) throw new ServiceError('read_model_lagging', { retryAfter: 1 })
  return view(await rootAt(venue))
}

/** Keys that signed. */
export async function listProofKeys({ venue }: Context): Promise<Output<Operations['listProofKeys']>> {
  return (await venue.readModel.proofKeys()).map((key, index) => ({ ...key, current: index === 0 }))
}

/** Public facts after a log position, without names. Throws `not_found` where state roots are off. */
export async function listFacts(
  { venue }: Context,
  _: Visitor,
  { query: { after, limit } }: Pick<Input<Operations['listFacts']>, 'query'>,
): Promise<Output<Operations['listFacts']>> {
  const projected = venue.readModel.projectedSeq()
  const found = await venue.readModel.facts(after, limit)
  if (!found) throw new ServiceError('not_found')
  const seq = found.last ?? Math.max(after, projected)
  // Later facts are for the next call.
  return { data: found.facts.filter((fact) => fact.seq <= seq) as unknown as Fact[], seq }
}

/** The trader's balances at a root, with proofs. Throws `not_found` when there is no such root, or its tree is no longer kept. */
export async function getBalanceProof(
  { venue, markets }: Context,
  { account }: Trader,
  { query }: Pick<Input<Operations['getBalanceProof']>, 'query'>,
): Promise<Output<Operations['getBalanceProof']>> {
  const root = await rootAt(venue, query.root)
  const proof = await venue.readModel.balanceProof(account, root)
  if (!proof) throw new ServiceError('not_found')
  const step = ({ hash, sum }: { hash: Uint8Array; sum: number }) => ({ hash: Buffer.from(hash).toString('hex'), sum: String(sum) })
  const assets = proof.assets.map(({ asset, amount, index, holders, path, total, place, top }) => ({
    market: asset?.condition ?? null,
    outcome: asset?.outcome ?? null,
    token_id: asset ? markets.tokensOf(asset.condition)[asset.outcome] : null,
    amount: String(amount),
    index,
    holders,
    path: path.map(step),
    total: String(total),
    place,
    top: top.map(step),
  }))
  return { root: view(root), account: getAddress(account), salt: proof.salt, assets }
}

/** Leaves of a root, from which every path is made. Throws `not_found` when there is no such root, or its tree is no longer kept. */
export async function listRootLeaves(
  { venue }: Context,
  _: Visitor,
  { params: { n }, query }: Pick<Input<Operations['listRootLeaves']>, 'params' | 'query'>,
): Promise<Output<Operations['listRootLeaves']>> {
  const cursors = new Cursors('root-leaves', { n })
  const place = cursors.place(query.next_cursor)
  if (place === 'end') return { data: [], next_cursor: LAST_CURSOR }
  const found = await venue.readModel.rootLeaves(n, place === null ? null : leafPlace(place))
  if (!found) throw new ServiceError('not_found')
  const data = found.pieces.map(({ asset, leaves, ...piece }) => ({
    market: asset?.condition ?? null,
    outcome: asset?.outcome ?? null,
    ...piece,
    leaves: leaves.toString('hex'),
  }))
  return { data, next_cursor: found.next ? cursors.at(`${found.next.asset}-${found.next.chunk}`) : LAST_CURSOR }
}

/** The place of a cursor of leaves. Throws `invalid_payload`. */
function leafPlace(text: string): LeafPlace {
  const [, asset, chunk] = /^([0-9a-f]{66})-(0|[1-9]\d{0,8})$/.exec(text) ?? []
  if (asset === undefined) throw new ServiceError('invalid_payload', { text: 'Invalid next_cursor' })
  return { asset, chunk: Number(chunk) }
}

/** Returns what outcome tokens pay at a root if no result is reported. Throws `not_found` when there is no such root, or its tree is no longer kept. */
export async function listRootWeights(
  { venue }: Context,
  _: Visitor,
  { params: { n } }: Pick<Input<Operations['listRootWeights']>, 'params'>,
): Promise<Output<Operations['listRootWeights']>> {
  const weights = await venue.readModel.rootWeights(n)
  if (!weights) throw new ServiceError('not_found')
  return weights.map(({ condition, weight }) => ({ market: condition, weight }))
}

async function rootAt({ readModel }: Context['venue'], n?: number): Promise<RootRecord> {
  const [root] = await readModel.stateRoots(n === undefined ? null : n + 1, 1)
  if (!root || (n !== undefined && root.n !== n)) throw new ServiceError('not_found')
  return root
}

const view = ({ usdc, locked, converted, custody, ...root }: RootRecord): SignedRoot => ({
  ...root,
  usdc: String(usdc),
  locked: String(locked),
  converted: String(converted),
  custody: String(custody),
})
