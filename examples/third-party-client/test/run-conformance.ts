import { afterAll, beforeAll, describe } from 'vitest'
import { blockerConformance } from './blockers.ts'
import { callConformance } from './calls.ts'
import { discoveryConformance } from './discovery-calls.ts'
import { furtherConformance } from './further-calls.ts'
import { orderConformance } from './order-calls.ts'
import { streamConformance } from './stream-calls.ts'
import { openWorld, type Run, type World } from './world.ts'

/** The whole suite of exchange.md 6.4 under some circumstances: third-party clients against the real service. */
export function runConformance(run: Run): void {
  describe(`chain ${run.chain}, ${run.via}`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld(run)
    })
    afterAll(() => world?.close())
    callConformance(() => world)
    orderConformance(() => world)
    furtherConformance(() => world)
    discoveryConformance(() => world)
    streamConformance(() => world)
    blockerConformance(() => world)
  })
}
