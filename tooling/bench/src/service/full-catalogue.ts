import { withConnection } from '@augury/testing/connection'

/** Markets of the busiest events, in which one wins: what makes a page of events long. */
const LONG = { events: 200, markets: 25 }

/** Fills a migrated `platform` database with so many active events, the first of them with many markets and the rest with one. */
export async function fillCatalogue(databaseUrl: string, events: number): Promise<void> {
  await withConnection(databaseUrl, async (client) => {
    await client.query('begin')
    await client.query(`alter table event disable trigger event_search_inserted; ${TRIGGERS('disable')}`)
    await client.query(
      `insert into tag (slug, name, is_main_category) select 'tag-' || n, 'Tag ' || n, n <= 10 from generate_series(1, 200) n`,
    )
    await client.query(EVENTS, [events, LONG.events, LONG.markets])
    await client.query(
      `insert into event_tag (event_id, tag_id, position) select event.id, tag.id, 0 from event join tag on tag.id = event.main_tag_id`,
    )
    await client.query(MARKETS)
    await client.query(`insert into outcome (token_id, market_condition_id, index, text)
      select (hashtextextended(condition_id, i) & x'7fffffffffffffff'::bigint)::text || position, condition_id, i, case i when 0 then 'Yes' else 'No' end
      from market, generate_series(0, 1) i`)
    // What every statement would do of itself, once.
    await client.query(`alter table event enable trigger event_search_inserted; ${TRIGGERS('enable')}`)
    await client.query('select event_search_write(array(select id from event))')
    await client.query('commit')
    // What filling left to be swept and written is not what readers wait for.
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
}

const TRIGGERS = (how: 'enable' | 'disable') =>
  ['market', 'event_tag'].map((table) => `alter table ${table} ${how} trigger event_search_${table}_inserted;`).join(' ')

const EVENTS = `
  insert into event (slug, title, rules, creator, neg_risk, status, main_tag_id, active_markets_count, total_markets_count, volume, volume_24h,
    liquidity, ranking_seed, end_date, created_at)
  select 'event-' || n, 'Will number ' || n || ' of ' || (n % 997) || ' come about before ' || (n % 31) || '?',
    repeat('If number ' || n || ' comes about, then this market resolves to Yes. ', 16), '0x' || repeat('ab', 20), n <= $2,
    'active', (select id from tag where slug = 'tag-' || (1 + n % 200)), case when n <= $2 then $3::int else 1 end,
    case when n <= $2 then $3::int else 1 end, ($1 - n) * 1000000::bigint, ($1 - n) * 10000::bigint, 5000000, n,
    now() + n * interval '1 minute', now() - n * interval '1 minute'
  from generate_series(1, $1::int) n order by hashint4(n)` // on the disk they lie in no order that a list has

const MARKETS = `
  insert into market (condition_id, event_id, position, slug, question_id, title, short_title, question, resolver, end_time, grid, min_lots,
    fee_bps, registered_at, is_active, volume, volume_24h, price, best_bid, best_ask)
  select '0x' || encode(sha256((slug || '-' || i)::bytea), 'hex'), id, i, slug || '-' || i, '0x' || encode(sha256(('q-' || slug || '-' || i)::bytea), 'hex'),
    title || ' In case ' || i, (select initcap(string_agg((array['ba','ke','li','mo','nu','ra','se','ti','vo','zu','chan','der','fin','gor','han','mir','los','pet','ruk','sten'])
      [1 + abs(hashtextextended(slug || i, word * 4 + part)) % 20], case part when 1 then ' ' else '' end order by word, part))
      from generate_series(1, 2) word, generate_series(1, 3) part), title || ' In case ' || i, creator, end_date, 100, 500, 400, now(), true, volume / total_markets_count,
    volume_24h / total_markets_count, 5000, 4900, 5100
  from event, generate_series(0, total_markets_count - 1) i`
