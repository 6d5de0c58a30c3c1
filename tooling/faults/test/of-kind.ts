import { afterAll, beforeEach, expect, test } from 'vitest'
import { kinds } from '../src/all.ts'
import { quick } from '../src/faults.ts'
import { Scene } from '../src/scene.ts'

/** Tests of all faults of a kind, on a scene of their own: what must hold does. */
export function testFaults(kind: keyof typeof kinds): void {
  let scene: Scene | null = null
  beforeEach(async () => {
    scene ??= await Scene.open()
  })
  afterAll(() => scene?.close())

  test.each(kinds[kind].map((fault) => [fault.name, fault] as const))('%s', { timeout: 240_000 }, async (_, fault) => {
    const { facts, wrong } = await fault.run(scene!, quick).catch(async (error) => {
      await scene!.close() // a scene with open trading would disturb the next test
      scene = null
      throw error
    })
    expect({ facts, wrong }).toEqual({
      facts: expect.stringMatching(
        /\d+ (acknowledged, \d+ refused|races: \d+|sockets: [1-9]\d* frames)|starts each: 1000 commands \d+ ms|at peace [1-9]\d* answers|^not run: /,
      ),
      wrong: [],
    })
  })
}
