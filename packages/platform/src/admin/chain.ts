import { tables } from '@augury/domain/platform/tables'
import type { AdminChain } from '@augury/wire/platform/admin-chain'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress, type Hex, keccak256 } from 'viem'
import { placeOf } from '../chain/place.ts'
import { lastReport, type Report } from '../chain/status.ts'
import { inDollars } from '../notifications/figures.ts'
import type { Site } from '../site/site.ts'

/** Rows of each list. */
const SHOWN = 50

/** Milliseconds without a report after which the settler counts as down. */
const SILENT_MS = 60_000

/** How the settler is, and what it has under way; all lists are empty where money is kept by the ledger alone. */
export async function showChain(site: Site): Promise<{ success: true; data: AdminChain }> {
  const [place, report] = await Promise.all([placeOf(site), lastReport(site)])
  const [em, now] = [site.em(), site.now()]
  const lists =
    place === null
      ? { intents: [], roots: [], failed: [], strangers: [] }
      : { intents: await intents(em), roots: await roots(em), failed: await failed(em), strangers: await strangers(em) }
  const differs = place === null ? [] : differences(report, now)
  const shown = { place, settler: report?.status ?? null, reported_at: iso(report?.at ?? null) }
  return { success: true, data: { ...shown, ...lists, differs, now: now.toISOString() } }
}

/** What does not agree, and what an operator should look at, the gravest first. */
function differences(report: Report | null, now: Date): string[] {
  if (report === null) return ['The settler has never reported. Start it: deposits and withdrawals wait for it.']
  const { status, at } = report
  const { halted, balance, deposits, payments, frozen, vetoed, paused, root_waits, troubles } = status
  const found: string[] = []
  const silent = Math.round((now.getTime() - at.getTime()) / 1000)
  if (silent * 1000 > SILENT_MS) found.push(`The settler has not reported for ${silent} s. Deposits and withdrawals wait for it.`)
  if (halted) found.push(`Payments are stopped (${halted.reason}): ${halted.message}`)
  if (balance !== null && deposits !== null && payments !== null && balance !== deposits - payments)
    found.push(`The vault holds ${inDollars(balance)}, and its deposits less its payments are ${inDollars(deposits - payments)}.`)
  if (frozen) found.push('The vault is frozen: money leaves it by exits alone.')
  if (vetoed) found.push('The guardian vetoed a root: nothing is paid or posted until the timelock resumes.')
  if (paused) found.push('The guardian paused payments.')
  if (root_waits) found.push(`The newest root is not posted: ${root_waits.replaceAll('_', ' ')}.`)
  return [...found, ...troubles.map(({ step, message }) => `${step}: ${message}`)]
}

const iso = (time: string | Date | number | null) => (time === null ? null : new Date(time).toISOString())

interface IntentRow {
  nonce: number
  kind: AdminChain['intents'][number]['kind']
  count: number
  amount: string | null
  raw: Hex | null
  versions: number
  first: string | null
  mined: boolean
}

/** Transactions whose outcome was not acted upon yet, in the order in which they are mined. */
async function intents(em: EntityManager): Promise<AdminChain['intents']> {
  const rows: IntentRow[] = await em.execute(
    `select nonce, purpose ->> 'kind' as kind, mined, jsonb_array_length(versions) as versions, versions -> 0 ->> 'at' as first,
       versions -> -1 ->> 'raw' as raw, coalesce(jsonb_array_length(coalesce(purpose -> 'payments', purpose -> 'accounts')), 1) as count,
       (select sum((payment ->> 'amount')::bigint) from jsonb_array_elements(purpose -> 'payments') payment) as amount
     from chain.intent where booked_number is null order by nonce limit ?`,
    [SHOWN],
  )
  return rows.map(({ nonce, kind, count, amount, raw, versions, first, mined }) => ({
    nonce,
    kind,
    count,
    amount: amount === null ? null : String(amount),
    tx_hash: raw && keccak256(raw),
    versions,
    sent_at: first === null ? null : iso(Number(first)),
    mined,
  }))
}

async function roots(em: EntityManager): Promise<AdminChain['roots']> {
  const rows = await tables(em)
    .selectFrom('chain.root')
    .select(['n', 'custody', 'hash', 'transaction', 'posted_at', 'block_number'])
    .orderBy('n', 'desc')
    .limit(10)
    .execute()
  return rows.map(({ n, custody, hash, transaction, posted_at, block_number }) => ({
    ...{ n, custody, hash, tx_hash: transaction as Hex, posted_at: posted_at.toISOString(), block: block_number },
  }))
}

interface FailedRow {
  id: string
  amount: string
  destination: Hex
  updated_at: string | Date
  user_id: string
  address: Hex
  username: string | null
  raw: Hex | null
}

/** Withdrawals that were given back after the vault had been asked to pay them. */
async function failed(em: EntityManager): Promise<AdminChain['failed']> {
  const rows: FailedRow[] = await em.execute(
    `select withdrawal.id, amount, destination, withdrawal.updated_at, user_id, users.address, username, intent.versions -> -1 ->> 'raw' as raw
     from withdrawal join users on users.id = user_id
       join chain.intent on purpose @> jsonb_build_object('payments', jsonb_build_array(jsonb_build_object('name', 'withdrawal-' || withdrawal.id)))
     where withdrawal.status = 'returned' order by withdrawal.updated_at desc limit ?`,
    [SHOWN],
  )
  return rows.map(({ id, amount, destination, updated_at, user_id, address, username, raw }) => ({
    ...{ id, amount: String(amount), destination: getAddress(destination), tx_hash: raw && keccak256(raw), at: iso(updated_at)! },
    user: { id: user_id, address: getAddress(address), username },
  }))
}

interface StrangerRow {
  n: number | null
  account: Hex
  amount: string
  transaction: Hex | null
  credited_at: string | Date | null
  banned: boolean | null
}

/** Deposits for accounts of no member, or of banned ones, newest first. */
async function strangers(em: EntityManager): Promise<AdminChain['strangers']> {
  const rows: StrangerRow[] = await em.execute(
    `select n, account, amount, transaction, credited_at, banned_at is not null as banned from (
       select n, account, amount, transaction, null::timestamptz as credited_at from chain.arrival
       union all select n, account, amount, transaction, credited_at from chain.deposit
     ) deposit left join users on users.address = account
     where users.id is null or banned_at is not null order by n desc nulls first limit ?`,
    [SHOWN],
  )
  return rows.map(({ n, account, amount, transaction, credited_at, banned }) => ({
    ...{ number: n, account: getAddress(account), amount: String(amount), tx_hash: transaction },
    ...{ reason: banned ? ('banned' as const) : ('unknown' as const), at: iso(credited_at) },
  }))
}
