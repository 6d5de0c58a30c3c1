import { readFileSync } from 'node:fs'
import { Migration } from '@mikro-orm/migrations'

/** Creates the database `clob` as of 0.1.0. */
export class Migration20261128180000_initial extends Migration {
  override up(): void {
    this.addSql(readFileSync(`${import.meta.dirname}/Migration20261128180000_initial.sql`, 'utf8'))
  }
}
