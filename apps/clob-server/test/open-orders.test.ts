import { PAGE_MAX } from '@augury/wire/limits'
import { expect, test } from 'vitest'
import { funded, limit, registerMarket, type TestMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '10000')
const markets = [await registerMarket(running, 'few'), await registerMarket(running, 'many')]

/** Places bids, and returns their ids. */
async function bids({ yes }: TestMarket, count: number): Promise<string[]> {
  const legs = Array.from({ length: count }, () => limit(yes, 'BUY', '0.1', '5'))
  return (await alice.call('POST', '/orders', legs)).body.map(({ orderID }: { orderID: string }) => orderID)
}

/** The ids of each page of open orders; `between` is called after each. */
async function pages(query: string, between: () => Promise<unknown> = async () => {}): Promise<string[][]> {
  const read: string[][] = []
  for (let cursor = ''; cursor !== 'LTE='; ) {
    const { body } = await alice.call('GET', `/data/orders?${query}${cursor && `&next_cursor=${encodeURIComponent(cursor)}`}`)
    expect(body).toMatchObject({ limit: PAGE_MAX, count: body.data.length })
    read.push(body.data.map(({ id }: { id: string }) => id))
    cursor = body.next_cursor
    await between()
  }
  return read
}

test('open orders come oldest first in pages, each once, also when some end between two pages', async () => {
  const placed: string[] = []
  for (let batch = 0; batch < 67; batch++) {
    placed.push(...(await bids(markets[1]!, 15)))
    if (batch % 10 === 0) placed.push(...(await bids(markets[0]!, 1)))
  }
  expect((await pages('')).map(({ length }) => length)).toEqual([PAGE_MAX, PAGE_MAX, placed.length - 2 * PAGE_MAX])
  expect((await pages('')).flat()).toEqual(placed)
  expect(await pages(`market=${markets[0]!.condition}`)).toEqual([placed.filter((_, nth) => nth % 151 === 15)])
  // What ends is not shown again, and nothing else is passed over for it: also where it is the order that a page ended with.
  const ended = [placed[0]!, placed[PAGE_MAX - 1]!, placed[PAGE_MAX]!]
  const cancel = () => alice.call('DELETE', '/orders', ended)
  const [first, second, third] = await pages('', cancel)
  expect(first).toEqual(placed.slice(0, PAGE_MAX))
  expect([...second!, ...third!]).toEqual(placed.slice(PAGE_MAX + 1))
})

test('a page that ends with the last order is the last', async () => {
  const all = (await pages('')).flat()
  await alice.call('DELETE', '/orders', all.slice(PAGE_MAX))
  expect((await pages('')).map(({ length }) => length)).toEqual([PAGE_MAX])
})
