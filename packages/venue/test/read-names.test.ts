import { clientOrderHash } from '@augury/signing/order-id'
import { query } from '@augury/testing/connection'
import { expect, test } from 'vitest'
import { NameFilter } from '../src/base/name-filter.ts'
import { toHex } from '../src/base/postgres.ts'
import { readNames } from '../src/record/history/read-names.ts'
import { address, deposit, id, place, register } from './commands.ts'
import { clobDatabase } from './fixture.ts'
import { told } from './story.ts'

const never = new AbortController().signal

test('every name that history has is read: of all accounts, of any letters, and of more than one query', async () => {
  const { url } = await told([[0, [register('rain'), deposit('ann', 1000), place('a', 'ann', 'BUY', 0, 40, 10)]]], 2000)
  // Names as clients send them, and such as SQL or an order by language could stumble over.
  await query(
    url,
    `insert into placement select (jsonb_populate_record(original, jsonb_build_object(
       'seq', 1000 + copy,
       'order_id', sha256(copy::text::bytea),
       'account', substring(sha256((copy % 3)::text::bytea) for 20),
       'client_order_id', (array['bot-', 'BOT ', 'o''clock-', 'a\\b', 'é-', '🙂', ''])[1 + copy % 7] || copy))).*
     from placement original, generate_series(1, 25000) copy where original.order_id = '\\x${id('a').slice(2)}'`,
  )
  const rows = await query<{ account: Buffer; name: string }>(
    url,
    'select account, client_order_id as name from placement where client_order_id is not null',
  )
  expect(rows).toHaveLength(25_001)
  const filter = new NameFilter()
  await readNames(url, 'main', filter, never)
  const hashes = rows.map(({ account, name }) => clientOrderHash(toHex(account), name))
  expect(hashes.filter((hash) => !filter.mayHave(hash))).toEqual([])
  expect(filter.mayHave(clientOrderHash(address('ann'), 'bot-never'))).toBe(false)
  const other = new NameFilter()
  await readNames(url, 'another', other, never)
  expect(hashes.some((hash) => other.mayHave(hash))).toBe(false)
})

test('a database that is away, or a program that ends, ends the reading', async () => {
  const url = await clobDatabase()
  await expect(readNames(`${url}_gone`, 'main', new NameFilter(), never)).rejects.toThrow('does not exist')
  const closing = new AbortController()
  const reading = readNames(url, 'main', new NameFilter(), closing.signal)
  closing.abort()
  await expect(reading).rejects.toThrow('stopped')
  await expect(readNames(url, 'main', new NameFilter(), closing.signal)).rejects.toThrow('aborted')
})
