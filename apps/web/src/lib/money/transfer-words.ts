import type { WithdrawalView } from '@augury/wire/platform/withdrawals'
import { moment } from '#lib/language/times.ts'
import { m } from '#lib/paraglide/messages.js'

type Status = WithdrawalView['status']

/**
 * Name and explanation of a withdrawal's status; `write` formats times. `isOnChain`: the vault pays it, not an operator by hand. `awaitsAdmins`: it
 * waits for two admins.
 */
export const statusWords = (
  status: Status,
  heldUntil: string | null,
  isOnChain: boolean,
  awaitsAdmins: boolean,
  write = moment,
): { name: string; about: string } =>
  ({
    requested: {
      name: m.transfer_requested(),
      about: awaitsAdmins
        ? m.transfer_awaits_admins_about()
        : m.transfer_requested_about({ time: heldUntil ? write(Date.parse(heldUntil)) : '–' }),
    },
    approved: { name: m.transfer_approved(), about: m.transfer_approved_about() },
    queued: { name: m.transfer_queued(), about: m.transfer_queued_about() },
    cancelling: { name: m.transfer_cancelling(), about: m.transfer_cancelling_about() },
    sent: isOnChain
      ? { name: m.transfer_paid(), about: m.transfer_paid_about() }
      : { name: m.transfer_sent(), about: m.transfer_sent_about() },
    confirmed: { name: m.transfer_confirmed(), about: m.transfer_confirmed_about() },
    settled: { name: m.transfer_settled(), about: m.transfer_settled_about() },
    returned: { name: m.transfer_returned(), about: m.transfer_returned_about() },
    refused: { name: m.transfer_refused(), about: m.transfer_refused_about() },
    cancelled: { name: m.transfer_cancelled(), about: m.transfer_cancelled_about() },
  })[status]

/** Whether a withdrawal may still be cancelled: it waits for its day, or no payment of it has begun. */
export const canCancel = ({ status, chain_id }: WithdrawalView): boolean =>
  status === 'requested' || (status === 'queued' && chain_id === null)

/** The statuses a withdrawal has passed, its current one, and those ahead if all goes well. */
export function statusPath(status: Status, isOnChain: boolean): Status[] {
  if (status === 'cancelled') return ['requested', 'cancelled']
  if (status === 'cancelling') return ['approved', 'queued', 'cancelling', 'cancelled']
  if (status === 'refused') return ['approved', 'refused']
  const steps: Status[] = isOnChain ? ['queued', 'sent'] : ['sent']
  if (status === 'returned') return ['approved', ...steps, 'returned']
  const ahead: Status[] = ['approved', ...steps, ...(isOnChain ? ['confirmed' as const] : []), 'settled']
  return status === 'requested' ? ['requested', ...ahead] : ahead
}
