/** 0x and lower-case hex. */
export type Hex = `0x${string}`
/** SHA-256 of bytes. The caller passes the fastest available. */
export type Sha256 = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array
/** An outcome token; null is USDC. */
export type Asset = { condition: Hex; outcome: 0 | 1 } | null

/** Bytes of a record: a 32-byte hash, then an 8-byte amount. */
export const RECORD_BYTES = 40
const HASH_BYTES = 32
/** Bytes of an asset: its condition and its outcome. */
const ASSET_BYTES = 33
const TWO_32 = 0x1_0000_0000

/** First byte of what is hashed, so that no kind of node can pass for another. */
const LEAF = 0
const NODE = 1
const ASSET = 2

/** A node: its hash and the sum of the amounts below it, in millionths of USDC or in lots. */
export interface Sum {
  hash: Uint8Array
  sum: number
}

/** An asset in 33 bytes: its condition and its outcome; all zeros for USDC. */
export function assetBytes(asset: Asset): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(ASSET_BYTES)
  if (asset) {
    bytes.set(hexBytes(asset.condition))
    bytes[HASH_BYTES] = asset.outcome
  }
  return bytes
}

/** The bytes of a `0x` text. */
export const hexBytes = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: (hex.length - 2) / 2 }, (_, at) => Number.parseInt(hex.slice(2 + at * 2, 4 + at * 2), 16))

