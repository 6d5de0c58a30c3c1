import type { Row } from '../row.ts'
import { rawRequest } from '../service/http-load.ts'
import { bareRequests, medianRate, type Rate, rateOf, WARM_REQUESTS } from '../service/rate.ts'
import { sharedScene } from '../service/shared-scene.ts'

const now = (path: string) => rawRequest('GET', path, {})

/** The way through our own routes with nothing to do at its end, beside servers that have next to nothing. */
export const frameworks: Row = {
  id: '6',
  work: 'GET of the time by REST and as a tRPC query, beside frameworks',
  target: 'what 6 to 9 pay on their way',
  async measure({ rounds, quick }) {
    const { scene, bare } = await sharedScene()
    const hono = await scene.startHono()
    const count = quick ? 2_000 : 12_000
    for (const path of ['/time', '/trpc/getTime']) {
      const answer = await fetch(scene.url + path)
      if (answer.status !== 200 || !/\d{10}/.test(await answer.text())) throw new Error(`${path} does not tell the time: ${answer.status}`)
    }
    const asked = [
      { name: 'ours', program: scene.server, requests: new Array<Buffer>(count).fill(now('/time')) },
      { name: 'ours, as a tRPC query', program: scene.server, requests: new Array<Buffer>(count).fill(now('/trpc/getTime')) },
      { name: 'bare node:http', program: bare, requests: bareRequests(count) },
      { name: 'hono on node-server', program: hono, requests: bareRequests(count) },
    ]
    const rates = new Map<string, Rate[]>(asked.map(({ name }) => [name, []]))
    const warming = Math.ceil(WARM_REQUESTS / count)
    for (let round = -warming; round < (quick ? 3 : rounds); round++) {
      for (let n = 0; n < asked.length; n++) {
        const { name, program, requests } = asked[(round + warming + n) % asked.length]!
        const rate = await rateOf(program, requests)
        if (round >= 0) rates.get(name)!.push(rate)
      }
    }
    await hono.stop()
    const medians = [...rates].map(([name, all]) => ({ name, rate: medianRate(all) }))
    return {
      figures: medians.map(({ name, rate }) => ({ name, value: rate.perSecond, unit: '/s' })),
      met: null,
      note: `event loop ${medians.map(({ name, rate }) => `${rate.loopMicros.toFixed(1)} (${name})`).join(', ')} µs a request`,
    }
  },
}
