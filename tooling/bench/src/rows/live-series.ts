import { withConnection } from '@augury/testing/connection'
import { median } from '../interleave.ts'
import type { Row } from '../row.ts'
import { load, p99, rawRequest } from '../service/http-load.ts'
import { platformScene } from '../service/platform-scene.ts'
import { besideBare } from '../service/rate.ts'

const LENGTH_MS = 300_000
const FIRST = Date.UTC(2024, 6, 2)
/** Instruments, and sources of each. */
const INSTRUMENTS = 20
const SOURCES = 2

const snapshotOf = (instrument: number, end: number) =>
  rawRequest('GET', `/api/price-reference/live-series?seriesSlug=i${instrument}-usd-5m&eventEndMs=${end}`, {})

let filled: Promise<number> | null = null

/** Series with a long history of marks in the deployment of the scene; how many marks. Made by the first row that asks. */
function history(databaseUrl: string, quick: boolean): Promise<number> {
  filled ??= fill(databaseUrl, quick ? 2_500 : 250_000)
  return filled
}

async function fill(databaseUrl: string, windows: number): Promise<number> {
  await withConnection(databaseUrl, async (client) => {
    await client.query(FILL_SERIES, [INSTRUMENTS])
    // One instrument at a time: no statement is longer than a checkpoint likes.
    for (let instrument = 1; instrument <= INSTRUMENTS; instrument++) await client.query(FILL_MARKS, [instrument, windows, new Date(FIRST)])
    await client.query('vacuum analyze price_mark')
  })
  return INSTRUMENTS * SOURCES * windows
}

/** The same market asked for again and again, beside a bare server that sends the same bytes. */
export const warmSeries: Row = {
  id: '11',
  work: 'GET live-series of one market, against bare node:http with the same bytes',
  target: '≥ 0.4 ×',
  async measure({ rounds, quick }) {
    const scene = await platformScene(quick)
    await history(scene.databaseUrl, quick)
    const end = Math.ceil(Date.now() / LENGTH_MS) * LENGTH_MS + LENGTH_MS
    const address = `http://127.0.0.1:${scene.server.port}/api/price-reference/live-series?seriesSlug=i1-usd-5m&eventEndMs=${end}`
    const answer = await fetch(address)
    if (answer.status !== 200) throw new Error(await answer.text())
    const bytes = Buffer.from(await answer.arrayBuffer())
    const bare = await scene.startBare(bytes)
    const ask = new Array<Buffer>(quick ? 1_000 : 4_000).fill(snapshotOf(1, end))
    const compared = await besideBare(scene.server, bare, ask, rounds, 0.4)
    return { ...compared, note: `${bytes.length} bytes; ${compared.note}` }
  },
}

/** Uncached markets, anywhere in a long history. */
export const coldSeries: Row = {
  id: '11',
  work: 'GET live-series of uncached markets, with 10 million marks',
  target: 'p99 < 30 ms',
  async measure({ quick }) {
    const scene = await platformScene(quick)
    const marks = await history(scene.databaseUrl, quick)
    const windows = marks / INSTRUMENTS / SOURCES
    const asked = Array.from({ length: quick ? 60 : 400 }, (_, n) =>
      snapshotOf(1 + (n % INSTRUMENTS), FIRST + LENGTH_MS * (1 + ((n * 7919) % windows))),
    )
    const { latencies, refused } = await load(scene.server.port, asked, 40)
    if (refused.length > 0) throw new Error(refused[0])
    const worst = p99(latencies)
    return {
      figures: [
        { name: 'p99', value: worst, unit: 'ms' },
        { name: 'p50', value: median([...latencies]), unit: 'ms' },
      ],
      met: worst < 30,
      note: `${marks} marks, forty questions a second`,
    }
  },
}

const FILL_SERIES = `
  insert into price_series (slug, instrument, interval, source, display_name, symbol_a)
  select 'i' || n || '-usd-5m', 'I' || n || '/USD', '5m', 'oracle_a', 'Instrument ' || n, 'I' from generate_series(1, $1::int) n`

const FILL_MARKS = `
  insert into price_mark (source, instrument, interval, window_start, window_end, price, source_timestamp, received_at)
  select source, 'I' || $1::int || '/USD', '5m', ends - interval '5 min', ends, 100 + n % 977, ends, ends
  from (values ('oracle_a'), ('oracle_b')) as sources (source)
  cross join generate_series(1, $2::int) n
  cross join lateral (select $3::timestamptz + n * interval '5 min') as windows (ends)`
