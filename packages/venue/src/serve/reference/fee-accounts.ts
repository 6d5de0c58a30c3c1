import type { Hex } from '@augury/engine/command'
import type { Pool } from 'pg'
import { KeyedQueue } from '../../base/keyed-queue.ts'
import { notify } from '../../base/notices.ts'
import { toBytes, toHex } from '../../base/postgres.ts'

/** NOTIFY channel for changes of fee accounts; the payload is the deployment. */
export const FEE_CHANNEL = 'fee_account'

/** Where the fees of deployments go, in memory. A change holds for every order that arrives after its answer. */
export class FeeAccounts {
  readonly #db: Pool
  readonly #byDeployment = new Map<Hex, Hex>()
  /** Reads of the table, one at a time: an older result never overwrites a newer one. */
  readonly #readings = new KeyedQueue()

  private constructor(db: Pool) {
    this.#db = db
  }

  /** Reads the table `fee_account`. */
  static async load(db: Pool): Promise<FeeAccounts> {
    const accounts = new FeeAccounts(db)
    await accounts.reload()
    return accounts
  }

  /** Reads the table, or one deployment of it, again. */
  reload(deployment?: string): Promise<void> {
    return this.#readings.run('', () => this.#read(deployment))
  }

  async #read(deployment?: string): Promise<void> {
    const which = deployment === undefined ? '' : 'where deployment = $1'
    const { rows } = await this.#db.query<{ deployment: Buffer; account: Buffer }>(
      `select deployment, account from fee_account ${which}`,
      deployment === undefined ? [] : [toBytes(deployment)],
    )
    if (deployment === undefined) this.#byDeployment.clear()
    else this.#byDeployment.delete(deployment as Hex)
    for (const row of rows) this.#byDeployment.set(toHex(row.deployment), toHex(row.account))
  }

  /** The address that gets the rest of a deployment's fees: the one it named, else its own. */
  of(deployment: Hex): Hex {
    return this.#byDeployment.get(deployment) ?? deployment
  }

  /** Names who gets a deployment's fees from now on; its own address undoes that. Repeating it changes nothing. */
  async set(deployment: Hex, account: Hex): Promise<void> {
    if (this.of(deployment) === account) return
    if (account === deployment) await this.#db.query('delete from fee_account where deployment = $1', [toBytes(deployment)])
    else {
      await this.#db.query(
        `insert into fee_account (deployment, account) values ($1, $2)
         on conflict (deployment) do update set account = excluded.account, changed_at = now()`,
        [toBytes(deployment), toBytes(account)],
      )
    }
    await this.reload(deployment) // of two concurrent changes, memory keeps the one that the table has
    await notify(this.#db, FEE_CHANNEL, deployment)
  }
}
