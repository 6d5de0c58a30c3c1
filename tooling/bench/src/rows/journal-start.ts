import { setTimeout as wait } from 'node:timers/promises'
import { migrateClob } from '@augury/domain/clob/database'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { query } from '@augury/testing/connection'
import { startThrowawayServer, type ThrowawayServer } from '@augury/testing/throwaway-server'
import type { Row } from '../row.ts'
import { fillJournal } from '../service/journal-tape.ts'
import { processorTime } from '../service/processor.ts'
import { mixes } from '../tape.ts'

const PATIENCE_MS = 120_000
const OPERATOR = `0x${'01'.repeat(20)}`

interface Recovered {
  /** From the start of the program until it answers. Everything in the journal is applied by then; no snapshot helped. */
  seconds: number
  /** From then until history was whole. */
  projecting: number
  fills: number
  /** Of the processor, all threads, start included. */
  processor: number
}

/** Starts the real program over a journal of so many commands and an empty history, and checks where it arrives. */
async function recover(postgres: ThrowawayServer, commands: number): Promise<Recovered> {
  const databaseUrl = postgres.url(`journal_${commands}`)
  await query(postgres.url('postgres'), `create database journal_${commands}`)
  await migrateClob(databaseUrl)
  const written = await fillJournal(databaseUrl, mixes.thin, commands)
  const begun = performance.now()
  const program = await startClobServerProcess({ databaseUrl, operator: OPERATOR })
  const listening = performance.now()
  try {
    for (;;) {
      const status = (await (await fetch(`${program.url}/status`)).json()) as { seq: number; projected_seq: number }
      if (status.seq < written.seq) throw new Error(`it answers at ${status.seq} of ${written.seq} commands`)
      if (status.projected_seq >= written.seq) break
      if (performance.now() - listening > PATIENCE_MS) throw new Error(`history stands at ${status.projected_seq} of ${written.seq}`)
      await wait(20)
    }
    const whole = performance.now()
    const [row] = await query<{ count: string }>(databaseUrl, 'select count(*) from fill')
    const fills = Number(row!.count)
    if (fills !== written.fills) throw new Error(`history has ${fills} fills, not ${written.fills}`)
    const processor = processorTime(program.pid).all
    return { seconds: (listening - begun) / 1000, projecting: (whole - listening) / 1000, fills, processor }
  } finally {
    await program.remove()
  }
}

let measured: Promise<{ commands: number; recovered: Recovered }[]> | null = null

/** Measured once for both rows. The first is the start of the program alone. */
function recoveries(quick: boolean): Promise<{ commands: number; recovered: Recovered }[]> {
  measured ??= (async () => {
    const postgres = await startThrowawayServer({ durable: true })
    try {
      const results: { commands: number; recovered: Recovered }[] = []
      for (const commands of quick ? [0, 10_000, 100_000] : [0, 10_000, 100_000, 1_000_000])
        results.push({ commands, recovered: await recover(postgres, commands) })
      return results
    } finally {
      await postgres.remove()
    }
  })()
  return measured
}

/** From the start of the program to its first answer. */
export const journalStart: Row = {
  id: '15',
  work: 'start over a journal without a snapshot',
  target: '< 3 s',
  async measure({ quick }) {
    const [empty, ...results] = await recoveries(quick)
    return {
      figures: results.map(({ commands, recovered }) => ({ name: `${commands} commands`, value: recovered.seconds, unit: 's' })),
      met: results.every(({ recovered }) => recovered.seconds < 3),
      note: `an empty journal ${empty!.recovered.seconds.toFixed(2)} s`,
    }
  },
}

/** How fast the follower makes history, as seen from outside of the program. */
export const projector: Row = {
  id: '16',
  work: 'projector: fills written to history while it catches up',
  target: '≥ 50 k fills/s',
  async measure({ quick }) {
    const { commands, recovered } = (await recoveries(quick)).at(-1)!
    const perSecond = recovered.fills / recovered.projecting
    return {
      figures: [
        { name: 'ours', value: perSecond, unit: 'fills/s' },
        { name: 'commands', value: commands / recovered.projecting, unit: '/s' },
      ],
      met: perSecond >= 50_000,
      note: `${recovered.fills} fills in ${recovered.projecting.toFixed(1)} s, ${recovered.processor.toFixed(1)} s of processor time with the start`,
    }
  },
}
