import { Migration } from '@mikro-orm/migrations'

/** Adds passkeys, their challenges, the keys of accounts that were opened with one, and codes that recover such accounts. */
export class Migration20261129044000_passkeys extends Migration {
  override up(): void {
    this.addSql(`
      create table passkey (
        id uuid not null default uuidv7(), user_id uuid not null, credential text not null, public_key text not null,
        counter bigint not null default '0', transports text not null default '', synced boolean not null default false,
        name text not null, created_at timestamptz(3) not null, last_used_at timestamptz(3) null, suspended_at timestamptz(3) null,
        primary key (id),
        constraint passkey_credential_unique unique (credential),
        constraint passkey_credential_form check (credential ~ '^[A-Za-z0-9_-]+$' and length(credential) <= 1364),
        constraint passkey_public_key_form check (public_key ~ '^[A-Za-z0-9_-]+$' and length(public_key) <= 4096),
        constraint passkey_counter check (counter >= 0),
        constraint passkey_texts check (length(name) >= 1 and length(name) <= 60 and length(transports) <= 100),
        constraint passkey_user_id_foreign foreign key (user_id) references users (id) on delete cascade)`)
    this.addSql('create index passkey_user_id_index on passkey (user_id)')
    this.addSql(`
      create table passkey_challenge (
        challenge bytea not null, holder_hash bytea not null, purpose text not null,
        expires_at timestamptz(3) not null, used_at timestamptz(3) null,
        primary key (challenge),
        constraint passkey_challenge_lengths check (octet_length(challenge) = 16 and octet_length(holder_hash) = 32),
        constraint passkey_challenge_purpose check (length(purpose) >= 1 and length(purpose) <= 300))`)
    this.addSql('create index passkey_challenge_expires_at_index on passkey_challenge (expires_at)')
    this.addSql(`
      create table account_key (
        user_id uuid not null, secret text not null, created_at timestamptz(3) not null,
        primary key (user_id),
        constraint account_key_is_sealed check (secret ~ '^v1[.]'),
        constraint account_key_user_id_foreign foreign key (user_id) references users (id) on update cascade on delete cascade)`)
    this.addSql(`
      create table account_recovery (
        code_hash bytea not null, user_id uuid not null, expires_at timestamptz(3) null,
        primary key (code_hash),
        constraint account_recovery_code_hash_length check (octet_length(code_hash) = 32),
        constraint account_recovery_user_id_foreign foreign key (user_id) references users (id) on delete cascade)`)
    this.addSql('create index account_recovery_user_id_index on account_recovery (user_id)')
  }
}
