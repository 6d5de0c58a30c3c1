import { conditionId, questionId, tokenId } from '@augury/signing/ids'
import { venueExamples } from '@augury/wire/documents/examples/venue'
import type { Market } from '@augury/wire/market'
import { getAddress, type Hex } from 'viem'

/** A market as listed by the exchange, with defaults for what a test does not set. Its ids follow from creator and slug. */
export function listedMarket(slug: string, change: Partial<Market> & { eventSlug?: string } = {}): Market {
  const { eventSlug = slug, ...fields } = change
  const usual = (venueExamples.listMarkets!.output as { data: Market[] }).data[0]!
  const creator = getAddress(fields.creator ?? '0x00000000000000000000000000000000000000c1')
  const condition = conditionId(creator, questionId(creator, slug))
  return {
    ...usual,
    question: `Will ${slug} happen?`,
    short_title: slug,
    end_date_iso: '2027-06-30T00:00:00.000Z',
    minimum_tick_size: 0.01,
    minimum_order_size: 5,
    tags: ['T'],
    ...fields,
    creator,
    condition_id: condition,
    question_id: questionId(creator, slug),
    market_slug: slug,
    tokens: ([0, 1] as const).map((index) => ({
      token_id: tokenId(condition as Hex, index),
      outcome: index === 0 ? 'Yes' : 'No',
      price: 0.5,
      winner: false,
    })),
    event: fields.event ?? { ...usual.event, slug: eventSlug, title: `About ${eventSlug}`, tags: [{ slug: 't', name: 'T' }] },
  }
}
