import type { Position } from '@augury/wire/data'
import type { Market } from '@augury/wire/platform/market'
import { expect, test } from 'vitest'
import { previewConversion } from '../src/lib/portfolio/conversion.ts'

const answer = (slug: string, probability: number | null, more: Partial<Market> = {}) =>
  ({
    condition_id: `0x${slug}`,
    slug,
    title: slug,
    short_title: '',
    picture: `/${slug}.svg`,
    is_resolved: false,
    probability,
    ...more,
  }) as Market
const no = (slug: string, curPrice: number | null) => ({ asset: slug, conditionId: `0x${slug}`, curPrice }) as Position
const event = { markets: [answer('a', 50), answer('b', 20), answer('c', 10), answer('d', 15), answer('out', 0, { is_resolved: true })] }

test('one No becomes a Yes of every other open answer, and no money', () => {
  const made = previewConversion(event, [no('a', 0.52)], 1000)
  expect(made).toMatchObject({ money: 0, gets: [{ slug: 'b' }, { slug: 'd' }, { slug: 'c' }] })
  expect(made.before).toBeCloseTo(5.2)
  expect(made.after).toBeCloseTo(4.5)
})

test('each No after the first is a dollar a share', () => {
  const made = previewConversion(event, [no('a', 0.52), no('b', 0.8), no('c', 0.9)], 200)
  expect(made.money).toBe(4)
  expect(made.gets.map(({ slug }) => slug)).toEqual(['d'])
  expect(made.before).toBeCloseTo(4.44)
  expect(made.after).toBeCloseTo(4.3)
})

test('what has no price has no worth, on its side only', () => {
  expect(previewConversion(event, [no('a', null)], 100)).toMatchObject({ before: null, after: expect.closeTo(0.45) })
  expect(previewConversion({ markets: [answer('a', 50), answer('b', null)] }, [no('a', 0.5)], 100)).toMatchObject({
    before: 0.5,
    after: null,
  })
})
