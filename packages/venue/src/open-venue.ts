import { ServiceError } from '@augury/wire/service-error'
import { EngineTime, hostClock, sleep } from './clock.ts'
import { dumpFault } from './fault.ts'
import { FollowerThread } from './follower-thread.ts'
import { HighWater } from './high-water.ts'
import { Fenced, type JournalRow } from './journal.ts'
import { Lag } from './lag.ts'
import { commandsSince, type PostgresJournal } from './postgres-journal.ts'
import { postgresReadModel } from './postgres-read-model.ts'
import { Progress } from './progress.ts'
import { Sequencer } from './sequencer.ts'
import { findStream, takeOver } from './take-over.ts'
import type { AppliedRow, Venue, VenueOptions, VenueStatus, WriterState } from './venue.ts'

/** How long the start waits to know how far history is. */
const FOLLOWER_START_MS = 5000

/**
 * Opens a stream: restores its state, follows it while another process writes, takes the lease when it is free, and then writes.
 * Resolves once it writes; as a standby, once it follows. Rejects with a sentence when that is not safe.
 */
export async function openVenue(options: VenueOptions): Promise<Venue> {
  const { databaseUrl, stream = 'main', clock = hostClock, log, requireDurability = true } = options
  const found = await findStream(databaseUrl, stream)
  const { replica } = found
  const { exchange } = replica
  const seen = new HighWater(options.dataDir, stream, clock, (sentence) => log.warn(sentence))
  const time = new EngineTime(clock, replica.head.at)
  const listeners = new Set<(row: AppliedRow) => void>()
  const commitListeners = new Set<(milliseconds: number) => void>()
  const followers = new Set<(row: JournalRow) => Promise<void>>()
  const preparations = new Set<() => Promise<void>>()
  const progress = new Progress(clock, () => follower?.hurry())
  const readModel = postgresReadModel(databaseUrl, stream, progress)
  const lag = new Lag()
  lag.add(replica.head.seq, found.lacksSince)
  progress.advance(found.history)

  let writer: WriterState = 'standby'
  let since = time.now()
  let { mode } = exchange
  let journal: PostgresJournal | null = null
  let sequencer: Sequencer | null = null
  let follower: FollowerThread | null = null
  const closing = new AbortController()

  const become = (state: WriterState) => {
    writer = state
    since = now()
  }
  const now = () => (sequencer ? sequencer.now() : Math.max(time.now(), replica.head.at))
  const publish = (row: AppliedRow) => {
    lag.add(row.lastSeq, row.at)
    if (exchange.mode !== mode) since = row.at
    mode = exchange.mode
    for (const listener of listeners) listener(row)
  }
  const stop = (error: Error, rows: JournalRow[] = []) => {
    become('draining')
    const dump = error instanceof Fenced ? '' : ` Its last rows: ${dumpFault(options.dataDir, error, rows)}`
    log.error(`the writer stopped: ${error.stack}${dump}`)
    options.onFatal(error)
  }
  const lead = async () => {
    const taken = await takeOver(
      { databaseUrl, stream, clock, requireDurability },
      {
        replica,
        async before(row) {
          for (const follow of followers) await follow(row)
        },
        after: publish,
        onHistory: (head) => progress.advance(head),
        async prepare({ tenure }, reader) {
          await seen.check(reader, tenure.timeline, tenure.head)
          await Promise.all([...preparations].map((prepare) => prepare()))
        },
      },
      closing.signal,
      (error) => log.warn(`the database is away: ${error.message}`),
    )
    journal = taken.journal
    seen.note(taken.tenure.timeline, replica.head)
    sequencer = new Sequencer({
      ...{ journal, replica, tenure: taken.tenure, clock },
      onRow(row) {
        publish(row)
        follower?.poke()
        seen.note(sequencer!.timeline, replica.head)
      },
      onCommit(milliseconds) {
        for (const listener of commitListeners) listener(milliseconds)
      },
      onFatal: stop,
    })
    const onTrouble = (message: string, isStopped: boolean) => {
      const where = `history stands still at ${progress.projected().seq} until somebody mends it (runbook, HistoryStopped)`
      if (isStopped) log.error(`${where}: ${message}`)
      else log.warn(`history begins again: ${message}`)
    }
    const { snapshotEvery, retryHistoryMs, proof } = options
    follower = new FollowerThread({ databaseUrl, stream, snapshotEvery, proof }, clock, progress, onTrouble, retryHistoryMs)
    await sequencer.proven
    become('primary')
    log.info(`writing stream ${stream} from ${replica.head.seq} on, in epoch ${taken.tenure.epoch}`)
  }

  const leading = lead()
  if (options.standby) {
    leading.catch((error) => {
      if (!closing.signal.aborted) stop(error)
    })
  } else {
    try {
      await leading
    } catch (error) {
      await readModel.close()
      throw error
    }
    await Promise.race([follower!.started, sleep(clock, FOLLOWER_START_MS)])
  }

  let isDrained = false
  let drained: Promise<void> | null = null
  const drain = () => {
    drained ??= (async () => {
      become('draining')
      closing.abort()
      await sequencer?.drain()
      await leading.catch(() => {}) // was told already
      await sequencer?.drain() // it may have become the writer just now
      isDrained = true
      seen.write()
      await journal?.close()
    })()
    return drained
  }

  /** Asked for every request, so what it takes a while to find out is found out only when it is read. */
  const status: VenueStatus = {
    get mode() {
      return exchange.mode
    },
    get since() {
      return since
    },
    get seq() {
      return replica.head.seq
    },
    get epoch() {
      return sequencer?.epoch ?? 0
    },
    get writer() {
      return writer
    },
    get queued() {
      return sequencer?.queued.size ?? 0
    },
    get verified() {
      return !isDrained && (sequencer?.verified ?? false)
    },
    get projectedSeq() {
      return progress.projected().seq
    },
    get lagSeconds() {
      return lag.seconds(progress.projected().seq, now())
    },
    get isHistoryStopped() {
      return follower?.isStopped ?? false
    },
  }

  return {
    ...{ stream, exchange, readModel, now },
    get epoch() {
      return sequencer?.epoch ?? 0
    },
    get timeline() {
      return sequencer?.timeline ?? found.timeline
    },
    submit: (command) => sequencer?.submit(command) ?? Promise.reject(new ServiceError('standby')),
    onRow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onCommit: (listener) => void commitListeners.add(listener),
    onFollow(listener) {
      followers.add(listener)
      return () => followers.delete(listener)
    },
    onTakeOver: (prepare) => void preparations.add(prepare),
    commandsSince: (at) => commandsSince(databaseUrl, stream, at),
    status: () => status,
    waiting: () => sequencer?.queued.waiting(clock.monotonic()) ?? 0,
    drain,
    async close() {
      await drain()
      await follower?.close()
      await readModel.close()
    },
  }
}
