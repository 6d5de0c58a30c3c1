import { encodeRow } from '@augury/engine/codec'
import { expect, test } from 'vitest'
import type { Clock } from '../src/base/clock.ts'
import { Follower, type FollowerOptions } from '../src/record/history/follower.ts'
import { Progress } from '../src/record/history/progress.ts'
import { type JournalReader, type JournalRow, seal } from '../src/record/log/journal.ts'
import { Replica } from '../src/record/log/replica.ts'
import { deposit } from './commands.ts'

type Timer = { due: number; call: () => void }

/** A clock that a test moves, and the work that was put off. */
class MovedClock implements Clock {
  #now = 0
  #timers: Timer[] = []
  wall = () => this.#now
  monotonic = () => this.#now
  after(ms: number, call: () => void) {
    const timer = { due: this.#now + ms, call }
    this.#timers.push(timer)
    return () => this.#remove(timer)
  }
  async advance(ms: number) {
    for (const end = this.#now + ms; ; ) {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
      const next = this.#timers.toSorted((one, other) => one.due - other.due)[0]
      this.#now = next && next.due <= end ? next.due : end
      if (!next || next.due > end) return
      this.#remove(next)
      next.call()
    }
  }
  #remove(timer: Timer) {
    this.#timers = this.#timers.filter((other) => other !== timer)
  }
}

/** A follower whose journal gets two rows of a deposit at once, so that it finds its writer busy. */
function busyFollower(project: FollowerOptions['project'] = async () => {}) {
  const clock = new MovedClock()
  const writer = new Replica('main')
  const rows: JournalRow[] = []
  const append = () => {
    for (let n = 0; n < 2; n++) {
      const { seq, checksum } = writer.head
      const commands = encodeRow([deposit('ann', 1, `${seq}`)])
      const place = { timeline: 1, epoch: 1, firstSeq: seq + 1, lastSeq: seq + 1, at: clock.wall() }
      const row = seal('main', { ...place, ...writer.state(), commands, previousChecksum: checksum })
      writer.apply(row)
      rows.push(row)
    }
  }
  const journal: JournalReader = {
    stream: 'main',
    read: async (after) => rows.filter(({ firstSeq }) => firstSeq > after),
    checksumAt: async () => null,
  }
  const snapshots = { save: async () => {} } as never
  const progress = new Progress(clock, () => follower.flush())
  const follower: Follower = new Follower({
    ...{ journal, snapshots, replica: new Replica('main'), clock },
    project,
    onProjected: (head) => progress.advance(head),
  })
  const ended = follower.run()
  const end = async () => {
    follower.stop()
    await clock.advance(60)
    await ended
  }
  return { clock, append, progress, ended, end }
}

test('without readers of history the rows of half a second are written together', async () => {
  const { clock, append, progress, end } = busyFollower()
  append()
  await clock.advance(10)
  expect(progress.projected().seq).toBe(2) // the first are written at once: only now it is known to be busy
  append()
  await clock.advance(400)
  expect(progress.projected().seq).toBe(2)
  await clock.advance(150)
  expect(progress.projected().seq).toBe(4)
  await end()
})

test('who waits for history does not wait until half a second has gathered, whenever they begin to', async () => {
  const { clock, append, progress, end } = busyFollower()
  append()
  await clock.advance(10)
  append()
  const early = progress.reached(4, 2000)
  await clock.advance(60)
  expect(progress.projected().seq).toBe(4)
  append()
  await clock.advance(200)
  expect(progress.projected().seq).toBe(4)
  const late = progress.reached(6, 2000)
  await clock.advance(10)
  expect(progress.projected().seq).toBe(6)
  expect(await Promise.all([early, late])).toEqual([true, true])
  await end()
})

test('who still waits when history has moved on is heard again', async () => {
  const { clock, append, progress, end } = busyFollower()
  append()
  await clock.advance(10)
  const waiting = progress.reached(6, 2000)
  append()
  await clock.advance(60)
  append()
  await clock.advance(60)
  expect(progress.projected().seq).toBe(6)
  expect(await waiting).toBe(true)
  await end()
})

test('between the pieces of a batch it leaves the processors to others for as long as it used them, unless a reader waits', async () => {
  const { clock, append, progress, end } = busyFollower(async (_from, _to, _facts, _shown, rest) => {
    for (let piece = 0; piece < 3; piece++) await rest(20)
  })
  append()
  await clock.advance(55)
  expect(progress.projected().seq).toBe(0)
  await clock.advance(10)
  expect(progress.projected().seq).toBe(2)
  append()
  await clock.advance(460) // half a second after the first batch the next one begins
  const waiting = progress.reached(4, 2000)
  await clock.advance(25) // the rest that it is in
  expect(progress.projected().seq).toBe(4)
  expect(await waiting).toBe(true)
  await end()
})

test('a write that fails is noticed at once, however busy the writer is', async () => {
  const { clock, append, ended } = busyFollower(async () => {
    throw new Error('the connection is lost')
  })
  const failed = expect(ended).rejects.toThrow('the connection is lost')
  append()
  await clock.advance(10)
  append()
  await failed
})

test('told to end, it writes what has gathered at once', async () => {
  const { clock, append, progress, end } = busyFollower()
  append()
  await clock.advance(10)
  append()
  await clock.advance(100)
  await end()
  expect(progress.projected().seq).toBe(4)
})

test('who waits for history that is only starting is more patient', async () => {
  const clock = new MovedClock()
  const progress = new Progress(clock)
  progress.isStarting = true
  const early = progress.reached(1, 2000)
  await clock.advance(6000)
  progress.isStarting = false
  progress.advance({ seq: 1, at: 0 })
  expect(await early).toBe(true)
  const late = progress.reached(2, 2000)
  await clock.advance(2000)
  expect(await late).toBe(false)
})
