import { parseUsdc } from '@augury/units/decimal'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import { usdc } from '@augury/units/usdc'
import type { MemberNotification } from '@augury/wire/platform/belongings'
import { directionOf, intlTag } from '#lib/language/locale.ts'
import { money, preciseCents, shares } from '#lib/language/numbers.ts'
import { outcomeName } from '#lib/language/outcome-name.ts'
import { moment } from '#lib/language/times.ts'
import { m } from '#lib/paraglide/messages.js'
import { getLocale } from '#lib/paraglide/runtime.js'
import { shortAddress } from '#lib/people/person.ts'

/** Texts of a notification. */
export interface NewsWords {
  title: string
  about: string
}
type Figures = MemberNotification['metadata']

const MICROS = 1_000_000
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
/** Isolates a name of unknown direction in right-to-left text. */
const named = (value: unknown): string => (directionOf(getLocale()) === 'rtl' ? `\u2068${text(value)}\u2069` : text(value))
const price = (decimal: unknown): string => preciseCents(Math.round(Number(decimal) * MICROS))
const dollars = (micros: unknown): string => money(Number(micros) / MICROS)

/** Description of a trade: shares, outcome, price, and the market if named; of a market BUY the money, too, and what was left of it. */
function traded({ side, size_matched, original_size, outcome, avg_price, price: limit, market, amount, amount_matched }: Figures): string {
  const lots = (size: unknown) => shares(Math.round(Number(size) * LOTS_PER_SHARE))
  const [some, all] = [lots(size_matched), lots(original_size)]
  const figures = {
    amount: some === all ? all : m.own_of({ some, all }),
    outcome: outcomeName(text(outcome)),
    price: price(avg_price ?? limit),
  }
  const done =
    typeof amount === 'string' ? spentWords(figures, amount, text(amount_matched)) : (side === 'BUY' ? m.news_bought : m.news_sold)(figures)
  return text(market) === '' ? `${done}.` : `${done}: ${named(market)}`
}

/** What a market BUY of `asked` USDC bought, and what it did not spend. */
function spentWords(figures: { amount: string; outcome: string; price: string }, asked: string, spent: string): string {
  const [of, paid] = [asked, spent].map((usdc) => Math.round(parseUsdc(usdc) / 10_000)) as [number, number]
  if (of <= paid + 1) return m.news_bought_for({ ...figures, paid: money(parseUsdc(spent) / MICROS) })
  return m.news_bought_part({ ...figures, paid: money(paid / 100), asked: money(of / 100), left: money((of - paid) / 100) })
}

/** Names of a market's two outcomes, and its result. */
function decided({ weight, outcomes }: Figures): { yes: string; no: string; first: number; result: string } {
  const [yes, no] = (outcomes as [string, string]).map(outcomeName) as [string, string]
  const first = Number(weight)
  const result = first === ONE ? yes : first === 0 ? no : m.news_split({ outcome: yes, price: preciseCents(first * 100) })
  return { yes, no, first, result }
}

/** Description of a market's result, with the payout of held shares. */
function ended({ title, lots, ...figures }: Figures): string {
  const { yes, no, first, result } = decided(figures)
  const [yesLots, noLots] = lots as [number, number]
  const held = [
    [yesLots, yes],
    [noLots, no],
  ] as const
  const list = held.flatMap(([count, name]) => (count > 0 ? [`${shares(count)} ${name}`] : []))
  const pays = usdc(first * yesLots + (ONE - first) * noLots)
  const details = {
    market: named(title),
    result,
    shares: new Intl.ListFormat(intlTag(getLocale())).format(list),
  }
  return pays > 0 ? m.news_pays({ ...details, amount: dollars(pays) }) : m.news_pays_nothing(details)
}

const order = (title: () => string) => (figures: Figures) => ({ title: title(), about: traded(figures) })
const withdrawal = (title: () => string) => (figures: Figures) => ({
  title: title(),
  about: m.news_withdrawal_about({ amount: dollars(figures.amount), address: text(figures.destination) }),
})

