import type { MarketResolution } from '@augury/wire/platform/resolution'
import { expect, test } from 'vitest'
import type { EventView, MarketView } from '../src/lib/event/event-view.ts'
import { stations } from '../src/lib/event/resolution-steps.ts'

const END = Date.UTC(2026, 11, 31)
const NOW = Date.UTC(2026, 10, 22)
const event = { startsAt: null, resolvedAt: null } as EventView
const market = (open: boolean, result: string | null = null) => ({ open, result, endsAt: END, outcomes: ['Up', 'Down'] }) as MarketView
const step = (name: string, at: string, note = '') => ({ step: name, at, note, yes_pays: 1, deadline_at: '2026-11-23T00:00:00.000Z' })
const resolution = (status: MarketResolution['status'], ...steps: ReturnType<typeof step>[]) =>
  ({ status, steps, deadline_at: '2026-11-23T00:00:00.000Z' }) as unknown as MarketResolution

test('the end that was planned is not told of a market that was closed before', () => {
  const endOf = (now: number, open: boolean, ...steps: ReturnType<typeof step>[]) =>
    stations(event, market(open), resolution('pending', ...steps), now)[1]
  expect(endOf(NOW, true)).toMatchObject({ name: 'Trading ends', at: END, state: 'ahead' })
  expect(endOf(NOW, false)).toMatchObject({ name: 'Trading ended', at: null })
  const closed = step('closed', '2026-11-21T12:00:00.000Z')
  expect(endOf(NOW, false, closed)).toMatchObject({ name: 'Trading ended', at: Date.UTC(2026, 10, 21, 12) })
  expect(endOf(END + 1, false)).toMatchObject({ name: 'Trading ended', at: END })
  const paused = { ...market(false), paused: true } as MarketView
  expect(stations(event, paused, undefined, NOW)[1]).toMatchObject({ name: 'Trading ends', at: END, state: 'ahead' })
})

test('a disputed result stands at the dispute, with its reason, and without a day on which it is final', () => {
  const steps = [step('proposed', '2026-11-22T10:00:00.000Z'), step('disputed', '2026-11-22T11:00:00.000Z', 'The notice was withdrawn.')]
  const [, , , dispute, final] = stations(event, market(false), resolution('disputed', ...steps), NOW)
  const about = 'The notice was withdrawn.'
  expect(dispute).toMatchObject({ name: 'Result disputed', about, at: Date.UTC(2026, 10, 22, 11), state: 'now' })
  expect(final).toMatchObject({ about: '', state: 'ahead' })
})

test.each([
  [1, 'A share of Up pays $1.00.'],
  [0, 'A share of Down pays $1.00.'],
  [0.5, 'A share of Up pays $0.50.'],
])('a result of %s is shown as the outcome that is paid', (yes_pays, words) => {
  const steps = ['proposed', 'confirmed'].map((name) => ({ ...step(name, '2026-11-22T10:00:00.000Z'), yes_pays }))
  const [, , proposed, , final] = stations(event, market(false, 'decided'), resolution('confirmed', ...steps), NOW)
  expect([proposed?.about, final?.about]).toEqual([`Proposed: a${words.slice(1)}`, words])
})

test('where both sides share, nothing is said of winners', () => {
  const payout = (result: string) => stations(event, market(false, result), resolution('confirmed'), NOW).at(-1)
  expect(payout('Up')?.about).toMatch(/^Each winning share pays \$1\.00/)
  expect(payout('Split')).toMatchObject({ name: 'Shares of both sides are paid', about: expect.stringMatching(/a part of \$1\.00/) })
})

test('a result that was proposed anew is open to objections again', () => {
  const steps = [step('disputed', '2026-11-22T11:00:00.000Z'), step('proposed', '2026-11-22T12:00:00.000Z')]
  const [, , proposed, dispute] = stations(event, market(false), resolution('proposed', ...steps), NOW)
  expect([proposed?.state, dispute?.state, dispute?.at]).toEqual(['now', 'ahead', null])
  expect(dispute?.about).toMatch(/^It may be disputed until/)
})
