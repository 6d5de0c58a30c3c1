import TicketPreview from './TicketPreview.svelte'
import TicketTerms from './TicketTerms.svelte'
import { problemOf, riskOf, warningsOf } from './ticket-words.ts'

/** The parts of the ticket that nobody needs before an amount is typed: one file, which it loads once the page works. */
export const ticketMore = { TicketPreview, TicketTerms, problemOf, riskOf, warningsOf }
