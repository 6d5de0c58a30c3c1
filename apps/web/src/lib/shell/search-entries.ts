import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { siteQuery } from '#lib/failure/site-call.ts'
import { getLocale } from '#lib/paraglide/runtime.js'
import { type Entry, eventEntry, personEntry } from './palette-entries.ts'

/** Milliseconds after the last key before the site is searched. */
export const SEARCH_PAUSE_MS = 150
const EVENTS = 6
const PEOPLE = 5

/** Searches events and people as the visitor types. Null when `signal` aborted it; empty when the site does not answer. */
export async function searchEntries(search: string, signal: AbortSignal): Promise<Entry[] | null> {
  try {
    const [events, people] = await Promise.all([
      siteQuery('listEvents', { query: { search, limit: EVENTS, locale: getLocale() } }, signal),
      siteQuery('searchUsers', { query: { search } }, signal),
    ])
    return signal.aborted ? null : [...events.map(eventEntry), ...people.slice(0, PEOPLE).map(personEntry)]
  } catch (error) {
    if (!(error instanceof NoAnswerError || error instanceof RefusedError)) throw error
    return signal.aborted ? null : []
  }
}
