import { setTimeout as wait } from 'node:timers/promises'
import type { Reply, Trader } from './trader.ts'

/** A price that the market refuses. */
const OFF_TICK = '0.555'
const LANES = 16
/** Refusals that are acceptable during a fault: nothing happened, retry. */
const PASSING = ['service_unavailable', 'overloaded', 'read_model_lagging', 'standby']

/** The market that is traded, and who trades there with how much money. */
export interface Floor {
  traders: readonly Trader[]
  yes: string
  no: string
  /** Total µUSDC given to all traders. */
  given: number
}

type Order = Record<string, unknown> & { clientOrderId: string; price: string }

/** Sixteen clients that trade while things fail, with a ledger of their own, kept apart from the exchange. */
export class Load {
  readonly #name: string
  readonly #floor: Floor
  readonly #urls: readonly string[]
  readonly #sent: { trader: Trader; order: Order }[] = []
  readonly #acknowledged = new Map<string, { trader: Trader; body: Reply['body']; sentAt: number; heardAt: number }>()
  /** Refusal code by name of the order. */
  readonly #refused = new Map<string, string>()
  /** Acknowledged orders that were missing when checked. */
  lost = 0
  /** Unexpected codes. */
  readonly #putOff = new Set<string>()
  #isOver = false
  #running: Promise<unknown> = Promise.resolve()

  /** `name` distinguishes its orders from those of other loads; `urls` are the exchange's processes, of which one at a time writes. */
  constructor(name: string, floor: Floor, urls: readonly string[]) {
    this.#name = name
    this.#floor = floor
    this.#urls = urls
  }

  get acknowledged(): number {
    return this.#acknowledged.size
  }

  /** Ids of the acknowledged orders. */
  get orders(): string[] {
    return [...this.#acknowledged.keys()]
  }

  get traders(): readonly Trader[] {
    return this.#floor.traders
  }

  get refused(): number {
    return this.#refused.size
  }

  /** Starts. A client that loses its connection or gets no answer tries the next process. */
  start(restMs = 0): void {
    this.#running = Promise.all(Array.from({ length: LANES }, (_, lane) => this.#trade(lane, restMs)))
  }

  /** Lets all clients finish what is under way. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  /** Resolves when so many orders sent from now on are acknowledged, with the milliseconds until the first. */
  async recovered(count = 20, ms = 60_000): Promise<number> {
    const since = performance.now()
    while (performance.now() - since < ms) {
      const after = [...this.#acknowledged.values()].filter(({ sentAt }) => sentAt >= since)
      if (after.length >= count) return Math.round(Math.min(...after.map(({ heardAt }) => heardAt)) - since)
      await wait(10)
    }
    throw new Error(`within ${ms} ms nothing was acknowledged again; so far the refusals were ${[...this.#putOff].join(', ') || 'nothing'}`)
  }

  async #trade(lane: number, restMs: number): Promise<void> {
    const trader = this.#floor.traders[lane % this.#floor.traders.length]!
    let turn = 0
    while (!this.#isOver) {
      const order = this.#order(this.#sent.length)
      this.#sent.push({ trader, order })
      while (!(await this.#ask(trader, order, this.#urls[turn % this.#urls.length]!)) && !this.#isOver) {
        turn++
        await wait(20)
      }
      if (restMs > 0) await wait(restMs)
    }
  }

  /** Sends an order; false when its outcome is unknown, or it should be sent again. */
  async #ask(trader: Trader, order: Order, url: string): Promise<boolean> {
    const sentAt = performance.now()
    try {
      const { status, body } = await trader.call(url, 'POST', '/order', order)
      if (status === 200) this.#acknowledged.set(body.orderId, { trader, body, sentAt, heardAt: performance.now() })
      else if (status < 500) this.#refused.set(order.clientOrderId, body.code)
      else this.#putOff.add(body.code)
      return status < 500
    } catch {
      return false // the connection died: unknown outcome
    }
  }

  #order(count: number): Order {
    const tokenId = count % 3 ? this.#floor.yes : this.#floor.no
    const price = count % 7 === 0 ? OFF_TICK : `0.${40 + (count % 20)}`
    return { tokenId, side: 'BUY', orderType: 'GTC', size: '5', price, clientOrderId: `${this.#name}-${count}` }
  }

  /** Holds everything the clients know against what a process says. Returns what does not agree, in sentences. Its traders leave. */
  async check(url: string): Promise<string[]> {
    const wrong = [...this.#putOff].filter((code) => !PASSING.includes(code)).map((code) => `a client was refused with ${code}`)
    await each([...this.#acknowledged], async ([id, { trader, body }]) => {
      const found = await trader.look(url, 'GET', `/data/order/${id}`)
      if (found.status !== 200) {
        this.lost++
        wrong.push(`acknowledged order ${id} is not there (${found.status})`)
      } else if (found.body.seq !== body.seq) wrong.push(`order ${id} was acknowledged at ${body.seq} and stands at ${found.body.seq}`)
      else if (Number(found.body.size_matched) < Number(body.size_matched)) wrong.push(`order ${id} has lost a fill`)
    })
    // An order that is sent again is a replay of itself and has kept its fills; one that never arrived is placed now.
    await each(this.#sent, async ({ trader, order }) => {
      const again = await trader.look(url, 'POST', '/order', order)
      const isRefused = order.price === OFF_TICK
      if (again.status !== (isRefused ? 400 : 200)) wrong.push(`asked again, ${order.clientOrderId} is answered ${again.status}`)
      const first = this.#acknowledged.get(again.body.orderId)?.body
      if (first && !isReplay(first, again.body)) wrong.push(`asked again, ${order.clientOrderId} has another answer`)
      const code = this.#refused.get(order.clientOrderId)
      if (code !== undefined && !isRefused) wrong.push(`${order.clientOrderId} was refused with ${code}`)
    })
    wrong.push(...(await this.#checkMoney(url)))
    for (const trader of this.#floor.traders) await trader.look(url, 'DELETE', '/cancel-all')
    return wrong
  }

  /** Nothing was made or lost: what all have is what they were given, a pair of shares counting as the USDC it locks. */
  async #checkMoney(url: string): Promise<string[]> {
    const wrong: string[] = []
    let total = 0
    for (const trader of this.#floor.traders) {
      const of = async (query: string) => (await trader.look(url, 'GET', `/balance-allowance?${query}`)).body
      const usdc = await of('asset_type=COLLATERAL')
      total += Number(usdc.balance) + Number((await of(`asset_type=CONDITIONAL&token_id=${this.#floor.yes}`)).balance)
      const holds: { amount: string; asset: string }[] = (await trader.look(url, 'GET', '/holds')).body
      const held = holds.filter(({ asset }) => asset === 'USDC').reduce((sum, { amount }) => sum + Number(amount), 0)
      if (usdc.reserved !== String(held)) wrong.push(`${trader.key.address} has ${usdc.reserved} reserved for orders that hold ${held}`)
    }
    if (total !== this.#floor.given) wrong.push(`${this.#floor.given} were given, ${total} are there`)
    return wrong
  }
}

/** Whether an answer repeats an earlier one: of the same order, which has lost no fill since. */
const isReplay = (first: Reply['body'], again: Reply['body']): boolean =>
  again.replayed === true && again.seq === first.seq && Number(again.size_matched) >= Number(first.size_matched)

/** Does something for each item, sixteen at a time. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += LANES) await Promise.all(items.slice(at, at + LANES).map(work))
}
