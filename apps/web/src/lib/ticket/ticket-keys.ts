import { decimalPoint } from '#lib/language/numbers.ts'
import { singleKey } from '#lib/shell/keys.ts'
import type { Ticket } from './ticket.svelte.ts'
import type { TicketChip } from './ticket-chips.ts'

const CHOICES: Readonly<Record<string, (ticket: Ticket) => void>> = {
  b: (ticket) => ticket.chooseSide('BUY'),
  s: (ticket) => ticket.chooseSide('SELL'),
  y: (ticket) => aim(ticket, 0),
  n: (ticket) => aim(ticket, 1),
  m: (ticket) => ticket.chooseKind('market'),
  l: (ticket) => ticket.chooseKind('limit'),
}
function aim(ticket: Ticket, outcome: 0 | 1) {
  if (ticket.market) ticket.aim(ticket.market, outcome)
}

/** What keys act on: the ticket, its presets, and what sends the order or clears the result of the last one. */
interface Keyed {
  ticket: () => Ticket
  chips: () => readonly TicketChip[]
  send: () => void
  touch: () => void
}

/** Attachment of the ticket's form: takes keys before everything else that listens, as an armed ticket has the digits and the point. */
export const ticketKeys =
  ({ ticket, chips, send, touch }: Keyed) =>
  (form: HTMLFormElement): (() => void) => {
    function press(event: KeyboardEvent) {
      if (form.offsetParent === null) return
      const target = event.target as HTMLElement
      const isInside = form.contains(target)
      if (event.key === 'Escape' && (ticket().armed || isInside)) return leave(target)
      if (event.key === 'Enter' && (isInside || ticket().armed)) return enter(event, target)
      const key = singleKey(event)
      if (key === null) return
      if (!(nudge(ticket(), key, target) || pressTicketKey(ticket(), key, chips()))) return
      event.preventDefault()
      touch()
    }

    function enter(event: KeyboardEvent, target: HTMLElement) {
      const sends = event.ctrlKey || event.metaKey
      // Goes to the button for a look at the order: one key must not send it.
      const looks = !sends && ticket().armed && !isControl(target)
      if (!sends && !looks && !event.repeat) return
      event.preventDefault()
      if (event.repeat) return // holding a key must not confirm
      if (sends) send()
      else form.querySelector<HTMLElement>('button[type="submit"]')?.focus()
    }

    /** Leaves the ticket; the sheet of a phone closes by itself. */
    function leave(target: HTMLElement) {
      ticket().armed = false
      if (form.contains(target) && !form.closest('dialog')) target.blur()
    }

    /** What is pressed or entered elsewhere takes the keys. */
    function disarm(event: Event) {
      const target = event.target as HTMLElement
      const isOutside = event.type === 'pointerdown' && !form.contains(target)
      if (isOutside || target.closest('input, select, textarea')) ticket().armed = false
    }

    window.addEventListener('keydown', press, true)
    window.addEventListener('pointerdown', disarm)
    window.addEventListener('focusin', disarm)
    return () => {
      window.removeEventListener('keydown', press, true)
      window.removeEventListener('pointerdown', disarm)
      window.removeEventListener('focusin', disarm)
    }
  }

/** Moves the limit of an armed ticket by a tick; false if another control handles the arrow. */
function nudge(ticket: Ticket, key: string, target: HTMLElement): boolean {
  const by = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0
  if (by === 0 || !ticket.armed || ticket.kind !== 'limit' || isControl(target)) return false
  ticket.nudge(by)
  return true
}

const isControl = (target: HTMLElement) => target.closest('a, button, input, select, summary, [tabindex="0"]') !== null

/**
 * Applies a single-key shortcut and returns whether it was one of the ticket's. A choice arms the ticket: from then on digits are the amount, until
 * Escape. Before, 1 to 4 are the presets. The focus stays where it is.
 */
function pressTicketKey(ticket: Ticket, key: string, chips: readonly TicketChip[]): boolean {
  const choose = CHOICES[key]
  if (choose) {
    choose(ticket)
    ticket.arm()
    return true
  }
  if (ticket.armed) return edit(ticket, key)
  const chip = /^[1-4]$/.test(key) ? chips[Number(key) - 1] : undefined
  if (!chip || chip.whole === 0) return false
  chip.use()
  return true
}

/** Applies a key to the amount of an armed ticket: a digit, the decimal point, or Backspace. */
function edit(ticket: Ticket, key: string): boolean {
  const before = ticket.isFresh ? '' : ticket.quantity
  const point = decimalPoint()
  if (/^\d$/.test(key)) ticket.quantity = before + key
  else if (key === 'Backspace') ticket.quantity = before.slice(0, -1)
  else if (key === '.' || key === ',') ticket.quantity = before.includes(point) ? before : `${before || '0'}${point}`
  else return false
  ticket.isFresh = false
  return true
}
