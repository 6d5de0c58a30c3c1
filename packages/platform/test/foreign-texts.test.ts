import type { Market } from '@augury/wire/market'
import { expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { eventsJob } from '../src/sync/events.ts'
import { listedMarket } from './listed-market.ts'
import { CREATOR, testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const read = async <T = Record<string, unknown>>(sql: string): Promise<T[]> => platform.em().execute(sql)
const takeIn = (data: Market[]) => {
  const exchange = async () => ({ listMarkets: async () => ({ limit: 100, count: data.length, next_cursor: 'LTE=', data }) })
  return runJob(platform, workerScheduler('test'), eventsJob(exchange, CREATOR))
}
/** A text with a direction mark, an invisible letter, and one that no database takes. */
const trick = (text: string) => `\u202e${text}\u200b\u0000`

test('texts of the exchange are stored as they are shown', async () => {
  const written = listedMarket('trick', { rules: trick('By the\r\nstation.'), resolution_source: trick('Station') })
  const { event, tokens } = written
  const market = {
    ...{ ...written, question: trick('Rain?'), short_title: trick('Ra\nin') },
    tokens: tokens.map((token) => ({ ...token, outcome: trick(token.outcome) })),
    event: { ...event, title: trick('Weather'), rules: trick('Rules'), tags: [{ slug: 'sky', name: trick('Sky') }] },
  }
  expect(await takeIn([market])).toMatchObject({ stored: 1, errors: 0 })
  expect(await read('select title, question, short_title, yes_text, no_text, rules, resolution_source from market')).toEqual([
    {
      ...{ title: 'Rain?', question: 'Rain?', short_title: 'Ra in', yes_text: 'Yes', no_text: 'No' },
      ...{ rules: 'By the\nstation.', resolution_source: 'Station' },
    },
  ])
  expect(await read('select title, rules from event')).toEqual([{ title: 'Weather', rules: 'Rules' }])
  expect(await read(`select name from tag where slug = 'sky'`)).toEqual([{ name: 'Sky' }])
})

test('a market with an invisible question is reported, and affects no other', async () => {
  const unseen = listedMarket('unseen', { question: '\u200b\u2066' })
  expect(await takeIn([unseen, listedMarket('seen')])).toMatchObject({
    stored: 1,
    errorDetails: expect.arrayContaining([{ context: unseen.condition_id, error: 'a question of which nothing can be seen' }]),
  })
})
