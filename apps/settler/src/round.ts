import { compareVault } from '@augury/chain/compare'
import { type Confirmed, confirmedBlock } from '@augury/chain/confirmed'
import { Halt, NodeError } from '@augury/chain/node-error'
import { rememberingNodes } from '@augury/chain/nodes'
import { advanceOutbox, type OutboxReport } from '@augury/chain/outbox'
import { type PayReport, stepPayments, withoutReturned } from '@augury/chain/payments'
import type { RootReport } from '@augury/chain/roots'
import { type Arrival, stepSweep } from '@augury/chain/sweep'
import { payData } from '@augury/chain/vault'
import { type WatchReport, watchDeposits } from '@augury/chain/watch'
import type { ChainStatus } from '@augury/wire/platform/chain'
import type { Hex } from 'viem'
import { backing } from './backing.ts'
import { answerDemands, type DemandReport } from './demands.ts'
import { payOutFees } from './fees.ts'
import { LeaseLost } from './lease.ts'
import { openRootStep } from './root-step.ts'
import { deployWallets, noteRoots, showArrivals, showRoots } from './shown.ts'
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
  demands?: DemandReport
  root?: RootReport
  lying: Arrival[]
  /** Whether all deposit addresses were looked at since the last turn began. */
  isSwept?: boolean
  status?: ChainStatus
  /** Why nothing is paid; null if payments go on. */
  halted: Trouble | null
  troubles: Trouble[]
}

/** Milliseconds after which a transaction that no block includes is sent again with higher fees. */
const BUMP_MS = { sandbox: 5_000, production: 60_000 }
/** Highest price that is paid, in wei a unit of gas. */
const FEE_CAP = 2_000_000_000_000n
/** Deposit addresses that are looked at in one round. */
const ADDRESSES = 500

/**
 * Makes the function that runs one round: every step once, each on its own, so that the error of one does not stop the others. Ends between two
 * steps when the signal aborts. Throws `LeaseLost`, and nothing else.
 */
export function openRounds(opened: World, renew: () => Promise<boolean>, signal: AbortSignal): () => Promise<Round> {
  const back = backing()
  const roots = openRootStep()
  const turn = { after: '' }

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
    const world = { ...opened, nodes: rememberingNodes(opened.nodes) }
    const { nodes, outbox: store, vault, confirmation, agreeAbove, signer, token, accounts, isSandbox, lost } = world
    const shared = { nodes, vault, confirmation, agreeAbove, operator: signer.address }
    round.at = (await step('block', () => confirmedBlock(nodes.any, confirmation))) ?? null
    const { at } = round
    if (at) {
      round.outbox = await step('send', () => send(world, at))
      for (const { nonce, message } of round.outbox?.problems ?? [])
        round.troubles.push({ step: 'send', reason: 'refused', message: `transaction ${nonce}: ${message}` })
      // Before the deposits: where the next block takes it at once, this round credits what it sweeps.
      round.lying = (await step('sweep', () => sweep(world, at, turn))) ?? []
      round.isSwept = turn.after === ''
      if (round.lying.length > 0) await step('send', () => send(world, at))
      round.watched = await step('deposits', () =>
        watchDeposits({ ...shared, store: world.deposits, ledger: accounts, ...(lost && { forget: lost.forget }) }),
      )
      await step('compare', () => compareVault(nodes.any, vault, token, at.pin))
      if (!round.halted) round.demands = await step('demands', () => answerDemands(world, at))
      // Before the payments, which a root that does not fit stops.
      round.root = await step('root', () => roots.post(world, at, round))
      await step('root', () => roots.judge(world, round))
      round.paid = await step('payments', () =>
        stepPayments(
          { ...shared, store, ledger: accounts, never: [token, world.factory], leaveOwed: isSandbox },
          at,
          round.halted !== null || roots.isOff() || !round.watched,
        ),
      )
      roots.want((round.paid?.held.root ?? 0) > 0)
      const unpaid = await step('fees', () => payOutFees(world))
      if (unpaid) round.troubles.push({ step: 'fees', reason: 'refused', message: unpaid })
      await step('wallets', () => deployWallets(world, at))
      if (isSandbox && round.watched?.waiting === null && !round.halted)
        await step('backing', () => back(world, at, round.paid?.owed ?? []))
      round.outbox = (await step('send', () => send(world, at))) ?? round.outbox
      await step('show', () => showRoots(world, at))
      await step('show', () => noteRoots(world))
      await step('show', () => showArrivals(world, at, round.watched?.pending ?? [], round.lying))
    }
    const status = await step('status', () => showStatus(world, round))
    return status ? { ...round, status } : round
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

const send = (world: World, { pin }: Confirmed): Promise<OutboxReport> =>
  advanceOutbox(
    {
      node: world.nodes.any,
      clock: world.clock,
      signer: world.signer,
      store: world.outbox,
      chainId: world.vault.chainId,
      fees: { bumpMs: world.isSandbox ? BUMP_MS.sandbox : BUMP_MS.production, feeCap: FEE_CAP },
      // A sandbox pays again after it has backed what the chain lost: before that, a payment could fail, and for ever.
      revised: async (intent) => (world.isSandbox && intent.purpose.kind === 'pay' ? payData([]) : withoutReturned(world.accounts, intent)),
    },
    pin,
  )

function troubleOf(step: string, error: unknown): Trouble {
  const reason = error instanceof Halt ? error.reason : error instanceof NodeError ? error.kind : 'error'
  return { step, reason, message: error instanceof Error ? error.message : String(error) }
}
