import { migrateClob } from '@augury/domain/clob/database'
import { query } from '@augury/testing/connection'
import { startThrowawayServer } from '@augury/testing/throwaway-server'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { Fenced, GENESIS, type JournalRow, seal, type Tenure } from '../src/record/log/journal.ts'
import { PostgresJournal } from '../src/record/log/postgres-journal.ts'
import { clobDatabase } from './fixture.ts'

function journalOn(databaseUrl: string): PostgresJournal {
  const journal = new PostgresJournal({ databaseUrl, stream: 'main', requireDurability: false })
  onTestFinished(() => journal.close())
  return journal
}

/** The row of one command after the head of a tenure. */
const after = ({ timeline, epoch, head }: Omit<Tenure, 'storeTime'>, command = 1): JournalRow =>
  seal('main', {
    ...{ timeline, epoch, firstSeq: head.seq + 1, lastSeq: head.seq + 1, at: 1000 + head.seq, rules: 1, appliedThrough: head.seq },
    ...{ digest: '0123456789abcdef', commands: Buffer.of(command, 2, 3, 4), previousChecksum: head.checksum },
  })

test('rows come back as they were written, in order, each tied to the one before', async () => {
  const journal = journalOn(await clobDatabase())
  const tenure = await journal.acquire()
  expect(tenure).toMatchObject({ timeline: 1, epoch: 1, head: { seq: 0, at: 0, checksum: GENESIS } })
  const first = after(tenure)
  const second = after({ ...tenure, head: { seq: 1, at: 1000, checksum: first.checksum } })
  await journal.append(first)
  await journal.append(second)
  expect(await journal.read(0)).toEqual([first, second])
  expect(await journal.read(1)).toEqual([second])
  expect(await journal.checksumAt(2)).toBe(second.checksum)
  expect(await journal.checksumAt(3)).toBe(null)
})

test.each<[string, Partial<JournalRow>]>([
  ['the timeline', { timeline: 2 }],
  ['the epoch', { epoch: 2 }],
  ['a position', { firstSeq: 2 }],
  ['the end', { lastSeq: 9 }],
  ['the time', { at: 1001 }],
  ['the rules', { rules: 2 }],
  ['the state it was cut over', { appliedThrough: 1 }],
  ['the digest', { digest: '0'.repeat(16) }],
  ['the commands', { commands: Buffer.of(1, 2, 3, 5) }],
  ['the predecessor', { previousChecksum: '1'.repeat(64) }],
])('the checksum covers %s', (_, change) => {
  const row = after({ timeline: 1, epoch: 1, head: { seq: 0, at: 0, checksum: GENESIS } })
  expect(seal('main', { ...row, ...change }).checksum).not.toBe(row.checksum)
  expect(seal('other', row).checksum).not.toBe(row.checksum)
})

test('a row that does not name the head, or names another epoch or timeline, is not written', async () => {
  const url = await clobDatabase()
  const journal = journalOn(url)
  const tenure = await journal.acquire()
  const head = after(tenure)
  await journal.append(head)
  const next = { ...tenure, head: { seq: 1, at: 1000, checksum: head.checksum } }
  for (const wrong of [
    after({ ...next, head: { ...next.head, checksum: GENESIS } }),
    after({ ...next, epoch: 2 }),
    after({ ...next, timeline: 2 }),
    after(tenure, 9),
  ]) {
    await expect(journal.append(wrong)).rejects.toThrow(Fenced)
  }
  expect(await query(url, 'select count(*)::int as rows from journal')).toEqual([{ rows: 1 }])
})

test('a second writer waits for the first, and takes over when its connection is gone', async () => {
  const url = await clobDatabase()
  const [first, second] = [journalOn(url), journalOn(url)]
  const tenure = await first.acquire()
  let isWaiting = true
  const taking = second.acquire().finally(() => (isWaiting = false))
  await first.append(after(tenure))
  expect(isWaiting).toBe(true)
  await first.close()
  expect(await taking).toMatchObject({ epoch: 2, head: { seq: 1 } })
})

