import { onDestroy, untrack } from 'svelte'
import { refreshAnswered } from '#lib/failure/refresh-answered.ts'
import { account } from './account.svelte.ts'

/** Milliseconds to wait: actions on the page itself refresh it at once. */
const LATER_MS = 1_000

/**
 * Reloads a page's data whenever the header's figures change, such as after a fill or a deposit, so that both agree.
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
    void refreshAnswered()
  }
  onDestroy(() => clearTimeout(timer))
}
