import { type Confirmation, type Confirmed, confirmedBlock, isCanonical, viewFor } from './confirmed.ts'
import { Halt, NodeError } from './node-error.ts'
import type { Deposit, DepositStore, Ledger, Node, Nodes, Pin } from './ports.ts'
import { depositCount, depositLogs, depositsHeld, type Vault } from './vault.ts'

export interface WatchWorld {
  nodes: Nodes
  store: DepositStore
  ledger: Pick<Ledger, 'credit'>
  vault: Vault
  confirmation: Confirmation
  /** Sum of deposits, in millionths, above which two nodes must agree before they are credited. */
  agreeAbove: number
  /**
   * On the local chain of a sandbox: takes credited deposits out of the store, from a number on, because the chain lost some of them. What they
   * credited is backed again. Without it a lost deposit halts.
   */
  forget?(from: number, lost: readonly Deposit[]): Promise<void>
}

export interface WatchReport {
  /** Null while no block is confirmed. */
  at: Confirmed | null
  credited: Deposit[]
  /** Deposits above the confirmed block, for display only. */
  pending: Deposit[]
  /** Blocks between the last credited deposit and the fork below it; 0 without a re-organisation deeper than the confirmations. */
  reorgDepth: number
  /** Credited deposits that the chain lost and the store forgot. */
  lost: readonly Deposit[]
  /** Why deposits of confirmed blocks are not credited yet. */
  waiting: 'behind' | 'second_node' | null
}

/** Blocks in one request for logs. Providers allow 2 000 and more. */
const WINDOW = 2000
/** Deposits that are proven, credited and stored together: what a crash may have to repeat. */
const BATCH = 250
/** Blocks after which the progress over empty ones is stored. */
const SCANNED_EVERY = 500
/** Credited deposits read at once, newest first, to find a fork. */
const PAGE = 100

/** The reference under which a deposit is credited, for ever: the contract's number, which a re-organisation does not move. */
export const depositRef = ({ chainId, address }: Pick<Vault, 'chainId' | 'address'>, n: number): string =>
  `deposit:${chainId}:${address}:${n}`

/**
 * Credits what confirmed blocks show, strictly in the order of the vault's numbers. A deposit counts when its log and the vault's storage agree at
 * the confirmed block. Crediting and storing can be cut short anywhere: the exchange credits a ref once. Throws `NodeError` to be retried, and `Halt`.
 */
export async function watchDeposits(world: WatchWorld): Promise<WatchReport> {
  const { nodes, store, vault, confirmation } = world
  const node = nodes.any
  const at = await confirmedBlock(node, confirmation)
  const report: WatchReport = { at, credited: [], pending: [], reorgDepth: 0, lost: [], waiting: null }
  if (!at) return report
  const { head, pin } = at
  if (head.number > pin.number && head.number - pin.number <= WINDOW)
    report.pending = await depositLogs(node, vault, pin.number + 1, head.number)
  const [newest] = await store.credited(null, 1)
  // A local chain that is shorter than before is no node that lags: it was restored from an older state.
  if (newest && pin.number < newest.block.number && !world.forget) return { ...report, waiting: 'behind' }
  const deposits = await depositCount(node, vault, pin)
  let last = newest
  if (newest && !(await isCanonical(node, newest.block))) {
    Object.assign(report, await followFork(world, node, pin))
    last = (await store.credited(null, 1))[0]
  }
  if (deposits < (last?.n ?? 0)) throw new NodeError('garbage', `the vault has ${deposits} deposits, and ${last?.n} are credited`)
  const scanned = await scannedBlock(world, node, pin)
  if (deposits === (last?.n ?? 0)) {
    if (pin.number >= (scanned ?? 0) + SCANNED_EVERY) await store.setScanned(pin)
    return report
  }
  return creditUpTo(world, report, at, deposits, scanned)
}

/** The block up to which nothing is to be looked for; null when it is unknown or was re-organised away. */
async function scannedBlock({ store }: WatchWorld, node: Node, pin: Pin): Promise<number | null> {
  const scanned = await store.scanned()
  return scanned && scanned.number <= pin.number && (await isCanonical(node, scanned)) ? scanned.number : null
}

/**
 * Follows a re-organisation below the last credited deposit. If the chain has the same deposits in other blocks, nothing is lost. Throws `Halt` if
 * one of them is missing or differs; as soon as the chain has it again, the next step goes on. Where deposits can be forgotten, it goes on at once.
 */
