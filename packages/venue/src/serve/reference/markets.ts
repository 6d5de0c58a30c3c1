import type { Hex } from '@augury/engine/command'
import type { ConditionMetadata } from '@augury/wire/condition-request'
import type { Pool } from 'pg'
import type { Token } from '../../base/books.ts'
import { KeyedQueue } from '../../base/keyed-queue.ts'
import { notify } from '../../base/notices.ts'
import { toBytes, toHex } from '../../base/postgres.ts'

/** NOTIFY channel for changes of market records; the payload is the condition. */
export const MARKET_CHANNEL = 'market'

/** What the venue knows of a condition outside the engine: ids, texts, and the state of its resolution. */
export interface MarketRecord {
  condition: Hex
  /** Grows with each registration, and stays the same. */
  number: number
  questionId: Hex
  creator: Hex
  questionSlug: string
  outcomes: [yes: string, no: string]
  /** Token ids of Yes and No. */
  tokens: [yes: string, no: string]
  negRiskMarketId: Hex | null
  /** ISO 8601. */
  endTime: string
  metadata: ConditionMetadata
  resolution: { status: string | null; flagged: boolean; paused: boolean; deadlineAt: string | null }
  /** Hash of what the condition was registered with: tells a repeat from another registration. */
  content: Hex
  createdAt: string
  updatedAt: string
}

/** Whether the time to trade in a market is over, closed or not. */
export const hasEnded = ({ endTime }: Pick<MarketRecord, 'endTime'>, now: number): boolean => Date.parse(endTime) <= now

/** Whether the operator hid the event of a market: lists and searches leave it out, and reads by id answer. */
export const isHidden = ({ metadata }: Pick<MarketRecord, 'metadata'>): boolean => metadata.event.hidden === true

/** A record that is not stored yet. */
export type NewMarketRecord = Omit<MarketRecord, 'number'>

interface Row {
  id: number
  condition_id: Buffer
  record: Omit<NewMarketRecord, 'condition' | 'content'>
  content: Buffer
}

/** All conditions ever registered, in memory, in order of registration. A record is stored before the engine gets the condition. */
export class Markets {
  readonly #db: Pool
  readonly #byCondition = new Map<Hex, MarketRecord>()
  readonly #byToken = new Map<string, Token>()
  readonly #ordered: MarketRecord[] = []
  #version = 0
  #hidden: { version: number; conditions: readonly Hex[] } = { version: 0, conditions: [] }
  /** Reads of the table, one at a time: an older result never overwrites a newer one. */
  readonly #readings = new KeyedQueue()

  private constructor(db: Pool) {
    this.#db = db
  }

  /** Reads the table `condition_metadata`. */
  static async load(db: Pool): Promise<Markets> {
    const markets = new Markets(db)
    await markets.reload()
    return markets
  }

  /** Reads the table, or one market of it, again. */
  reload(condition?: Hex): Promise<void> {
    return this.#readings.run('', () => this.#read(condition))
  }

  async #read(condition?: Hex): Promise<void> {
    const which = condition === undefined ? 'order by id' : 'where condition_id = $1'
    const text = `select id, condition_id, record, content from condition_metadata ${which}`
    const { rows } = await this.#db.query<Row>(text, condition === undefined ? [] : [toBytes(condition)])
    for (const { id, condition_id, record, content } of rows)
      this.#remember({ ...record, condition: toHex(condition_id), number: id, content: toHex(content) })
  }

  /** The market with this condition id, in any case, or null. */
  market(condition: string): MarketRecord | null {
    return this.#byCondition.get(condition.toLowerCase() as Hex) ?? null
  }

  /** The token with this decimal id, or null. */
  token(id: string): Token | null {
    return this.#byToken.get(id) ?? null
  }

  /** One of a condition's two tokens, which must be registered. */
  tokenOf(condition: Hex, outcome: 0 | 1): Token {
    const market = this.#byCondition.get(condition)
    if (!market) throw new Error(`no metadata of condition ${condition}`)
    return this.#byToken.get(market.tokens[outcome])!
  }

  /** Ids of Yes and No of a condition, which must be registered. */
  tokensOf(condition: Hex): readonly [yes: string, no: string] {
    return [this.tokenOf(condition, 0).id, this.tokenOf(condition, 1).id]
  }

  /** Markets in order of registration, from a position on. */
  page(from: number, limit: number): readonly MarketRecord[] {
    return this.#ordered.slice(from, from + limit)
  }

  get count(): number {
    return this.#ordered.length
  }

  /** Grows with every change of a record. */
  get version(): number {
    return this.#version
  }

  /** Conditions of hidden events. */
  get hidden(): readonly Hex[] {
    if (this.#hidden.version !== this.#version)
      this.#hidden = { version: this.#version, conditions: this.#ordered.filter(isHidden).map(({ condition }) => condition) }
    return this.#hidden.conditions
  }

  /** Stores a new market. A market with the same condition id stays as it was. */
  async add(market: NewMarketRecord): Promise<void> {
    if (this.#byCondition.has(market.condition)) return
    const { rows } = await this.#db.query<Pick<Row, 'id'>>(
      'insert into condition_metadata (condition_id, creator, record, content) values ($1, $2, $3, $4) on conflict do nothing returning id',
      [toBytes(market.condition), toBytes(market.creator), JSON.stringify(this.#record(market)), toBytes(market.content)],
    )
    if (rows[0]) this.#remember({ ...market, number: rows[0].id })
    else await this.reload(market.condition)
  }

  /** Replaces the record of a market. */
  async update(market: NewMarketRecord): Promise<void> {
    await this.#db.query('update condition_metadata set record = $2, content = $3 where condition_id = $1', [
      toBytes(market.condition),
      JSON.stringify(this.#record(market)),
      toBytes(market.content),
    ])
    await notify(this.#db, MARKET_CHANNEL, market.condition)
    Object.assign(this.#byCondition.get(market.condition)!, market)
    this.#version++
  }

  #record({ condition: _, content: __, number: ___, ...record }: NewMarketRecord & { number?: number }): Row['record'] {
    return record
  }

  #remember(market: MarketRecord): void {
    this.#version++
    const known = this.#byCondition.get(market.condition)
    if (known) return void Object.assign(known, market)
    this.#byCondition.set(market.condition, market)
    this.#ordered.push(market)
    for (const outcome of [0, 1] as const) {
      const id = market.tokens[outcome]
      this.#byToken.set(id, { id, condition: market.condition, outcome })
    }
  }
}
