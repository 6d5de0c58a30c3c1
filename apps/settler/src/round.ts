import { compareVault } from '@augury/chain/compare'
import { type Confirmed, confirmedBlock } from '@augury/chain/confirmed'
import { Halt, NodeError } from '@augury/chain/node-error'
import { advanceOutbox, type OutboxReport } from '@augury/chain/outbox'
import { type PayReport, stepPayments, withoutReturned } from '@augury/chain/payments'
import { type RootReport, stepRoots } from '@augury/chain/roots'
import { type Arrival, stepSweep } from '@augury/chain/sweep'
import { type WatchReport, watchDeposits } from '@augury/chain/watch'
import type { ChainStatus } from '@augury/wire/platform/chain'
import type { Hex } from 'viem'
import { backing } from './backing.ts'
import { LeaseLost } from './lease.ts'
import { deployWallets, showArrivals, showRoots } from './shown.ts'
import { showStatus } from './status.ts'
import type { World } from './world.ts'

/** Something that did not work, for operators. */
export type Trouble = ChainStatus['troubles'][number]

/** What the steps of a round found; what failed is missing. */
export interface Round {
  at: Confirmed | null
  outbox?: OutboxReport
  watched?: WatchReport
  paid?: PayReport
  root?: RootReport
  lying: Arrival[]
  status?: ChainStatus
  /** Why nothing is paid; null if payments go on. */
  halted: Trouble | null
  troubles: Trouble[]
}

/** Milliseconds after which a transaction that no block includes is sent again with higher fees. */
const BUMP_MS = { sandbox: 5_000, production: 60_000 }
/** Highest price that is paid, in wei a unit of gas. */
const FEE_CAP = 2_000_000_000_000n
/** Milliseconds after which a quiet exchange gets its root again: well below the vault's seven days. */
const ROOT_EVERY = 20 * 3_600_000
/** Milliseconds between two roots that are cut in a sandbox because the last one does not fit. */
const CUT_AGAIN = 2_000
/** Deposit addresses that are looked at in one round. */
const ADDRESSES = 500

/**
 * Makes the function that runs one round: every step once, each on its own, so that the error of one does not stop the others. Ends between two
 * steps when the signal aborts. Throws `LeaseLost`, and nothing else.
 */
export function openRounds(world: World, renew: () => Promise<boolean>, signal: AbortSignal): () => Promise<Round> {
  const back = backing(world)
  let cutAt = 0
  const turn = { after: '' }
  /** Whether the exchange owes something else than the vault expects: nothing is paid until a root fits again. */
  let isOff = false
  /** Whether withdrawals wait for a root that shows them. */
  let isWanted = false

  return async () => {
    const round: Round = { at: null, lying: [], halted: null, troubles: [] }
    const step = async <Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> => {
      if (signal.aborted) return
      try {
        if (!(await renew())) throw new LeaseLost()
        return await work()
      } catch (error) {
        if (error instanceof LeaseLost) throw error
        const trouble = troubleOf(name, error)
        if (error instanceof Halt) round.halted ??= trouble
        else round.troubles.push(trouble)
      }
    }
    const { nodes, outbox: store, vault, confirmation, agreeAbove, signer, token, accounts } = world
    const shared = { nodes, vault, confirmation, agreeAbove, operator: signer.address }
    round.at = (await step('block', () => confirmedBlock(nodes.any, confirmation))) ?? null
    const { at } = round
    if (at) {
      round.outbox = await step('send', () => send(world, at))
      for (const { nonce, message } of round.outbox?.problems ?? [])
        round.troubles.push({ step: 'send', reason: 'refused', message: `transaction ${nonce}: ${message}` })
      round.watched = await step('deposits', () => watchDeposits({ ...shared, store: world.deposits, ledger: accounts }))
      await step('compare', () => compareVault(nodes.any, vault, token, at.pin))
      // Before the payments, which a root that does not fit stops.
      round.root = await step('root', () =>
        stepRoots({ ...shared, clock: chainClock(at), store, source: world.source, every: ROOT_EVERY }, at, isWanted),
      )
      await step('root', () => cutAgain(round))
      round.paid = await step('payments', () =>
        stepPayments(
          { ...shared, store, ledger: accounts, never: [token, world.factory] },
          at,
          round.halted !== null || isOff || !round.watched,
        ),
      )
      isWanted = (round.paid?.held.root ?? 0) > 0
      round.lying = (await step('sweep', () => sweep(world, at, turn))) ?? []
      await step('wallets', () => deployWallets(world, at))
      if (world.isSandbox && round.watched?.waiting === null && !round.halted) await step('backing', () => back(at))
      round.outbox = (await step('send', () => send(world, at))) ?? round.outbox
      await step('show', () => showRoots(world, at))
      await step('show', () => showArrivals(world, at, round.watched?.pending ?? [], round.lying))
    }
    const status = await step('status', () => showStatus(world, round))
    return status ? { ...round, status } : round
  }

  /** A root of a sandbox that does not fit yet was cut amid credits and settlements by hand. On a real chain it stops payments. */
  async function cutAgain({ root, watched }: Round): Promise<void> {
    if (!root || !watched) return
    if (!world.isSandbox) {
      if (root.waiting !== 'in_flight') isOff = root.waiting === 'custody'
      if (isOff) throw new Halt('vault_differs', root.detail ?? 'custody')
    } else if ((root.waiting === 'custody' || root.waiting === 'behind') && world.clock.now() - cutAt >= CUT_AGAIN) {
      cutAt = world.clock.now()
      await world.source.cut()
    }
  }
}

/** Sweeps deposit addresses in turns, which `turn` remembers. Returns what lies there. */
async function sweep(
  { nodes, outbox, token, factory, minDeposit, platform }: World,
  at: Confirmed,
  turn: { after: string },
): Promise<Arrival[]> {
  const rows: { account: Hex }[] = await platform
    .em()
    .execute('select account from chain.address where account > ? order by account limit ?', [turn.after, ADDRESSES])
  turn.after = rows.length < ADDRESSES ? '' : rows.at(-1)!.account
  if (rows.length === 0) return []
  const accounts = rows.map(({ account }) => account)
  return stepSweep({ nodes, store: outbox, token, factory, minDeposit }, at, accounts)
}

/** The time of the chain: deadlines of the vault count by it. */
const chainClock = ({ head }: Confirmed) => ({ now: () => head.at * 1000, sleep: async () => {} })

const send = (world: World, { pin }: Confirmed): Promise<OutboxReport> =>
  advanceOutbox(
    {
      node: world.nodes.any,
      clock: world.clock,
      signer: world.signer,
      store: world.outbox,
      chainId: world.vault.chainId,
      fees: { bumpMs: world.isSandbox ? BUMP_MS.sandbox : BUMP_MS.production, feeCap: FEE_CAP },
      revised: (intent) => withoutReturned(world.accounts, intent),
    },
    pin,
  )

function troubleOf(step: string, error: unknown): Trouble {
  const reason = error instanceof Halt ? error.reason : error instanceof NodeError ? error.kind : 'error'
  return { step, reason, message: error instanceof Error ? error.message : String(error) }
}
