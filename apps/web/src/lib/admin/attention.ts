import type { AdminEventRow } from '@augury/wire/platform/admin-events'

/** Reasons why an event needs attention, and what to do. */
export const attentions: Readonly<Record<AdminEventRow['attention'][number], { name: string; todo: string }>> = {
  ended: { name: 'ended', todo: 'Its end has passed and nobody said how it ended: propose a result.' },
  disputed: { name: 'disputed', todo: 'Somebody objected to the proposed result: look at the evidence and decide.' },
  due: { name: 'proposed', todo: 'Its proposed result stood its time: another admin makes it final.' },
  flagged: { name: 'flagged', todo: 'Somebody flagged its resolution: look, then take the flag off.' },
  unregistered: { name: 'not on the exchange', todo: 'Some of its markets are not registered: publish it again, or look at the exchange.' },
  paused: { name: 'paused', todo: 'Nobody can trade it until it is resumed.' },
}