/** Makes the writer of a stream look dead. */
const silence = (url: string) => query(url, `update lease set verified_at = now() - interval '4 seconds'`)

test('a commit held open across a takeover is not written, and its writer learns that it was replaced', async () => {
  const url = await clobDatabase()
  const [silent, eager] = [journalOn(url), journalOn(url)]
  const tenure = await silent.acquire()
  await query(
    url,
    `create function hang() returns trigger language plpgsql as 'begin perform pg_sleep(60); return new; end';
     create trigger hang before insert on journal for each row execute function hang()`,
  )
  await silence(url)
  const hanging = silent.append(after(tenure))
  hanging.catch(() => {})
  expect(await eager.acquire()).toMatchObject({ epoch: 2, head: { seq: 0 } })
  await expect(hanging).rejects.not.toThrow(Fenced) // its end of the connection only knows that it is gone
  await expect(silent.acquire()).rejects.toThrow(Fenced)
  expect(await query(url, 'select count(*)::int as rows from journal')).toEqual([{ rows: 0 }])
})

test('a row that meets a takeover waits for it, and is not written when the epoch has changed', async () => {
  const url = await clobDatabase()
  const journal = journalOn(url)
  const tenure = await journal.acquire()
  const taker = new pg.Client(url)
  await taker.connect()
  await taker.query('begin')
  await taker.query('update lease set epoch = epoch + 1')
  let isWritten = false
  const writing = journal.append(after(tenure)).then(() => (isWritten = true))
  writing.catch(() => {})
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => isWritten || (await query(url, waiting)).length > 0).toBe(true)
  await taker.query('commit')
  await taker.end()
  await expect(writing).rejects.toThrow(Fenced)
})

test('writers while another takes over: one chain, no hole, and what was acknowledged is in it', async () => {
  const url = await clobDatabase()
  let writer = journalOn(url)
  let tenure = await writer.acquire()
  const acknowledged: string[] = []
  for (let round = 0; round < 20; round++) {
    const next = journalOn(url)
    await silence(url)
    const row = after(tenure)
    const writing = writer.append(row).then(
      () => acknowledged.push(row.checksum),
      () => {},
    )
    const [taken] = await Promise.all([next.acquire(), writing])
    expect([row.checksum, row.previousChecksum]).toContain(taken.head.checksum)
    await expect(writer.append(after(tenure, 7))).rejects.toThrow()
    await expect(writer.acquire()).rejects.toThrow(Fenced)
    writer = next
    tenure = taken
  }
  const rows: JournalRow[] = []
  for (let read = await writer.read(0); read.length > 0; read = await writer.read(rows.length)) rows.push(...read)
  rows.forEach((row, index) => {
    expect(row.firstSeq).toBe(index + 1)
    expect(row.previousChecksum).toBe(rows[index - 1]?.checksum ?? GENESIS)
  })
  expect(rows.map(({ checksum }) => checksum)).toEqual(expect.arrayContaining(acknowledged))
  expect(tenure.epoch).toBe(21)
})

test('after a crash of the database another writer waits out the lease of one that may not have heard of it', async () => {
  const server = await startThrowawayServer()
  onTestFinished(() => server.remove())
  const url = server.url('postgres')
  await migrateClob(url)
  const [first, second] = [journalOn(url), journalOn(url)]
  await first.acquire()
  const told = await query(url, 'select (extract(epoch from verified_at) * 1000)::int8 as at from lease')
  await server.stop('immediate')
  await server.start()
  const tenure = await second.acquire()
  expect(tenure.epoch).toBe(2)
  expect(tenure.storeTime - Number(told[0].at)).toBeGreaterThan(3000)
})

test('after a crash of the database its writer goes on at once', async () => {
  const server = await startThrowawayServer()
  onTestFinished(() => server.remove())
  const url = server.url('postgres')
  await migrateClob(url)
  const [first, second] = [journalOn(url), journalOn(url)]
  await first.acquire()
  await server.stop('immediate')
  await server.start()
  const waiting = second.acquire()
  waiting.catch(() => {})
  expect(await first.acquire()).toMatchObject({ epoch: 2 })
  await second.close()
})
