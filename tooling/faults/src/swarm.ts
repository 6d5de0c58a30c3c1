import { setTimeout as wait } from 'node:timers/promises'
import { LiveBook } from '@augury/client/live-book'
import { RawSocket } from './raw-socket.ts'
import type { Market } from './scene.ts'

/** Default number of books that are rebuilt in full; of the others only the chain of frames is checked. */
const REBUILT = 50

/** One follower of a market: it reconnects whenever its socket dies, and knows what it has missed. */
interface Member {
  socket: RawSocket
  seq: number
  epoch: number
  book: LiveBook | null
  isSlow: boolean
  isUp: boolean
}

/** Faults that a swarm noticed, and how long after the first its last member received a frame. */
export interface SwarmFacts {
  frames: number
  resumes: number
  resyncs: number
  gaps: number
  repeats: number
  /** Milliseconds, of healthy members. */
  p99: number
}

/** Thousands of sockets that follow one market. */
export class Swarm {
  readonly #port: number
  readonly #market: Market
  readonly #members: Member[] = []
  readonly #first = new Map<number, number>()
  #lags: number[] = []
  #facts = { frames: 0, resumes: 0, resyncs: 0, gaps: 0, repeats: 0 }
  #isOver = false

  constructor(port: number, market: Market) {
    this.#port = port
    this.#market = market
  }

  /** Opens so many sockets, a few at a time, and waits until all have the book. */
  async open(count: number, rebuilt = REBUILT): Promise<void> {
    for (let n = 0; n < count; n++) {
      const book = n < rebuilt ? new LiveBook([this.#market.yes, this.#market.no]) : null
      const member: Member = { socket: null as never, seq: -1, epoch: -1, book, isSlow: false, isUp: false }
      this.#members.push(member)
      this.#connect(member)
      if (n % 100 === 99) await wait(50)
    }
    while (this.#members.some(({ seq }) => seq < 0)) await wait(50)
  }

  /** Makes some of them stop reading, or read again. */
  slow(share: number): void {
    const from = this.#members.length - Math.floor(this.#members.length * share)
    this.#members.forEach((member, index) => {
      const isSlow = index >= from && share > 0
      if (isSlow === member.isSlow) return
      member.isSlow = isSlow
      member.socket.read(!isSlow)
    })
  }

  /** Kills a random share of them; they reconnect. */
  kill(share: number): void {
    for (let n = 0; n < Math.ceil(this.#members.length * share); n++) {
      const member = this.#members[Math.floor(Math.random() * this.#members.length)]!
      if (member.isUp) member.socket.kill()
    }
  }

  /** What was received since the last call. */
  take(): SwarmFacts {
    const sorted = this.#lags.sort((a, b) => a - b)
    const facts = { ...this.#facts, p99: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0) }
    this.#lags = []
    this.#first.clear()
    this.#facts = { frames: 0, resumes: 0, resyncs: 0, gaps: 0, repeats: 0 }
    return facts
  }

  /** Positions of all readers. */
  positions(): Set<number> {
    return new Set(this.#members.filter(({ isSlow }) => !isSlow).map(({ seq }) => seq))
  }

  /** The books that were rebuilt. */
  books(): LiveBook[] {
    return this.#members.flatMap(({ book, isSlow }) => (book && !isSlow ? book : []))
  }

  close(): void {
    this.#isOver = true
    for (const { socket } of this.#members) socket.kill()
  }

  #connect(member: Member): void {
    const { condition: market } = this.#market
    const isNew = member.seq < 0
    const hello = isNew ? { type: 'market', markets: [market] } : { operation: 'resume', market, seq: member.seq, epoch: member.epoch }
    if (!isNew) this.#facts.resumes++
    const closed = () => {
      member.isUp = false
      if (!this.#isOver) setTimeout(() => this.#connect(member), 20 + Math.random() * 100)
    }
    member.socket = new RawSocket(this.#port, '/ws/market', JSON.stringify(hello), (text) => this.#hear(member, text), closed)
    member.isUp = true
    if (member.isSlow) member.socket.read(false)
  }

  #hear(member: Member, text: string): void {
    const isChange = text.includes('"prev_seq":') && !text.includes('"event_type":"book"')
    if (member.book || !isChange) for (const message of [JSON.parse(text)].flat()) this.#apply(member, message)
    if (!isChange) return
    this.#facts.frames++
    const seq = numberAfter(text, '"seq":')
    const previous = numberAfter(text, '"prev_seq":')
    if (seq <= member.seq) this.#facts.repeats++
    else if (previous !== member.seq) this.#facts.gaps++
    member.seq = seq
    const now = performance.now()
    const first = this.#first.get(seq)
    if (first === undefined) this.#first.set(seq, now)
    else if (!member.isSlow) this.#lags.push(now - first)
  }

  // biome-ignore lint/suspicious/noExplicitAny: messages of every shape
  #apply(member: Member, message: any): void {
    if (message.event_type === 'resync') this.#facts.resyncs++
    if (message.event_type === 'book') {
      member.seq = message.seq
      member.epoch = message.epoch
    }
    if (member.book?.apply(message) === 'gap') this.#facts.gaps++
  }
}

/** The number after the last occurrence of a text. */
function numberAfter(text: string, name: string): number {
  const at = text.lastIndexOf(name) + name.length
  return Number.parseInt(text.slice(at, at + 16), 10)
}
