import { setTimeout as wait } from 'node:timers/promises'
import { type Ask, CLASSES, type Class, type Flow } from './flow.ts'
import { Histogram } from './histogram.ts'
import type { Answer } from './lines.ts'
import type { Notebook } from './notebook.ts'
import type { Ways } from './ways.ts'

/** Target rates of each class, in requests per second. */
export interface Pace {
  orders: number
  cancels: number
  /** Reads of one's own state. */
  looks: number
}

/** The results of one class of requests in one phase. */
export interface Counts {
  /** Due, but not sent because too many were in flight. */
  held: number
  sent: number
  accepted: number
  /** Refused on their merits. */
  refused: number
  /** Turned away and told when to retry, and by which code. */
  shed: number
  codes: Record<string, number>
  /** Without an answer. */
  unanswered: number
  /** Milliseconds from when it was due until it was accepted or refused. */
  times: Histogram
}
export interface Phase {
  name: string
  seconds: number
  pace: Pace
  of: Record<Class, Counts>
  /** Longest pause of the generator itself in milliseconds: everything due then was late by it. */
  away: number
  wrong: string[]
}

const TURN_MS = 5
const TELL_MS = 60_000
/** A generator that is this late skips what was due meanwhile. */
const LATE_MS = 1000
const PATIENCE_MS = 60_000
/** Codes that mean “retry later”. */
const PASSING = ['overloaded', 'service_unavailable', 'rate_limited', 'read_model_lagging']

const none = (): Counts => ({ held: 0, sent: 0, accepted: 0, refused: 0, shed: 0, codes: {}, unanswered: 0, times: new Histogram() })

/** A phase: the rates, the duration, the most requests in flight, and the number of quotes that cancels leave alone. */
export interface Plan {
  name: string
  seconds: number
  pace: Pace
  room: number
  quotes: number
}

interface Generator {
  flow: Flow
  ways: Ways
  notebook: Notebook
}

/** Sends at a fixed rate for so many seconds, whatever is answered. `say` gets a line of progress every minute. */
export async function runPhase(plan: Plan, generator: Generator, say: (line: string) => void = () => {}): Promise<Phase> {
  const { name, seconds, pace, room } = plan
  const { ways } = generator
  const of = Object.fromEntries(CLASSES.map((each) => [each, none()])) as Record<Class, Counts>
  const wrong = new Set<string>()
  const next = asker(plan, generator.flow)
  const send = (kind: Class, dueAt: number) => {
    const ask = next(kind)
    if (!ask) return
    of[kind].sent++
    ways.ask(ask, (answer) => hear(ask, answer, of[kind], dueAt, wrong, generator))
  }

  const begun = performance.now()
  const due: Record<Class, number> = { order: 0, cancel: 0, 'own state': 0 }
  const perSecond: Record<Class, number> = { order: pace.orders, cancel: pace.cancels, 'own state': pace.looks }
  const sendDue = (kind: Class, now: number) => {
    const step = 1000 / perSecond[kind]
    for (; begun + due[kind] * step <= now; due[kind]++) {
      const dueAt = begun + due[kind] * step
      if (ways.pending < room) send(kind, dueAt)
      else if (now - dueAt > LATE_MS) of[kind].held++
      else break
    }
  }
  let told = begun
  let [away, turn] = [0, begun]
  for (let now = begun; now < begun + seconds * 1000; now = performance.now()) {
    away = Math.max(away, now - turn)
    turn = now
    if (now - told >= TELL_MS) {
      told = now
      const elapsed = (now - begun) / 1000
      say(`${name}, ${Math.round(elapsed)} s: ${CLASSES.map((kind) => progress(kind, of[kind], elapsed)).join('; ')}`)
    }
    for (const kind of CLASSES) sendDue(kind, now)
    await wait(TURN_MS)
  }
  const elapsed = (performance.now() - begun) / 1000
  const patience = performance.now() + PATIENCE_MS
  while (ways.pending > 0 && performance.now() < patience) await wait(TURN_MS)
  if (ways.pending > 0) wrong.add(`${ways.pending} requests had no answer a minute later`)
  return { name, seconds: elapsed, pace, of, away, wrong: [...wrong] }
}

/** The next request by class. As many quotes as cancels, so that books keep their depth; the rest are takers. */
function asker({ pace, quotes }: Plan, flow: Flow): (kind: Class) => Ask | null {
  const quoteShare = Math.min(0.5, pace.cancels / pace.orders)
  let quoteDebt = 0
  return (kind) => {
    if (kind === 'own state') return flow.look()
    if (kind === 'cancel') return flow.quotes > quotes ? flow.cancel() : null
    quoteDebt += quoteShare
    if (quoteDebt < 1) return flow.take()
    quoteDebt--
    return flow.quote()
  }
}

/** Counts an answer, stores it in the notebook, and records what was wrong about it. */
function hear(ask: Ask, answer: Answer, counts: Counts, dueAt: number, wrong: Set<string>, { flow, notebook }: Generator): void {
  const body = answer ? JSON.parse(answer.text) : null
  const status = answer?.status ?? 0
  if (answer === null) counts.unanswered++
  else if (status === 429 || status >= 500) {
    counts.shed++
    counts.codes[body.code] = (counts.codes[body.code] ?? 0) + 1
    if (!PASSING.includes(body.code)) wrong.add(`a client was refused with ${status} ${body.code}`)
    if (!answer.hasRetryAfter) wrong.add(`${status} ${body.code} without word when to come back`)
  } else {
    counts.times.add(performance.now() - dueAt)
    if (status === 200) counts.accepted++
    else counts.refused++
  }
  const isQuote = ask.class === 'order' && ask.bytes.includes('"GTC"')
  if (status === 200 && isQuote) flow.quoted(ask.orderId, ask.trader)
  if (ask.class !== 'own state') notebook.add(noteOf(ask, status, body))
}

const progress = (kind: Class, { times, shed, held }: Counts, seconds: number): string =>
  `${kind} ${Math.round(times.count / seconds)} a second, p99 ${Math.round(times.percentile(0.99))} ms, ${shed} turned away, ${held} not sent`

const LOTS = 100

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function noteOf({ class: kind, orderId, trader }: Ask, status: number, body: any) {
  const isCancel = kind === 'cancel'
  const matched = isCancel ? body?.order?.size_matched : body?.size_matched
  return {
    kind: isCancel ? ('cancel' as const) : ('order' as const),
    orderId,
    trader,
    status,
    word: (isCancel ? (body?.order?.state ?? body?.state) : body?.state) ?? body?.code ?? '-',
    seq: body?.seq ?? 0,
    matched: Math.round(Number(matched ?? 0) * LOTS),
  }
}
