import { audit } from '@augury/platform/authorization/audit'
import { settingsOf } from '@augury/platform/settings/site-settings'
import type { Hex } from 'viem'
import { rememberOwn } from './own-withdrawals.ts'
import { cursorOf, setCursor } from './stores.ts'
import type { World } from './world.ts'

/** Milliseconds between two looks at what the fee recipient earned. */
const EVERY = 24 * 3_600_000
/** Answers of the exchange in one round: each sums a part of its log. */
const PARTS = 20
/** Name under which the database keeps how far fees are paid out. */
export const FEES = 'fees'

/** How far the fees of a recipient are paid out. Amounts are millionths. */
export interface FeeState {
  account: Hex
  /** Position of the log up to which fees are counted. */
  seq: number
  /** Counted and not paid out. */
  unpaid: number
  /** Unix milliseconds from which they are counted again. */
  nextAt: number
  /** A payout that may not be set aside yet. */
  open: { name: string; amount: number } | null
}

/**
 * Pays the site's fees out, once a day and from the least amount on: sets them aside in the recipient's account, as for a withdrawal, so that the
 * vault pays them to the recipient's address like any other. Only fees count that were received while this recipient was named, and at most what
 * the account still has. Returns why the exchange refuses, or null.
 */
export async function payOutFees(world: World): Promise<string | null> {
  const { platform, accounts, clock, fenced, feePayoutMin } = world
  if (feePayoutMin === 0) return null
  const { feeRecipientWallet } = await settingsOf(platform, 'general')
  const account = feeRecipientWallet.toLowerCase() as Hex | ''
  if (account === '') return null
  const known = await cursorOf<FeeState>(platform.em(), FEES)
  const keep = (state: FeeState) => fenced((em) => setCursor(em, FEES, state))
  if (known?.account !== account) {
    // What it received before is its own to withdraw: it may have done so.
    const seq = await accounts.refresh()
    await keep({ account, seq, unpaid: 0, nextAt: clock.now() + EVERY, open: null })
    return null
  }
  if (known.open) return setAside(world, known)
  if (clock.now() < known.nextAt) return null
  const counted = await count(world, known)
  if (!counted) return null
  const { state, available } = counted
  const amount = Math.min(state.unpaid, available)
  const next = { ...state, nextAt: clock.now() + EVERY }
  if (amount < feePayoutMin) {
    await keep(next)
    return null
  }
  const begun = { ...next, unpaid: 0, open: { name: nameOf(world, state), amount } }
  await fenced(async (em) => {
    await setCursor(em, FEES, begun)
    await rememberOwn(em, accounts.logged, { name: begun.open.name, account })
    const details = { account, amount: String(amount), reference: begun.open.name }
    await audit(em, { action: 'fees_paid_out', actor: null, subject: null, visit: VISIT, details }, new Date(clock.now()))
  })
  return setAside(world, begun)
}

/** The settler is no visitor. */
const VISIT = { clientAddress: '', requestId: '' }

const nameOf = ({ vault: { chainId, address } }: Pick<World, 'vault'>, { account, seq }: FeeState): string =>
  `fees:${chainId}:${address}:${account}:${seq}`

/** Counts fees up to the end of the log; null where the next round goes on. */
async function count({ accounts, fenced }: World, state: FeeState): Promise<{ state: FeeState; available: number } | null> {
  let next = state
  for (let part = 0; part < PARTS; part++) {
    const { amount, available, seq, isComplete } = await accounts.fees(state.account, next.seq)
    next = { ...next, seq, unpaid: next.unpaid + amount }
    await fenced((em) => setCursor(em, FEES, next))
    if (isComplete) return { state: next, available }
  }
  return null
}

/** Sets a payout aside, once by its name. Where that is refused, it counts as unpaid again. */
async function setAside({ accounts, fenced }: World, state: FeeState): Promise<string | null> {
  const { name, amount } = state.open!
  const refusal = await accounts.setAside(state.account, name, amount)
  const unpaid = refusal === null ? state.unpaid : state.unpaid + amount
  await fenced((em) => setCursor(em, FEES, { ...state, unpaid, open: null }))
  return refusal === null ? null : `the exchange does not set ${amount} of the fees of ${state.account} aside: ${refusal}`
}
