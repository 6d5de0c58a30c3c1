import type { MarketResolution } from '@augury/wire/platform/resolution'
import { expect, test } from 'vitest'
import type { EventView, MarketView } from '../src/lib/event/event-view.ts'
import { verdictOf } from '../src/lib/event/verdict.ts'

const DECIDED = Date.UTC(2026, 10, 3)
const market = (name: string, more: Partial<MarketView> = {}) =>
  ({ slug: name.toLowerCase(), name, outcomes: ['Yes', 'No'], open: false, result: null, ...more }) as MarketView
const event = (status: EventView['status'], ...markets: MarketView[]) =>
  ({ status, markets, resolvedAt: status === 'resolved' ? DECIDED : null }) as EventView
const resolution = { deadline_at: '2026-11-10T00:00:00.000Z', steps: [] as MarketResolution['steps'] } as MarketResolution

const open = market('Anna', { open: true })
const won = market('Anna', { result: 'Yes' })
const lost = market('Berta', { result: 'No' })
const shared = market('Clara', { result: 'Split' })

test('while people trade there is none', () => {
  expect(verdictOf(event('active', open), null, undefined)).toBeNull()
  expect(verdictOf(event('active', open, lost), null, undefined)).toBeNull()
  expect(verdictOf(event('active', open, lost), open, undefined)).toBeNull()
})

test('of a market that is decided it says how, since when and what is paid', () => {
  expect(verdictOf(event('resolved', won), null, undefined)).toMatchObject({ final: true, title: 'Resolved: Yes', at: DECIDED })
  expect(verdictOf(event('active', open, lost), lost, undefined)).toMatchObject({ title: 'Berta resolved: No', at: null })
  const steps = [{ step: 'settled', at: '2026-11-04T00:00:00.000Z' }] as MarketResolution['steps']
  expect(verdictOf(event('resolved', won), null, { ...resolution, steps })?.at).toBe(Date.UTC(2026, 10, 4))
  expect(verdictOf(event('resolved', shared), null, undefined)?.about).toMatch(/both sides/)
})

test('of a market that is paused it says so, and not that it is over; a proposed result says more', () => {
  const paused = market('Anna', { paused: true })
  const verdict = verdictOf(event('archived', paused), null, { ...resolution, status: 'pending' })
  expect(verdict).toMatchObject({ final: false, title: 'Trading is paused', at: null })
  expect(verdictOf(event('archived', paused, paused), null, undefined)?.title).toBe('Trading is paused')
  expect(verdictOf(event('archived', paused), null, { ...resolution, status: 'proposed' })).toMatchObject({
    title: 'A result is proposed',
    at: Date.UTC(2026, 10, 10),
  })
})

test('of a market that is over without a result it says until when one is expected', () => {
  const verdict = verdictOf(event('archived', market('Anna')), null, resolution)
  expect(verdict).toMatchObject({ final: false, title: 'Trading has ended', at: Date.UTC(2026, 10, 10) })
  expect(verdictOf(event('archived', market('Anna'), lost), null, undefined)).toMatchObject({ final: false, at: null })
})

test.each([
  ['proposed', 'A result is proposed', Date.UTC(2026, 10, 10)],
  ['disputed', 'The proposed result is disputed', null],
] as const)('of a market whose result is %s it says so', (status, title, at) => {
  expect(verdictOf(event('archived', market('Anna')), null, { ...resolution, status })).toMatchObject({ final: false, title, at })
})

test('of an event with several markets it names what came true', () => {
  expect(verdictOf(event('resolved', lost, won), null, undefined)).toMatchObject({ final: true, winners: ['Anna'], at: DECIDED })
  expect(verdictOf(event('resolved', lost, lost), null, undefined)).toMatchObject({ winners: [], title: expect.stringMatching(/None/) })
})

test('of an event whose markets share it says that they do, and never that a winning share pays all', () => {
  const tied = verdictOf(event('resolved', shared, shared), null, undefined)
  expect(tied).toMatchObject({ final: true, title: 'Resolved: Split', winners: [], about: expect.stringMatching(/both sides/) })
})
