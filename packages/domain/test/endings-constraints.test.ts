import { migratedDatabase } from '@augury/testing/database'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratePlatform } from '../src/platform/database.ts'

const ADDRESS = `0x${'c'.repeat(40)}`
const id = (digit: string) => `0x${digit.repeat(64)}`

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client(await migratedDatabase('platform', migratePlatform))
  await client.connect()
  await client.query(`insert into event (slug, title, creator) values ('cup', 'Cup', '${ADDRESS}')`)
  await client.query(`insert into market (condition_id, event_id, position, slug, question_id, title, short_title, question, resolver, end_time, grid, min_lots, fee_bps, registered_at)
    select '${id('1')}', id, 0, 'm', '${id('2')}', 't', '', 'q', '${ADDRESS}', now(), 100, 500, 0, now() from event`)
  await client.query(`insert into settlement (market_condition_id) values ('${id('1')}')`)
  await client.query(
    `insert into resolution_step (market_condition_id, step, at, actor_kind) values ('${id('1')}', 'closed', now(), 'clock')`,
  )
  await client.query(
    `insert into price_series (slug, instrument, interval, source, display_name, symbol_a) values ('btc-usd-5m', 'BTC/USD', '5m', 'oracle_a', 'Bitcoin', 'BTC')`,
  )
  await client.query(
    `insert into price_feed (source, instrument, interval, name, simulated) values ('oracle_a', 'BTC/USD', '5m', 'Feed', false)`,
  )
  await client.query(
    `insert into price_mark values ('oracle_a', 'BTC/USD', '5m', '2026-11-20T12:05Z', '2026-11-20T12:00Z', 1, '2026-11-20T12:05Z', now())`,
  )
})
afterAll(() => client.end())

const step = (columns: string, values: string) =>
  `insert into resolution_step (market_condition_id, at, actor_kind, ${columns}) values ('${id('1')}', now(), 'clock', ${values})`
const mark = (end: string, start: string, price: number, seen = end) =>
  `insert into price_mark values ('oracle_a', 'BTC/USD', '5m', '${end}', '${start}', ${price}, '${seen}', now())`

test.each<[what: string, sql: string, constraint: string]>([
  ['a proposal without a weight', `update market set resolution_status = 'proposed', resolution_deadline_at = now()`, 'market_proposal'],
  ['a proposal without a deadline', `update market set resolution_status = 'proposed', proposed_weight = 1`, 'market_proposal'],
  ['a proposed weight where nothing is proposed', `update market set proposed_weight = 1`, 'market_proposal'],
  [
    'a proposed weight above one',
    `update market set resolution_status = 'disputed', proposed_weight = 10001, resolution_deadline_at = now()`,
    'market_weight',
  ],
  ['a result on an open book', `update settlement set resolved_at = now()`, 'settlement_order'],
  ['a payout before the result', `update settlement set closed_at = now(), told_at = now()`, 'settlement_order'],
  ['a payout without a notification', `update settlement set closed_at = now(), resolved_at = now(), paid_at = now()`, 'settlement_order'],
  ['a second settlement of a market', `insert into settlement (market_condition_id) values ('${id('1')}')`, 'settlement_pkey'],
  ['a market that closes twice', step('step', `'closed'`), 'resolution_step_once'],
  ['a proposal in the history without its weight', step('step', `'proposed'`), 'resolution_step_weight'],
  ['a weight above one in the history', step('step, weight', `'disputed', 10001`), 'resolution_step_weight'],
  ['a deadline of what is no proposal', step('step, deadline_at', `'paused', now()`), 'resolution_step_deadline'],
  ['a step that does not exist', step('step', `'forgotten'`), 'resolution_step_step_check'],
  ['a mark of half a window', mark('2026-11-20T12:10Z', '2026-11-20T12:06Z', 1), 'price_mark_whole_window'],
  ['a mark of a window between two', mark('2026-11-20T12:11Z', '2026-11-20T12:06Z', 1), 'price_mark_whole_window'],
  [
    'a mark from after its window',
    mark('2026-11-20T12:10Z', '2026-11-20T12:05Z', 1, '2026-11-20T12:10:00.001Z'),
    'price_mark_not_from_after',
  ],
  ['a price of nothing', mark('2026-11-20T12:10Z', '2026-11-20T12:05Z', 0), 'price_mark_price'],
  ['two prices of one window', mark('2026-11-20T12:05Z', '2026-11-20T12:00Z', 2), 'price_mark_pkey'],
  [
    'a correction that corrects nothing',
    `insert into price_mark_correction (source, instrument, interval, window_end, old_price, new_price, noticed_at) values ('oracle_a', 'B', '5m', now(), 1, 1, now())`,
    'price_mark_correction_changes',
  ],
  ['a series whose slug is of another interval', `update price_series set slug = 'btc-usd-1h'`, 'price_series_slug_form'],
  ['a series slug with capitals', `update price_series set slug = 'BTC-usd-5m'`, 'price_series_slug_form'],
  ['a series whose source does not have it', `update price_series set source = 'oracle_b'`, 'price_series_has_symbol'],
  ['a series that opens a hundred windows ahead', `update price_series set ahead = 100`, 'price_series_recurrence'],
  ['a series that pays before its end', `update price_series set settlement_seconds = -1`, 'price_series_recurrence'],
  ['a failure without its time', `update price_feed set failure = 'away'`, 'price_feed_failure_has_time'],
  ['half a window under way', `update price_feed set live_start = now()`, 'price_feed_live_window'],
])('the database refuses %s', async (_, sql, constraint) => {
  await expect(client.query(sql)).rejects.toMatchObject({ constraint })
})
