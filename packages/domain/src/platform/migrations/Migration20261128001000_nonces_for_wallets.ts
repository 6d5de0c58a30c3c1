import { Migration } from '@mikro-orm/migrations'

/** Stores the wallet and the chain that a nonce was requested for. */
export class Migration20261128001000_nonces_for_wallets extends Migration {
  override up(): void {
    this.addSql(`alter table "sign_in_nonce" add "address" text null, add "chain_id" bigint null`)
    this.addSql(`alter table "sign_in_nonce" add constraint "sign_in_nonce_address_form" check (address ~ '^0x[0-9a-f]{40}$')`)
  }
}
