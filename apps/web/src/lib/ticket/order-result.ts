import TroubleNote from '#lib/failure/TroubleNote.svelte'
import { isUnknown, troubleOf } from '#lib/failure/trouble.ts'
import { doneSentences } from './order-done.ts'

/** What tells of an order's result, good or bad: one file, which the ticket loads before an order can be sent. */
export const orderResult = { TroubleNote, doneSentences, isUnknown, troubleOf }
