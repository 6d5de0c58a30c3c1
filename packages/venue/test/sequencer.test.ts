import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { decodeCommands } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { query } from '@augury/testing/connection'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'
import { type Clock, hostClock } from '../src/base/clock.ts'
import { connect, connection } from '../src/base/postgres.ts'
import { EMPTY, Fenced, type Head, type Journal, type JournalRow } from '../src/record/log/journal.ts'
import { Replica } from '../src/record/log/replica.ts'
import { Sequencer } from '../src/record/log/sequencer.ts'
import { address, deposit, id, place, register } from './commands.ts'
import { clobDatabase, startVenue } from './fixture.ts'
import { randomCommands } from './random-commands.ts'
import { textOf, truth } from './truth.ts'

test('commands that arrive together share a row and its time, and are answered in order of arrival', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url)
  const rows: [number, number][] = []
  venue.onRow(({ firstSeq, lastSeq }) => rows.push([firstSeq, lastSeq]))
  const answered: number[] = []
  const results = await Promise.all(
    [...randomCommands(1, 93)].map(async (command) => {
      const result = await venue.submit(command)
      answered.push(result.seq)
      return result
    }),
  )
  expect(answered).toEqual(results.map((_, index) => index + 1))
  expect(rows[0]).toEqual([1, 1 + 99])
  expect(new Set(results.map(({ at }) => at)).size).toBe(1)
})

test('an order is ended by a sweep at its time, without anybody asking', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url)
  for (const command of [register('rain'), deposit('ann', 100)]) await venue.submit(command)
  const expiration = Math.ceil(venue.now() / 1000) + 3
  const ended = new Promise<number>((resolve) => {
    venue.onRow(({ at, outcomes }) => {
      if (outcomes.some(({ events }) => events.some(({ type }) => type === 'ended'))) resolve(at)
    })
  })
  await venue.submit(place('a', 'ann', 'BUY', 0, 50, 10, { orderType: 'GTD', expiration }))
  expect(await ended).toBeGreaterThanOrEqual(expiration * 1000)
  expect(venue.exchange.order(id('a'))).toMatchObject({ state: 'expired', reason: 'expired' })
  expect(venue.exchange.balance(address('ann'))).toMatchObject({ held: 0 })
  const { commands } = await truth(url)
  expect(commands.map(({ type }) => type)).toEqual(['register', 'deposit', 'place', 'sweep'])
})

/** How often the connection is cut before the writer gets to write a row. */
const CUTS_A_ROW = 3

test('the connection is cut again and again under load: every verdict stands, and no caller gets an error', {
  timeout: 120_000,
}, async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url)
  const cut = `select pg_terminate_backend(backend_pid) from lease where stream = 'main'`
  let isDone = false
  let [cuts, left] = [0, CUTS_A_ROW]
  let wake = () => {}
  venue.onRow(() => {
    left = CUTS_A_ROW
    wake()
  })
  const cutting = (async () => {
    const client = await connect(connection(url, 'scissors'))
    while (!isDone) {
      // Scissors that never rest are as fast as the machine lets them: a slow writer would get nothing done, and give up.
      if (left === 0) await new Promise<void>((resolve) => (wake = resolve))
      await client.query(cut)
      left--
      await wait(cuts++ % 7)
    }
    await client.end()
  })()

  const sent: Command[] = []
  const results = new Map<number, Command>()
  for (let part = 0; part < 12 || cuts <= 20 || venue.epoch <= 5; part++) {
    const commands = [...randomCommands(part, 40, part === 0 ? '' : `${part}-`)]
    sent.push(...commands)
    await Promise.all(commands.map(async (command) => results.set((await venue.submit(command)).seq, command)))
  }
  isDone = true
  wake()
  await cutting

  const { commands, digest } = await truth(url)
  expect(commands.filter(({ type }) => type !== 'sweep').map(textOf)).toEqual(sent.map(textOf)) // each once, in the order they arrived
  for (const [seq, command] of results) expect(textOf(commands[seq - 1]!)).toBe(textOf(command))
  expect(digest).toBe(venue.exchange.digest())
  expect(venue.reports.fatal).toEqual([])
})

