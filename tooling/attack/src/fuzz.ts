import { type Prng, prng } from '@augury/testing/prng'
import { ask } from './ask.ts'
import { nextCase } from './inputs.ts'
import type { Person } from './people.ts'
import type { Route } from './routes.ts'

/** How a route took what was sent to it. */
export interface Taken {
  cases: number
  /** Answers by hundreds: 2 for 200 to 299. */
  classes: Map<number, number>
  p99: number
  /** What should not have happened, with the request that made it. */
  wrong: string[]
}

/** Texts that no answer has: they are of our insides. */
const insides =
  /\bat [\w.<>]+ \(|node:internal|node_modules|\.ts:\d+|SELECT |insert into|DriverException|ECONNREFUSED|\/apps\/|\/packages\//

/** Sends requests that are honest in most parts to a route. Every answer must be JSON of ours, below 500. */
export async function fuzz(route: Route, people: readonly Person[], cases: number, seed: number): Promise<Taken> {
  const rng = prng(seed)
  const taken: Taken = { cases, classes: new Map(), p99: 0, wrong: [] }
  const times: number[] = []
  for (let n = 0; n < cases; n++) {
    const { method, target, body } = nextCase(route, rng)
    const person = rng.pick(people)
    const headers = { ...(await person.headers({ origin: route.origin, method, target, body })), 'x-forwarded-for': somewhere(rng) }
    const said = {
      method,
      body,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      },
    }
    const shown = `${method} ${target.slice(0, 300)} ${body?.slice(0, 300) ?? ''} as ${person.name}`
    try {
      const reply = await ask(route.origin, target, said)
      times.push(reply.milliseconds)
      const hundreds = Math.floor(reply.status / 100)
      taken.classes.set(hundreds, (taken.classes.get(hundreds) ?? 0) + 1)
      const wrong = wrongWith(reply.status, reply.headers, reply.text)
      if (wrong) taken.wrong.push(`${wrong}: ${shown} → ${reply.status} ${reply.text.slice(0, 200)}`)
    } catch (error) {
      taken.wrong.push(`no answer (${(error as Error).message}): ${shown}`)
    }
  }
  taken.p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
  return taken
}

/** What is wrong with an answer, in a few words; null when nothing is. */
function wrongWith(status: number, headers: Record<string, string>, text: string): string | null {
  if (status >= 500 && status !== 503 && !text.includes('"code":"unsupported"')) return 'a failure of ours'
  if (insides.test(text)) return 'our insides'
  const type = headers['content-type'] ?? ''
  if (status >= 400) {
    if (!type.startsWith('application/json')) return 'a refusal that is not JSON'
    const { error, code } = JSON.parse(text)
    if (typeof error !== 'string' || error === '' || typeof code !== 'string') return 'a refusal without its text and code'
  } else if (text !== '' && type === '') return 'a body without a type'
  if (/^(text\/|application\/json)/.test(type) && !/charset=utf-8/i.test(type)) return 'a text that does not say how it is written'
  return headers['x-request-id'] ? null : 'no request id'
}

/** An address of the range for measurements: whoever asks from it has a budget of its own. */
const somewhere = (rng: Prng) => `198.${rng.integer(18, 19)}.${rng.integer(0, 255)}.${rng.integer(1, 254)}`
