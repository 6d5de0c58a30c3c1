import { encodeRow } from '@augury/engine/codec'
import type { Command, Hex } from '@augury/engine/command'
import type { Event } from '@augury/engine/event'
import { Exchange } from '@augury/engine/exchange'
import { restoreSnapshot, takeSnapshot } from '@augury/engine/snapshot'
import { NEWEST_RULES } from '@augury/engine/state'
import { compareResults, compareStates, type Difference, resultOf } from './compare.ts'
import { checkForetold, foretell } from './foretold.ts'
import { Census, checkBooks, checkOutcome, checkState, InvariantBroken } from './invariants.ts'
import { NaiveExchange } from './naive.ts'

/** Commands applied together, at one time. */
export interface Row {
  at: number
  commands: Command[]
}

/** A failure of a run, and after how many commands. */
export interface Failure {
  seq: number
  what: string
}

/** An engine whose every row is checked against the invariants and, if asked, against the reference exchange. */
export class Session {
  exchange: Exchange
  readonly census = new Census()
  readonly naive: NaiveExchange | null
  /** Called for every command applied. */
  onOutcome: (seq: number, at: number, command: Command, events: Event[]) => void = () => {}
  /** Fills so far. */
  fills = 0
  #rows = 0
  readonly #changed = new Set<Hex>()
  readonly #rules: number

  /** `rules`: those that the journal begins with. */
  constructor(compare: boolean, exchange: Exchange = new Exchange(), rules: number = NEWEST_RULES) {
    this.exchange = exchange
    this.naive = compare ? new NaiveExchange() : null
    this.#rules = rules
  }

  /** Applies a row. Returns the first failure, or null. With `thorough`, everything is checked afterwards. */
  apply(row: Row, thorough: boolean): Failure | null {
    try {
      return this.#apply(row, thorough)
    } catch (error) {
      const name = error instanceof InvariantBroken ? 'invariant' : 'crash'
      return {
        seq: this.exchange.seq,
        what: `${name}: ${error instanceof Error ? (name === 'crash' ? error.stack : error.message) : error}`,
      }
    }
  }

  #apply(row: Row, thorough: boolean): Failure | null {
    const foretold = foretell(this.exchange, row)
    const outcomes = this.exchange.applyRow({ at: row.at, commands: encodeRow(row.commands), rules: this.#rules })
    if (outcomes.length !== row.commands.length) return { seq: this.exchange.seq, what: 'a command got no answer' }
    if (foretold) checkForetold(foretold, outcomes[0]!.events)
    for (let i = 0; i < outcomes.length; i++) {
      const { seq, events } = outcomes[i]!
      const command = row.commands[i]!
      const difference = this.#second(row.at, command, events)
      if (difference) return { seq, what: `${command.type} ${seq}: ${told(difference)}` }
      this.onOutcome(seq, row.at, command, events)
      this.census.note(command, events)
      this.fills += checkOutcome(events, this.#changed)
    }
    checkBooks(this.exchange, this.#changed)
    this.#changed.clear()
    this.#rows++
    if (thorough) {
      const difference = this.naive && compareStates(this.exchange, this.naive)
      if (difference) return { seq: this.exchange.seq, what: `after row ${this.#rows}: ${told(difference)}` }
      checkState(this.exchange, this.census)
    }
    return null
  }

  /** Continues with an exchange restored from a snapshot of this one. Returns a failure, or null. */
  goOnFromSnapshot(): Failure | null {
    const { seq } = this.exchange
    try {
      const bytes = takeSnapshot(this.exchange)
      const restored = restoreSnapshot(bytes)
      if (restored.digest() !== this.exchange.digest()) return { seq, what: 'a restored exchange has another digest' }
      if (!Buffer.from(takeSnapshot(restored)).equals(bytes)) return { seq, what: 'a snapshot of a restored exchange differs' }
      this.exchange = restored
      return null
    } catch (error) {
      return { seq, what: `crash: ${(error as Error).stack}` }
    }
  }

  #second(at: number, command: Command, events: Event[]): Difference | null {
    if (!this.naive) return null
    const engine = resultOf(events)
    const paid = [...new Set(events.flatMap((event): Hex[] => (event.type === 'entry' ? [event.account] : [])))]
    return compareResults(engine, this.naive.apply(at, command, paid))
  }
}

const told = ({ where, engine, naive }: Difference): string =>
  `${where}\n  engine ${JSON.stringify(engine)}\n  naive  ${JSON.stringify(naive)}`
