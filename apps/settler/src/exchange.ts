import { paymentRef } from '@augury/chain/payments'
import type { Ledger, Withdrawal } from '@augury/chain/ports'
import { RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import type { Platform } from '@augury/platform/site/platform'
import { cancelledAmong, claimWithdrawals } from '@augury/platform/withdrawals/claims'
import { referenceOf } from '@augury/platform/withdrawals/withdrawal-row'
import { LAST_CURSOR } from '@augury/wire/limits'
import type { Hex } from 'viem'
import { creditor, creditWith, type Movement } from './credit.ts'
import type { Fenced } from './lease.ts'
import type { LostCredits } from './lost.ts'
import { ownWithdrawals } from './own-withdrawals.ts'

/** A credit or a withdrawal as the exchange's log has it: by the hash of its reference. Millionths. */
export interface Logged {
  ref: Hex
  account: Hex
  amount: number
  /** Position in the log. */
  seq: number
  /** Unix milliseconds. */
  at: number
}

export type LoggedWithdrawal = Logged & {
  /** Null while it waits. */
  end: { status: 'settled' | 'returned'; seq: number } | null
}

/** The operations of the exchange that move and list money. */
export type Treasury = Pick<
  VenueClient,
  'deposit' | 'depositBatch' | 'getFees' | 'withdraw' | 'listDeposits' | 'listWithdrawals' | 'settleWithdrawal' | 'returnWithdrawal'
>

/** The exchange's accounts, and what its log says of money that came and went. */
export interface Accounts extends Ledger {
  /** Reads what the log says since the last call. Returns the position up to which it is known. */
  refresh(): Promise<number>
  /** The position of the last `refresh`. */
  known(): number
  /** How many rows of the log were read: it grows when money came, went or was set aside. */
  rowsRead(): number
  /** Credits and withdrawals by the hashes of their references, in the order of the log. */
  credits: ReadonlyMap<Hex, Logged>
  logged: ReadonlyMap<Hex, LoggedWithdrawal>
  /** Credits an account, once by `ref`. */
  creditByHand(account: Hex, ref: string, amount: number): Promise<void>
  /** Fees that an account received after a position of the log, and what it can withdraw. */
  fees(account: Hex, after: number): Promise<{ amount: number; available: number; seq: number; isComplete: boolean }>
  /** Sets money of an account aside for a withdrawal, once by `ref`. Returns why that is not possible, or null. */
  setAside(account: Hex, ref: string, amount: number): Promise<string | null>
}

interface Options {
  /** The account that gets deposits for accounts that the exchange does not take, such as another member's claimed wallet. */
  suspense: Hex
  /** Whether a deposit of this sender stands for a credit that the exchange has already: nothing is credited for it. */
  isBacking(sender: Hex): boolean
  /** Credits whose deposits a sandbox's chain lost; null on a real chain, where a deposit's number is its name for ever. */
  lost: Pick<LostCredits, 'nameOf' | 'add'> | null
  fenced: Fenced
}

const PAGE = 100
/** The hash of a reference, or what is one already: the log keeps no more of what others set aside. */
export const hashOf = (name: string): Hex => (/^0x[0-9a-f]{64}$/.test(name) ? (name as Hex) : paymentRef(name))

/**
 * The exchange through its operator API. Its log has only hashes of references, so the withdrawals to pay are those of the site's table: what
 * another operator set aside is ended by that operator.
 */
export function openAccounts(
  treasury: () => Promise<Treasury>,
  platform: Platform,
  { suspense, isBacking, lost, fenced }: Options,
): Accounts {
  const credits = new Map<Hex, Logged>()
  const logged = new Map<Hex, LoggedWithdrawal>()
  const read = { deposits: 0, withdrawals: 0, epoch: 0, rows: 0 }

  async function refresh(): Promise<number> {
    const client = await treasury()
    read.deposits = await follow(read.deposits, client.listDeposits, (row) => void credits.set(row.ref as Hex, loggedOf(row)))
    read.withdrawals = await follow(read.withdrawals, client.listWithdrawals, (row) => {
      if (row.status === 'withdrawing') logged.set(row.ref as Hex, { ...loggedOf(row), end: null })
      else {
        const known = logged.get(row.ref as Hex)
        if (known) known.end = { status: row.status, seq: row.seq }
      }
    })
    return Math.min(read.deposits, read.withdrawals)
  }

  /** Reads a list of the log to its end. Returns the position up to which it is whole. */
  async function follow<Row>(after: number, list: (input: Asked) => Promise<Page<Row>>, take: (row: Row) => void): Promise<number> {
    for (let position = after; ; ) {
      const { data, seq, epoch, next_cursor } = await list({ query: { after: position, limit: PAGE } })
      if (epoch < read.epoch) throw new Error('the exchange was restored from an older backup: start the settler again')
      read.epoch = epoch
      for (const row of data) take(row)
      read.rows += data.length
      if (next_cursor === LAST_CURSOR) return seq
      position = seq
    }
  }

  return {
    refresh,
    known: () => Math.min(read.deposits, read.withdrawals),
    rowsRead: () => read.rows,
    credits,
    logged,
    credit: creditor(treasury, { suspense, isBacking, lost }),
    async creditByHand(account, ref, amount) {
      const result = await creditWith(await treasury(), account, ref, amount)
      if (result !== 'credited') throw new Error(`the exchange refuses ${ref}: ${result}`)
    },
    async fees(address, after) {
      const { amount, available, seq, is_complete } = await (await treasury()).getFees({ query: { address, after } })
      return { amount: Number(amount), available: Number(available), seq, isComplete: is_complete }
    },
    setAside: async (...withdrawal) => setAsideWith(await treasury(), ...withdrawal),
    async withdrawals() {
      await refresh()
      const open = [...logged.values()].filter(({ end }) => end === null)
      if (open.length === 0) return []
      const asked = await askedFor(platform)
      return open.flatMap(({ ref, account, amount, seq }): Withdrawal[] => {
        const known = asked.get(ref)
        return known ? [{ ref: known.name, account, to: known.to, amount, seq, isCancelled: known.isCancelled }] : []
      })
    },
    claim: (refs) =>
      fenced(async (em) => {
        const holders = await claimWithdrawals(em, refs, 'settler')
        return new Set(refs.filter((ref) => holders.get(ref) === 'settler'))
      }),
    async endings(refs) {
      // What changed since the last call is seen a round later: ending a withdrawal again changes nothing.
      if (read.epoch === 0) await refresh()
      return refs.map((ref) => logged.get(hashOf(ref))?.end?.status ?? 'waiting')
    },
    async settle(ref) {
      await (await treasury()).settleWithdrawal({ params: { ref } })
    },
    async giveBack(ref) {
      await (await treasury()).returnWithdrawal({ params: { ref } })
    },
  }
}

/** Sets money aside, or says why the exchange does not. */
async function setAsideWith(client: Treasury, ...[address, ref, amount]: Movement): Promise<string | null> {
  try {
    const { status } = await client.withdraw({ body: { address, amount: String(amount), ref } })
    return status === 'returned' ? 'its payment failed' : null
  } catch (error) {
    if (error instanceof RefusedError && error.status < 500 && error.status !== 429) return error.code ?? error.message
    throw error
  }
}

interface Asked {
  query: { after: number; limit: number }
}
interface Page<Row> {
  data: Row[]
  seq: number
  epoch: number
  next_cursor: string
}

/** Withdrawals that members or the settler itself asked for and that have not ended, by the hashes of their references. */
async function askedFor(platform: Platform): Promise<Map<Hex, { name: string; to: Hex; isCancelled: boolean }>> {
  const rows: { id: string; destination: Hex }[] = await platform
    .em()
    .execute(`select id, destination from withdrawal where status in ('approved', 'sent')`)
  const cancelled = await cancelledAmong(platform.em(), rows.map(referenceOf))
  const own = await ownWithdrawals(platform)
  return new Map([
    ...rows.map((row) => {
      const name = referenceOf(row)
      return [paymentRef(name), { name, to: row.destination, isCancelled: cancelled.has(name) }] as const
    }),
    ...own.map(({ name, account }) => [paymentRef(name), { name, to: account, isCancelled: false }] as const),
  ])
}

const loggedOf = (row: { ref: string; address: string; amount: string; seq: number; timestamp_iso: string }): Logged => ({
  ref: row.ref as Hex,
  account: row.address.toLowerCase() as Hex,
  amount: Number(row.amount),
  seq: row.seq,
  at: Date.parse(row.timestamp_iso),
})
