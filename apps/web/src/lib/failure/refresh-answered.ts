import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { refreshAll } from '$app/navigation'
import { siteQuery } from './site-call.ts'

/**
 * Reads a page's data anew while the site answers, for pages that do so by themselves; resolves with whether it does. Otherwise the page stays
 * as it is: the router would put the browser's own error page in its place, which does not come back.
 */
export async function refreshAnswered(): Promise<boolean> {
  try {
    await siteQuery('getSession', {})
  } catch (error) {
    if (error instanceof NoAnswerError || (error instanceof RefusedError && error.status >= 500)) return false
    if (!(error instanceof RefusedError)) throw error
  }
  await refreshAll()
  return true
}
