import { expect, test } from 'vitest'
import { connect, connection } from '../src/base/postgres.ts'
import { insertByCopy } from '../src/record/history/insert-by-copy.ts'
import { clobDatabase } from './fixture.ts'

const VALUES = [
  { id: 1, name: 'plain', count: -5, isOn: true, bytes: '\\x00ff' },
  { id: 2, name: 'tab\tline\nreturn\rback\\slash \\N “é” 🜚', count: Number.MAX_SAFE_INTEGER, isOn: false, bytes: '\\x' },
  { id: 3, name: '', count: null, isOn: null, bytes: null },
]

test('values come back as they went, and a row that is refused refuses all', async () => {
  const client = await connect(connection(await clobDatabase(), 'test'))
  await client.query('create table copied (id int primary key, name text, count int8, "isOn" bool, bytes bytea)')
  const quoted = VALUES.map(({ isOn, ...rest }) => ({ ...rest, '"isOn"': isOn }))
  await insertByCopy(client, 'copied', quoted)
  await insertByCopy(client, 'copied', [])
  const read = async () =>
    (await client.query(`select id, name, count, "isOn", '\\x' || encode(bytes, 'hex') as bytes from copied order by id`)).rows
  expect(await read()).toEqual(VALUES)

  await expect(insertByCopy(client, 'copied', [{ id: 4 }, { id: 3 }])).rejects.toMatchObject({ code: '23505' })
  await expect(insertByCopy(client, 'nowhere', [{ id: 4 }])).rejects.toMatchObject({ code: '42P01' })
  expect(await read()).toEqual(VALUES)
  expect(() => insertByCopy(client, 'copied', [{ id: {} }])).toThrow(/not a value/)
  await client.end()
})
