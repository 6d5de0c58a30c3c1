import { setTimeout as wait } from 'node:timers/promises'
import { openLine } from '@augury/testing/cut-line'
import { type Fault, oneChain, settle, Tally } from './faults.ts'

/** Shorter than the silence after which the writer gives up its lease and exits, which is another fault. */
const SILENT_MS = 1500
const LATE_MS = 40
/** Clock offsets beyond what an exchange tolerates, and within it. */
const FAR_SECONDS = 90
const NEAR_SECONDS = 2
const SHIFTED_CLOCK = new URL('shifted-clock.ts', import.meta.url).href

/** A very bad network to the database, and a clock that is wrong. */
export const lines: readonly Fault[] = [
  {
    name: 'the line to the database creeps, falls silent, half ends and breaks',
    must: 'nothing is said that is not so, each verdict stands, and trading goes on by itself',
    async run(scene, { lines: rounds }) {
      const tally = new Tally()
      const line = await openLine(Number(new URL(scene.databaseUrl).port))
      await scene.writer.stop('SIGTERM')
      await scene.start({ databasePort: line.port })
      try {
        for (let round = 0; round < rounds; round++) {
          const load = await scene.trade()
          await wait(300)
          line.delay(LATE_MS)
          await wait(500)
          line.silence(true)
          await wait(SILENT_MS)
          line.silence(false)
          await load.recovered()
          line.halfClose()
          await load.recovered()
          line.delay(0)
          line.cut()
          const recovery = await load.recovered()
          tally.add(load, await settle(scene, load), recovery)
        }
      } finally {
        await scene.kill()
        await line.close()
        await scene.start()
      }
      tally.wrong.push(...(await oneChain(scene)))
      return tally.seen(`${rounds} times`)
    },
  },
  {
    name: 'the clock of the machine is wrong',
    must: 'far off it does not start and says why; a little off, ahead and then behind, the time of the log never goes back and what was acknowledged stands',
    async run(scene, { lines: rounds }) {
      const tally = new Tally()
      const clock = (seconds: number) => ({ environment: { NODE_OPTIONS: `--import=${SHIFTED_CLOCK}?seconds=${seconds}` } })
      await scene.kill()
      for (const seconds of [FAR_SECONDS, -FAR_SECONDS]) {
        const refusal = await scene.start(clock(seconds)).then(
          () => `it started ${seconds} s off`,
          ({ message }: Error) => message,
        )
        if (!/clocks .* differ by \d+ s/.test(refusal)) tally.wrong.push(refusal)
      }
      for (let round = 0; round < rounds * 2; round++) {
        await scene.start(clock(round % 2 === 0 ? NEAR_SECONDS : -NEAR_SECONDS))
        const load = await scene.trade()
        await wait(300)
        const recovery = await load.recovered()
        tally.add(load, await settle(scene, load), recovery)
        await scene.kill()
      }
      await scene.start()
      const [{ back }] = (await scene.query(
        'select count(*)::int as back from (select at, lag(at) over (order by first_seq) as before from journal) row where at < before',
      )) as [{ back: number }]
      if (back > 0) tally.wrong.push(`in ${back} rows the time goes back`)
      tally.wrong.push(...(await oneChain(scene)))
      return tally.seen(`refused ${FAR_SECONDS} s off either way; ${rounds} times ${NEAR_SECONDS} s either way`)
    },
  },
]
