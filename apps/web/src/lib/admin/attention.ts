import type { AdminEventRow } from '@augury/wire/platform/admin-events'

/** Reasons why an event needs attention, and what to do. */
export const attentions: Readonly<Record<AdminEventRow['attention'][number], { name: string; todo: string }>> = {
  ended: { name: 'ended', todo: 'It has ended without a result: propose one.' },
  disputed: { name: 'disputed', todo: 'The proposed result is disputed: look at the evidence and decide.' },
  due: { name: 'proposed', todo: 'Its proposed result stood its time: another admin makes it final.' },
  flagged: { name: 'flagged', todo: 'Its resolution is flagged: look at it, then remove the flag.' },
  unregistered: { name: 'not on the exchange', todo: 'Some of its markets are not registered: publish it again, or look at the exchange.' },
  paused: { name: 'paused', todo: 'Trading is paused until you resume it.' },
}
