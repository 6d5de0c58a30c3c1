import { expect, test } from 'vitest'
import type { JournalRow } from '../src/record/log/journal.ts'
import { applyPending } from '../src/record/log/pending-row.ts'
import type { Replica } from '../src/record/log/replica.ts'

const AT = 1000
const ended = { type: 'ended' }

/** Applies a row with a sweep at its head, which finds and leaves due what is given, and tells of `events`. */
function sweep(due: [before: number, after: number | null], events: object[], callers: object[] = []) {
  const [before, after] = due
  let isApplied = false
  const applied = { firstSeq: 1, lastSeq: 1, at: AT, outcomes: [{ seq: 1, events }] }
  const replica = {
    exchange: { nextDue: () => (isApplied ? after : before) },
    apply() {
      isApplied = true
      return applied
    },
  }
  const row = { at: AT } as JournalRow
  expect(applyPending(replica as never as Replica, { row, swept: true, callers: callers as never, sentAt: 0 })).toBe(applied)
}

test('a sweep that leaves everything due as it was is a bug: it would be asked for again for ever', () => {
  expect(() => sweep([AT, AT], [])).toThrow('a sweep at 1000 did nothing about what was due at 1000')
  expect(() => sweep([AT - 1, AT - 1], [])).toThrow('did nothing')
})

test('a sweep is right when it ended something, moved what is due on, or came after the row that did', () => {
  sweep([AT, AT], [ended]) // more orders of the same time are left
  sweep([AT, AT + 1], [])
  sweep([AT, null], [])
  sweep([AT + 1, AT + 1], [])
  sweep([AT, AT], [], [{}]) // other commands of the row may have made something due
})
