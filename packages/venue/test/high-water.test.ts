import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'
import { hostClock } from '../src/base/clock.ts'
import { HighWater } from '../src/record/log/high-water.ts'
import { EMPTY, type JournalReader } from '../src/record/log/journal.ts'

const head = (seq: number) => ({ seq, at: seq, checksum: '00' })

/** A clock whose timers are called by hand. */
function heldClock() {
  const timers: (() => void)[] = []
  const after = (_: number, call: () => void) => {
    timers.push(call)
    return () => {}
  }
  return { timers, clock: { wall: () => 0, monotonic: () => 0, after } }
}

const markIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'high-water-main.json'), 'utf8'))

test('a folder that cannot be written stops no process, and gets a later row', async () => {
  const folder = temporaryFolder('high-water')
  const { timers, clock } = heldClock()
  const told: string[] = []
  const seen = new HighWater(folder, 'main', clock, (sentence) => told.push(sentence))
  const inTheWay = join(folder, 'high-water-main.json.new')
  mkdirSync(inTheWay)
  seen.note(1, head(7))
  timers.shift()!()
  await seen.write()
  expect(told).toEqual([expect.stringMatching(/could not be written down: .*EISDIR/)])
  rmdirSync(inTheWay)
  seen.note(1, head(8))
  timers.shift()!()
  await seen.write()
  expect(told).toHaveLength(1)
  expect(markIn(folder)).toMatchObject({ seq: 8 })
})

test('what is noted while the disk is slow is written after it, and the newest stays', async () => {
  const folder = temporaryFolder('high-water')
  const { timers, clock } = heldClock()
  const seen = new HighWater(folder, 'main', clock)
  for (let seq = 1; seq <= 20; seq++) {
    seen.note(1, head(seq))
    timers.shift()!() // none waits for the one before
  }
  await seen.write()
  expect(markIn(folder)).toMatchObject({ seq: 20 })
  expect(timers).toEqual([])
})

test.each([
  ['nothing', ''],
  ['zeros', '\0\0\0'],
  ['half of itself', '{"timeline":1,"se'],
])('a mark of which a power cut left %s does not prevent a start, and is logged', async (_, text) => {
  const folder = temporaryFolder('high-water')
  writeFileSync(join(folder, 'high-water-main.json'), text)
  const told: string[] = []
  const seen = new HighWater(folder, 'main', hostClock, (sentence) => told.push(sentence))
  await seen.check({} as JournalReader, 1, EMPTY)
  expect(told).toEqual([expect.stringContaining('high-water-main.json is no mark')])
  expect(seen.timeline).toBe(1)
})
