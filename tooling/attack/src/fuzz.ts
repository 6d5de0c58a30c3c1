import { type Prng, prng } from '@augury/testing/prng'
import { ask } from './ask.ts'
import { type Case, nextCase } from './inputs.ts'
import type { Person } from './people.ts'
import type { Route } from './routes.ts'

/** How a route handled what was sent to it. */
export interface Taken {
  cases: number
  /** Answers by hundreds: 2 for 200 to 299. */
  classes: Map<number, number>
  /** Of these, those refused by a rate limit: they say little about the route. */
  budget: number
  p99: number
  /** What should not have happened, with the request that caused it. */
  wrong: string[]
}

/** Texts of our internals, which no answer may have. */
export const insides =
  /\bat [\w.<>]+ \(|node:internal|node_modules|\.ts:\d+|SELECT |insert into|DriverException|ECONNREFUSED|\/apps\/|\/packages\//

/** Requests in flight: as many as keep both sides busy. With one, the times are those of an idle service. */
const LANES = 16

/**
 * Sends mostly valid requests to a route, several at a time. Every answer must be JSON of ours, below 500. Content, caller and address are
 * drawn in one sequence, so that a seed repeats them.
 */
export async function fuzz(route: Route, people: readonly Person[], cases: number, seed: number, lanes = LANES): Promise<Taken> {
  const rng = prng(seed)
  const taken: Taken = { cases, classes: new Map(), budget: 0, p99: 0, wrong: [] }
  const times: number[] = []
  let left = cases
  const lane = async () => {
    while (left-- > 0) {
      const next = { ...nextCase(route, rng), person: rng.pick(people), from: somewhere(rng) }
      const { method, target, body, person } = next
      const shown = `${method} ${target.slice(0, 300)} ${body?.slice(0, 300) ?? ''} as ${person.name}`
      try {
        const reply = await ask(route.origin, target, { method, body, headers: await headersOf(route.origin, next) })
        times.push(reply.milliseconds)
        const hundreds = Math.floor(reply.status / 100)
        taken.classes.set(hundreds, (taken.classes.get(hundreds) ?? 0) + 1)
        if (reply.status === 429) taken.budget++
        const wrong = wrongWith(reply.status, reply.headers, reply.text)
        if (wrong) taken.wrong.push(`${wrong}: ${shown} → ${reply.status} ${reply.text.slice(0, 200)}`)
      } catch (error) {
        taken.wrong.push(`no answer (${(error as Error).message}): ${shown}`)
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  taken.p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
  return taken
}

async function headersOf(origin: string, { method, target, body, person, from }: Case & { person: Person; from: string }) {
  const own = { ...(await person.headers({ origin, method, target, body })), 'x-forwarded-for': from }
  return body === undefined ? own : { ...own, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
}

/**
 * Refusals that concern other services, or what is not configured, and are no failures of ours. An admin sees why the model did not
 * answer.
 */
const declared = /"code":"(unsupported|model_failed)"/

/** What is wrong with an answer, in a few words; null when nothing is. */
function wrongWith(status: number, headers: Record<string, string>, text: string): string | null {
  const isDeclared = declared.test(text)
  if (status >= 500 && status !== 503 && !isDeclared) return 'a failure of ours'
  if (insides.test(text) && !isDeclared) return 'our insides'
  const type = headers['content-type'] ?? ''
  if (status >= 400) {
    if (!type.startsWith('application/json')) return 'a refusal that is not JSON'
    const { error, code } = JSON.parse(text)
    if (typeof error !== 'string' || error === '' || typeof code !== 'string') return 'a refusal without its text and code'
  } else if (text !== '' && type === '') return 'a body without a type'
  if (/^(text\/|application\/json)/.test(type) && !/charset=utf-8/i.test(type)) return 'a text that does not say how it is written'
  return headers['x-request-id'] ? null : 'no request id'
}

/** An address of the range for benchmarks: each has a rate limit of its own. */
const somewhere = (rng: Prng) => `198.${rng.integer(18, 19)}.${rng.integer(0, 255)}.${rng.integer(1, 254)}`
