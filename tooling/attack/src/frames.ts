import { prng } from '@augury/testing/prng'
import { ask } from './ask.ts'
import type { Attack } from './attack.ts'
import { insides } from './fuzz.ts'
import { nextFrame } from './inputs.ts'
import type { Person } from './people.ts'
import { resolverOf, type Schema } from './routes.ts'

const PATH = '/ws/trade'
/** Frames of the attack, and the sockets that send them side by side. */
const [FRAMES, SOCKETS] = [4000, 4]
const PATIENCE_MS = 15_000
/** Close codes of a socket that was sent what is no frame: a text that is too long or no UTF-8, or too many of them. */
const CLOSED_FOR_CAUSE: readonly number[] = [1007, 1009, 4002]

/** Schemas of the frames that a running service takes on its trading socket, without the login. */
export async function frameSchemas(exchange: string): Promise<Schema[]> {
  const document = JSON.parse((await ask(exchange, '/asyncapi.json')).text)
  const resolve = resolverOf(document)
  const { messages } = document.operations.tradeHears as { messages: { $ref: string }[] }
  const payloads = messages.map((message) => resolve(message) as unknown as { name: string; payload: Schema })
  return payloads.filter(({ name }) => name !== 'login' && name !== 'PING').map(({ payload }) => payload)
}

/** A socket that asks one thing at a time. */
class Line {
  readonly #ws: WebSocket
  #next: (said: string | number) => void = () => {}

  private constructor(ws: WebSocket) {
    this.#ws = ws
    ws.addEventListener('message', ({ data }) => this.#next(String(data)))
    ws.addEventListener('close', ({ code }) => this.#next(code))
    ws.addEventListener('error', () => {})
  }

  static async open(exchange: string): Promise<Line> {
    const ws = new WebSocket(exchange.replace(/^http/, 'ws') + PATH)
    const line = new Line(ws)
    await new Promise((resolve, reject) => {
      ws.addEventListener('open', resolve)
      ws.addEventListener('error', reject)
    })
    return line
  }

  /** Sends a text; returns the next thing that is said, or the close code. Rejects when nothing is. */
  ask(text: string): Promise<string | number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), PATIENCE_MS)
      this.#next = (said) => {
        clearTimeout(timer)
        resolve(said)
      }
      this.#ws.send(text)
    })
  }

  close(): void {
    this.#ws.close()
  }
}

async function loginOf(exchange: string, member: Person): Promise<string> {
  const headers = await member.headers({ origin: exchange, method: 'GET', target: PATH, body: undefined })
  const of = (name: string) => headers[`SVC_${name}`]
  const body = { key: of('API_KEY'), passphrase: of('PASSPHRASE'), timestamp: of('TIMESTAMP'), signature: of('SIGNATURE') }
  return JSON.stringify({ id: 0, op: 'login', body })
}

/** What is wrong with what was said to a frame; null when nothing is. */
export function wrongWithFrame(said: string | number): string | null {
  if (typeof said === 'number') return CLOSED_FOR_CAUSE.includes(said) ? null : `closed with ${said}`
  if (insides.test(said)) return 'our insides'
  const { status, body } = JSON.parse(said) as { status?: number; body?: { error?: unknown; code?: unknown } }
  if (status === undefined || (status >= 500 && status !== 503)) return 'a failure of ours'
  if (status < 400) return null
  return typeof body?.error === 'string' && typeof body.code === 'string' ? null : 'a refusal without its text and code'
}

/** Sends frames to a trading socket, most of them honest; every one is answered, and nothing fails. Returns what should not have happened. */
export async function fuzzFrames(exchange: string, member: Person, count: number, seed: number): Promise<string[]> {
  const rng = prng(seed)
  const schemas = await frameSchemas(exchange)
  const found: string[] = []
  let sent = 0
  const enter = async () => {
    const line = await Line.open(exchange)
    const said = await line.ask(await loginOf(exchange, member))
    if (typeof said === 'number' || !said.includes('"status":200')) throw new Error(`no login: ${said}`)
    return line
  }
  const lane = async () => {
    let line = await enter()
    while (sent < count) {
      const text = nextFrame(rng.pick(schemas), ++sent, rng)
      const said = await line.ask(text).catch((error: Error) => error.message)
      const wrong = said === 'no answer' ? said : wrongWithFrame(said)
      if (wrong) found.push(`${wrong}: ${text.slice(0, 300)} → ${String(said).slice(0, 200)}`)
      if (typeof said === 'number' || said === 'no answer') {
        line.close()
        line = await enter()
      }
    }
    line.close()
  }
  await Promise.all(Array.from({ length: SOCKETS }, lane))
  return found
}

const fuzzed: Attack = {
  name: 'every frame of a trading socket is answered, and none fails',
  run: ({ exchange }, member) => fuzzFrames(exchange, member, FRAMES, 1),
}

const strangers: Attack = {
  name: 'a trading socket does nothing before its login',
  async run({ exchange }, member) {
    const found: string[] = []
    const login = JSON.parse(await loginOf(exchange, member))
    const firsts: unknown[] = [
      { id: 1, op: 'cancel-all' },
      { ...login, body: { ...login.body, signature: `${'A'.repeat(43)}=` } },
      { ...login, body: { ...login.body, passphrase: '' } },
      { ...login, body: { ...login.body, timestamp: '1' } },
      { ...login, body: { ...login.body, key: '__proto__' } },
      { ...login, body: null },
    ]
    for (const first of firsts) {
      const line = await Line.open(exchange)
      const said = await line.ask(JSON.stringify(first))
      if (typeof said === 'string' && ![400, 401].includes(JSON.parse(said).status)) found.push(`${JSON.stringify(first)} → ${said}`)
      line.close()
    }
    return found
  },
}

/** Attacks on the trading socket. */
export const frames: Attack[] = [strangers, fuzzed]
