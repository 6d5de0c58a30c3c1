import { Migration } from '@mikro-orm/migrations'

/**
 * A proxy wallet is a Safe now, at another address. What members signed for named a factory that never existed, so they sign again; the exchange
 * keeps the former addresses as wallets of their owners.
 */
export class Migration20261128172000_proxy_wallets_are_safes extends Migration {
  override up(): void {
    this.addSql(
      `update users set proxy_wallet_status = 'not_started', proxy_wallet_address = null, proxy_wallet_signature = null,
         proxy_wallet_signed_at = null, proxy_wallet_tx_hash = null
       where proxy_wallet_status <> 'not_started'`,
    )
  }
}
