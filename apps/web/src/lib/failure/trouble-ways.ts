import { enablePath } from '#lib/account/enable-path.ts'
import { m } from '#lib/paraglide/messages.js'

/** Where the step is that a refusal names. */
export interface Way {
  href: string
  label: string
}

/** The ways out of refusals, by their codes; `here` is the path to come back to. */
const WAYS: Readonly<Record<string, (here: string) => Way>> = {
  trading_not_enabled: (here) => ({ href: enablePath(here), label: m.setup_enable() }),
  proxy_wallet_missing: (here) => ({ href: enablePath(here), label: m.setup_enable() }),
  unauthenticated: (here) => ({ href: `/login?next=${encodeURIComponent(here)}`, label: m.sign_in() }),
  insufficient_balance: () => ({ href: '/money', label: m.ticket_add_funds() }),
  too_many_orders: () => ({ href: '/portfolio?tab=orders', label: m.own_orders() }),
  own_limit: () => ({ href: '/settings/limits', label: m.settings_limits() }),
  taking_break: () => ({ href: '/settings/limits', label: m.settings_limits() }),
}

/** The way to the step that is missing, if the code names one. */
export const wayOf = (code: string | undefined, here: string): Way | undefined =>
  code !== undefined && Object.hasOwn(WAYS, code) ? WAYS[code]!(here) : undefined
