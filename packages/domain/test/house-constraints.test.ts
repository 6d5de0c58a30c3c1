import { migratedDatabase } from '@augury/testing/database'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratePlatform } from '../src/platform/database.ts'

const ADDRESS = `0x${'c'.repeat(40)}`

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client(await migratedDatabase('platform', migratePlatform))
  await client.connect()
  await client.query(`insert into admin_wallet (address, created_at) values ('${ADDRESS}', now())`)
  await client.query(`insert into admin_claim (token_hash, expires_at) values (sha256('a'), now())`)
  await client.query(`insert into settings_version (group_name, number, values, created_at) values ('general', 1, '{}', now())`)
  await client.query(`insert into sealed_setting (name, sealed, changed_at) values ('ai.apiKey', 'v1.1.x', now())`)
  await client.query(
    `insert into theme (name, tokens, version, activated_at, created_at, updated_at) values ('Night', '{}', 1, now(), now(), now())`,
  )
  await client.query(`insert into event (slug, title, creator) values ('cup', 'Cup', '${ADDRESS}')`)
  await client.query(`insert into event_draft (content, created_at, updated_at) values ('{}', now(), now())`)
  await client.query(
    `insert into event_series (slug, content, recurrence, next_end, created_at, updated_at) values ('rain', '{}', 'daily', now(), now(), now())`,
  )
  await client.query(
    `insert into translation (kind, subject, locale, text, by_person, updated_at) select 'event', id, 'es', 'Copa', true, now() from event`,
  )
  await client.query(`insert into model_call (at, purpose, model, tokens, cost) values (now(), 'rules', 'm', 1, 1)`)
  await client.query(`insert into site_day (day) values (current_date)`)
  await client.query(`insert into audit_log (at, action, client_address) values (now(), 'admin_added', '')`)
})
afterAll(() => client.end())

test.each([
  ['an admin without an address', `update admin_wallet set address = 'root'`, 'admin_wallet_address_form'],
  ['an admin link in clear', `update admin_claim set token_hash = 'a'`, 'admin_claim_token_hash_length'],
  ['settings without a name', `update settings_version set group_name = ''`, 'settings_version_form'],
  ['settings before the first', `update settings_version set number = 0`, 'settings_version_form'],
  ['one version of settings twice', `insert into settings_version select * from settings_version`, 'settings_version_pkey'],
  ['settings that are a list', `update settings_version set values = '[]'`, 'settings_version_values'],
  ['a secret of the settings in clear', `update sealed_setting set sealed = 'sk-or-v1'`, 'sealed_setting_is_sealed'],
  ['a secret of no group', `update sealed_setting set name = 'apiKey'`, 'sealed_setting_name'],
  ['a theme without a name', `update theme set name = ''`, 'theme_name'],
  ['a theme of code', `update theme set tokens = '"body{}"'`, 'theme_tokens'],
  ['a theme of the site that is a draft', `update theme set version = null`, 'theme_version'],
  ['a draft of text', `update event_draft set content = '"x"'`, 'event_draft_content'],
  ['a draft that is published as nothing', `update event_draft set state = 'published'`, 'event_draft_has_event'],
  ['a draft that has an event already', `update event_draft set event_id = (select id from event)`, 'event_draft_has_event'],
  ['a draft of a fourth state', `update event_draft set state = 'lost', event_id = (select id from event)`, 'event_draft_state_check'],
  ['a series that comes every year', `update event_series set recurrence = 'yearly'`, 'event_series_recurrence_check'],
  ['a series with a slug of two words', `update event_series set slug = 'A b'`, 'event_series_slug_form'],
  ['a translation into no language', `update translation set locale = 'english'`, 'translation_locale'],
  ['an empty translation', `update translation set text = ''`, 'translation_text'],
  ['a translation of a third kind', `update translation set kind = 'market'`, 'translation_kind_check'],
  ['two translations into one language', `insert into translation select * from translation`, 'translation_pkey'],
  ['a question that earned money', `update model_call set cost = -1`, 'model_call_counts'],
  ['a day that lost volume', `update site_day set volume = -1`, 'site_day_not_negative'],
  ['a second end of the log', `insert into audit_head select 2, position, hash from audit_head`, 'audit_head_only_one'],
])('the database refuses %s', async (_, sql, constraint) => {
  await expect(client.query(sql)).rejects.toMatchObject({ constraint })
})

test.each([
  `update audit_log set action = 'nothing'`,
  `update audit_log set position = 7`,
  `update audit_log set position = null, hash = null`,
  'delete from audit_log',
  'truncate audit_log',
])('the log refuses %s', async (sql) => {
  await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' })
})

test('an entry takes its place in the chain when its transaction ends, whatever it says itself', async () => {
  await client.query('begin')
  await client.query(`insert into audit_log (at, action, client_address) values (now(), 'admin_added', '')`)
  const { rows } = await client.query('select position from audit_log order by id desc limit 1')
  expect(rows).toEqual([{ position: null }])
  await client.query('commit')
  const placed = await client.query('select position, octet_length(hash) as bytes from audit_log order by id')
  expect(placed.rows).toEqual([
    { position: 1, bytes: 32 },
    { position: 2, bytes: 32 },
  ])
  await expect(
    client.query(`insert into audit_log (at, action, client_address, position, hash) values (now(), 'x', '', 99, sha256('x'))`),
  ).rejects.toMatchObject({ code: '42501' })
})