test('a writer that was replaced stops, and says of nothing that it did not happen', async () => {
  const url = await clobDatabase()
  const replaced = await startVenue(url)
  await replaced.submit(register('rain'))
  // Another process takes over: it ends the connection and puts its name into the lease.
  await query(url, `update lease set epoch = epoch + 1, holder = 'another'`)
  const submitting = replaced.submit(deposit('ann', 1))
  await expect(submitting).rejects.toThrow()
  expect(await submitting.catch((error: Error) => error.name)).toBe('OutcomeUnknown')
  expect(replaced.reports.fatal.map(({ name }) => name)).toEqual(['Fenced'])
  expect(replaced.status().verified).toBe(false)
  await expect(replaced.submit(deposit('ann', 1))).rejects.toMatchObject({ code: 'service_unavailable' })
})

test('a bug of the engine stops everything, leaves what it was doing in the data folder, and answers no caller', async () => {
  const url = await clobDatabase()
  const dataDir = temporaryFolder('fault')
  const venue = await startVenue(url, { dataDir })
  await venue.submit(register('rain'))
  venue.exchange.applyRow = () => {
    throw new Error('an invariant is broken')
  }
  expect(await venue.submit(deposit('ann', 1)).catch((error: Error) => error.name)).toBe('OutcomeUnknown')
  await expect(venue.submit(deposit('ann', 1))).rejects.toMatchObject({ code: 'service_unavailable' })
  expect(venue.reports.fatal.map(({ message }) => message)).toEqual(['an invariant is broken'])
  const [file] = readdirSync(dataDir)
  const dump = JSON.parse(readFileSync(join(dataDir, file!), 'utf8'))
  expect(dump.error).toMatch(/an invariant is broken/)
  expect(dump.rows.map(({ commands }: { commands: Command[] }) => commands[0]!.type)).toEqual(['register', 'deposit'])
  const { commands } = await truth(url)
  expect(commands).toHaveLength(2) // it was committed: the next process applies it
})

test('what waits at the end is finished, what comes after is turned away', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url)
  const results = [...randomCommands(5, 200)].map((command) => venue.submit(command))
  const closing = venue.close()
  await expect(venue.submit(deposit('ann', 1))).rejects.toMatchObject({ code: 'service_unavailable' })
  expect(await Promise.all(results)).toHaveLength(207)
  await closing
  const { commands } = await truth(url)
  expect(commands).toHaveLength(207)
})

test('budgets can be refilled from the rows since a time', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url)
  await venue.submit(register('rain'))
  const { at } = await venue.submit(deposit('ann', 1))
  const found = []
  for await (const { lastSeq, commands } of venue.rowsSince(at)) found.push([lastSeq, decodeCommands(commands).at(-1)!.type])
  expect(found.at(-1)).toEqual([2, 'deposit'])
  for await (const later of venue.rowsSince(at + 60_000)) expect.unreachable(`${later.lastSeq}`)
})

/** A clock that a test moves, and a journal that can be out of reach. */
function outage() {
  let now = 1_800_000_000_000
  let timers: { at: number; call: () => void }[] = []
  const clock: Clock = {
    wall: () => now,
    monotonic: () => now,
    after(ms, call) {
      const timer = { at: now + ms, call }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
  }
  const pass = async (seconds: number) => {
    for (let tenths = 0; tenths < seconds * 10; tenths++) {
      now += 100
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { call } of due) call()
      for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate)
    }
  }
  const rows: JournalRow[] = []
  const reach = { isLost: false }
  const reached = async () => {
    if (reach.isLost) throw new Error('out of reach')
  }
  const head = (): Head => {
    const last = rows.at(-1)
    return last ? { seq: last.lastSeq, at: last.at, checksum: last.checksum } : EMPTY
  }
  let epoch = 1
  const journal: Journal = {
    stream: 'main',
    read: async () => [],
    checksumAt: async () => null,
    acquire: async () => {
      await reached()
      return { timeline: 1, epoch: ++epoch, head: head(), storeTime: now }
    },
    append: async (row) => {
      await reached()
      rows.push(row)
    },
    verify: reached,
    close: async () => {},
  }
  const replica = new Replica('main')
  const fatal: Error[] = []
  const tenure = { timeline: 1, epoch, head: EMPTY, storeTime: now }
  const sequencer = new Sequencer({ journal, replica, tenure, clock, onRow() {}, onFatal: (error) => void fatal.push(error) })
  return { sequencer, replica, rows, reach, pass, fatal }
}

