import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Fifo } from '@augury/venue/base/fifo'
import { signedHeaderNames } from '@augury/venue/serve/access/gateway'
import { scopeCovers, type Trader } from '@augury/venue/serve/access/identity'
import { DisconnectGuard } from '@augury/venue/serve/state/disconnect-guard'
import { StreamSocket } from '@augury/venue/serve/streams/socket'
import { CLOSE, FRAMES_UNDER_WAY, MALFORMED_FRAMES } from '@augury/wire/limits'
import { parse } from '@augury/wire/parse'
import { ServiceError } from '@augury/wire/service-error'
import { type FrameId, LOGIN, type TradingName, tradeLogin, tradeQuery, tradingWords } from '@augury/wire/trade-stream'
import { getAddress } from 'viem'
import { type Answer, refusal } from './answer.ts'
import { headerOf, report } from './http.ts'
import { readQuery } from './query.ts'
import { answerFrame, FrameSignatures, type TradeSource } from './trade-answer.ts'
import { frameOf, idIn, readFrame, type TradeFrame } from './trade-frame.ts'
import { TurnWriter } from './turn-writer.ts'

export type WebSocket = ConstructorParameters<typeof StreamSocket>[0]

/** Its path, which logins sign. */
const TRADE_PATH = '/ws/trade'
/** Frames of one socket that are begun in one turn of the event loop, so that it does not delay the others. */
const FRAMES_A_TURN = 32
/** Milliseconds that frames under way have to be answered before their socket is closed. */
const LEAVE_MS = 10_000
const PING = Buffer.from('PING')

/**
 * A socket of `/ws/trade`. Its frames are begun in the order in which they arrive, and their commands are executed in that order. Of more
 * than may be under way, and while the client does not read its answers, the next ones wait in its connection.
 */
export class TradeSocket {
  readonly #source: TradeSource
  readonly #ws: WebSocket
  readonly #sink: StreamSocket
  readonly #writer: TurnWriter
  readonly #from: string
  #trader: Trader | null = null
  #cancels = false
  #guard: DisconnectGuard | null = null
  /** Of the frames under way. */
  readonly #ids = new Set<FrameId>()
  /** Frames that have arrived and are not begun. */
  readonly #waiting = new Fifo<Buffer>()
  /** Frames begun in this turn of the event loop. */
  #begun = 0
  #isLoggingIn = false
  #isGoingOn = false
  #leaving: { code: number; reason: string } | null = null
  /** Whether the service closes it, and not for anything that its client did. */
  #isCutOff = false
  #malformed = 0
  readonly #signatures = new FrameSignatures()

  constructor(source: TradeSource, ws: WebSocket, raw: Duplex, from: string) {
    this.#source = source
    this.#ws = ws
    this.#sink = new StreamSocket(ws, raw, () => this.#goOn())
    this.#writer = new TurnWriter(this.#sink)
    this.#from = from
  }

