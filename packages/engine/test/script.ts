import { formatLots, formatPrice, formatUsdc, parseLots, parsePrice, parseUsdc } from '@augury/units/decimal'
import { expect } from 'vitest'
import { encodeCommand } from '../src/codec.ts'
import type { Command, Hex, Outcome, Place } from '../src/command.ts'
import type { Event, OrderView } from '../src/event.ts'
import { Exchange } from '../src/exchange.ts'

/**
 * A page of the rule book: commands, and indented below each what the exchange answers. The page holds when playing its
 * commands against a fresh exchange gives the page again.
 *
 *   market rain tick 0.01 fee 700          a condition; later lines mean it, until `in fog`
 *   deposit alice 100
 *   place a1 alice BUY YES 40 @ 0.55       GTC unless a type follows; then: post-only, until 90 (seconds), stp none, in fog
 *   place b1 bob BUY NO $20 @ 0.5 FAK      by budget
 *   cancel alice a1 · reduce alice a1 10 · replace a1 with a2 alice BUY YES 5 @ 0.6
 *   at 60                                  seconds from the start
 *   book · book NO · money alice bob · order a1
 *
 * `ok` is the answer of what only moved money or shares.
 */
export function holds(page: string): void {
  const lines = page.split('\n').filter((line) => line.trim() !== '')
  const margin = Math.min(...lines.map((line) => line.length - line.trimStart().length))
  const text = lines.map((line) => line.slice(margin))
  expect(play(text.filter((line) => !line.startsWith(' ')))).toBe(text.join('\n'))
}

/** The page that a list of commands gives. */
export function play(commands: string[]): string {
  const player = new Player()
  return commands.flatMap((line) => [line, ...player.line(line).map((answer) => `  ${answer}`)]).join('\n')
}

const START = 1_000_000_000_000

/** The 32- or 20-byte id that stands for a name in scripts. */
export const idOf = (name: string, bytes: number): Hex => `0x${Buffer.from(name.padEnd(bytes, '\0')).toString('hex')}`
const hash = (name: string): Hex => idOf(name, 32)
const address = (name: string): Hex => idOf(name, 20)
const nameOf = (hex: Hex): string => Buffer.from(hex.slice(2), 'hex').toString().replace(/\0+$/, '')

export class Player {
  readonly exchange = new Exchange()
  #at = START
  #requests = 0
  /** The market that a line means when it names none. */
  #market = ''

