import { Migration } from '@mikro-orm/migrations'

/** Letters by which members prove that an address is theirs. */
export class Migration20261122174800_email_verification extends Migration {
  override up(): void {
    this.addSql(`
      create table "email_verification" (
        "token_hash" bytea not null,
        "user_id" uuid not null,
        "email" text not null,
        "expires_at" timestamptz(3) not null,
        "used_at" timestamptz(3) null,
        primary key ("token_hash"));
      create index "email_verification_user_id_index" on "email_verification" ("user_id");
      create index email_verification_by_email on email_verification (lower(email));
      create index "email_verification_expires_at_index" on "email_verification" ("expires_at");
      alter table "email_verification" add constraint "email_verification_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "email_verification" add constraint "email_verification_token_hash_length" check (octet_length(token_hash) = 32);
      alter table "email_verification" add constraint "email_verification_email_form" check (email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254);
    `)
  }
}
