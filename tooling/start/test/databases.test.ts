import { migrateClob } from '@augury/domain/clob/database'
import { startSettings } from '@augury/settings/env'
import { query, withConnection } from '@augury/testing/connection'
import { migratedDatabase } from '@augury/testing/database'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'
import { requireNoWriter } from '../src/databases.ts'

const LEASE = `insert into lease (stream, epoch, timeline, backend_pid, holder, verified_at) values ('main', 1, 1, $1, 'attic/1234/x', $2)`

test('a start detects another writer, and not one that has ended', async () => {
  const url = await migratedDatabase('clob', migrateClob)
  const settings = startSettings({ CLOB_DATABASE_URL: url, DATA_DIR: temporaryFolder('writer') })
  await requireNoWriter(settings)
  await withConnection(url, async (client) => {
    const { rows } = await client.query('select pg_backend_pid() as pid, now() as now')
    await client.query(LEASE, [rows[0].pid, rows[0].now])
    await expect(requireNoWriter(settings)).rejects.toThrow('Process 1234 on attic already writes to the database of the exchange')
    await query(url, `update lease set verified_at = now() - interval '1 day'`) // this session has the number of the one that wrote then
    await requireNoWriter(settings)
    await query(url, 'update lease set verified_at = now()')
  })
  await requireNoWriter(settings)
})
