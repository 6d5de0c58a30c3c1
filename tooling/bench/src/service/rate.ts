import { median } from '../interleave.ts'
import type { Figure } from '../row.ts'
import { type LoadResult, load, p99, rawRequest } from './http-load.ts'
import { processorTime } from './processor.ts'
import type { Program } from './venue-scene.ts'

/** How fast a program answered, and what of the processor that took: microseconds a request, of its event loop and of all its threads. */
export interface Rate {
  perSecond: number
  loopMicros: number
  allMicros: number
  p99: number
}

/** Sends a load to a program and checks that every answer is 200. */
export const rateOf = (program: Program, requests: readonly Buffer[], perSecond?: number): Promise<Rate> =>
  measuredRate(program, requests, () => load(program.port, requests, perSecond))

/** The same for a load that is sent in another way. */
export async function measuredRate(program: Program, requests: readonly unknown[], send: () => Promise<LoadResult>): Promise<Rate> {
  const before = processorTime(program.pid)
  const result = await send()
  const after = processorTime(program.pid)
  if (result.refused.length > 0)
    throw new Error(`${result.refused.length} of ${requests.length} were refused, first:\n${result.refused[0]}`)
  const micros = (seconds: number) => (seconds * 1e6) / requests.length
  return {
    perSecond: requests.length / result.seconds,
    loopMicros: micros(after.loop - before.loop),
    allMicros: micros(after.all - before.all),
    p99: p99(result.latencies),
  }
}

/** Requests that a program has served before it is measured: until then much of its time goes into compiling what it runs. */
export const WARM_REQUESTS = 12_000

const BARE_REQUEST = rawRequest('GET', '/', {})

/** Requests to the bare server: nothing to read, nothing to do. */
export const bareRequests = (count: number): Buffer[] => new Array(count).fill(BARE_REQUEST)

/** Medians of every figure. */
export function medianRate(rates: readonly Rate[]): Rate {
  const of = (key: keyof Rate) => median(rates.map((rate) => rate[key]))
  return { perSecond: of('perSecond'), loopMicros: of('loopMicros'), allMicros: of('allMicros'), p99: of('p99') }
}

/** Sends the same requests to our program and to a bare server with the same bytes, in turns, and compares the rates. */
export async function besideBare(server: Program, bare: Program, requests: readonly Buffer[], rounds: number, atLeast: number) {
  const rates: Record<'ours' | 'bare', Rate[]> = { ours: [], bare: [] }
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const))
      rates[name].push(await rateOf(name === 'ours' ? server : bare, requests))
  }
  const [ours, limit] = [medianRate(rates.ours), medianRate(rates.bare)]
  const ratio = median(rates.ours.map(({ perSecond }, round) => perSecond / rates.bare[round]!.perSecond))
  const figures: Figure[] = [
    { name: 'ours', value: ours.perSecond, unit: '/s' },
    { name: 'bare', value: limit.perSecond, unit: '/s' },
    { name: 'ratio', value: ratio, unit: '×' },
  ]
  return { figures, met: ratio >= atLeast, note: loopNote(ours, limit) }
}

/** Processor time beside the rate, and the ratio of event loops: what neither the disk nor other programs can slow. */
export const loopNote = (ours: Rate, bare: Rate): string =>
  `event loop ${ours.loopMicros.toFixed(0)} µs a request, all threads ${ours.allMicros.toFixed(0)}, bare ${bare.loopMicros.toFixed(1)} (${(bare.loopMicros / ours.loopMicros).toFixed(2)} × by processor time)`
