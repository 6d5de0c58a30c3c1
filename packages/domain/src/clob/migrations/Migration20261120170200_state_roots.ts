import { Migration } from '@mikro-orm/migrations'

/** Signed roots of the state, the trees under the newest of them, and what hides who holds what. */
export class Migration20261120170200_state_roots extends Migration {
  override up(): void {
    this.addSql(
      `create table state_root (
        stream text not null, n int not null, seq bigint not null, at bigint not null, closes bigint not null, digest text not null,
        journal bytea not null, previous bytea not null, root bytea not null, assets int not null, holders int not null,
        usdc bigint not null, locked bigint not null, converted bigint not null, custody bigint not null,
        key bytea not null, hash bytea not null, signature bytea not null, endorsement bytea null,
        primary key (stream, n),
        constraint state_root_seq unique (stream, seq),
        constraint state_root_positions check (n >= 1 and seq >= 1 and at > 0 and closes > at and assets >= 1 and holders >= 0),
        constraint state_root_adds_up check (usdc >= 0 and locked >= 0 and converted >= 0 and usdc + locked + converted = custody),
        constraint state_root_lengths check (digest ~ '^[0-9a-f]{16}$' and octet_length(journal) = 32 and octet_length(previous) = 32 and octet_length(root) = 32
        and octet_length(key) = 32 and octet_length(hash) = 32 and octet_length(signature) = 64 and octet_length(endorsement) = 64)
      )`,
    )
    this.addSql(
      `create function state_root_stays() returns trigger language plpgsql as $$
       begin raise exception 'state_root is append-only' using errcode = 'restrict_violation'; end $$`,
    )
    this.addSql(
      'create trigger state_root_append_only before update or delete or truncate on state_root for each statement execute function state_root_stays()',
    )
    this.addSql(
      `create table state_tree (
        stream text not null, n int not null, asset bytea not null, chunk int not null, place int not null, holders int not null,
        total bigint not null, first bytea null, records bytea not null,
        primary key (stream, n, asset, chunk),
        constraint state_tree_places check (n >= 1 and chunk >= 0 and place >= 0 and holders >= 1 and total >= 0),
        constraint state_tree_asset check (octet_length(asset) in (0, 33) and octet_length(first) = 32),
        constraint state_tree_whole_records check (octet_length(records) > 0 and octet_length(records) % 40 = 0)
      )`,
    )
    // Hashes do not compress, and a proof reads a few records out of a piece.
    this.addSql('alter table state_tree alter column records set storage external')
    this.addSql(
      `create table holder_salt (
        stream text not null primary key,
        secret bytea not null default sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea),
        constraint holder_salt_length check (octet_length(secret) = 32)
      )`,
    )
  }
}
