import { afterAll, beforeAll, expect, test } from 'vitest'
import { faults, quick } from '../src/faults.ts'
import { Scene } from '../src/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await Scene.open()
})
afterAll(() => scene.close())

test.each(faults.map((fault) => [fault.name, fault] as const))('%s', { timeout: 120_000 }, async (_, fault) => {
  const { facts, wrong } = await fault.run(scene, quick)
  expect({ facts, wrong }).toEqual({ facts: expect.stringMatching(/\d+ acknowledged, \d+ refused/), wrong: [] })
})
