import { expect, test } from 'vitest'
import { connect, connection } from '../src/base/postgres.ts'
import { selectByCopy } from '../src/base/select-by-copy.ts'
import { clobDatabase } from './fixture.ts'

test('bytes come as they are kept, however many, and what cannot be read is refused', async () => {
  const client = await connect(connection(await clobDatabase(), 'test'))
  const rows = `
    select n::text as number, case when n % 3 > 0 then decode(repeat(lpad(to_hex(n), 2, '0'), n * 10000), 'hex') end, 'é'
    from generate_series(0, 40) n order by n`
  const read = await selectByCopy(client, rows)
  expect(read.map(([n]) => String(n))).toEqual(Array.from({ length: 41 }, (_, n) => String(n)))
  const expected = (n: number) => (n % 3 > 0 ? Buffer.alloc(n * 10_000, n) : Buffer.alloc(0))
  expect(read.filter(([, bytes], n) => !bytes!.equals(expected(n)))).toEqual([])
  expect(new Set(read.map(([, , text]) => String(text)))).toEqual(new Set(['é']))

  expect(await selectByCopy(client, 'select 1 where false')).toEqual([])
  await expect(selectByCopy(client, 'select * from nowhere')).rejects.toMatchObject({ code: '42P01' })
  await expect(selectByCopy(client, `select 1 / n from generate_series(1, 0, -1) n`)).rejects.toMatchObject({ code: '22012' })
  expect((await selectByCopy(client, `select 'whole again'`))[0]!.map(String)).toEqual(['whole again'])
  await client.end()
})
