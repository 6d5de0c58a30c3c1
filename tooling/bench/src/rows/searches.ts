import { median } from '../interleave.ts'
import type { Row } from '../row.ts'
import { load, p99, rawRequest } from '../service/http-load.ts'
import { platformScene } from '../service/platform-scene.ts'

const search = (text: string, more = '') => rawRequest('GET', `/api/events?search=${encodeURIComponent(text)}${more}`, {})

/** Searches before those that count, and how many there are a second. */
const WARM = 30
const PER_SECOND = 20

/** What people search for, each time another one: words of the catalogue's titles and outcomes, whole and begun, mistyped, and in filters. */
const KINDS: Readonly<Record<string, (n: number) => Buffer>> = {
  'a rare word': (n) => search(`number ${n * 37}`),
  'a common word': (n) => search('will', `&offset=${n}`),
  'common words that rarely meet': (n) => search(`of ${n % 997} before ${n % 31}`),
  'a letter': (n) => search('bcklmn'[n % 6]!, `&offset=${n}`),
  'the beginning of an outcome': (n) => search(['bake', 'chanl', 'derf', 'losp', 'mirr'][n % 5]!, `&offset=${n}`),
  'two names': (n) => search(`${['bake', 'lim', 'nura', 'seti'][n % 4]} ${['vozu', 'chan', 'der'][n % 3]}`),
  'a typing error': (n) => search(`${['bakx', 'chanqder', 'lqosm'][n % 3]}${['limo', 'mirlos', 'petruk'][n % 3]}`),
  'an alias': (n) => search(['btc', 'gop 2028', 'fed rate cut'][n % 3]!),
  'nothing there is': (n) => search(`xyzzy${'abcdefgh'[n % 8]} plugh`),
  'a category and a word': (n) => search(`tag ${n % 31}`, '&status=all'),
  'a word in a tag': (n) => search('number', `&tag=tag-${1 + (n % 200)}`),
  'by volume': (n) => search(`before ${n % 31}`, '&sort=volume'),
  'another script': () => search('特朗普'),
}

/** The p99 of searches at a pace, and in a crowd that asks as fast as it is answered. */
export const searches: Row = {
  id: '27',
  work: 'GET /api/events?search= of every kind, uncached, at 100 000 markets',
  target: 'p99 < 50 ms',
  async measure({ quick }) {
    const scene = await platformScene(quick)
    const kinds = Object.values(KINDS)
    const count = quick ? 78 : 520
    const asked = (from: number, many: number) => Array.from({ length: many }, (_, n) => kinds[n % kinds.length]!(1 + from + n))
    await load(scene.server.port, asked(count, WARM), PER_SECOND)
    const { latencies, refused } = await load(scene.server.port, asked(0, count), PER_SECOND)
    if (refused.length > 0) throw new Error(refused[0])
    const byKind: string[] = []
    for (const [name, kind] of Object.entries(KINDS)) {
      const own = await load(
        scene.server.port,
        Array.from({ length: quick ? 6 : 20 }, (_, n) => kind(2 * count + n)),
        PER_SECOND,
      )
      byKind.push(`${name} ${median([...own.latencies]).toFixed(1)}`)
    }
    const worst = p99(latencies)
    return {
      figures: [
        { name: 'p99', value: worst, unit: 'ms' },
        { name: 'p50', value: median([...latencies]), unit: 'ms' },
      ],
      met: worst < 50,
      note: `${scene.events} events, ${PER_SECOND} searches a second; medians in ms: ${byKind.join(', ')}`,
    }
  },
}
