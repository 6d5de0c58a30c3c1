import { NoAnswerError, RefusedError } from '@augury/client/answer'
import type { Funds } from '@augury/wire/platform/portfolio'
import { hearOrders } from '#lib/event/order-news.ts'
import { ask } from '#lib/failure/site-call.ts'
import { invalidateAll } from '$app/navigation'

/** How often the header asks again while it is looked at, for prices move too; orders are told of as they happen. */
const REFRESH_MS = 20_000

/** Who is signed in, as pages know it. */
export interface SignedInMember {
  /** With its checksum. */
  address: string
  username: string | null
  isAdmin: boolean
  twoFactor: boolean
}

/** What the member has, kept fresh for every part of a page that shows it. */
class Account {
  /** Null until it was read, and while nobody is signed in. */
  funds = $state.raw<Funds | null>(null)
  #asked = 0

  /** Keeps the figures fresh until the answered function is called. */
  watch(): () => void {
    void this.refresh()
    const look = () => void (document.hidden || this.refresh())
    const timer = setInterval(look, REFRESH_MS)
    document.addEventListener('visibilitychange', look)
    const stop = hearOrders(() => void this.refresh())
    return () => {
      stop()
      document.removeEventListener('visibilitychange', look)
      clearInterval(timer)
      this.funds = null
      this.#asked++
    }
  }

  /**
   * Reads the figures now; the latest question's answer counts. Where there is none, what was known stays. Where the session is over, as after
   * signing out in another tab, no page shows whose it was.
   */
  async refresh(): Promise<void> {
    const asked = ++this.#asked
    try {
      const funds = await ask('getFunds', {})
      if (asked === this.#asked) this.funds = funds
    } catch (error) {
      if (error instanceof RefusedError && error.status === 401 && asked === this.#asked) await invalidateAll()
      else if (!(error instanceof NoAnswerError || error instanceof RefusedError)) throw error
    }
  }

  /** Cash that can be spent, in millionths; null while it is not known. */
  get available(): number | null {
    return this.funds?.cash ? Number(this.funds.cash.available) : null
  }
}

/** The account of whoever looks at this page. Browser only: the server never fills it. */
export const account = new Account()
