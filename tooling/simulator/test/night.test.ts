import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failingWorlds, keepFailingWorld } from '../src/failing-worlds.ts'
import { runNight } from '../src/night.ts'
import { tryWorld, type World } from '../src/one-seed.ts'

const failing = failingWorlds()

test.each(failing.map((world) => [`${world.ground}, seed ${world.seed}: ${world.what}`, world] as const))(
  'a world that failed once does no more (%s)',
  { timeout: 120_000 },
  async (_, world) => {
    expect((await tryWorld(world)).failure).toBeNull()
  },
)

test('a night goes on after a failure, on every ground, and tells of each failing world', async () => {
  const failed: World[] = []
  const grounds = new Set<string>()
  const attempt = async (world: World) => {
    grounds.add(world.ground)
    await new Promise((resolve) => setTimeout(resolve, 1))
    return { failure: world.seed % 10 === 0 ? 'it broke\nsomewhere' : null, counts: { worlds: 1 } }
  }
  let told = 0
  const night = await runNight({ first: 1, ms: 1000, failed: (world) => failed.push(world), told: () => told++ }, attempt)
  expect(night.seeds).toBeGreaterThanOrEqual(10)
  expect(night).toMatchObject({ failures: Math.floor(night.seeds / 10), counts: { worlds: night.seeds } })
  expect(failed.map(({ seed }) => seed)).toEqual(Array.from({ length: night.failures }, (_, n) => (n + 1) * 10))
  expect(told).toBe(night.seeds)
  expect([...grounds].sort()).toEqual(['crashes', 'damage', 'disasters', 'rules', 'takeovers'])
})

test('a failing world is kept once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'augury-night-'))
  const file = join(folder, 'worlds')
  const world = { ground: 'rules', seed: 7, compare: true, what: 'it broke', commit: 'abc' } as const
  expect(failingWorlds(file)).toEqual([])
  expect([keepFailingWorld(world, file), keepFailingWorld(world, file), keepFailingWorld({ ...world, compare: false }, file)]).toEqual([
    true,
    false,
    true,
  ])
  expect(failingWorlds(file)).toEqual([world, { ...world, compare: false }])
  rmSync(folder, { recursive: true })
})

test('a world that is run again comes to the same', async () => {
  const world = { ground: 'rules', seed: 3, compare: false } as const
  expect(await tryWorld(world, { commands: 2000 })).toEqual(await tryWorld(world, { commands: 2000 }))
  expect((await tryWorld(world, { commands: 2000 })).counts.commands).toBeGreaterThanOrEqual(2000)
})
