import { Migration } from '@mikro-orm/migrations'

/** Adds the transactions that posted signed roots to a vault. */
export class Migration20261129010000_posted_roots extends Migration {
  override up(): void {
    this.addSql(`
      create table posted_root (stream text not null, n int not null, seq bigint not null, transaction_hash bytea not null,
        posted_at timestamptz(3) not null default now(), primary key (stream, n),
        constraint posted_root_transaction check (octet_length(transaction_hash) = 32 and n >= 1 and seq >= 1))`)
    this.addSql('create index posted_root_by_seq on posted_root (stream, seq)')
  }
}