  /** Reads the query of the upgrade, and logs in by its headers if it has signed ones. */
  open(incoming: IncomingMessage): void {
    const header = headerOf(incoming)
    this.#contain(() => {
      if (this.#readQuery(incoming) && signedHeaderNames.some((name) => header(name) !== undefined))
        void this.#logIn(null, () => this.#source.edge.gateway.verifyUpgrade(header, TRADE_PATH, this.#from))
    })
  }

  /** Whether the query of the upgrade was understood; else the socket is closed. */
  #readQuery({ url = '' }: IncomingMessage): boolean {
    const query = url.split('?')[1] ?? ''
    try {
      this.#cancels = query !== '' && parse(tradeQuery, readQuery(query)).cancel_on_disconnect === 'true'
      return true
    } catch (error) {
      this.#turnAway(null, refusedBy(error))
      return false
    }
  }

  /** Takes a message. */
  hear(data: Buffer): void {
    if (this.#waiting.size === 0 && this.#mayGoOn()) this.#contain(() => this.#handle(data))
    else {
      this.#waiting.push(data)
      this.#ws.pause()
    }
  }

  /** Closes a socket that may not go on: this process may not speak, its key was revoked, or it does not read. */
  check(mayServe: boolean): void {
    if (!mayServe) this.leave('not the writer')
    else if (this.#trader && !this.#source.edge.context.keys.find(this.#trader.key)) this.#turnAway(null, new ServiceError('unknown_key'))
    else this.#sink.check()
  }

  /** Closes it when what is under way is answered; what comes meanwhile is refused, as this process does not write. */
  leave(reason: string): void {
    if (this.#leaving) return
    this.#isCutOff = true
    this.#leaving = { code: CLOSE.draining, reason }
    setTimeout(() => this.#close(CLOSE.draining, reason), LEAVE_MS).unref()
    this.#leaveIfDone()
  }

  /** Closes it for want of a login. */
  requireLogin(): void {
    if (!this.#trader) this.#turnAway(null, new ServiceError('bad_headers'))
  }

  /** Call when it has closed: what is not begun never is. */
  gone(): void {
    while (this.#waiting.size > 0) this.#waiting.shift()
    this.#guard?.end(this.#isCutOff ? 'cutOff' : 'disconnected')
  }

  #mayGoOn(): boolean {
    return !this.#isLoggingIn && this.#begun < FRAMES_A_TURN && this.#ids.size < FRAMES_UNDER_WAY && !this.#sink.slow
  }

  #goOn(): void {
    if (this.#isGoingOn) return
    this.#isGoingOn = true
    this.#contain(() => {
      while (this.#waiting.size > 0 && this.#mayGoOn()) this.#handle(this.#waiting.shift())
    })
    this.#isGoingOn = false
    if (this.#waiting.size === 0 && this.#ws.isPaused) this.#ws.resume()
    this.#leaveIfDone()
  }

  #endTurn(): void {
    this.#begun = 0
    if (this.#waiting.size > 0) this.#goOn()
  }

  /** A fault of ours ends the socket, and not the exchange. */
  #contain(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#isCutOff = true
    this.#source.onBug(error, { requestId: randomUUID(), operation: null })
    this.#close(CLOSE.failed, 'failed')
  }

  #handle(data: Buffer): void {
    if (this.#begun++ === 0) setImmediate(() => this.#endTurn())
    if (data.length === PING.length && data.equals(PING)) this.#writer.write('PONG')
    else {
      const frame = this.#read(data)
      if (frame) this.#begin(frame, data.length)
    }
  }

  /** The frame in a message; null when it is refused as a whole. */
  #read(data: Buffer): TradeFrame | null {
    try {
      return readFrame(data)
    } catch (error) {
      this.#refuseUnread(idIn(data), refusedBy(error))
      return null
    }
  }

  #begin(frame: TradeFrame, bytes: number): void {
    const { id, op, body } = frame
    const name = tradingWords.get(op)
    if (this.#ids.has(id)) this.#refuse(frame, new ServiceError('invalid_payload', { text: 'Invalid payload: this id is under way' }))
    else if (op === LOGIN) void this.#logIn(id, () => this.#loginOf(body))
    else if (!this.#trader) this.#turnAway(id, new ServiceError('bad_headers'))
    else if (name === undefined) this.#refuse(frame, new ServiceError('not_found', { text: 'No such operation' }))
    else this.#run(frame, name, this.#trader, bytes)
  }

  #run(frame: TradeFrame, name: TradingName, login: Trader, bytes: number): void {
    const began = performance.now()
    this.#ids.add(frame.id)
    const answered = (answer: Answer) => {
      this.#ids.delete(frame.id)
      this.#say(frame.id, frame.op, report(answer, name, this.#source, began))
      if (answer.code === 'unknown_key') this.#close(CLOSE.unauthenticated, 'the key was revoked')
      if (this.#waiting.size > 0) this.#goOn()
      else this.#leaveIfDone()
    }
    const failed = (error: unknown) => this.#fail(error)
    const answer = answerFrame(this.#source, { frame, name, login, bytes, signature: this.#signatures.next() })
    if (answer instanceof Promise) answer.then(answered).catch(failed)
    else answered(answer)
  }

  #loginOf(body: unknown): Trader {
    if (this.#trader) throw new ServiceError('invalid_payload', { text: 'Invalid payload: logged in already' })
    const { cancel_on_disconnect = this.#cancels, ...login } = parse(tradeLogin, body)
    this.#cancels = cancel_on_disconnect
    return this.#source.edge.gateway.verifyLogin(login, TRADE_PATH, this.#from)
  }

  /** Logs in. Frames that follow wait until that is done. */
  async #logIn(id: FrameId | null, verify: () => Trader): Promise<void> {
    const { venue } = this.#source.edge.context
    this.#isLoggingIn = true
    try {
      const trader = verify()
      if (!scopeCovers(trader.scope, 'trade')) throw new ServiceError('insufficient_scope')
      if (this.#cancels) await this.#arm(trader)
      this.#trader = trader
      const body = { account: getAddress(trader.account), epoch: venue.timeline, cancel_on_disconnect: this.#cancels }
      this.#say(id, LOGIN, { status: 200, headers: trader.answerHeaders, body: JSON.stringify(body) })
    } catch (error) {
      if (!(error instanceof ServiceError)) this.#fail(error)
      else if (this.#trader) this.#refuse({ id: id!, op: LOGIN }, error)
      else this.#turnAway(id, error)
    }
    this.#isLoggingIn = false
    this.#goOn()
  }

  /** Arms cancel-on-disconnect before the login is answered. Throws a refusal. */
  async #arm(trader: Trader): Promise<void> {
    const { context, gateway } = this.#source.edge
    gateway.admitSwitch(trader)
    this.#guard = new DisconnectGuard(context.deadMan, trader.account)
    await this.#guard.arm().catch((cause: unknown) => {
      throw new ServiceError('service_unavailable', { retryAfter: 1, cause })
    })
  }

  #refuse({ id, op }: Pick<TradeFrame, 'id' | 'op'>, error: ServiceError): void {
    this.#say(id, op, refusal(error, {}))
  }

  /** Refuses a frame that could not be read. Of those without an id, too many end the socket. */
  #refuseUnread(id: FrameId | null, error: ServiceError): void {
    this.#say(id, undefined, refusal(error, {}))
    if (id === null && ++this.#malformed >= MALFORMED_FRAMES) this.#close(CLOSE.malformed, 'malformed frames')
  }

  /** Refuses a login, or ends it, and closes the socket with a code that tells whether another login later makes sense. */
  #turnAway(id: FrameId | null, error: ServiceError): void {
    this.#say(id, id === null ? undefined : LOGIN, refusal(error, {}))
    this.#close(error.status === 503 || error.status === 429 ? CLOSE.draining : CLOSE.unauthenticated, error.code)
  }

  #say(id: FrameId | null, op: string | undefined, answer: Answer): void {
    this.#writer.write(frameOf(id, op, this.#source.edge.context.exchange.seq, answer))
  }

  /** Closes it after what was answered. */
  #close(code: number, reason: string): void {
    this.#writer.flush()
    this.#sink.close(code, reason)
  }

  #leaveIfDone(): void {
    if (this.#leaving && this.#ids.size === 0 && this.#waiting.size === 0) this.#close(this.#leaving.code, this.#leaving.reason)
  }
}

/** A refusal; anything else is a bug, and thrown. */
function refusedBy(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  throw error
}
