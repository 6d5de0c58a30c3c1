import { balancesOf } from '@augury/chain/token'
import { vaultState } from '@augury/chain/vault'
import { ChainRoot } from '@augury/domain/platform/chain/chain.entities'
import type { ChainStatus } from '@augury/wire/platform/chain'
import type { Hex } from 'viem'
import type { Round } from './round.ts'
import type { World } from './world.ts'

/** Writes how chain and settler stand, for the site. */
export async function showStatus(world: World, round: Round): Promise<ChainStatus> {
  const status = await statusOf(world, round)
  await world.fenced((em) =>
    em.execute(
      `insert into chain.status (id, status, updated_at) values (1, ?::jsonb, now())
       on conflict (id) do update set (status, updated_at) = (excluded.status, excluded.updated_at)`,
      [JSON.stringify(status)],
    ),
  )
  return status
}

async function statusOf(world: World, round: Round): Promise<ChainStatus> {
  const { vault, token, signer, accounts, clock } = world
  const [{ count }]: [{ count: number }] = await world.platform.em().execute('select coalesce(max(n), 0) as count from chain.deposit')
  const [root] = await world.platform.em().find(ChainRoot, {}, { orderBy: { n: 'desc' }, limit: 1 })
  const waiting = [...accounts.logged.values()].filter(({ end }) => end === null)
  const oldest = waiting.reduce<number | null>((least, { at }) => (least === null || at < least ? at : least), null)
  return {
    chain_id: vault.chainId,
    vault: vault.address,
    collateral: token,
    confirmations: world.confirmation.confirmations,
    ...(await chainOf(world, round)),
    lag_seconds: round.at ? Math.max(0, Math.round(clock.now() / 1000) - round.at.head.at) : null,
    credited_count: count,
    root: root
      ? {
          ...{ n: root.n, seq: root.seq, hash: root.hash, custody: root.custody, transaction: root.transaction as Hex },
          posted_at: root.postedAt.toISOString(),
        }
      : null,
    root_waits: waitOf(round),
    outbox_open: round.outbox?.open ?? 0,
    withdrawals_waiting: waiting.length,
    oldest_unpaid_at: oldest === null ? null : new Date(oldest).toISOString(),
    halted: round.halted,
    troubles: troublesOf(round, signer.address),
  }
}

const waitOf = ({ root }: Round): string | null =>
  !root?.waiting || root.waiting === 'none_new' ? null : root.detail ? `${root.waiting}: ${root.detail}` : root.waiting

function troublesOf({ troubles, paid, outbox, watched, demands }: Round, key: Hex): ChainStatus['troubles'] {
  const more: ChainStatus['troubles'] = []
  const add = (step: string, reason: string, message: string) => more.push({ step, reason, message })
  if (paid?.refused) add('payments', 'refused', `the vault refuses the next payments: ${paid.refused}`)
  if (paid && paid.held.impossible > 0) add('payments', 'impossible', `${paid.held.impossible} withdrawals can never be paid`)
  for (const { name } of paid?.undeliverable ?? []) add('payments', 'undeliverable', `${name} is settled, and its payment fails`)
  for (const { name } of paid?.overpaid ?? []) add('payments', 'overpaid', `${name} was given back, and is paid`)
  for (const { account, why } of demands?.unanswered ?? []) add('demands', 'unanswered', `the demand of ${account} is not answered: ${why}`)
  if (outbox?.capped) add('send', 'capped', `the chain asks for more than the highest fee of ${key}`)
  if (watched && watched.reorgDepth > 0) add('deposits', 'reorganisation', `the chain replaced ${watched.reorgDepth} blocks`)
  return [...troubles, ...more]
}

type OfChain = Pick<
  ChainStatus,
  | ('head' | 'confirmed' | 'balance' | 'deposits' | 'payments' | 'deposit_count' | 'limit' | 'spent')
  | ('paused' | 'vetoed' | 'frozen' | 'operator')
>

const UNKNOWN = { balance: null, deposits: null, payments: null, deposit_count: null, limit: null, spent: null }

async function chainOf({ nodes, vault, token, signer }: World, { at }: Round): Promise<OfChain> {
  const unknown: OfChain = {
    ...UNKNOWN,
    ...{ head: at?.head.number ?? null, confirmed: at?.pin.number ?? null },
    ...{ paused: false, vetoed: false, frozen: false },
    operator: { address: signer.address, wei: null },
  }
  if (!at) return unknown
  try {
    const state = await vaultState(nodes.any, vault, at.pin)
    const [balance] = await balancesOf(nodes.any, token, [vault.address], at.pin)
    const wei = await nodes.any.balance(signer.address, at.head)
    return {
      ...{ head: at.head.number, confirmed: at.pin.number, balance: balance!, deposits: state.depositTotal, payments: state.paymentTotal },
      ...{ deposit_count: state.deposits, limit: state.limit, spent: state.spent },
      ...{ paused: state.paused, vetoed: state.halted, frozen: state.frozen },
      operator: { address: signer.address, wei: String(wei) },
    }
  } catch {
    return unknown // the steps have said why
  }
}