const KINDS: Readonly<Record<string, (figures: Figures, when: (iso: unknown) => string) => NewsWords>> = {
  order_filled: order(m.news_order_filled),
  order_partly_filled: order(m.news_order_partly_filled),
  order_expired: order(m.news_order_expired),
  order_cancelled: order(m.news_order_cancelled),
  deposit: ({ amount }) => ({ title: m.news_deposit(), about: dollars(amount) }),
  device_enabled: () => ({ title: m.news_new_device(), about: m.news_device_enabled() }),
  device_replaced: () => ({ title: m.news_new_device(), about: m.news_device_replaced() }),
  trading_broken: () => ({ title: m.news_broken(), about: m.news_broken_about() }),
  second_factor_locked: ({ until }, when) => ({ title: m.news_locked(), about: m.news_locked_about({ time: when(until) }) }),
  second_factor_off: () => ({ title: m.news_second_factor_off(), about: m.news_second_factor_off_about() }),
  passkey_added: ({ name }) => ({ title: m.news_passkey_added(), about: m.news_passkey_added_about({ name: named(name) }) }),
  passkey_removed: ({ name }) => ({ title: m.news_passkey_removed(), about: m.news_passkey_removed_about({ name: named(name) }) }),
  passkey_suspended: ({ name }) => ({ title: m.news_passkey_suspended(), about: m.news_passkey_suspended_about({ name: named(name) }) }),
  recovery_code_used: ({ left }) => ({ title: m.news_recovered(), about: m.news_recovered_about({ left: String(left) }) }),
  recovered_by_email: ({ left }) => ({ title: m.news_recovered_email(), about: m.news_recovered_about({ left: String(left) }) }),
  recovery_codes_renewed: () => ({ title: m.news_codes_renewed(), about: m.news_codes_renewed_about() }),
  wallet_linked: ({ wallet }) => ({
    title: m.news_wallet_linked(),
    about: m.news_wallet_linked_about({ wallet: shortAddress(text(wallet)) }),
  }),
  wallet_unlinked: ({ wallet }) => ({
    title: m.news_wallet_unlinked(),
    about: m.news_wallet_unlinked_about({ wallet: shortAddress(text(wallet)) }),
  }),
  referral: () => ({ title: m.news_referral(), about: m.news_referral_about() }),
  withdrawal_held: ({ held_until }, when) => ({
    title: m.news_withdrawal_held(),
    about: m.news_withdrawal_held_about({ time: when(held_until) }),
  }),
  withdrawal_approved: withdrawal(m.news_withdrawal_approved),
  withdrawal_sent: withdrawal(m.news_withdrawal_sent),
  withdrawal_settled: withdrawal(m.news_withdrawal_settled),
  withdrawal_returned: withdrawal(m.news_withdrawal_returned),
  withdrawal_refused: withdrawal(m.news_withdrawal_refused),
  withdrawal_cancelled: withdrawal(m.news_withdrawal_cancelled),
  paid: (figures) => ({ title: m.news_paid(), about: ended(figures) }),
  decided: (figures) => ({
    title: m.news_resolved(),
    about: m.news_decided_about({ market: named(figures.title), result: decided(figures).result }),
  }),
  moved: ({ event, end_time, reason }, when) => ({
    title: m.news_moved(),
    about: m.news_moved_about({ event: named(event), time: when(end_time), reason: named(reason) }),
  }),
  answer: ({ name, event, text: said }) => ({
    title: m.news_answered(),
    about: m.news_answered_about({
      name: named(/^0x[0-9a-f]{40}$/i.test(text(name)) ? shortAddress(text(name)) : name),
      event: named(event),
      text: named(said),
    }),
  }),
  resolved: (figures) => ({ title: m.news_resolved(), about: ended(figures) }),
}

/**
 * A notification in the language of the page; of a kind that the site does not know, or without one, as it was written. `write` writes times.
 */
export function newsWords(
  { title, description, metadata }: Pick<MemberNotification, 'title' | 'description' | 'metadata'>,
  write = moment,
): NewsWords {
  const words = KINDS[text(metadata.kind)]
  return words ? words(metadata, (iso) => write(Date.parse(text(iso)))) : { title, about: description }
}