async function followFork({ store, vault, forget }: WatchWorld, node: Node, pin: Pin): Promise<Pick<WatchReport, 'reorgDepth' | 'lost'>> {
  const suspects: Deposit[] = []
  let fork: Deposit | undefined
  for (let below: number | null = null; !fork; ) {
    const page = await store.credited(below, PAGE)
    for (const deposit of page) {
      if (await isCanonical(node, deposit.block)) fork = deposit
      if (fork) break
      suspects.push(deposit)
    }
    if (page.length < PAGE) break
    below = page.at(-1)!.n
  }
  const from = fork?.block.number ?? vault.block
  const reorgDepth = (suspects[0]?.block.number ?? from) - from
  const held = await depositsHeld(node, vault, suspects, pin)
  const differs = suspects.filter((_, index) => !held[index]).at(-1)
  if (differs && !forget)
    throw new Halt(
      'deposit_lost',
      `deposit ${differs.n} is credited and missing on the chain, or different there: a re-organisation ${reorgDepth} blocks deep`,
    )
  const moved = new Map<number, Deposit>()
  for (let start = from; start <= pin.number; start += WINDOW)
    for (const deposit of await depositLogs(node, vault, start, Math.min(start + WINDOW - 1, pin.number))) moved.set(deposit.n, deposit)
  // The same deposit by another transaction is another one: its sender made it again.
  const isLost = ({ n, transaction }: Deposit, index: number) => !held[index] || moved.get(n)?.transaction !== transaction
  const lost = forget ? suspects.filter(isLost) : []
  const first = lost.at(-1)
  if (first) await forget?.(first.n, lost)
  const kept = suspects.filter(({ n }) => !first || n < first.n)
  await store.move(kept.map((deposit) => ({ ...found(moved, deposit.n), ...contentOf(deposit) })))
  return { reorgDepth, lost }
}

const contentOf = ({ n, account, sender, amount, total }: Deposit) => ({ n, account, sender, amount, total })

function found(moved: ReadonlyMap<number, Deposit>, n: number): Deposit {
  const deposit = moved.get(n)
  if (!deposit) throw new NodeError('garbage', `the node left out the log of deposit ${n}`)
  return deposit
}

/** Credits deposits up to a number, window after window. */
async function creditUpTo(
  world: WatchWorld,
  report: WatchReport,
  { pin }: Confirmed,
  count: number,
  scanned: number | null,
): Promise<WatchReport> {
  const { nodes, store, vault } = world
  const [last] = await store.credited(null, 1) // a re-organisation may have moved it
  const start = Math.max((scanned ?? -1) + 1, last?.block.number ?? vault.block)
  let next = (last?.n ?? 0) + 1
  for (let from = start; from <= pin.number && next <= count; from += WINDOW) {
    const logs = await depositLogs(nodes.any, vault, from, Math.min(from + WINDOW - 1, pin.number))
    const fresh = logs.filter(({ n }) => n >= next)
    if (fresh.some(({ n }, index) => n !== next + index)) throw new NodeError('garbage', 'the node left out logs of deposits')
    for (let done = 0; done < fresh.length; done += BATCH) {
      const batch = fresh.slice(done, done + BATCH)
      if (!(await isProven(world, batch, pin))) return { ...report, waiting: 'second_node' }
      await credit(world, batch)
      await store.add(batch)
      report.credited.push(...batch)
    }
    next += fresh.length
  }
  if (next <= count) throw new NodeError('garbage', `the vault has ${count} deposits, and the node shows the logs of ${next - 1}`)
  return report
}

/** Whether the vault's storage has these deposits at a confirmed block, and, for a large sum, two nodes say so; false to wait for the second. */
async function isProven(world: WatchWorld, batch: readonly Deposit[], confirmed: Pin): Promise<boolean> {
  const sum = batch.reduce((total, { amount }) => total + amount, 0)
  const view = await viewFor(sum, confirmed, world)
  if (!view || view.pin.number < batch.at(-1)!.block.number) return false
  const held = await depositsHeld(view.node, world.vault, batch, view.pin)
  if (held.every(Boolean)) return true
  throw new NodeError('garbage', `the log of deposit ${batch[held.indexOf(false)]?.n} differs from the vault's storage`)
}

async function credit({ ledger, vault }: WatchWorld, batch: readonly Deposit[]): Promise<void> {
  const differs = await ledger.credit(
    batch.map(({ n, account, sender, amount }) => ({ ref: depositRef(vault, n), account, sender, amount })),
  )
  if (differs !== null) throw new Halt('ledger_differs', `the exchange has credited ${differs} with another account or amount`)
}
