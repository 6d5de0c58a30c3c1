import { query } from '@augury/testing/connection'
import { createDatabase, migratedDatabase } from '@augury/testing/database'
import { expect, test } from 'vitest'
import { migrateClob, openClob } from '../src/clob/database.ts'

test('migrations build exactly the tables the entities describe, once, by any runner', async () => {
  const url = await createDatabase('clob')
  await Promise.all([migrateClob(url), migrateClob(url)])
  await migrateClob(url)

  const orm = await openClob(url)
  expect(await orm.migrator.checkSchema()).toBe(false)
  // That compares the entities with the last snapshot of them; the database itself only spells checks and defaults in words of its own.
  const differences = await orm.schema.getUpdateSchemaSQL({ wrap: false })
  expect(differences.split('\n').filter((line) => line !== '' && !/ constraint | set default /.test(line))).toEqual([])
  expect(await orm.migrator.getPending()).toEqual([])
  await orm.close()
})

const row = {
  stream: 'main',
  first_seq: 1,
  last_seq: 2,
  timeline: 1,
  epoch: 1,
  at: 1000,
  rules: 1,
  applied_through: 0,
  digest: '0'.repeat(16),
  commands: '\\x01',
  checksum: `\\x${'01'.repeat(32)}`,
  previous_checksum: `\\x${'00'.repeat(32)}`,
}

test.each([
  ['a row that ends before it begins', 'journal', { ...row, last_seq: 0 }, 'journal_positions'],
  ['a row that knows its own state', 'journal', { ...row, applied_through: 1 }, 'journal_positions'],
  ['a row without commands', 'journal', { ...row, commands: '\\x' }, 'journal_has_commands'],
  ['a checksum of another length', 'journal', { ...row, checksum: '\\x01' }, 'journal_checksum_length'],
  [
    'an order filled beyond its size',
    'order_state',
    {
      stream: 'main',
      order_id: `\\x${'11'.repeat(32)}`,
      lots: 5,
      matched: 6,
      matched_cost: 1,
      state: 'live',
      reason: null,
      seq: 1,
      ended_at: null,
    },
    'order_state_not_overfilled',
  ],
  [
    'a mint in which the two prices do not make one USDC',
    'fill',
    {
      ...{ stream: 'main', seq: 1, n: 1, at: 1, trade_n: 1, condition_id: `\\x${'22'.repeat(32)}`, kind: 'mint', lots: 1, fee: 0 },
      ...{
        taker_order_id: `\\x${'33'.repeat(32)}`,
        taker_account: `\\x${'44'.repeat(20)}`,
        taker_outcome: 0,
        taker_side: 'BUY',
        taker_price: 5000,
      },
      ...{
        maker_order_id: `\\x${'55'.repeat(32)}`,
        maker_account: `\\x${'66'.repeat(20)}`,
        maker_outcome: 1,
        maker_side: 'BUY',
        maker_price: 4999,
      },
    },
    'fill_kind',
  ],
  [
    'a balance below zero',
    'ledger_entry',
    { stream: 'main', seq: 1, n: 0, at: 1, account: `\\x${'44'.repeat(20)}`, delta: -1, balance: -1, reason: 'trade' },
    'ledger_entry_never_negative',
  ],
])('the database itself refuses %s', async (_, table, values, constraint) => {
  const url = await migratedDatabase('clob', migrateClob)
  const insert = query(url, `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [JSON.stringify([values])])
  await expect(insert).rejects.toMatchObject({ constraint })
})
