import type { Deposit, DepositStore, Intent, OutboxStore, Pin, Version } from '@augury/chain/ports'
import { ChainDeposit, ChainIntent } from '@augury/domain/platform/chain/chain.entities'
import type { Platform } from '@augury/platform/site/platform'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Fenced } from './lease.ts'

/** A value that a settler keeps under a name; null before it is set. */
export async function cursorOf<Value>(em: EntityManager, name: string): Promise<Value | null> {
  const [row]: { value: Value }[] = await em.execute('select value from chain.cursor where name = ?', [name])
  return row?.value ?? null
}

/** Keeps a value under a name. */
export const setCursor = (em: EntityManager, name: string, value: unknown): Promise<unknown> =>
  em.execute('insert into chain.cursor (name, value) values (?, ?::jsonb) on conflict (name) do update set value = excluded.value', [
    name,
    JSON.stringify(value),
  ])

/** Intents of the settler's key in PostgreSQL. */
export function outboxStore(platform: Platform, fenced: Fenced): OutboxStore {
  return {
    nextNonce: () => cursorOf<number>(platform.em(), 'next_nonce'),
    begin: (nonce) =>
      fenced(async (em) => {
        if ((await cursorOf(em, 'next_nonce')) === null) await setCursor(em, 'next_nonce', nonce)
      }),
    async intents(from) {
      const where = { $or: [{ bookedNumber: null }, { nonce: { $gte: Math.min(from, 2 ** 31 - 1) } }] }
      return (await platform.em().find(ChainIntent, where, { orderBy: { nonce: 'asc' } })).map(intentOf)
    },
    async booked(skip, limit) {
      const found = await platform
        .em()
        .find(ChainIntent, { bookedNumber: { $ne: null } }, { orderBy: { bookedNumber: 'desc', nonce: 'desc' }, offset: skip, limit })
      return found.map(intentOf)
    },
    add: (intent) =>
      fenced(async (em) => {
        if ((await cursorOf<number>(em, 'next_nonce')) !== intent.nonce) throw new Error(`nonce ${intent.nonce} is not the next`)
        await em.insert(ChainIntent, rowOf(intent))
        await setCursor(em, 'next_nonce', intent.nonce + 1)
      }),
    save: (intent) =>
      fenced(async (em) => {
        const { nonce, ...row } = rowOf(intent)
        await em.nativeUpdate(ChainIntent, { nonce }, row)
      }),
  }
}

type VersionRow = Omit<Version, 'maxFee' | 'tip'> & { maxFee: string; tip: string }

const intentOf = ({ nonce, purpose, to, data, gas, versions, mined, bookedNumber, bookedHash }: ChainIntent): Intent => ({
  nonce,
  purpose: purpose as Intent['purpose'],
  to: to as Intent['to'],
  data: data as Intent['data'],
  gas,
  versions: (versions as VersionRow[]).map((one) => ({ ...one, maxFee: BigInt(one.maxFee), tip: BigInt(one.tip) })),
  mined,
  booked: bookedNumber === null ? null : { number: bookedNumber!, hash: bookedHash as Pin['hash'] },
})

const rowOf = ({ booked, versions, ...intent }: Intent) => ({
  ...intent,
  versions: versions.map((one): VersionRow => ({ ...one, maxFee: String(one.maxFee), tip: String(one.tip) })),
  bookedNumber: booked?.number ?? null,
  bookedHash: booked?.hash ?? null,
})

/** The credits by hand that deposits back in a sandbox, by the hashes of their references; null for all others. */
export type Backs = (deposits: readonly Deposit[]) => Promise<(string | null)[]>

/** Credited deposits in PostgreSQL. */
export function depositStore(platform: Platform, fenced: Fenced, backs: Backs): DepositStore {
  return {
    async credited(below, limit) {
      const where = below === null ? {} : { n: { $lt: below } }
      return (await platform.em().find(ChainDeposit, where, { orderBy: { n: 'desc' }, limit })).map(depositOf)
    },
    add: (deposits) =>
      fenced(async (em) => {
        const [{ last }]: [{ last: number }] = await em.execute('select coalesce(max(n), 0) as last from chain.deposit')
        if (deposits.some(({ n }, index) => n !== last + index + 1)) throw new Error('another settler has stored these deposits')
        const backed = await backs(deposits)
        await em.insertMany(
          ChainDeposit,
          deposits.map((deposit, index) => ({ ...depositRow(deposit), backs: backed[index] ?? null })),
        )
        // Shown as credited from now on, and no longer as on their way: by their numbers, or at their deposit addresses.
        await em.execute(
          `delete from chain.arrival a using jsonb_to_recordset(?::jsonb) as d (n int, account text, amount bigint)
           where a.n = d.n or (a.n is null and a.account = d.account and a.amount = d.amount)`,
          [JSON.stringify(deposits.map(({ n, account, amount }) => ({ n, account, amount })))],
        )
      }),
    move: (deposits) =>
      fenced(async (em) => {
        for (const deposit of deposits) {
          const { n, ...row } = depositRow(deposit)
          await em.nativeUpdate(ChainDeposit, { n }, row)
        }
      }),
    scanned: () => cursorOf<Pin>(platform.em(), 'scanned'),
    setScanned: (block) => fenced(async (em) => void (await setCursor(em, 'scanned', block))),
  }
}

const depositOf = ({ n, account, sender, amount, total, blockNumber, blockHash, transaction }: ChainDeposit): Deposit => ({
  n,
  account: account as Deposit['account'],
  sender: sender as Deposit['sender'],
  amount,
  total,
  block: { number: blockNumber, hash: blockHash as Pin['hash'] },
  transaction: transaction as Deposit['transaction'],
})

const depositRow = ({ block, ...deposit }: Deposit) => ({ ...deposit, blockNumber: block.number, blockHash: block.hash })
