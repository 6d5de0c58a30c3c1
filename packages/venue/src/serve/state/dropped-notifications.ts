import type { Hex } from '@augury/engine/command'
import type { Pool } from 'pg'
import { toBytes } from '../../base/postgres.ts'

/** The notifications that accounts dismissed. Notifications are made from history, so only the dismissals are stored, for a week. */
export class DroppedNotifications {
  readonly #db: Pool

  constructor(db: Pool) {
    this.#db = db
  }

  /** Ids of an account's dropped notifications. */
  async of(account: Hex): Promise<Set<number>> {
    const { rows } = await this.#db.query('select id from dropped_notification where account = $1', [toBytes(account)])
    return new Set(rows.map(({ id }) => id))
  }

  /** Dismisses notifications. Doing it again changes nothing. */
  async drop(account: Hex, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    const values = [toBytes(account), ids]
    await this.#db.query('insert into dropped_notification (account, id) select $1, unnest($2::int8[]) on conflict do nothing', values)
    await this.#db.query(`delete from dropped_notification where account = $1 and dropped_at < now() - interval '7 days'`, [values[0]])
  }
}
