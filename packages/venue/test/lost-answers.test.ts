import type { Command } from '@augury/engine/command'
import type { Verdict } from '@augury/testing/cut-line'
import { prng } from '@augury/testing/prng'
import { expect, onTestFinished, test } from 'vitest'
import { cuttingProxy } from './cutting-proxy.ts'
import { clobDatabase, startVenue } from './fixture.ts'
import { randomCommands } from './random-commands.ts'
import { textOf, truth } from './truth.ts'

test('commits whose question or answer is lost: each happens once, in its place, and no caller gets an error', {
  timeout: 120_000,
}, async () => {
  const url = await clobDatabase()
  const { unit } = prng(7)
  const lost: Record<Verdict, number> = { pass: 0, 'cut before': 0, 'cut after': 0 }
  const proxy = await cuttingProxy(url, 'append', () => {
    const chance = unit()
    const verdict = chance < 0.25 ? 'cut before' : chance < 0.6 ? 'cut after' : 'pass'
    lost[verdict]++
    return verdict
  })
  onTestFinished(() => proxy.close())
  const venue = await startVenue(proxy.url)
  const sent: Command[] = []
  for (let part = 0; part < 150; part++) {
    const commands = [...randomCommands(part, 4, part === 0 ? '' : `${part}-`)]
    const results = await Promise.all(commands.map((command) => venue.submit(command)))
    sent.push(...commands)
    expect(results.map(({ seq }) => seq)).toEqual([...results].map((_, index) => results[0]!.seq + index))
  }
  await venue.close()
  expect(lost['cut before']).toBeGreaterThan(20)
  expect(lost['cut after']).toBeGreaterThan(40)
  const { commands, digest } = await truth(url)
  expect(commands.filter(({ type }) => type !== 'sweep').map(textOf)).toEqual(sent.map(textOf))
  expect(venue.exchange.digest()).toBe(digest)
  expect(venue.reports.fatal).toEqual([])
})
