import type { OnAnswer } from '@augury/rest/http'
import { roleOf, type Venue } from '@augury/venue/record/venue'
import type { Edge } from '@augury/venue/serve/edge'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** As `/readyz` tells them. */
const WRITER_STATES = ['primary', 'unavailable', 'standby', 'starting', 'draining'] as const
/** Most answers buffered before they are counted. */
const BUFFERED = 256
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Metrics of a running service for Prometheus. Labels are from fixed sets: nothing that a caller sent. */
export interface Metrics {
  onAnswer: OnAnswer
  text(): Promise<string>
}

/** Counts what an exchange and its edge do. */
export function openMetrics(venue: Venue, edge: Edge, transports: Readonly<Record<string, { readonly size: number }>>): Metrics {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const { onAnswer, count } = answerMetrics(registers)
  const rowCommands = new Histogram({
    name: 'augury_row_commands',
    help: 'Commands in a row of the journal.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
    registers,
  })
  const commitSeconds = new Histogram({ name: 'augury_commit_seconds', help: 'Commit of a row.', buckets: SECONDS, registers })
  venue.onRow(({ outcomes }) => rowCommands.observe(outcomes.length))
  venue.onCommit((milliseconds) => commitSeconds.observe(milliseconds / 1000))
  statusGauges(venue, registers)
  socketGauge(edge, transports, registers)
  return {
    onAnswer,
    text() {
      count()
      return register.metrics()
    },
  }
}

/** Answers, counted in batches: looking up labels may cost more than a small answer. `count` counts those still buffered. */
function answerMetrics(registers: Registry[]): { onAnswer: OnAnswer; count: () => void } {
  const answers = new Counter({
    name: 'augury_answers_total',
    help: 'Answers by operation, status and refusal code; "none" where nothing was refused.',
    labelNames: ['operation', 'status', 'code'],
    registers,
  })
  const answerSeconds = new Histogram({
    name: 'augury_answer_seconds',
    help: 'From the request to its answer.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  })
  let buffer: { operation: string; status: number; code: string; seconds: number }[] = []
  const count = () => {
    const some = buffer
    buffer = []
    const times = new Map<string, number>()
    for (const { operation, status, code, seconds } of some) {
      answerSeconds.observe({ operation }, seconds)
      const key = `${operation}\n${status}\n${code}`
      times.set(key, (times.get(key) ?? 0) + 1)
    }
    for (const [key, n] of times) {
      const [operation, status, code] = key.split('\n') as [string, string, string]
      answers.inc({ operation, status, code }, n)
    }
  }
  return {
    onAnswer(operation, { status, code, milliseconds }) {
      if (buffer.push({ operation, status, code: code ?? 'none', seconds: milliseconds / 1000 }) >= BUFFERED) count()
    },
    count,
  }
}

/** Gauges of the exchange, read at each scrape. */
function statusGauges(venue: Venue, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('augury_queue_commands', 'Commands that wait for a row.', () => venue.status().queued)
  gauge('augury_position', 'Last applied position of the log.', () => venue.status().seq)
  gauge('augury_history_position', 'Last position that history has.', () => venue.status().projectedSeq)
  gauge('augury_history_lag_seconds', 'Age of the oldest row that history lacks.', () => venue.status().lagSeconds)
  gauge('augury_history_stopped', '1 while history has stopped and needs an operator.', () => Number(venue.status().isHistoryStopped))
  gauge('augury_epoch', 'Epoch of the lease.', () => venue.status().epoch)
  new Gauge({
    name: 'augury_writer',
    help: '1 for the role of this process.',
    labelNames: ['state'],
    registers,
    collect() {
      const role = roleOf(venue.status())
      for (const state of WRITER_STATES) this.set({ state }, state === role ? 1 : 0)
    },
  })
}

/** Open sockets by stream. */
function socketGauge(edge: Edge, transports: Readonly<Record<string, { readonly size: number }>>, registers: Registry[]): void {
  const { market, user, live } = edge.compatStreams
  const established = { market, user, live }
  new Gauge({
    name: 'augury_sockets',
    help: 'Open sockets by stream.',
    labelNames: ['stream'],
    registers,
    collect() {
      this.set({ stream: 'market' }, edge.stream.size)
      this.set({ stream: 'user' }, edge.userStream.size)
      for (const [stream, { size }] of Object.entries(transports)) this.set({ stream }, size)
      for (const [stream, { size }] of Object.entries(established)) this.set({ stream: `compat_${stream}` }, size)
    },
  })
}