  line(line: string): string[] {
    const words = line.split(/\s+/)
    const [verb, ...rest] = words as [string, ...string[]]
    if (verb === 'at') {
      this.#at = START + Number(rest[0]) * 1000
      return []
    }
    if (verb === 'in') {
      this.#market = rest[0]!
      return []
    }
    if (verb === 'book') return this.#book(rest[0] === 'NO' ? 1 : 0)
    if (verb === 'money') return rest.map((account) => this.#money(account))
    if (verb === 'order') return [this.#order(rest[0]!)]
    if (verb === 'market') this.#market = rest[0]!
    return this.apply(this.#command(verb, rest))
  }

  apply(...commands: Command[]): string[] {
    const row = { at: this.#at, commands: Buffer.concat(commands.map(encodeCommand)) }
    const answers = this.exchange.applyRow(row).flatMap(({ events }) => events.flatMap((event) => describe(event)))
    return answers.length === 0 ? ['ok'] : answers
  }

  #request(): Hex {
    return hash(`request ${++this.#requests}`)
  }

  #command(verb: string, words: string[]): Command {
    const [first = '', second = '', third = ''] = words
    const market = hash(this.#market)
    switch (verb) {
      case 'market':
        return this.#register(words)
      case 'place':
        return this.#place(words)
      case 'replace': {
        const asked = after(words, 'only-if') ?? 'any'
        const onlyIf = /^\d/.test(asked) ? { matched: parseLots(asked) } : (asked as 'any')
        const place = this.#place(words.slice(words.indexOf('with') + 1))
        return { type: 'replace', cancel: hash(first), requireCancel: !words.includes('anyway'), onlyIf, place }
      }
      case 'cancel':
        return { type: 'cancel', account: address(first), orderId: hash(second) }
      case 'cancel-all': {
        const outcome = second === 'YES' ? 0 : second === 'NO' ? 1 : null
        return { type: 'cancel_all', account: address(first), condition: second === '' ? null : market, outcome, reason: 'cancel_all' }
      }
      case 'reduce':
        return { type: 'reduce', account: address(first), orderId: hash(second), lots: parseLots(third) }
      case 'deposit':
        return { type: 'deposit', account: address(first), amount: parseUsdc(second), ref: third === '' ? this.#request() : hash(third) }
      case 'withdraw':
        return { type: 'withdraw', account: address(first), amount: parseUsdc(second), ref: hash(third) }
      case 'settled':
      case 'returned':
        return { type: 'end_withdrawal', ref: hash(first), outcome: verb }
      case 'split':
      case 'merge':
        return {
          type: verb,
          account: address(first),
          condition: market,
          lots: parseLots(second),
          request: third === '' ? this.#request() : hash(third),
        }
      case 'convert': {
        const conditions = words.slice(3).map(hash)
        return {
          type: 'convert',
          account: address(first),
          event: hash(second),
          conditions,
          lots: parseLots(third),
          request: this.#request(),
        }
      }
      case 'redeem':
        return { type: 'redeem', account: address(first), condition: second === '' ? market : hash(second), request: this.#request() }
      case 'redeem-all':
        return { type: 'redeem_all', condition: hash(first), limit: Number(second) }
      case 'resolve':
        return { type: 'resolve', condition: hash(first), weight: parsePriceOrBound(second) }
      case 'mode':
        return { type: 'set_condition', condition: hash(first), mode: second as 'open', grid: null, feeBps: null }
      case 'tick':
        return { type: 'set_condition', condition: hash(first), mode: null, grid: parsePrice(second), feeBps: null }
      case 'fee':
        return { type: 'set_condition', condition: hash(first), mode: null, grid: null, feeBps: Number(second) }
      case 'venue':
        return { type: 'set_mode', mode: first as 'normal' }
      case 'sweep':
        return { type: 'sweep', limit: Number(first || 1000) }
      case 'account':
        return this.#account(words)
      case 'dead-man':
        return {
          type: 'dead_man',
          account: address(first),
          deadline: second === 'off' ? 0 : START + Number(second) * 1000,
          reason: 'heartbeat',
        }
      case 'upgrade':
        return { type: 'upgrade', rules: Number(first) }
      default:
        throw new Error(`no such line: ${verb} ${words.join(' ')}`)
    }
  }

  #register(words: string[]): Command {
    const event = after(words, 'event')
    return {
      type: 'register',
      condition: hash(words[0]!),
      creator: address('creator'),
      grid: parsePrice(after(words, 'tick') ?? '0.01'),
      minLots: parseLots(after(words, 'min') ?? '0.01'),
      minNotional: parseUsdc(after(words, 'min-notional') ?? '0'),
      feeBps: Number(after(words, 'fee') ?? 0),
      rebateBps: Number(after(words, 'rebate') ?? 0),
      affiliateBps: Number(after(words, 'affiliate') ?? 0),
      event: event === undefined ? null : { id: hash(event), size: Number(after(words, event)) },
    }
  }

  #account(words: string[]): Command {
    const [name = ''] = words
    const referrer = after(words, 'referrer')
    const tier = after(words, 'tier')
    const group = after(words, 'group')
    return {
      type: 'set_account',
      account: address(name),
      referrer: referrer === undefined ? null : address(referrer),
      tier: tier === undefined ? null : Number(tier),
      stpGroup: group === undefined ? null : Number(group),
      banned: words.includes('banned') ? true : null,
    }
  }

  #place(words: string[]): Place {
    const [name = '', account = '', side = '', outcome = '', size = ''] = words
    const byBudget = size.startsWith('$')
    const until = after(words, 'until')
    const deployment = after(words, 'through')
    return {
      type: 'place',
      orderId: hash(name),
      account: address(account),
      condition: hash(after(words, 'in') ?? this.#market),
      outcome: outcome === 'NO' ? 1 : 0,
      side: side as 'BUY',
      orderType: (words.find((word) => ['GTD', 'FOK', 'FAK'].includes(word)) ?? 'GTC') as 'GTC',
      price: parsePriceOrBound(after(words, '@')!),
      lots: byBudget ? 0 : parseLots(size),
      budget: byBudget ? parseUsdc(size.slice(1)) : 0,
      expiration: until === undefined ? 0 : START / 1000 + Number(until),
      postOnly: words.includes('post-only'),
      selfTrade: (after(words, 'stp') ?? 'expire_maker') as 'none',
      deployment: deployment === undefined ? null : address(deployment),
      annex: new Uint8Array(0),
    }
  }

  #book(outcome: Outcome): string[] {
    const { bids, asks } = this.exchange.depth(hash(this.#market), outcome, 100)
    const side = (levels: [number, number][]) => levels.map(([price, lots]) => `${formatPrice(price)}x${formatLots(lots)}`).join(' ') || '-'
    return [`bids ${side(bids)}`, `asks ${side(asks)}`]
  }

  #money(account: string): string {
    const { free, held, withdrawing } = this.exchange.balance(address(account))
    const shares = this.exchange
      .holdings(address(account))
      .map(
        ({ condition, outcome, free, held }) =>
          `${tokenName(condition, outcome)} ${formatLots(free)}${held > 0 ? ` (${formatLots(held)} held)` : ''}`,
      )
    const cash = `${formatUsdc(free)}${held > 0 ? ` (${formatUsdc(held)} held)` : ''}${withdrawing > 0 ? ` (${formatUsdc(withdrawing)} leaving)` : ''}`
    return [`${account}: ${cash}`, ...shares.sort()].join(', ')
  }

  #order(name: string): string {
    const order = this.exchange.order(hash(name))
    return order === null ? `${name} is not remembered` : state(order)
  }
}

const tokenName = (condition: Hex, outcome: Outcome): string => `${nameOf(condition)}-${outcome === 0 ? 'YES' : 'NO'}`
const parsePriceOrBound = (text: string): number => Math.round(Number(text) * 10_000)

function after(words: string[], word: string): string | undefined {
  const at = words.indexOf(word)
  return at === -1 ? undefined : words[at + 1]
}

function state(order: OrderView): string {
  const name = nameOf(order.orderId)
  const why = order.reason === null ? '' : ` (${order.reason})`
  return `${name} ${order.state}${why} ${formatLots(order.matched)} of ${formatLots(order.lots)}`
}

/** An event as a line; levels and ledger entries are what `book` and `money` show. */
function describe(event: Event): string[] {
  switch (event.type) {
    case 'refused': {
      const { details } = event
      const amounts = details === null ? '' : ` (${details.required} of ${details.available})`
      return [`refused ${event.code}${event.state === null ? '' : ` (${event.state})`}${amounts}`]
    }
    case 'placed':
      return [
        event.again
          ? `again: ${nameOf(event.order.orderId)} ${event.order.first.state} ${formatLots(event.order.first.matched)}`
          : `placed ${state(event.order)}`,
      ]
    case 'fill': {
      const { taker, maker } = event
      const fee = event.fee === 0 ? '' : ` fee ${formatUsdc(event.fee)}`
      return [
        `fill ${formatLots(event.lots)} @ ${formatPrice(taker.price)} ${event.kind} ${nameOf(taker.orderId)} <- ${nameOf(maker.orderId)}${fee}`,
      ]
    }
    case 'reduced':
      return [`reduced ${nameOf(event.orderId)} to ${formatLots(event.lots)} (${event.reason})`]
    case 'ended':
      return [`ended ${state(event.order)}`]
    case 'condition':
      return [`condition ${nameOf(event.condition)} ${event.change}: ${event.mode}`]
    case 'account':
      return [`account ${nameOf(event.account)}`]
    case 'mode':
      return [`venue ${event.mode}`]
    case 'done':
      return ['done']
    case 'entry':
    case 'level':
      return []
  }
}
