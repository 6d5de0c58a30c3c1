import { onMount } from 'svelte'
import { clock, day, localClock, localDay, localMoment, moment } from './times.ts'

/** Whether the zone of the reader is known: from the first page on that came alive. */
let isKnown = $state(false)

/**
 * How a component writes times that are its reader's own, as those of their orders: in their zone, and in UTC, as the server does, until the
 * page is alive. To be called while the component begins.
 */
export function ownTimes(): Readonly<Record<'moment' | 'clock' | 'day', (at: number) => string>> {
  onMount(() => {
    isKnown = true
  })
  return {
    moment: (at) => (isKnown ? localMoment : moment)(at),
    clock: (at) => (isKnown ? localClock : clock)(at),
    day: (at) => (isKnown ? localDay : day)(at),
  }
}
