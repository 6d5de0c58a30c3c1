import { Migration } from '@mikro-orm/migrations'

/**
 * Proxy wallets were marked as deployed when they were registered at the exchange; no contract was ever deployed. Where a chain is configured,
 * the job finds those that exist.
 */
export class Migration20261128000500_wallets_not_deployed extends Migration {
  override up(): void {
    this.addSql(`update users set proxy_wallet_status = 'deploying' where proxy_wallet_status = 'deployed'`)
  }
}
