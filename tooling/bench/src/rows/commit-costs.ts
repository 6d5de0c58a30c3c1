import { closeSync, fdatasyncSync, fstatSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { startThrowawayServer } from '@augury/testing/throwaway-server'
import pg from 'pg'
import { type Contender, interleave, median } from '../interleave.ts'
import type { Row } from '../row.ts'

const RECORD = 'r'.repeat(128)
const BATCHES = [1, 10, 100, 1_000]
const CONNECTIONS = 16
const ACCOUNTS = 1_000
const BALANCE = 1_000_000
const UNNEST = 1_000
const COPY = 10_000

const TABLES = `
  create table journal_row (id bigint generated always as identity primary key, body text not null);
  create table balance (account int primary key, amount bigint not null check (amount >= 0));
  insert into balance select n, ${BALANCE} from generate_series(0, ${ACCOUNTS - 1}) n;
  create table entry (id bigint generated always as identity primary key, account int not null, amount bigint not null);
  create function transfer(payer int, payee int, sum bigint) returns void language plpgsql as $$
  begin
    update balance set amount = amount - sum where account = payer;
    update balance set amount = amount + sum where account = payee;
    insert into entry (account, amount) values (payer, -sum), (payee, sum);
  end $$`

/** What it costs to make something durable and nothing else: below these no journal gets, whatever it does besides. */
export const commitCosts: Row = {
  id: '6',
  work: 'commits by themselves: records a second into a file and into PostgreSQL',
  target: 'the limits of 6 to 8',
  async measure({ rounds, quick }) {
    const folder = temporaryFolder('commits')
    const file = openSync(join(folder, 'journal'), 'a')
    const server = await startThrowawayServer({ durable: true })
    const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client(server.url('postgres')))
    try {
      await Promise.all(clients.map((client) => client.connect()))
      await clients[0]!.query(TABLES)
      const done = { records: 0, rows: 0, transfers: 0 }
      const waits: number[] = []
      const commits = quick ? 100 : 400

      const appends = BATCHES.map((batch): Contender => {
        const records = RECORD.repeat(batch)
        return {
          name: `append and fdatasync, ${batch} at a time`,
          round: () => {
            const begun = performance.now()
            for (let n = 0; n < commits; n++) {
              writeSync(file, records)
              fdatasyncSync(file)
            }
            done.records += commits * batch
            return perSecond(commits * batch, begun)
          },
        }
      })
      /** Commits over so many connections, each one at a time. */
      const over = async (connections: number, query: (n: number) => pg.QueryConfig) => {
        const begun = performance.now()
        let next = 0
        await Promise.all(
          clients.slice(0, connections).map(async (client) => {
            while (next < commits * connections) {
              const sent = performance.now()
              await client.query(query(next++))
              if (connections === 1) waits.push(performance.now() - sent)
            }
          }),
        )
        return perSecond(next, begun)
      }
      const single = () => ({ name: 'single', text: 'insert into journal_row (body) values ($1)', values: [RECORD] })
      const many = new Array<string>(UNNEST).fill(RECORD)
      const unnest = { name: 'unnest', text: 'insert into journal_row (body) select unnest($1::text[])', values: [many] }
      const lines = join(folder, 'rows')
      writeFileSync(lines, `${RECORD}\n`.repeat(COPY))
      // No other process locks these accounts meanwhile: what is measured are commits, not locks.
      const transfer = (n: number) => ({
        name: 'transfer',
        text: 'select transfer($1, $2, 1)',
        values: [(n * 2) % ACCOUNTS, ((n * 2) % ACCOUNTS) + 1],
      })
      const database = [1, CONNECTIONS].flatMap((connections): Contender[] => [
        {
          name: `single rows, ${connections} connections`,
          round: () => {
            done.rows += commits * connections
            return over(connections, single)
          },
        },
        {
          name: `transfers by a function, ${connections} connections`,
          round: () => {
            done.transfers += commits * connections
            return over(connections, transfer)
          },
        },
      ])
      const bulk: Contender[] = [
        {
          name: `unnest of ${UNNEST}`,
          round: async () => {
            const begun = performance.now()
            const times = Math.ceil(commits / 20)
            for (let n = 0; n < times; n++) await clients[0]!.query(unnest)
            done.rows += times * UNNEST
            return perSecond(times * UNNEST, begun)
          },
        },
        {
          name: `COPY of ${COPY}`,
          round: async () => {
            const begun = performance.now()
            await clients[0]!.query(`copy journal_row (body) from '${lines}'`)
            done.rows += COPY
            return perSecond(COPY, begun)
          },
        },
      ]
      const medians = await interleave([...appends, ...database, ...bulk], quick ? 3 : Math.min(rounds, 5))

      const {
        rows: [held],
      } = await clients[0]!.query(
        `
        select (select count(*)::int from journal_row) as rows, (select count(*)::int from entry) as entries,
          (select sum(amount)::float8 from balance) as cash, (select count(*)::int from balance where amount <> $1 + (
            select coalesce(sum(entry.amount), 0) from entry where entry.account = balance.account)) as wrong`,
        [BALANCE],
      )
      const expected = { rows: done.rows, entries: 2 * done.transfers, cash: ACCOUNTS * BALANCE, wrong: 0 }
      if (JSON.stringify(held) !== JSON.stringify(expected))
        throw new Error(`${JSON.stringify(held)} is there, not ${JSON.stringify(expected)}`)
      if (fstatSync(file).size !== done.records * RECORD.length) throw new Error('the file does not have what was written')
      return {
        figures: [...medians].map(([name, value]) => ({ name, value, unit: '/s' })),
        met: null,
        note: `p50 of a commit over one connection ${median(waits).toFixed(2)} ms; by the clock, since commits wait for the disk`,
      }
    } finally {
      await Promise.allSettled(clients.map((client) => client.end()))
      await server.remove()
      closeSync(file)
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const perSecond = (count: number, begun: number) => (count * 1000) / (performance.now() - begun)