/** Bytes as `0x` text. */
export const bytesHex = (bytes: Uint8Array): Hex => `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** The pseudonym of an account that holds an asset, in the tree and in the public history. Without the salt it does not reveal the account. */
export const holderOf = (sha256: Sha256, salt: Uint8Array, account: Uint8Array, asset: Uint8Array): Uint8Array =>
  sha256(joined(salt, account, asset))

/** Writes a record. The amount is a safe integer from 0. */
export function putRecord(to: Uint8Array, index: number, hash: Uint8Array, amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`no amount: ${amount}`)
  putAt(to, index * RECORD_BYTES, hash, amount)
}

function putAt(to: Uint8Array, at: number, hash: Uint8Array, amount: number): void {
  to.set(hash, at)
  const high = Math.floor(amount / TWO_32)
  for (let i = 0; i < 4; i++) {
    to[at + HASH_BYTES + i] = high >>> (24 - 8 * i)
    to[at + HASH_BYTES + 4 + i] = (amount >>> 0) >>> (24 - 8 * i)
  }
}

/** Reads a record. */
export function recordAt(from: Uint8Array, index: number): Sum {
  const at = index * RECORD_BYTES
  let sum = 0
  for (let i = at + HASH_BYTES; i < at + RECORD_BYTES; i++) sum = sum * 256 + from[i]!
  return { hash: from.subarray(at, at + HASH_BYTES), sum }
}

/** Reused for the input of every hash. */
const leafText = new Uint8Array(1 + RECORD_BYTES)
const nodeText = new Uint8Array(1 + 2 * RECORD_BYTES)

/** The leaf node of a record: a holder and their amount. */
export function leafOf(sha256: Sha256, { hash, sum }: Sum): Sum {
  leafText[0] = LEAF
  putAt(leafText, 1, hash, sum)
  return { hash: sha256(leafText), sum }
}

/** The parent of two nodes. Both sums are part of its hash, so that neither can be changed later. */
function parentOf(sha256: Sha256, left: Sum, right: Sum): Sum {
  nodeText[0] = NODE
  putAt(nodeText, 1, left.hash, left.sum)
  putAt(nodeText, 1 + RECORD_BYTES, right.hash, right.sum)
  return { hash: sha256(nodeText), sum: left.sum + right.sum }
}

/** An asset's leaf in the tree of all assets, from the asset, its number of holders, and the root of its own tree. */
export function assetLeaf(sha256: Sha256, asset: Uint8Array, holders: number, total: Sum): Sum {
  const bytes = new Uint8Array(1 + ASSET_BYTES + 2 * RECORD_BYTES)
  bytes[0] = ASSET
  bytes.set(asset, 1)
  putRecord(bytes.subarray(1 + ASSET_BYTES), 0, total.hash, total.sum)
  putRecord(bytes.subarray(1 + ASSET_BYTES), 1, new Uint8Array(HASH_BYTES), holders)
  return { hash: sha256(bytes), sum: 0 }
}

/** Number of records in each level of a tree, from leaves to root. The last record of an odd level is promoted unchanged. */
export function levelSizes(count: number): number[] {
  const sizes = [count]
  for (let size = count; size > 1; sizes.push(size)) size = (size + 1) >>> 1
  return sizes
}

/** Builds a tree over at least one leaf. `records` are all levels one after another: the leaves as given, then the nodes above. */
function sumTree(sha256: Sha256, leaves: Uint8Array): { records: Uint8Array<ArrayBuffer>; root: Sum } {
  const sizes = levelSizes(leaves.length / RECORD_BYTES)
  const records = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0) * RECORD_BYTES)
  records.set(leaves)
  const at = (level: number, index: number) => (level === 0 ? leafOf(sha256, recordAt(records, index)) : recordAt(records, index))
  let from = 0
  for (let level = 0; level + 1 < sizes.length; level++) {
    const size = sizes[level]!
    const to = from + size
    for (let i = 0; i < size; i += 2) {
      const left = at(level, from + i)
      const { hash, sum } = i + 1 < size ? parentOf(sha256, left, at(level, from + i + 1)) : left
      putRecord(records, to + (i >>> 1), hash, sum)
    }
    from = to
  }
  return { records, root: at(sizes.length - 1, from) }
}

/** Indexes, in the `records` of a tree, of the siblings on the path from a leaf to the root. That of the lowest level is a leaf record. */
export function pathIndexes(count: number, index: number): number[] {
  const places: number[] = []
  let from = 0
  let i = index
  for (const size of levelSizes(count)) {
    if ((i ^ 1) < size) places.push(from + (i ^ 1))
    from += size
    i >>>= 1
  }
  return places
}

/** The nodes beside the way from a leaf to the root, lowest first, as `rootOf` takes them. `records` are all of the tree, leaves unhashed. */
export const pathOf = (sha256: Sha256, records: Uint8Array, count: number, index: number): Sum[] =>
  pathIndexes(count, index).map((at) => (at < count ? leafOf(sha256, recordAt(records, at)) : recordAt(records, at)))

/** The root that a leaf, its index, the number of leaves and the siblings on its path lead to; null when they do not fit. */
export function rootOf(sha256: Sha256, leaf: Sum, index: number, count: number, path: readonly Sum[]): Sum | null {
  if (!Number.isSafeInteger(index) || index < 0 || !Number.isSafeInteger(count) || index >= count) return null
  if (![leaf, ...path].every(({ hash, sum }) => hash.length === HASH_BYTES && Number.isSafeInteger(sum) && sum >= 0)) return null
  let node = leafOf(sha256, leaf)
  let i = index
  let used = 0
  for (const size of levelSizes(count)) {
    if ((i ^ 1) < size) {
      const beside = path[used++]
      if (!beside || node.sum + beside.sum > Number.MAX_SAFE_INTEGER) return null
      node = (i & 1) === 0 ? parentOf(sha256, node, beside) : parentOf(sha256, beside, node)
    }
    i >>>= 1
  }
  return used === path.length ? node : null
}

/** The tree over all assets, sorted by their bytes; each asset has a tree over its holders, sorted too. */
export interface StateTree {
  /** Root hash over all assets. */
  root: Uint8Array
  records: Uint8Array<ArrayBuffer>
  assets: { asset: Uint8Array; holders: number; total: Sum; records: Uint8Array<ArrayBuffer> }[]
}

/** Builds the tree of a state with at least one asset; `leaves` are records sorted by holder. */
export function stateTree(sha256: Sha256, state: readonly { asset: Uint8Array; leaves: Uint8Array }[]): StateTree {
  const assets = state.map(({ asset, leaves }) => {
    const { records, root } = sumTree(sha256, leaves)
    return { asset, holders: leaves.length / RECORD_BYTES, total: root, records }
  })
  const tops = new Uint8Array(assets.length * RECORD_BYTES)
  for (const [index, { asset, holders, total }] of assets.entries())
    putRecord(tops, index, assetLeaf(sha256, asset, holders, total).hash, 0)
  const { records, root } = sumTree(sha256, tops)
  return { root: root.hash, records, assets }
}

/** Compares byte arrays of the same length, for sorting. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return 0
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
