import type { Confirmed } from '@augury/chain/confirmed'
import type { Deposit, Intent } from '@augury/chain/ports'
import { stepWallets } from '@augury/chain/safe'
import type { Arrival } from '@augury/chain/sweep'
import { abi } from '@augury/contracts/generated/vault'
import { ChainRoot } from '@augury/domain/platform/chain/chain.entities'
import { proxyWalletOf } from '@augury/signing/proxy-wallet'
import { decodeEventLog, encodeEventTopics, getAbiItem, type Hex, keccak256 } from 'viem'
import { newLogs } from './new-logs.ts'
import { cursorOf, setCursor } from './stores.ts'
import type { World } from './world.ts'

// What the settler writes for the site to read: arrivals, roots of the vault, wallets.

/** Replaces the list of money that was seen and is not credited yet. */
export async function showArrivals(
  { fenced }: World,
  { head }: Confirmed,
  pending: readonly Deposit[],
  lying: readonly Arrival[],
): Promise<void> {
  await fenced(async (em) => {
    await em.execute('delete from chain.arrival')
    for (const { n, account, amount, transaction, block } of pending)
      await em.execute(
        'insert into chain.arrival (n, account, amount, transaction, block_number, confirmations) values (?, ?, ?, ?, ?, ?)',
        [...[n, account, amount, transaction], ...[block.number, Math.max(0, head.number - block.number)]],
      )
    // A block after the one in which the balance was read may have swept it; the deposit may be credited by now, or wait for
    // its confirmations.
    for (const { account, amount } of lying)
      await em.execute(
        `insert into chain.arrival (account, amount, confirmations)
         select ?, ?, 0 where not exists (select from chain.deposit where account = ? and block_number > ?)
           and not exists (select from chain.arrival where account = ? and block_number > ?)`,
        [account, amount, ...[account, head.number], ...[account, head.number]],
      )
  })
}

const posted = [getAbiItem({ abi, name: 'RootPosted' })] as const
const [POSTED] = encodeEventTopics({ abi: posted })

/** Keeps the roots that confirmed blocks show. */
export async function showRoots(world: World, { pin }: Confirmed): Promise<void> {
  for await (const { logs, again, keep } of newLogs(world, pin, 'roots_seen', POSTED as Hex)) {
    const blocks = new Map(
      await Promise.all(logs.map(async ({ block }) => [block.number, await world.nodes.any.block(block.number)] as const)),
    )
    await keep(async (em) => {
      // A re-organisation may have undone them; those that the chain still has come again.
      if (again !== null) {
        await em.execute('delete from chain.root where block_number >= ?', [again])
        const [last] = await em.find(ChainRoot, {}, { orderBy: { n: 'desc' }, limit: 1 })
        await setCursor(em, 'roots_noted', Math.min((await cursorOf<number>(em, 'roots_noted')) ?? 0, last?.n ?? 0))
      }
      for (const { topics, data, block, transaction } of logs) {
        const { n, seq, custody, root, hash } = decodeEventLog({ abi: posted, topics: topics as [Hex, ...Hex[]], data }).args
        await em.execute(
          `insert into chain.root (n, hash, root, seq, custody, transaction, block_number, posted_at) values (?, ?, ?, ?, ?, ?, ?, ?)
           on conflict (n) do update set (hash, root, seq, custody, transaction, block_number, posted_at) =
             (excluded.hash, excluded.root, excluded.seq, excluded.custody, excluded.transaction, excluded.block_number, excluded.posted_at)`,
          [
            ...[Number(n), hash, root, Number(seq), Number(custody), transaction],
            block.number,
            new Date((blocks.get(block.number)?.at ?? 0) * 1000),
          ],
        )
      }
    })
  }
}

/** Roots that the exchange is told of in one round. */
const NOTED = 20

/** Tells the exchange which transactions posted its roots: it shows them, and keeps their trees. */
export async function noteRoots({ platform, fenced, noteRoot }: World): Promise<void> {
  const noted = (await cursorOf<number>(platform.em(), 'roots_noted')) ?? 0
  const rows = await platform.em().find(ChainRoot, { n: { $gt: noted } }, { orderBy: { n: 'asc' }, limit: NOTED })
  for (const { hash, transaction } of rows) await noteRoot(hash.replace(/^0x/, ''), transaction as Hex)
  const last = rows.at(-1)
  if (last) await fenced((em) => setCursor(em, 'roots_noted', last.n))
}

/** Deploys the Safes that members asked for, and keeps how far each is. */
export async function deployWallets(world: World, at: Confirmed): Promise<void> {
  const { platform, outbox, nodes, fenced } = world
  const rows: { owner: Hex; state: string }[] = await platform
    .em()
    .execute(`select owner, state from chain.wallet where state in ('asked', 'sent') order by asked_at limit 100`)
  if (rows.length === 0) return
  const open = await outbox.intents(Number.MAX_SAFE_INTEGER)
  const waiting = new Set(open.flatMap(({ purpose }) => (purpose.kind === 'wallet' ? [purpose.owner] : [])))
  const mined: Hex[] = []
  for (const { owner, state } of rows) if (state === 'sent' && !waiting.has(owner)) mined.push(owner)
  const codes = await Promise.all(mined.map((owner) => nodes.any.code(proxyWalletOf(owner), at.pin)))
  const failed = mined.filter((_, index) => codes[index] === '0x')
  const owners = rows.map(({ owner }) => owner).filter((owner) => !failed.includes(owner))
  const report = await stepWallets({ nodes, store: outbox }, at, owners)
  await fenced(async (em) => {
    const set = (owner: Hex, state: string, transaction: Hex | null) =>
      em.execute('update chain.wallet set state = ?, transaction = coalesce(?, transaction) where owner = ?', [state, transaction, owner])
    for (const owner of failed) await set(owner, 'failed', null)
    for (const owner of report.queued) await set(owner, 'sent', null)
    for (const owner of report.deployed) await set(owner, 'deployed', await walletTransaction(em, owner))
  })
}

async function walletTransaction(em: Parameters<Parameters<World['fenced']>[0]>[0], owner: Hex): Promise<Hex | null> {
  const [row]: { versions: Intent['versions'] }[] = await em.execute(
    'select versions from chain.intent where purpose @> ?::jsonb order by nonce desc limit 1',
    [JSON.stringify({ kind: 'wallet', owner })],
  )
  const newest = row?.versions.at(-1)
  return newest ? keccak256(newest.raw) : null
}
