import type pg from 'pg'
import { Fenced, GENESIS, type Head, type Tenure } from './journal.ts'

/** A writer that has not renewed for this long counts as dead. */
const LEASE_SECONDS = 3

/** Key of a stream's advisory lock, which the writer's session holds. */
const LOCK = `hashtextextended('augury stream ' || $1, 0)`

/**
 * When the server last ended all sessions without their programs ending: its own start, or that of its checkpointer after the crash of
 * a backend, where we may see that.
 */
const SERVING_SINCE = `greatest(pg_postmaster_start_time(), (select backend_start from pg_stat_activity where backend_type = 'checkpointer'))`

// A writer whose session the server lost still trusts its lease, and answers reads, until LEASE_SECONDS have passed. Another process waits
// for that, without holding the lock, so that the writer itself can take it again.
const MAY_TAKE = `(l.holder = $2 or (not $3 and (
  l.verified_at >= ${SERVING_SINCE} or l.verified_at < clock_timestamp() - interval '${LEASE_SECONDS} seconds')))`

// Lock and epoch in one statement: the lock is never held under an old epoch.
const TAKE = `
  with lock as materialized (
    select pg_try_advisory_lock(${LOCK}) as ours where not exists (select from lease l where stream = $1 and not ${MAY_TAKE}))
  insert into lease as l (stream, epoch, backend_pid, holder, verified_at)
  select $1, 1, pg_backend_pid(), $2, clock_timestamp() from lock where ours
  on conflict (stream) do update
    set epoch = l.epoch + 1, backend_pid = excluded.backend_pid, holder = excluded.holder, verified_at = excluded.verified_at
    where ${MAY_TAKE}
  returning epoch, timeline, (extract(epoch from clock_timestamp()) * 1000)::int8 as store_time`

const HEAD = 'select last_seq, at, checksum from journal where stream = $1 order by first_seq desc limit 1'

// Ends only the backend that the lease names: one that took the lock a moment ago has already written itself into the lease. Our own old
// connection is ended without waiting until it is stale.
const END_STALE = `
  select pg_terminate_backend(l.pid)
  from pg_locks l join lease on lease.stream = $1 and lease.backend_pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid::int8 << 32 | l.objid::int8 = ${LOCK}
    and (lease.holder = $2 or lease.verified_at < clock_timestamp() - interval '${LEASE_SECONDS} seconds')`

const VERIFY = 'update lease set verified_at = clock_timestamp() where stream = $1 and epoch = $2 and backend_pid = pg_backend_pid()'

/**
 * Tries to become the writer on this connection, which then holds the session lock until it ends. Null while another writer lives; one that
 * was silent for too long is ended, so that the next try can succeed. With `again`, throws Fenced when the lease has another holder by now.
 */
export async function takeLease(client: pg.ClientBase, stream: string, holder: string, again: boolean): Promise<Tenure | null> {
  const { rows } = await client.query(TAKE, [stream, holder, again])
  if (rows[0]) {
    // A new statement sees everything that was written before the epoch changed, and after it no other process can write.
    const { epoch, timeline, store_time: storeTime } = rows[0]
    return { epoch, timeline, storeTime, head: await readHead(client, stream) }
  }
  const lease = await client.query('select holder from lease where stream = $1', [stream])
  if (again && lease.rows[0]?.holder !== holder) throw new Fenced(`stream ${stream} was taken by ${lease.rows[0]?.holder}`)
  await client.query(END_STALE, [stream, holder])
  return null
}

/** Takes the stream's lock on this connection, so that there is no writer until it ends. Throws a sentence when a writer has the lock. */
export async function keepWritersOut(client: pg.ClientBase, stream: string): Promise<void> {
  const { rows } = await client.query(
    `select pg_try_advisory_lock(${LOCK}) as ours, (select holder from lease where stream = $1) as holder`,
    [stream],
  )
  if (!rows[0].ours) throw new Error(`${rows[0].holder} writes to stream ${stream}: stop every program of the exchange first`)
}

/** The last row of a stream. */
export async function readHead(client: pg.ClientBase, stream: string): Promise<Head> {
  const { rows } = await client.query(HEAD, [stream])
  const row = rows[0]
  return row ? { seq: row.last_seq, at: row.at, checksum: row.checksum.toString('hex') } : { seq: 0, at: 0, checksum: GENESIS }
}

/** Renews the lease. Throws Fenced when another process holds it. */
export async function renewLease(client: pg.ClientBase, stream: string, epoch: number): Promise<void> {
  const { rowCount } = await client.query(VERIFY, [stream, epoch])
  if (rowCount !== 1) throw new Fenced(`the lease of stream ${stream} is no longer of epoch ${epoch}`)
}
