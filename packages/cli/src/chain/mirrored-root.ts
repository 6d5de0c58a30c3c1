import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AccountAtRoot } from '@augury/chain/leave'
import { type AssetLeaves, proofsIn, treeOfLeaves } from '@augury/chain/root-proofs'
import { pages } from '@augury/client/pages'
import type { VenueClient } from '@augury/client/rest'
import { type Weight, weightsTree } from '@augury/contracts/weights'
import { bytesHex, type Sha256 } from '@augury/signing/state-tree'
import { type MirroredRoot, mirroredRoot } from '@augury/wire/exit-file'
import type { LeafPiece, SignedRoot } from '@augury/wire/proof'
import type { Hex } from '@augury/wire/scalars'
import { Failure } from '../failure.ts'

/** SHA-256 of Node. */
export const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer')

const fileName = ({ n, root }: SignedRoot): string => `${n}-${root}.json`
const FILE_NAME = /^(\d+)-([0-9a-f]{64})\.json$/

/** Files of roots in a folder, the newest root first. Throws a failure if it cannot be read. */
async function filesIn(folder: string): Promise<{ name: string; n: number; root: string }[]> {
  try {
    const named = (await readdir(folder)).flatMap((name) => {
      const [, n, root] = FILE_NAME.exec(name) ?? []
      return root === undefined ? [] : [{ name, n: Number(n), root }]
    })
    return named.sort((a, b) => b.n - a.n)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new Failure('bad_mirror', `${folder} cannot be read: ${(error as Error).message}`)
  }
}

/** Numbers of the roots in a folder, newest first. Throws a failure if it cannot be read. */
export const rootsIn = async (folder: string): Promise<number[]> => (await filesIn(folder)).map(({ n }) => n)

/** Writes a root into a folder, whole or not at all. Throws a failure. */
export async function saveRoot(folder: string, mirrored: MirroredRoot): Promise<void> {
  const path = join(folder, fileName(mirrored.root))
  const half = `${path}.${process.pid}`
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(half, `${JSON.stringify(mirrored)}\n`)
    await rename(half, path)
  } catch (error) {
    await rm(half, { force: true }).catch(() => {}) // the first error matters
    throw new Failure('bad_mirror', `${path} cannot be written: ${(error as Error).message}`)
  }
}

/** Removes all roots but the newest. */
export async function keepNewest(folder: string, count: number): Promise<void> {
  for (const { name } of (await filesIn(folder)).slice(count)) await rm(join(folder, name), { force: true })
}

/** A root as the vault knows it: both are hashes with `0x`. */
export interface KnownRoot {
  root: Hex
  weights: Hex
}

/**
 * The root of a folder that a vault knows; null if it is not there. Roots with the same balances differ in their weights: one with the vault's is
 * preferred. Throws a failure if a file's leaves are not those of its root.
 */
export async function readRoot(folder: string, known: KnownRoot): Promise<MirroredRoot | null> {
  let found: MirroredRoot | null = null
  for (const { name, root } of await filesIn(folder)) {
    if (`0x${root}` !== known.root) continue
    found = await readFileOf(join(folder, name), root)
    if (hasWeights(found, known)) return found
  }
  return found
}

async function readFileOf(path: string, root: string): Promise<MirroredRoot> {
  try {
    const found = mirroredRoot.parse(JSON.parse(await readFile(path, 'utf8')))
    if (found.root.root === root && rootOf(found) === root) return found
  } catch {
    // not JSON, or not of this form: reported below
  }
  throw new Failure('bad_mirror', `${path} is damaged: mirror it again, or take another mirror`)
}

const conditionWeights = ({ weights }: Pick<MirroredRoot, 'weights'>): Weight[] =>
  weights.map(({ market, weight }) => ({ condition: market as Hex, weight }))

/** Whether the weights are those that the vault's root commits to. */
export const hasWeights = (mirrored: Pick<MirroredRoot, 'weights'>, { weights }: KnownRoot): boolean =>
  weightsTree(sha256, conditionWeights(mirrored)).commitment === weights

/** Reads all that is under a root from the exchange. Null when it no longer has it. Throws a failure if the leaves are not those of the root. */
export async function downloadRoot(client: VenueClient, root: SignedRoot): Promise<MirroredRoot | null> {
  const assets: (Omit<MirroredRoot['assets'][number], 'leaves'> & { parts: string[] })[] = []
  try {
    const all = pages((next_cursor) => client.listRootLeaves({ params: { n: String(root.n) }, query: { next_cursor } }))
    for await (const { market, outcome, from, leaves } of all as AsyncGenerator<LeafPiece, void, void>) {
      if (from === 0) assets.push({ market, outcome, parts: [leaves] })
      else assets.at(-1)?.parts.push(leaves)
    }
    const weights = await client.listRootWeights({ params: { n: String(root.n) } })
    const joined = assets.map(({ parts, ...asset }) => ({ ...asset, leaves: parts.join('') }))
    const mirrored: MirroredRoot = { kind: 'augury root', version: 1, root, weights, assets: joined }
    if (rootOf(mirrored) === root.root) return mirrored
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
  throw new Failure('bad_leaves', `the exchange shows other leaves of root ${root.n} than it signed`)
}

const isNotFound = (error: unknown): boolean => error instanceof Error && 'status' in error && error.status === 404

const leavesOf = ({ assets }: MirroredRoot): AssetLeaves[] =>
  assets.map(({ market, outcome, leaves }) => ({ market: market as Hex | null, outcome, leaves: Buffer.from(leaves, 'hex') }))

const rootOf = (mirrored: MirroredRoot): string | null =>
  mirrored.assets.length === 0 ? null : bytesHex(treeOfLeaves(sha256, leavesOf(mirrored)).root).slice(2)

/** What an account had at a root that the vault knows. `salt` is its secret. */
export const accountIn = (mirrored: MirroredRoot, known: KnownRoot, account: Hex, salt: string): AccountAtRoot => ({
  assets: proofsIn(sha256, treeOfLeaves(sha256, leavesOf(mirrored)), account, salt),
  weights: hasWeights(mirrored, known) ? conditionWeights(mirrored) : null,
})
