import { afterAll, beforeAll, expect, test } from 'vitest'
import { faults, quick } from '../src/faults.ts'
import { lines } from '../src/lines.ts'
import { races } from '../src/races.ts'
import { restores } from '../src/restore.ts'
import { Scene } from '../src/scene.ts'
import { streams } from '../src/streams.ts'

let scene: Scene
beforeAll(async () => {
  scene = await Scene.open()
})
afterAll(() => scene.close())

const all = [...faults, ...lines, ...restores, ...races, ...streams]
test.each(all.map((fault) => [fault.name, fault] as const))('%s', { timeout: 240_000 }, async (_, fault) => {
  const { facts, wrong } = await fault.run(scene, quick)
  expect({ facts, wrong }).toEqual({
    facts: expect.stringMatching(/\d+ (acknowledged, \d+ refused|races: \d+|sockets: [1-9]\d* frames)/),
    wrong: [],
  })
})
