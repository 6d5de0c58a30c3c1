import type { Platform } from '@augury/platform/site/platform'
import type { EntityManager } from '@mikro-orm/postgresql'

/** Another settler has taken over: nothing was written, and nothing more must be signed. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor() {
    super('another settler has the lease')
  }
}

/** Writes of the settler that is active. Each holds the lease's row, so that one which lost it writes nothing. */
export type Fenced = <Result>(write: (em: EntityManager) => Promise<Result>) => Promise<Result>

/** Seconds without a renewal after which another settler takes over. */
const LEASE_SECONDS = 15
/** Milliseconds after which the holder renews the lease. Writes are fenced in between. */
const RENEW_MS = 4_000

/** The lease of the one active settler: two of them would give out the same nonces. */
export interface Lease {
  /** Takes or renews the lease; false while another settler has it. */
  take(): Promise<boolean>
  /** Takes or renews the lease like `take`, unless that succeeded a moment ago. */
  keep(): Promise<boolean>
  fenced: Fenced
  /** Gives it up, for the next settler to go on at once. */
  release(): Promise<void>
}

/** Opens the lease for a holder, a name that no other process has. */
export function openLease(platform: Platform, holder: string): Lease {
  const held = JSON.stringify(holder)
  let takenAt = Number.NEGATIVE_INFINITY
  const lease: Lease = {
    async take() {
      const now = performance.now()
      const taken = await platform.em().execute(
        `insert into chain.cursor as c (name, value)
         values ('lease', jsonb_build_object('holder', ?::jsonb, 'until', now() + make_interval(secs => ?)))
         on conflict (name) do update set value = excluded.value
         where c.value -> 'holder' = ?::jsonb or (c.value ->> 'until')::timestamptz < now()
         returning 1`,
        [held, LEASE_SECONDS, held],
      )
      takenAt = taken.length > 0 ? now : Number.NEGATIVE_INFINITY
      return taken.length > 0
    },
    keep: async () => performance.now() - takenAt < RENEW_MS || lease.take(),
    fenced: (write) =>
      platform.em().transactional(async (em) => {
        const rows = await em.execute(`select from chain.cursor where name = 'lease' and value -> 'holder' = ?::jsonb for update`, [held])
        if (rows.length === 0) throw new LeaseLost()
        return write(em)
      }),
    async release() {
      takenAt = Number.NEGATIVE_INFINITY
      await platform.em().execute(`delete from chain.cursor where name = 'lease' and value -> 'holder' = ?::jsonb`, [held])
    },
  }
  return lease
}
