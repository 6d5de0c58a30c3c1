import { fc } from '@augury/testing/properties'
import { TOKEN_BATCH } from '@augury/wire/limits'
import { expect, test } from 'vitest'
import { Books } from '../src/base/books.ts'
import { BookBatches } from '../src/serve/views/book-batches.ts'

const CONDITION = `0x${'c0'.repeat(32)}` as const
/** As long as those of real tokens, some alike in all but one digit; and one that is shorter than what tokens are looked up by. */
const KNOWN = ['7', `1${'0'.repeat(76)}`, `2${'0'.repeat(76)}`, `1${'0'.repeat(75)}1`, `1${'0'.repeat(77)}`]
const batchOf = (ids: readonly string[]) => ids.map((token_id) => ({ token_id }))

/** Batches over a market whose one bid has `lots`, and whose tokens are those of `registered`. */
function open(registered = new Set(KNOWN)) {
  const market = { lots: 100, seq: 1 }
  const books = new Books(
    {
      depth: () => ({ bids: [[5000, market.lots]], asks: [] }),
      condition: () => ({ grid: 10, minLots: 500, event: null, lastTrade: null }),
    },
    { seq: 1, at: 1000 },
  )
  const batches = new BookBatches(
    books,
    (id) => (registered.has(id) ? { id, condition: CONDITION, outcome: 0 } : null),
    (id) => JSON.stringify({ asset_id: id, bids: [] }),
  )
  const change = (lots: number) => {
    market.lots = lots
    books.touch(CONDITION, ++market.seq, market.seq * 1000)
  }
  return { batches, registered, change, bytes: (body: string) => batches.bytes(Buffer.from(body)) }
}

const shown = (answer: string) =>
  JSON.parse(answer).map((book: { asset_id: string; bids: { size: string }[] }) => [book.asset_id, book.bids[0]?.size])

test('a batch shows every change of a book, each token once, and a token as soon as it is registered', () => {
  const { batches, registered, change } = open(new Set(['1', '2']))
  const batch = batchOf(['2', 'żółw', '1', '2'])
  expect(shown(batches.text(batch))).toEqual([['2', '1'], ['żółw', undefined], ['1', '1']]) // biome-ignore format: as read
  change(250)
  registered.add('żółw')
  expect(shown(batches.text(batch))).toEqual([['2', '2.5'], ['żółw', '2.5'], ['1', '2.5']]) // biome-ignore format: as read
  expect(batches.text([])).toBe('[]')
})

test('a body is answered with the same bytes, before and after its books change', () => {
  const { batches, change, bytes } = open()
  for (const lots of [100, 250, 300]) {
    change(lots)
    for (const ids of [KNOWN, KNOWN.toReversed(), [...KNOWN, ...KNOWN], [KNOWN[1]!]]) {
      const answer = bytes(JSON.stringify(batchOf(ids)))!
      expect(answer.toString()).toBe(batches.text(batchOf(ids)))
      expect(shown(answer.toString())[0]).toEqual([ids[0], String(lots / 100)])
    }
  }
})

test.each([
  ['no tokens', '[]'],
  ['nothing', ''],
  ['an unknown token', JSON.stringify(batchOf([KNOWN[1]!, '8']))],
  ['a longer id than a known one', JSON.stringify(batchOf([`${KNOWN[2]}0`]))],
  ['an object alone', JSON.stringify({ token_id: '7' })],
  ['spaces', JSON.stringify(batchOf(KNOWN), null, 1)],
  ['something beside the token', JSON.stringify([{ token_id: '7', side: 'BUY' }])],
  ['another key', JSON.stringify([{ token_ids: '7' }])],
  ['what follows the end', `${JSON.stringify(batchOf(['7']))}]`],
  ['a list that does not end', JSON.stringify(batchOf(['7'])).slice(0, -1)],
  ['a comma at the end', '[{"token_id":"7"},]'],
  ['no comma between', '[{"token_id":"7"}{"token_id":"7"}]'],
  ['an id that does not end', `[{"token_id":"7]`],
  ['more than there may be', JSON.stringify(batchOf(Array(TOKEN_BATCH + 1).fill('7')))],
])('a body of %s is left to be read', (_, body) => {
  const { bytes } = open()
  bytes(JSON.stringify(batchOf(KNOWN)))
  expect(bytes(body)).toBe(null)
})

test('as many tokens as there may be are answered', () => {
  const { bytes } = open()
  expect(shown(bytes(JSON.stringify(batchOf(Array(TOKEN_BATCH).fill('7'))))!.toString())).toEqual([['7', '1']])
})

test('a body is answered as it would be when it was read, or left to be read', () => {
  const ids = fc.array(fc.constantFrom(...KNOWN), { minLength: 1, maxLength: 6 })
  const { batches, bytes } = open()
  let answered = 0
  fc.assert(
    fc.property(ids, fc.boolean(), fc.nat(), fc.string({ maxLength: 2 }), fc.nat(2), (some, isWhole, at, put, cut) => {
      const whole = JSON.stringify(batchOf(some))
      const place = at % whole.length
      const body = isWhole ? whole : whole.slice(0, place) + put + whole.slice(place + cut)
      const answer = bytes(body)
      if (isWhole) expect(answer).not.toBe(null)
      if (!answer) return
      answered++
      expect(answer.toString()).toBe(batches.text(JSON.parse(body)))
    }),
  )
  expect(answered).toBeGreaterThan(10)
})

test('an answer stays as it is until it has left', () => {
  const { batches, bytes } = open()
  const ask = (id: string) => bytes(JSON.stringify(batchOf([id])))!
  const first = ask(KNOWN[1]!)
  const second = ask(KNOWN[2]!)
  const read = (answers: Buffer[]) => answers.map((answer) => shown(answer.toString())[0][0])
  expect(read([first, second])).toEqual([KNOWN[1], KNOWN[2]])
  batches.release(first)
  const third = ask(KNOWN[3]!)
  expect(third.buffer).toBe(first.buffer)
  expect(read([second, third])).toEqual([KNOWN[2], KNOWN[3]])
})
