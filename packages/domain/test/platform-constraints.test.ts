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
  await client.query(`insert into tag (slug, name) values ('sports', 'Sports'), ('soccer', 'Soccer')`)
  await client.query(`insert into event (slug, title, creator) values ('cup', 'Cup', '${ADDRESS}')`)
  await client.query(`insert into market (condition_id, event_id, position, slug, question_id, title, short_title, question, resolver, end_time, grid, min_lots, fee_bps)
    select '${id('1')}', id, 0, 'm', '${id('2')}', 't', '', 'q', '${ADDRESS}', now(), 100, 500, 0 from event`)
  await client.query(
    `insert into outcome (token_id, market_condition_id, index, text) values ('11', '${id('1')}', 0, 'Yes'), ('12', '${id('1')}', 1, 'No')`,
  )
  await client.query(`insert into sync_job (name) values ('prices')`)
  await client.query(`insert into sync_run (job_name, scheduler) values ('prices', 'w')`)
})
afterAll(() => client.end())

const REFUSED: [what: string, sql: string, constraint: string][] = [
  ['a second event of a slug', `insert into event (slug, title, creator) values ('cup', 'Other', '${ADDRESS}')`, 'event_slug_unique'],
  ['an event slug with capitals', `insert into event (slug, title, creator) values ('Cup', 'Other', '${ADDRESS}')`, 'event_slug_form'],
  ['a creator that is no address', `insert into event (slug, title, creator) values ('x', 'X', '0x1')`, 'event_creator_form'],
  ['a neg-risk id on a plain event', `update event set neg_risk_market_id = '0x${'a'.repeat(62)}00'`, 'event_neg_risk_id_form'],
  ['a resolved event without its time', `update event set status = 'resolved'`, 'event_resolved_has_time'],
  ['a time of resolution on an open event', `update event set resolved_at = now()`, 'event_resolved_has_time'],
  ['more active markets than there are', `update event set active_markets_count = 1`, 'event_counts'],
  ['negative volume', `update event set volume = -1`, 'event_money_not_negative'],
  ['an unknown status', `update event set status = 'open'`, 'event_status_check'],
  ['an active market that the exchange does not know', `update market set is_active = true`, 'market_active_is_registered'],
  [
    'an active market that is resolved',
    `update market set is_active = true, registered_at = now(), is_resolved = true, weight = 1, resolution_status = 'confirmed'`,
    'market_active_is_registered',
  ],
  [
    'a resolved market without a weight',
    `update market set is_resolved = true, resolution_status = 'confirmed'`,
    'market_resolved_has_weight',
  ],
  ['a weight before the resolution', `update market set weight = 5000`, 'market_resolved_has_weight'],
  ['a confirmed market that is not resolved', `update market set resolution_status = 'confirmed'`, 'market_resolved_has_weight'],
  ['a weight above one', `update market set is_resolved = true, resolution_status = 'confirmed', weight = 10001`, 'market_weight'],
  ['a grid that no market has', `update market set grid = 30`, 'market_grid'],
  ['a fee above a tenth', `update market set fee_bps = 1001`, 'market_terms'],
  ['a crossed book', `update market set best_bid = 5000, best_ask = 5000`, 'market_book'],
  ['a price above one', `update market set price = 10000.5`, 'market_price'],
  [
    'a third outcome',
    `insert into outcome (token_id, market_condition_id, index, text) values ('13', '${id('1')}', 2, 'Maybe')`,
    'outcome_index',
  ],
  [
    'a second Yes',
    `insert into outcome (token_id, market_condition_id, index, text) values ('13', '${id('1')}', 0, 'Yes')`,
    'outcome_index_unique',
  ],
  ['a token that is no number', `update outcome set token_id = '0x11' where index = 0`, 'outcome_token_form'],
  ['a tag under itself', `insert into tag_parent select id, id from tag where slug = 'soccer'`, 'tag_parent_not_itself'],
  [
    'two tags in one place',
    `insert into event_tag (event_id, tag_id, position) select event.id, tag.id, 0 from event, tag`,
    'event_tag_position_unique',
  ],
  ['a point within a minute', `insert into price_point values ('${id('1')}', '2026-01-01T00:00:30Z', 5000)`, 'price_point_whole_minute'],
  ['a second run of a job at once', `insert into sync_run (job_name, scheduler) values ('prices', 'v')`, 'sync_run_one_running'],
  ['an ended run without its time', `update sync_run set state = 'finished'`, 'sync_run_finished_has_time'],
  ['a holder that never beat', `update sync_job set holder = uuidv7()`, 'sync_job_lease'],
]

test.each(REFUSED)('the database refuses %s', async (_, sql, constraint) => {
  await expect(client.query(sql)).rejects.toMatchObject({ constraint })
})
