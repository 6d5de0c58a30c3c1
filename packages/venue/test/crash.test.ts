import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { migrateClob } from '@augury/domain/clob/database'
import { startChild } from '@augury/testing/child-process'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { startThrowawayServer } from '@augury/testing/throwaway-server'
import { expect, onTestFinished, test } from 'vitest'
import { clobDatabase, startVenue } from './fixture.ts'
import { randomCommands } from './random-commands.ts'
import { truth } from './truth.ts'
import { told } from './writer-child.ts'

test('killed in the middle of its work, again and again: everything it said is true after the restart', async () => {
  const url = await clobDatabase()
  const dataDir = temporaryFolder('writer')
  const heard: string[] = []
  for (let round = 0; round < 6; round++) {
    const child = startChild(process.execPath, [join(import.meta.dirname, 'writer-child.ts'), url, dataDir, round === 0 ? '' : `${round}-`])
    await child.waitFor(/^told/m)
    const said = 80 + round * 20
    await expect.poll(() => child.output().split('\ntold ').length, { interval: 20 }).toBeGreaterThan(said)
    await wait(round * 7)
    await child.stop('SIGKILL')
    expect(child.output()).not.toMatch(/fatal/)
    heard.push(...[...child.output().matchAll(/^told (.+)\n/gm)].map(([, line]) => line!))
  }
  const venue = await startVenue(url)
  await venue.close()
  expect(venue.readModel.projectedSeq()).toBe(venue.exchange.seq)
  const { lines, digest } = await truth(url)
  expect(heard.length).toBeGreaterThan(500)
  expect(heard.filter((line) => !lines.has(line))).toEqual([])
  expect(venue.exchange.digest()).toBe(digest)
})

test('the database dies under load and comes back: every answer is true, and it recovers by itself', async () => {
  const server = await startThrowawayServer({ durable: true })
  onTestFinished(() => server.remove())
  const url = server.url('postgres')
  await migrateClob(url)
  const venue = await startVenue(url, { requireDurability: true })
  const heard: string[] = []
  let isDone = false
  let parts = 0
  const trading = (async () => {
    for (; !isDone; parts++) {
      await Promise.all(
        [...randomCommands(parts, 50, parts === 0 ? '' : `${parts}-`)].map(async (command) => {
          const { seq, events } = await venue.submit(command)
          heard.push(told(seq, command, events))
        }),
      )
      await wait(5)
    }
  })()
  for (const mode of ['immediate', 'fast'] as const) {
    await expect.poll(() => parts).toBeGreaterThan(3)
    await server.stop(mode)
    parts = 0
    await expect.poll(() => venue.status().verified).toBe(false)
    await server.start()
    await expect.poll(() => venue.status().verified).toBe(true)
  }
  await expect.poll(() => parts).toBeGreaterThan(3)
  isDone = true
  await trading // no client got an error

  const { lines, digest } = await truth(url)
  expect(heard.filter((line) => !lines.has(line))).toEqual([])
  expect(venue.exchange.digest()).toBe(digest)
  expect(venue.reports.fatal).toEqual([])
  await expect.poll(() => venue.readModel.projectedSeq()).toBe(venue.exchange.seq)
  await venue.close()
})
