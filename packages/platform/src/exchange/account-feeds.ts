import { type AccountListener, AccountStreams } from '@augury/client/account-streams'
import { userStreamUrl } from '@augury/client/user-stream'
import type { Watcher } from './exchange-access.ts'

/** Milliseconds before the exchange is asked again for permission to follow. */
const RETRY_MS = 10_000

/** Orders and trades of accounts as they happen, over as few sockets as possible. */
export interface AccountFeeds {
  /** Follows an account (in lower case) from now on; returns the function that stops it. */
  follow(account: string, listener: AccountListener): () => void
  /** Number of open sockets. */
  sockets(): number
  close(): void
}

interface Followed {
  listeners: Set<AccountListener>
  /** Null while no socket follows it. */
  stream: AccountStreams | null
  stop: () => void
}

/**
 * Follows accounts with the deployment's own key. While the exchange does not allow it or does not answer, there are no events, and it is
 * asked again as long as anybody follows an account.
 */
export function openAccountFeeds(clobUrl: string, watch: () => Promise<Watcher>): AccountFeeds {
  const followed = new Map<string, Followed>()
  let streams: AccountStreams[] = []
  let watcher: Watcher | null = null
  let asking = false
  let retry: NodeJS.Timeout | undefined
  let closed = false

  async function ask(): Promise<void> {
    if (asking || watcher || closed || followed.size === 0) return
    asking = true
    watcher = await watch().catch(() => null)
    asking = false
    if (!watcher) askLater()
    else for (const [account, each] of followed) if (!each.stream) attach(account, each, watcher)
  }
  const askLater = () => {
    clearTimeout(retry)
    retry = setTimeout(ask, RETRY_MS).unref()
  }

  function attach(account: string, each: Followed, by: Watcher): void {
    if (closed) return
    const stream = streams.find(({ isFull }) => !isFull) ?? open(by)
    each.stream = stream
    each.stop = stream.follow(account, (event) => {
      for (const listener of each.listeners) listener(event)
    })
  }

  function open({ apiKey, exchange }: Watcher): AccountStreams {
    const stream: AccountStreams = new AccountStreams({
      url: userStreamUrl(clobUrl),
      apiKey,
      client: exchange,
      onStatus: (status) => status === 'refused' && dropStream(stream),
    })
    streams.push(stream)
    return stream
  }

  /** Drops a stream whose key is no longer accepted; its accounts wait for another stream. */
  function dropStream(lost: AccountStreams): void {
    watcher = null
    end(lost)
    for (const each of followed.values()) if (each.stream === lost) each.stream = null
    askLater()
  }
  function leave(account: string, each: Followed, listener: AccountListener): void {
    each.listeners.delete(listener)
    if (each.listeners.size > 0 || followed.get(account) !== each) return
    followed.delete(account)
    each.stop()
    if (each.stream?.isIdle) end(each.stream)
  }
  const end = (stream: AccountStreams) => {
    stream.close()
    streams = streams.filter((each) => each !== stream)
  }

  return {
    follow(account, listener) {
      const each = followed.get(account) ?? { listeners: new Set(), stream: null, stop: () => {} }
      each.listeners.add(listener)
      if (!followed.has(account)) {
        followed.set(account, each)
        if (watcher) attach(account, each, watcher)
        else void ask()
      }
      return () => leave(account, each, listener)
    },
    sockets: () => streams.length,
    close() {
      closed = true
      clearTimeout(retry)
      for (const stream of streams) stream.close()
    },
  }
}
