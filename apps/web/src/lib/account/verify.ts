import type { BalanceFinding } from '@augury/client/verify-balance'
import type { RootFault } from '@augury/client/verify-root'
import type { Position } from '@augury/wire/data'
import type { SignedRoot } from '@augury/wire/proof'
import { siteQuery } from '#lib/failure/site-call.ts'
import { m } from '#lib/paraglide/messages.js'

/** Positions per request, the site's maximum. */
const POSITIONS = 500

/** Result of checking the chain of roots. */
export type ChainState =
  | { kind: 'checking' }
  | { kind: 'unsupported' }
  | { kind: 'good'; roots: number }
  | { kind: 'bad'; n: number; fault: RootFault }

const texts: Readonly<Record<RootFault, () => string>> = {
  hash: m.verify_fault_hash,
  signature: m.verify_fault_signature,
  sums: m.verify_fault_sums,
  missing: m.verify_fault_missing,
  chain: m.verify_fault_chain,
  backwards: m.verify_fault_backwards,
  key: m.verify_fault_key,
}

/** Description of a fault. */
export const faultText = (fault: RootFault): string => texts[fault]()

/** Whether the error means that Ed25519 is unavailable, in this browser or on an insecure page. */
const isUnsupported = (error: unknown): boolean =>
  globalThis.crypto?.subtle === undefined ||
  (error instanceof DOMException && (error.name === 'NotSupportedError' || error.name === 'SyntaxError'))

/** Checks roots, given newest first, in this browser. */
export async function checkChain(roots: readonly SignedRoot[]): Promise<ChainState> {
  const { checkRoots } = await import('@augury/client/verify-root')
  try {
    const [first] = await checkRoots(roots.toReversed())
    return first ? { kind: 'bad', ...first } : { kind: 'good', roots: roots.length }
  } catch (error) {
    if (isUnsupported(error)) return { kind: 'unsupported' }
    throw error
  }
}

/** Names of a currently held position. The proof itself has only condition ids. */
export type HeldName = Pick<Position, 'title' | 'outcome' | 'eventSlug' | 'slug'>

/** A key of `names`: an outcome of a condition. */
export const heldKey = (condition: string, outcome: number): string => `${condition.toLowerCase()} ${outcome}`

interface OwnCheck {
  n: number
  findings: BalanceFinding[]
  /** False if a balance does not lead to the root, the root is not in the chain, or the chain is not valid. */
  isGood: boolean
  /** By `heldKey`; without positions that were closed since the root. */
  names: ReadonlyMap<string, HeldName>
}

/** Checks the member's balances against the public chain of roots, which `readRoots` reads after the proof. */
export async function checkOwn(address: string, readRoots: () => Promise<readonly SignedRoot[]>): Promise<OwnCheck> {
  const [proof, positions, { checkBalanceIn }] = await Promise.all([
    siteQuery('getOwnProof', {}),
    siteQuery('listPositions', { query: { limit: POSITIONS } }),
    import('@augury/client/verify-balance'),
  ])
  const roots = await readRoots()
  const findings = checkBalanceIn(roots, proof, address)
  const chain = await checkChain(roots)
  const isSigned = chain.kind === 'good' || chain.kind === 'unsupported'
  const isCounted = findings?.every(({ fault }) => fault === null) ?? false
  const names = new Map(positions.map((held) => [heldKey(held.conditionId, held.outcomeIndex), held]))
  return { n: proof.root.n, findings: findings ?? [], isGood: isSigned && isCounted, names }
}
