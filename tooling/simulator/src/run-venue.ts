import { parseArgs } from 'node:util'
import { runVenue } from './venue-run.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string' }, seeds: { type: 'string', default: '20' }, minutes: { type: 'string', default: '1' } },
})
const first = Number(values.seed ?? Date.now() % 1e9)
const until = performance.now() + Number(values.minutes) * 60_000
for (let seed = first; seed < first + (values.seed ? 1 : Number(values.seeds)) && performance.now() < until; seed++) {
  const t = performance.now()
  const run = await runVenue(seed, 20_000)
  process.stdout.write(`${JSON.stringify(run).slice(0, 1500)} ${Math.round(performance.now() - t)} ms\n`)
}