test.each([
  [7, 'is written after all', ['deposit', 'deposit', 'deposit']],
  [150, 'without a waiting caller is never written', ['deposit', 'deposit']],
])('after %i seconds without the database a row that was not written %s', async (seconds, _, written) => {
  const { sequencer, replica, rows, reach, pass, fatal } = outage()
  const submit = async (command: Command) => {
    const heard = sequencer.submit(command).then(
      ({ seq }) => `at ${seq}`,
      ({ name }: Error) => name,
    )
    await pass(0.2)
    return { heard }
  }
  expect(await (await submit(deposit('ann', 1, 'first'))).heard).toBe('at 1')
  reach.isLost = true
  const { heard } = await submit(deposit('ann', 1, 'second'))
  await pass(seconds)
  reach.isLost = false
  await pass(2)
  expect(await heard).toBe(seconds > 9 ? 'OutcomeUnknown' : 'at 2')
  expect(await (await submit(deposit('ann', 1, 'third'))).heard).toBe(`at ${written.length}`)
  expect(rows.map(({ commands }) => decodeCommands(commands).map(({ type }) => type))).toEqual(written.map((type) => [type]))
  expect(replica.exchange.balance(address('ann')).free).toBe(written.length * 1_000_000)
  expect(fatal).toEqual([])
  const drained = sequencer.drain()
  await pass(1)
  await drained
})

test('a writer counts as such from when its lease is proven, and writes nothing before', async () => {
  const proof = Promise.withResolvers<void>()
  const appended: number[] = []
  const journal = {
    stream: 'main',
    append: async ({ firstSeq }: JournalRow) => void appended.push(firstSeq),
    verify: () => proof.promise,
  } as unknown as Journal
  const sequencer = new Sequencer({
    ...{ journal, replica: new Replica('main'), tenure: { timeline: 1, epoch: 1, head: EMPTY, storeTime: 0 }, clock: hostClock },
    onRow: () => {},
    onFatal: (error) => {
      throw error
    },
  })
  const submitted = sequencer.submit(deposit('ann', 1))
  await wait(20)
  expect([sequencer.verified, appended]).toEqual([false, []])
  proof.resolve()
  await submitted
  expect([sequencer.verified, appended]).toEqual([true, [1]])
  await sequencer.drain()
})

test('a writer that is replaced when its row is written, and before it is applied, answers every caller', async () => {
  let now = 0
  let isReplaced = false
  const journal = {
    stream: 'main',
    append: async () => {
      now += 2000 // so long that the lease has to be renewed
      isReplaced = true
    },
    verify: async () => {
      if (isReplaced) throw new Fenced('another writes')
    },
  } as unknown as Journal
  const fatal: Error[] = []
  const sequencer = new Sequencer({
    ...{ journal, replica: new Replica('main'), tenure: { timeline: 1, epoch: 1, head: EMPTY, storeTime: 0 } },
    clock: { ...hostClock, monotonic: () => now },
    onRow: () => {},
    onFatal: (error) => void fatal.push(error),
  })
  expect(await sequencer.submit(deposit('ann', 1)).catch(({ name }: Error) => name)).toBe('OutcomeUnknown')
  expect(fatal.map(({ name }) => name)).toEqual(['Fenced'])
})
