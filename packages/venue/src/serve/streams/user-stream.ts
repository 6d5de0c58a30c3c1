import type { Duplex } from 'node:stream'
import type { Hex } from '@augury/engine/command'
import { CLOSE, HEARTBEAT_MS, LOGIN_MS, SOCKET_ACCOUNTS, SOCKET_CONDITIONS } from '@augury/wire/limits'
import type { RefusalCode } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import { userRequest } from '@augury/wire/user-stream'
import { getAddress } from 'viem'
import type { WebSocket } from 'ws'
import type { z } from 'zod'
import type { AppliedRow } from '../../record/log/applied-row.ts'
import { roleOf, type VenueStatus } from '../../record/venue.ts'
import { scopeCovers, type Trader } from '../access/identity.ts'
import type { Keys } from '../access/keys.ts'
import type { DeadMan } from '../state/dead-man.ts'
import { DisconnectGuard } from '../state/disconnect-guard.ts'
import { AccountChannels, type AccountSource } from './account-channels.ts'
import { repeated } from './contained.ts'
import { requestOf } from './frames.ts'
import { OpenSockets } from './open-sockets.ts'
import type { Sink } from './sink.ts'
import { StreamSocket } from './socket.ts'
import { tooManyFrame } from './told.ts'
import type { View } from './view.ts'

type Request = z.output<typeof userRequest>
/** The signed login of a socket. */
export type Login = Extract<Request, { type: 'user' }>['auth']

/** What the private stream depends on. */
export interface UserSource extends AccountSource {
  keys: Pick<Keys, 'find'>
  deadMan: DeadMan
  /** Verifies a login, and that the end of its socket may cancel everything. Both throw a refusal. */
  verifyLogin(login: Login): Trader
  admitSwitch(trader: Trader): void
  status(): Pick<VenueStatus, 'writer' | 'verified'>
  onBug(error: unknown): void
}

/** Whose events, in which markets; an empty list means all. */
export interface UserSelection {
  account: Hex
  markets: readonly string[]
  cancelsOnDisconnect: boolean
}

/** A socket: who logged in, and which accounts and markets it follows. */
interface Reader {
  socket: Sink
  trader: Trader | null
  accounts: Set<Hex>
  /** Conditions, sorted; null for all, empty when every named one was unsubscribed. */
  markets: string[] | null
  /** Of a socket whose end cancels the orders of its account. */
  guard: DisconnectGuard | null
  /** Whether it is closed because this process may not speak, or failed, and not for anything that its client did. */
  isCutOff: boolean
}

/** `/ws/user`: everything that happens to an account's orders and trades, in order and without gaps, for its authenticated owner. */
export class UserStream {
  readonly #source: UserSource
  #channels: AccountChannels<Reader>
  readonly #readers = new Set<Reader>()
  readonly #timers: NodeJS.Timeout[]
  readonly #sockets = new OpenSockets()

