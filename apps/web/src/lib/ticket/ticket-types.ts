import { m } from '#lib/paraglide/messages.js'
import type { Kind, Ticket } from './ticket.svelte.ts'

/** An order type as the ticket offers it. */
interface TicketType {
  id: string
  kind: Kind
  type: Ticket['type']
  name: string
}

const PLAIN = ['market FAK', 'limit GTC', 'limit GTD']
const ALL = ['market FAK', 'market FOK', 'limit GTC', 'limit GTD', 'limit FOK', 'limit FAK']

/** The order types to choose from. Readers get three in plain words, and another one only where it is chosen already; traders get all by their names. */
export function typesFor(ticket: Pick<Ticket, 'kind' | 'type'>, trading: boolean): TicketType[] {
  const chosen = `${ticket.kind} ${ticket.type}`
  const ids = trading ? ALL : PLAIN.includes(chosen) ? PLAIN : [...PLAIN, chosen]
  return ids.map((id) => {
    const [kind, type] = id.split(' ') as [Kind, Ticket['type']]
    return { id, kind, type, name: trading || !PLAIN.includes(id) ? `${nameOf(kind)} · ${type}` : plainName(kind, type) }
  })
}

const nameOf = (kind: Kind) => (kind === 'market' ? m.ticket_market() : m.ticket_limit())
const plainName = (kind: Kind, type: Ticket['type']) => (type === 'GTD' ? m.ticket_limit_until() : nameOf(kind))

/** Returns the explanation of the order type. */
export const typeAbout = (type: Ticket['type']): string =>
  ({ GTC: m.ticket_gtc_about, GTD: m.ticket_gtd_about, FOK: m.ticket_fok_about, FAK: m.ticket_fak_about })[type]()
