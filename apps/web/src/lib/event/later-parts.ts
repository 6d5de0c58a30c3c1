import ChangeLog from './ChangeLog.svelte'
import EventVerdict from './EventVerdict.svelte'
import MarketContext from './MarketContext.svelte'
import OwnVerdict from './OwnVerdict.svelte'
import ResolutionLog from './ResolutionLog.svelte'

/** What an event only has after it opened: one file, loaded by the pages that have any of it. */
export const laterParts = { ChangeLog, EventVerdict, MarketContext, OwnVerdict, ResolutionLog }
