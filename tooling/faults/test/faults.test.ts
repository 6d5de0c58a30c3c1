import { afterAll, beforeAll, expect, test } from 'vitest'
import { all } from '../src/all.ts'
import { quick } from '../src/faults.ts'
import { Scene } from '../src/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await Scene.open()
})
afterAll(() => scene.close())

test.each(all.map((fault) => [fault.name, fault] as const))('%s', { timeout: 240_000 }, async (_, fault) => {
  const { facts, wrong } = await fault.run(scene, quick)
  expect({ facts, wrong }).toEqual({
    facts: expect.stringMatching(
      /\d+ (acknowledged, \d+ refused|races: \d+|sockets: [1-9]\d* frames)|starts each: 1000 commands \d+ ms|at peace [1-9]\d* answers|^not run: /,
    ),
    wrong: [],
  })
})
