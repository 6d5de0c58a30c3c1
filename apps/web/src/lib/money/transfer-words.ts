import type { WithdrawalView } from '@augury/wire/platform/withdrawals'
import { moment } from '#lib/language/times.ts'
import { m } from '#lib/paraglide/messages.js'

type Status = WithdrawalView['status']

/** Name and explanation of a withdrawal's status; `write` formats times. */
export const statusWords = (status: Status, heldUntil: string | null, write = moment): { name: string; about: string } =>
  ({
    requested: {
      name: m.transfer_requested(),
      about: m.transfer_requested_about({ time: heldUntil ? write(Date.parse(heldUntil)) : '–' }),
    },
    approved: { name: m.transfer_approved(), about: m.transfer_approved_about() },
    sent: { name: m.transfer_sent(), about: m.transfer_sent_about() },
    settled: { name: m.transfer_settled(), about: m.transfer_settled_about() },
    returned: { name: m.transfer_returned(), about: m.transfer_returned_about() },
    refused: { name: m.transfer_refused(), about: m.transfer_refused_about() },
    cancelled: { name: m.transfer_cancelled(), about: m.transfer_cancelled_about() },
  })[status]

/** The statuses a withdrawal has passed, its current one, and those ahead if all goes well. */
export function statusPath(status: Status): Status[] {
  if (status === 'cancelled') return ['requested', 'cancelled']
  if (status === 'refused') return ['approved', 'refused']
  if (status === 'returned') return ['approved', 'sent', 'returned']
  return status === 'requested' ? ['requested', 'approved', 'sent', 'settled'] : ['approved', 'sent', 'settled']
}
