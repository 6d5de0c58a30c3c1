import type { DepositView } from '@augury/wire/platform/deposits'
import { exactMoney, integer } from '#lib/language/numbers.ts'
import { m } from '#lib/paraglide/messages.js'

/** A deposit as the page knows it: `sent` until the site has seen it. */
export type ShownDeposit = DepositView | { state: 'sent'; amount: string; tx_hash: string }

/** The stations of a deposit, in order. */
export const DEPOSIT_STATES = ['sent', 'confirming', 'credited'] as const

/** The station at which a deposit is. What lies at a deposit address was sent, and is not in the vault yet. */
export const stationOf = ({ state }: ShownDeposit): (typeof DEPOSIT_STATES)[number] => (state === 'seen' ? 'sent' : state)

/** Name of a station, and what happens there. `least` is the smallest deposit in millionths. */
export function depositWords(deposit: ShownDeposit, least: string): { name: string; about: string } {
  if (deposit.state === 'sent') return { name: m.fund_sent(), about: m.fund_sent_about() }
  if (deposit.below_minimum) return { name: m.fund_seen(), about: m.fund_below({ money: exactMoney(least) }) }
  if (deposit.state === 'seen') return { name: m.fund_seen(), about: m.fund_seen_about() }
  if (deposit.state === 'credited') return { name: m.fund_credited(), about: m.fund_credited_about() }
  if (deposit.needed === 0) return { name: m.fund_confirming(), about: m.fund_confirming_soon() }
  const blocks = { n: integer(deposit.confirmations), needed: integer(deposit.needed) }
  return { name: m.fund_confirming(), about: m.fund_confirming_about(blocks) }
}

/** Name of a station that is passed or still ahead. */
export const stationName = (station: (typeof DEPOSIT_STATES)[number]): string =>
  ({ sent: m.fund_sent, confirming: m.fund_confirming, credited: m.fund_credited })[station]()