  constructor(source: UserSource) {
    this.#source = source
    this.#channels = new AccountChannels(source)
    this.#timers = [
      repeated(HEARTBEAT_MS, source.onBug, this, () => this.#heartbeat()),
      repeated(500, source.onBug, this, () => this.#check()),
    ]
  }

  /** Serves a socket whose upgrade is done; `raw` is the connection under it. */
  accept(ws: WebSocket, raw: Duplex): void {
    const socket = new StreamSocket(ws, raw, () => {})
    const reader = this.#join(socket)
    const patience = setTimeout(() => {
      if (!reader.trader) this.#sendAway(socket, 'bad_headers', 'no login')
    }, LOGIN_MS)
    this.#sockets.serve(ws, socket, HEARTBEAT_MS, {
      hear: (text) => this.#hear(reader, text),
      gone: () => {
        clearTimeout(patience)
        this.#leave(reader)
      },
    })
  }

  /** Follows an account into a sink, from now on; `leave` ends it. Throws `insufficient_scope`. */
  follow(sink: Sink, trader: Trader, { account, markets, cancelsOnDisconnect }: UserSelection): { ack: object; leave: () => void } {
    const accounts = new Set([account])
    permit(trader, accounts)
    if (cancelsOnDisconnect) this.#source.admitSwitch(trader)
    const reader = this.#join(sink)
    reader.trader = trader
    this.#follow(reader, accounts, allOr(markets))
    if (cancelsOnDisconnect) void this.#guard(reader, trader)
    return { ack: this.#acknowledgement(reader), leave: () => this.#leave(reader) }
  }

  /** Sends what a row did to the followed accounts. */
  publish(row: AppliedRow): void {
    this.#channels.publish(row, ({ readers }, frame) => {
      // A revoked key hears nothing more from that moment on; its socket is closed at the next check.
      for (const { socket, trader } of readers) if (trader && this.#source.keys.find(trader.key)) socket.write(frame)
    })
  }

  /** After a fault in publishing: ends all sockets and forgets what was sent, so that no client goes on as if nothing was missed. */
  startOver(): void {
    this.#channels = new AccountChannels(this.#source)
    for (const reader of this.#readers) {
      reader.isCutOff = true
      reader.socket.close(CLOSE.failed, 'failed')
    }
  }

  /** Ends all sockets: this process stops. */
  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
    for (const { socket } of this.#readers) socket.close(CLOSE.draining, 'draining')
  }

  /** Open sockets. */
  get size(): number {
    return this.#sockets.size
  }

  #join(socket: Sink): Reader {
    const reader: Reader = { socket, trader: null, accounts: new Set(), markets: null, guard: null, isCutOff: false }
    this.#readers.add(reader)
    return reader
  }

  #hear(reader: Reader, text: string): void {
    try {
      const request = requestOf(userRequest, text)
      if ('auth' in request) this.#login(reader, request)
      else if (!reader.trader) throw new ServiceError('bad_headers')
      else if (!this.#source.keys.find(reader.trader.key)) throw new ServiceError('unknown_key')
      else if (request.operation === 'resume') this.#resume(reader, reader.trader, request)
      else this.#change(reader, reader.trader, request)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      this.#refuse(reader, error)
    }
  }

  #login(reader: Reader, { auth, accounts, markets = [], cancel_on_disconnect }: Extract<Request, { auth: unknown }>): void {
    if (reader.trader) throw new ServiceError('invalid_payload')
    const trader = this.#source.verifyLogin(auth)
    const followed = new Set(accounts ?? [trader.account])
    permit(trader, followed)
    if (cancel_on_disconnect) this.#source.admitSwitch(trader)
    reader.trader = trader
    this.#followMost(reader, followed, allOr(markets))
    if (cancel_on_disconnect) void this.#guard(reader, trader)
  }

  /** Arms cancel-on-disconnect. When that fails the socket is closed, which then cancels nothing. */
  async #guard(reader: Reader, { account }: Trader): Promise<void> {
    reader.guard = new DisconnectGuard(this.#source.deadMan, account)
    await reader.guard.arm().catch(() => reader.socket.close(CLOSE.draining, 'cannot arm'))
  }

  #change(reader: Reader, trader: Trader, request: Extract<Request, { operation: 'subscribe' | 'unsubscribe' }>): void {
    const { accounts = [] } = request
    const markets: readonly string[] = request.markets ?? []
    const isMore = request.operation === 'subscribe'
    const followed = new Set(isMore ? [...reader.accounts, ...accounts] : [...reader.accounts].filter((one) => !accounts.includes(one)))
    permit(trader, followed)
    let chosen = reader.markets
    if (chosen && isMore) chosen = [...new Set([...chosen, ...markets])]
    else if (chosen) chosen = chosen.filter((one) => !markets.includes(one))
    this.#followMost(reader, followed, chosen)
  }

  /** Follows as many accounts and markets as a socket may, the first ones; says what it follows, and what not and why. */
  #followMost(reader: Reader, accounts: Set<Hex>, markets: readonly string[] | null): void {
    this.#follow(reader, new Set([...accounts].slice(0, SOCKET_ACCOUNTS)), markets?.slice(0, SOCKET_CONDITIONS) ?? null)
    const { socket } = reader
    socket.sendJson(this.#acknowledgement(reader))
    if (accounts.size > SOCKET_ACCOUNTS) socket.sendJson(tooManyFrame(SOCKET_ACCOUNTS, 'accounts', [...accounts].slice(SOCKET_ACCOUNTS)))
    if (markets && markets.length > SOCKET_CONDITIONS)
      socket.sendJson(tooManyFrame(SOCKET_CONDITIONS, 'markets', markets.slice(SOCKET_CONDITIONS)))
  }

  /** Moves a reader to the views of these accounts and markets. */
  #follow(reader: Reader, accounts: Set<Hex>, markets: readonly string[] | null): void {
    const now = this.#source.now()
    for (const view of this.#views(reader).values()) view.leave(reader, now)
    reader.accounts = accounts
    reader.markets = markets?.toSorted() ?? null
    for (const view of this.#views(reader).values()) view.readers.add(reader)
  }

  /** The views that a reader follows, by account. */
  #views({ accounts, markets }: Reader): Map<Hex, View<Reader>> {
    const followed = markets?.length === 0 ? [] : [...accounts]
    return new Map(followed.map((account) => [account, this.#channels.of(account, markets)]))
  }

  #resume(reader: Reader, trader: Trader, request: Extract<Request, { operation: 'resume' }>): void {
    const { account = trader.account, seq, epoch } = request
    const view = this.#views(reader).get(account)
    if (!view) throw new ServiceError('invalid_payload')
    const frames = epoch === this.#source.epoch ? view.since(seq) : null
    if (frames) for (const frame of frames) reader.socket.write(frame)
    else reader.socket.sendJson({ event_type: 'resync', account: getAddress(account), seq: view.seq, epoch: this.#source.epoch })
  }

  #positions(reader: Reader): Record<Hex, number> {
    return Object.fromEntries([...this.#views(reader)].map(([account, { seq }]) => [getAddress(account), seq]))
  }

  #acknowledgement(reader: Reader): object {
    const { exchange, epoch, markets } = this.#source
    const followed = reader.markets ?? []
    const unknown = followed.filter((one) => !markets.market(one))
    const missing = unknown.length > 0 ? { unknown } : {}
    return { event_type: 'subscribed', channels: this.#positions(reader), markets: followed, ...missing, seq: exchange.seq, epoch }
  }

  #leave(reader: Reader): void {
    this.#readers.delete(reader)
    for (const view of this.#views(reader).values()) view.leave(reader, this.#source.now())
    reader.guard?.end(reader.isCutOff ? 'cutOff' : 'disconnected')
  }

  #heartbeat(): void {
    const { exchange, epoch, now } = this.#source
    const head = { event_type: 'heartbeat', timestamp: String(now()), seq: exchange.seq, epoch }
    for (const reader of this.#readers) if (reader.trader) reader.socket.sendJson({ ...head, channels: this.#positions(reader) })
    this.#channels.tidy()
  }

  /** Closes sockets that do not read or whose key was revoked, and all of them while the lease is not verified. */
  #check(): void {
    const { status, keys } = this.#source
    const maySpeak = roleOf(status()) === 'primary'
    for (const reader of this.#readers) {
      const { socket, trader } = reader
      if (!maySpeak) {
        reader.isCutOff = true
        socket.close(CLOSE.draining, 'not the writer')
      } else if (trader && !keys.find(trader.key)) this.#sendAway(socket, 'unknown_key', 'the key was revoked')
      else socket.check()
    }
  }

  /** Closes the socket of who may not hear any more, and says why in a message, as a refused login does: some see no reason of a close. */
  #sendAway(socket: Sink, code: RefusalCode, reason: string): void {
    socket.sendJson({ event_type: 'error', ...new ServiceError(code).body() })
    socket.close(CLOSE.unauthenticated, reason)
  }

  /** Reports a refusal; a failed login also closes the socket, and tells whether another one later makes sense. */
  #refuse({ socket, trader }: Reader, error: ServiceError): void {
    const { code, status } = error
    socket.sendJson({ event_type: 'error', ...error.body() })
    if (!trader) socket.close(status === 503 || status === 429 ? CLOSE.draining : CLOSE.unauthenticated, code)
  }
}

/** The named markets; null, which means all, when none are named. */
const allOr = (markets: readonly string[]): readonly string[] | null => (markets.length > 0 ? markets : null)

/** Only keys of scope venue follow other accounts. Throws `insufficient_scope`. */
function permit({ account, scope }: Trader, accounts: ReadonlySet<Hex>): void {
  const areOwn = [...accounts].every((one) => one === account)
  if (!areOwn && !scopeCovers(scope, 'venue')) throw new ServiceError('insufficient_scope')
}
