import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { crashEverywhere, damageEverywhere } from '../src/crash-points.ts'
import { powerCutsUnseen } from '../src/disasters.ts'
import { runSeed } from '../src/run-seed.ts'
import { readScript, replay } from '../src/shrink.ts'
import { tellHistory } from '../src/told-history.ts'
import { meet } from '../src/two-writers.ts'
import { runVenue } from '../src/venue-run.ts'

const seeds = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)
const REGRESSIONS = new URL('regressions/', import.meta.url)

describe('the engine does what the reference exchange does', () => {
  test.each(seeds(30))('SEED=%i, and goes on from its own snapshots', (seed) => {
    const run = runSeed(seed, { commands: 400, compare: true, thoroughEvery: 4 })
    expect(run.failure).toBeNull()
  })

  test.each(readdirSync(REGRESSIONS))('once it did not: %s', (file) => {
    expect(replay(readScript(readFileSync(new URL(file, REGRESSIONS), 'utf8')))).toBeNull()
  })
})

test('a long run without the reference exchange keeps every invariant', () => {
  const run = runSeed(14, { commands: 20_000, compare: false, thoroughEvery: 200 })
  expect(run.failure).toBeNull()
  expect(run.fills).toBeGreaterThan(100)
})

describe('the venue', () => {
  test.each(seeds(24))('lives through its disasters, and what clients saw is what is written (SEED=%i)', async (seed) => {
    expect((await runVenue(seed, 6000)).failure).toBeNull()
  })

  test.each([7, 8, 9, 10])('shows nothing old while the database is lost without an error (SEED=%i)', async (seed) => {
    expect((await runVenue(seed, 20_000, powerCutsUnseen)).failure).toBeNull()
  })

  test('comes up from every crash with all it answered and nothing that was never sent', async () => {
    const report = await crashEverywhere(1, 16, 400)
    expect(report).toMatchObject({ failure: null, recoveries: 400 })
  })

  test('refuses a damaged journal, and passes over snapshots of another history', async () => {
    expect((await damageEverywhere(1, 12, 15)).failure).toBeNull()
  })
})

// The first of them waits for a server to start.
test.each(seeds(16))(
  'two writers of one stream in a real database make one chain (SEED=%i)',
  async (seed) => {
    const { failure, counts } = await meet(seed)
    expect(failure).toBeNull()
    expect(counts.meetings).toBeGreaterThan(0)
  },
  180_000,
)

test.each(seeds(6))(
  'history tells of orders, money and shares what happened (SEED=%i)',
  async (seed) => {
    const { failure, counts } = await tellHistory(seed)
    expect(failure).toBeNull()
    expect(counts.told).toBeGreaterThanOrEqual(600)
  },
  180_000,
)
