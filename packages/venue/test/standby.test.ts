import { setTimeout as wait } from 'node:timers/promises'
import { query } from '@augury/testing/connection'
import { expect, onTestFinished, test } from 'vitest'
import type { AppliedRow } from '../src/record/log/applied-row.ts'
import type { Venue } from '../src/record/venue.ts'
import { deposit } from './commands.ts'
import { clobDatabase, startVenue } from './fixture.ts'
import { randomCommands } from './random-commands.ts'

const PATIENCE = { timeout: 20_000, interval: 20 }
/** Longer than a writer may be silent. */
const LONG_MS = 5000
const submitAll = (venue: Pick<Venue, 'submit'>, seed: number, count: number, prefix = '') =>
  Promise.all([...randomCommands(seed, count, prefix)].map((command) => venue.submit(command)))

test('a standby sees every row that the writer wrote, refuses to write, and goes on where the writer ends', async () => {
  const url = await clobDatabase()
  const primary = await startVenue(url)
  await submitAll(primary, 1, 50)
  const standby = await startVenue(url, { standby: true })
  expect(standby.exchange.seq).toBe(57)
  expect(standby.status()).toMatchObject({ writer: 'standby', verified: false, seq: 57, epoch: 0 })
  await expect(standby.submit(deposit('ann', 1))).rejects.toMatchObject({ code: 'standby' })

  const [written, seen, followed]: [AppliedRow[], AppliedRow[], number[]] = [[], [], []]
  primary.onRow((row) => void written.push(row))
  standby.onRow((row) => void seen.push(row))
  standby.onFollow(async ({ firstSeq }) => {
    expect(standby.exchange.seq).toBe(firstSeq - 1) // not applied yet
    followed.push(firstSeq)
  })
  let prepared = 0
  standby.onTakeOver(async () => {
    prepared = standby.exchange.seq
  })
  for (const part of ['b', 'c', 'd']) await submitAll(primary, 2, 50, part)
  await expect.poll(() => standby.exchange.seq, PATIENCE).toBe(207)
  await expect.poll(() => standby.readModel.projectedSeq(), PATIENCE).toBe(207)
  expect(standby.exchange.digest()).toBe(primary.exchange.digest())
  expect(seen).toEqual(written)
  expect(followed).toEqual(written.map(({ firstSeq }) => firstSeq))
  expect(prepared).toBe(0)

  await Promise.all([submitAll(primary, 3, 30, 'e'), primary.drain()])
  await expect.poll(() => standby.status().writer, PATIENCE).toBe('primary')
  expect(prepared).toBe(237)
  const { seq } = await standby.submit(deposit('ann', 1))
  expect({ seq, epoch: standby.epoch, seen: seen.at(-1)!.lastSeq }).toEqual({ seq: 238, epoch: 2, seen: 238 })
  await expect(primary.submit(deposit('ann', 1))).rejects.toMatchObject({ code: 'service_unavailable' })
  await expect.poll(() => standby.readModel.projectedSeq(), PATIENCE).toBe(238)
})

test('a standby outlives every loss of its connections', async () => {
  const url = await clobDatabase()
  const primary = await startVenue(url)
  const standby = await startVenue(url, { standby: true })
  for (const part of ['', 'b', 'c', 'd', 'e']) {
    await submitAll(primary, 4, 20, part)
    await query(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'augury recovery%'`,
    )
  }
  await expect.poll(() => standby.exchange.seq, PATIENCE).toBe(primary.exchange.seq)
  expect(standby.exchange.digest()).toBe(primary.exchange.digest())
  expect(standby.reports.told.join()).toMatch(/the database is away/)
  await primary.close()
  await expect.poll(() => standby.status().writer, PATIENCE).toBe('primary')
})

test('a standby whose line has fallen silent reads on over another, and takes over', async () => {
  const url = await clobDatabase()
  const primary = await startVenue(url)
  const standby = await startVenue(url, { standby: true })
  const reading = `select pid from pg_stat_activity where datname = current_database() and application_name like 'augury recovery%'`
  const [{ pid }] = await query(url, reading)
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(pid, 'SIGCONT'))
  await primary.close()
  await expect.poll(() => standby.status().writer, PATIENCE).toBe('primary')
})

test('a stopping standby gives up waiting, and the writer does not notice', async () => {
  const url = await clobDatabase()
  const primary = await startVenue(url)
  const standby = await startVenue(url, { standby: true })
  await standby.close()
  expect(standby.reports.fatal).toEqual([])
  await submitAll(primary, 5, 20)
  expect(primary.epoch).toBe(1)
})

test('the holder of the lease keeps it while it gets ready to write, however long that takes', async () => {
  const url = await clobDatabase()
  const primary = await startVenue(url)
  const slow = await startVenue(url, { standby: true })
  const [begins, waitsToo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  slow.onTakeOver(async () => {
    begins.resolve()
    await waitsToo.promise
    await wait(LONG_MS)
  })
  await primary.close()
  await begins.promise
  const other = await startVenue(url, { standby: true })
  waitsToo.resolve()
  await expect.poll(() => slow.status().writer, PATIENCE).toBe('primary')
  expect([slow.epoch, slow.reports.fatal, other.status().writer]).toEqual([2, [], 'standby'])
})

test('rows that lead elsewhere end a standby', async () => {
  const url = await clobDatabase()
  const primary = await startVenue(url)
  const standby = await startVenue(url, { standby: true })
  standby.exchange.digest = () => 'another state 00'
  for (const part of ['', 'b', 'c']) await submitAll(primary, 6, 10, part)
  await expect.poll(() => standby.reports.fatal[0]?.message, PATIENCE).toMatch(/written over another state/)
  expect(standby.status().writer).toBe('draining')
})
