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
  await client.query(`insert into users (address, username, affiliate_code) values ('${ADDRESS}', 'Alice', 'alice123')`)
  await client.query(`insert into users (address, affiliate_code) values ('0x${'d'.repeat(40)}', 'bob12345')`)
  await client.query(`insert into wallet (address, user_id, chain_id) select address, id, 1 from users where username = 'Alice'`)
  await client.query(`insert into two_factor (user_id, secret) select id, 'v1.1.x' from users where username = 'Alice'`)
  await client.query(
    `insert into session (token_hash, user_id, created_at, last_seen_at, proven_at, user_agent, client_address)
     select sha256('a'), id, now(), now(), now(), '', '' from users where username = 'Alice'`,
  )
  await client.query(
    `insert into trading_credential (user_id, set, address, key, secret, passphrase, updated_at)
     select id, 'clob', address, 'k', 'v1.1.x', 'v1.1.x', now() from users where username = 'Alice'`,
  )
  await client.query(`insert into trading_context select id, 0, sha256('a'), now() from users where username = 'Alice'`)
  await client.query(
    `insert into withdrawal (user_id, address, destination, amount, created_at, updated_at)
     select id, address, address, 1, now(), now() from users where username = 'Alice'`,
  )
  await client.query(
    `insert into comment (user_id, event_id, content, created_at) select users.id, event.id, 'c', now() from users, event where username = 'Alice'`,
  )
  await client.query(`insert into comment_mark select comment.id, user_id, 'like', now() from comment`)
  await client.query(`insert into bookmark (user_id, event_id) select users.id, event.id from users, event where username = 'Alice'`)
  await client.query(
    `insert into notification (user_id, source, category, title, description, created_at)
     select id, 'a', 'system', 't', '', now() from users where username = 'Alice'`,
  )
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
  ['an outcome shown without its token', `update market set yes_token = null`, 'market_outcomes_whole'],
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
  [
    'a second member of one wallet',
    `insert into users (address, affiliate_code) values ('${ADDRESS}', 'other123')`,
    'users_address_unique',
  ],
  ['an address with capitals', `update users set address = '0x${'C'.repeat(40)}' where username = 'Alice'`, 'users_address_form'],
  ['a name that differs by its case alone', `update users set username = 'aLICE' where username is null`, 'users_username_unique'],
  ['a name that could be an address', `update users set username = '0x${'c'.repeat(40)}' where username = 'Alice'`, 'users_username_form'],
  ['one code of two affiliates', `update users set affiliate_code = 'alice123'`, 'users_affiliate_code_unique'],
  ['an e-mail without a host', `update users set email = 'alice'`, 'users_email_form'],
  ['a verified e-mail that is not there', `update users set email_verified = true`, 'users_verified_email_exists'],
  ['a proxy wallet without its signature', `update users set proxy_wallet_status = 'signed'`, 'users_proxy_wallet_steps'],
  ['negative statistics', `update users set total_trades = -1`, 'users_statistics_not_negative'],
  [
    'a second primary wallet',
    `insert into wallet (address, user_id, chain_id) select '0x${'e'.repeat(40)}', user_id, 1 from wallet`,
    'wallet_one_primary',
  ],
  ['a wallet of two members', `insert into wallet (address, user_id, chain_id) select address, user_id, 2 from wallet`, 'wallet_pkey'],
  ['a wallet of no kind that we know', `update wallet set kind = 'paper'`, 'wallet_kind_check'],
  ['a wallet on no chain', `update wallet set chain_id = 0`, 'wallet_chain'],
  ['a token that is not hashed', `update session set token_hash = 'a'`, 'session_token_hash_length'],
  [
    'one token of two sessions',
    `insert into session (token_hash, user_id, created_at, last_seen_at, proven_at, user_agent, client_address)
     select token_hash, user_id, created_at, last_seen_at, proven_at, '', '' from session`,
    'session_token_hash_unique',
  ],
  ['a session seen before it began', `update session set last_seen_at = created_at - interval '1 ms'`, 'session_times'],
  ['a proof from the future', `update session set proven_at = last_seen_at + interval '1 ms'`, 'session_times'],
  ['a nonce of another form', `insert into sign_in_nonce values ('short', sha256('a'), now())`, 'sign_in_nonce_form'],
  [
    'a browser that is not hashed',
    `insert into sign_in_nonce values ('${'a'.repeat(32)}', 'a', now())`,
    'sign_in_nonce_browser_hash_length',
  ],
  ['an authenticator’s secret in clear', `update two_factor set secret = 'JBSWY3DPEHPK3PXP'`, 'two_factor_secret_is_sealed'],
  ['more failures than lock', `update two_factor set failures = 6`, 'two_factor_counts'],
  ['a second authenticator', `insert into two_factor (user_id, secret) select user_id, secret from two_factor`, 'two_factor_pkey'],
  ['a recovery code in clear', `insert into recovery_code select id, 'a' from users`, 'recovery_code_hash_length'],
  [
    'a pending step without a member',
    `insert into pending_second_factor values (sha256('a'), uuidv7(), now())`,
    'pending_second_factor_user_id_foreign',
  ],
  ['a withdrawal of nothing', 'update withdrawal set amount = 0', 'withdrawal_amount'],
  ['a withdrawal to no address', `update withdrawal set destination = 'bank'`, 'withdrawal_addresses'],
  ['a withdrawal that ended before it began', `update withdrawal set updated_at = created_at - interval '1 ms'`, 'withdrawal_times'],
  ['a withdrawal of a sixth status', `update withdrawal set status = 'lost'`, 'withdrawal_status_check'],
  ['to forget whose a withdrawal was', `delete from users where username = 'Alice'`, 'withdrawal_user_id_foreign'],
  ['a comment that says nothing', `update comment set content = ''`, 'comment_content'],
  ['a deleted comment that still says something', 'update comment set deleted_at = now()', 'comment_content'],
  ['a comment longer than 2000 characters', `update comment set content = repeat('a', 2001)`, 'comment_content'],
  ['a comment that answers itself', 'update comment set parent_id = id', 'comment_not_its_own_answer'],
  ['a comment liked twice by one', 'insert into comment_mark select * from comment_mark', 'comment_mark_pkey'],
  ['a mark of a third kind', `update comment_mark set kind = 'wow'`, 'comment_mark_kind_check'],
  ['a trading secret in clear', `update trading_credential set secret = 'AAECAw=='`, 'trading_credential_is_sealed'],
  ['a passphrase in clear', `update trading_credential set passphrase = '0c61'`, 'trading_credential_is_sealed'],
  ['credentials of a third kind', `update trading_credential set set = 'bank'`, 'trading_credential_set_check'],
  ['credentials of no account', `update trading_credential set address = '0x1'`, 'trading_credential_address_form'],
  ['credentials without a key', `update trading_credential set key = ''`, 'trading_credential_key_length'],
  ['two pairs of one set', `insert into trading_credential select * from trading_credential`, 'trading_credential_pkey'],
  ['a sixth device', `insert into trading_context select user_id, 5, sha256('b'), now() from trading_context`, 'trading_context_slot'],
  [
    'two devices in one place',
    `insert into trading_context select user_id, 0, sha256('b'), now() from trading_context`,
    'trading_context_pkey',
  ],
  [
    'a device with two places',
    `insert into trading_context select user_id, 1, context_hash, now() from trading_context`,
    'trading_context_hash_unique',
  ],
  ['a device that is not hashed', `update trading_context set context_hash = 'a'`, 'trading_context_hash_length'],
  ['the same bookmark twice', `insert into bookmark select * from bookmark`, 'bookmark_pkey'],
  ['a bookmark of nothing', `insert into bookmark select id, uuidv7() from users`, 'bookmark_event_id_foreign'],
  [
    'one thing told twice',
    `insert into notification (user_id, source, category, title, description, created_at)
     select user_id, source, category, title, '', now() from notification`,
    'notification_source_unique',
  ],
  ['a notification without a title', `update notification set title = ''`, 'notification_texts'],
  ['a notification of an unknown category', `update notification set category = 'spam'`, 'notification_category_check'],
  ['a link of an unknown kind', `update notification set link_type = 'page'`, 'notification_link_type_check'],
  ['a link to nowhere that leads somewhere', `update notification set link_target = 'x'`, 'notification_link'],
  [
    'an audited action without a name',
    `insert into audit_log (at, action, client_address) values (now(), '', '')`,
    'audit_log_action_form',
  ],
]

test.each(REFUSED)('the database refuses %s', async (_, sql, constraint) => {
  await expect(client.query(sql)).rejects.toMatchObject({ constraint })
})

test('what a market shows of its outcomes is what they are', async () => {
  const shown = async () => (await client.query('select yes_token, yes_text, no_token, no_text from market')).rows
  expect(await shown()).toEqual([{ yes_token: '11', yes_text: 'Yes', no_token: '12', no_text: 'No' }])
  await client.query(`update outcome set text = 'Up' where index = 0`)
  expect(await shown()).toEqual([{ yes_token: '11', yes_text: 'Up', no_token: '12', no_text: 'No' }])
  await client.query(`update outcome set text = case index when 0 then 'Yes' else 'Down' end`)
  expect(await shown()).toEqual([{ yes_token: '11', yes_text: 'Yes', no_token: '12', no_text: 'Down' }])
})
