import { onDestroy, untrack } from 'svelte'
import { invalidateAll } from '$app/navigation'
import { account } from './account.svelte.ts'

/** What somebody did on the page itself makes it new at once, and is done by then. */
const LATER_MS = 1_000

/**
 * From when a page begins it is made anew whenever the header's figures are, after a fill or a deposit above all: both say the same. They are
 * new only where the site has answered, so that no page is lost for want of an answer.
 */
export function renewWithFunds(): void {
  let known = untrack(() => account.funds)
  let timer: ReturnType<typeof setTimeout> | undefined
  $effect(() => {
    const { funds } = account
    if (known && funds && funds !== known) timer ??= setTimeout(renew, LATER_MS)
    known = funds
  })
  const renew = () => {
    timer = undefined
    void invalidateAll()
  }
  onDestroy(() => clearTimeout(timer))
}
