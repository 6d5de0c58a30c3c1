import TicketPreview from './TicketPreview.svelte'
import TicketTerms from './TicketTerms.svelte'
import { problemOf, riskOf, warningsOf } from './ticket-words.ts'

/** The parts of the ticket that are not needed before an amount is typed. The ticket loads this file once the page works. */
export const ticketMore = { TicketPreview, TicketTerms, problemOf, riskOf, warningsOf }
