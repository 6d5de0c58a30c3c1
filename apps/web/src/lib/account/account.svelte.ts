import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { MICROS_PER_LOT } from '@augury/units/lots'
import type { Funds } from '@augury/wire/platform/portfolio'
import { onOrdersChanged } from '#lib/event/order-news.ts'
import { siteQuery } from '#lib/failure/site-call.ts'
import { invalidateAll } from '$app/navigation'

/** Refresh interval of the header while visible, as prices move; changes of orders are pushed. */
const REFRESH_MS = 20_000

/** The signed-in member. */
export interface SignedInMember {
  /** Checksummed. */
  address: string
  username: string | null
  isAdmin: boolean
  twoFactor: boolean
  /** How many passkeys sign the member in. */
  passkeys: number
  /** Whether the site keeps the key of the account, which was opened with a passkey. */
  keepsKey: boolean
}

/** The member's funds, kept up to date for every component that shows them. */
class Account {
  /** Null until read, and for signed-out visitors. */
  funds = $state.raw<Funds | null>(null)
  #asked = 0

  /** Keeps the figures up to date until the returned function is called. */
  watch(): () => void {
    void this.refresh()
    const look = () => void (document.hidden || this.refresh())
    const timer = setInterval(look, REFRESH_MS)
    document.addEventListener('visibilitychange', look)
    const stop = onOrdersChanged(() => void this.refresh())
    return () => {
      stop()
      document.removeEventListener('visibilitychange', look)
      clearInterval(timer)
      this.funds = null
      this.#asked++
    }
  }

  /**
   * Reads the figures now; the response to the latest request counts. On failure the known figures stay. If the session has ended, as after
   * signing out in another tab, pages no longer show the member's data.
   */
  async refresh(): Promise<void> {
    const asked = ++this.#asked
    try {
      const funds = await siteQuery('getFunds', {})
      if (asked === this.#asked) this.funds = funds
    } catch (error) {
      if (error instanceof RefusedError && error.status === 401 && asked === this.#asked) await invalidateAll()
      else if (!(error instanceof NoAnswerError || error instanceof RefusedError)) throw error
    }
  }

  /** Available cash in millionths; null while unknown. */
  get available(): number | null {
    return this.funds?.cash ? Number(this.funds.cash.available) : null
  }

  /** Lots of a token that open orders hold; none while unknown. */
  heldLots(tokenId: string): number {
    const holds = this.funds?.holds.filter(({ asset }) => asset === tokenId) ?? []
    return holds.reduce((sum, { amount }) => sum + Number(amount) / MICROS_PER_LOT, 0)
  }
}

/** The viewer's account. Browser only: the server never fills it. */
export const account = new Account()
