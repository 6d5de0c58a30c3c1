import { NoAnswerError, RefusedError } from '@augury/client/answer'
import type { MemberNotification } from '@augury/wire/platform/belongings'
import { siteMutation, siteQuery } from '#lib/failure/site-call.ts'
import { deviceNotices, showDeviceNotice } from './device-notices.ts'

/** Milliseconds between refreshes. */
const REFRESH_MS = 30_000
/** Notifications kept by the bell. */
const HELD = 20

/** Shows new notifications on the device, in the page's language. */
async function notice(fresh: readonly MemberNotification[]): Promise<void> {
  if (fresh.length === 0 || !deviceNotices()) return
  const { newsWords } = await import('./news-words.ts')
  for (const item of fresh) {
    const { title, about } = newsWords(item)
    await showDeviceNotice(title, about, item.id)
  }
}

/** The member's latest notifications, for the bell and the list. */
class News {
  /** Newest first; null until read. */
  items = $state.raw<MemberNotification[] | null>(null)
  failed = $state(false)

  /** Number of unread ones among `items`. */
  get unread(): number {
    return this.items?.filter(({ read_at }) => read_at === null).length ?? 0
  }

  /** Keeps the list up to date until the returned function is called. */
  watch(): () => void {
    void this.refresh()
    const timer = setInterval(() => void this.refresh(), REFRESH_MS)
    return () => {
      clearInterval(timer)
      this.items = null
    }
  }

  /** Reads the list now. On failure the known list stays. */
  async refresh(): Promise<void> {
    await this.#attempt(async () => {
      const knownIds = new Set(this.items?.map(({ id }) => id))
      const items = await siteQuery('listNotifications', { query: { limit: HELD } })
      const fresh = this.items === null ? [] : items.filter(({ id, read_at }) => read_at === null && !knownIds.has(id))
      this.items = items
      await notice(fresh)
    })
  }

  /** Marks one as read, locally at once. */
  async read(id: string): Promise<void> {
    this.#mark((each) => each.id === id)
    await this.#attempt(() => siteMutation('markNotification', { params: { id }, body: { read: true } }))
  }

  /** Marks all as read, locally at once. */
  async readAll(): Promise<void> {
    this.#mark(() => true)
    await this.#attempt(() => siteMutation('markAllNotifications', { body: { read: true } }))
  }

  #mark(which: (item: MemberNotification) => boolean) {
    const now = new Date().toISOString()
    this.items = this.items?.map((each) => (which(each) ? { ...each, read_at: each.read_at ?? now } : each)) ?? null
  }

  async #attempt(doing: () => Promise<unknown>): Promise<void> {
    try {
      await doing()
      this.failed = false
    } catch (error) {
      if (!(error instanceof NoAnswerError || error instanceof RefusedError)) throw error
      this.failed = true
    }
  }
}

/** The viewer's notifications. Browser only: the server never fills it. */
export const news = new News()
