import { conditionRequest } from '@augury/testing/condition-request'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const operator = await Caller.of(running.url, wallets.operator, 'venue')
const alice = await funded(running.url, wallets.alice, '1000')
const bob = await funded(running.url, wallets.bob, '1000')

type Metadata = ReturnType<typeof conditionRequest>['metadata']

/** A market, and what changes its texts. */
async function opened(slug: string) {
  const market = await registerMarket(running, slug)
  const { metadata } = conditionRequest(slug)
  const change = (texts: Partial<Metadata>, more: object = {}) =>
    operator.call('PATCH', `/operator/conditions/${market.condition}`, { metadata: { ...metadata, ...texts }, ...more })
  return { ...market, metadata, change, read: async () => (await send(running.url, 'GET', `/markets/${market.condition}`)).body }
}

const refused = { status: 409, body: { code: 'rules_only_grow' } }

/** Changes that make a market ask something else. */
const anew = ({ question, event }: Metadata): Partial<Metadata>[] => [
  { question: question.replace('Will', 'Will not') },
  { short_title: 'Another' },
  { rules: 'It resolves as it likes.' },
  { rules: '' },
  { event: { ...event, rules: 'Not so.' } },
]

test('before the first trade in a market, all of its texts can be corrected', async () => {
  const { metadata, change, read } = await opened('untraded')
  for (const texts of anew(metadata)) expect((await change(texts)).status).toBe(200)
  expect((await change({})).status).toBe(200)
  expect((await read()).rules).toBe(metadata.rules)
})

test('while orders rest, what they were placed for stays; the rest changes, and rules go on', async () => {
  const { yes, no, metadata, change, read } = await opened('resting')
  const event = { ...metadata.event, rules: 'Of the event.' }
  expect((await change({ event })).status).toBe(200)
  for (const token of [yes, no]) {
    const { orderId } = await alice.place(limit(token, 'BUY', '0.2', '10'))
    for (const texts of anew(metadata)) expect(await change({ event, ...texts }, { tick_size: '0.001' })).toMatchObject(refused)
    expect((await alice.call('DELETE', '/order', { orderId })).status).toBe(200)
  }
  await alice.place(limit(yes, 'BUY', '0.2', '10'))
  expect(await read()).toMatchObject({ minimum_tick_size: 0.01, question: metadata.question })
  const rules = `${metadata.rules.replace(' by', '  by\u200b')}\r\nAlso so.`
  const title = 'Another title'
  const more = { rules, icon: 'https://a.example/i.png', event: { ...event, title, rules: 'Of the event. And more.' } }
  for (const _ of [1, 2]) expect((await change(more)).status).toBe(200)
  expect(await read()).toMatchObject({ rules, event: { title, rules: 'Of the event. And more.' } })
})

test.each([
  [
    'a trade',
    async (yes: string, no: string) => {
      await alice.place(limit(yes, 'BUY', '0.4', '10'))
      await bob.place(limit(no, 'BUY', '0.6', '10'))
    },
  ],
  [
    'a split',
    async (_: string, __: string, market: string) => {
      expect((await alice.call('POST', '/positions/split', { market, amount: '5' })).status).toBe(200)
    },
  ],
])('after %s, too', async (what, trade) => {
  const { condition, yes, no, metadata, change } = await opened(`after-${what.slice(2)}`)
  await trade(yes, no, condition)
  for (const texts of anew(metadata).slice(0, 4)) expect(await change(texts)).toMatchObject(refused)
  expect((await change({ rules: `${metadata.rules} Also so.` }, { resolution_flagged: true })).status).toBe(200)
})
