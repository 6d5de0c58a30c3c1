import { Migration } from '@mikro-orm/migrations'

/** Items that jobs could not deal with. */
export class Migration20261120134630_sync_failures extends Migration {
  override up(): void {
    this.addSql(`
      create table "sync_failure" (
        "job_name" text not null,
        "item" text not null,
        "attempts" int not null,
        "first_at" timestamptz(3) not null,
        "last_at" timestamptz(3) not null,
        "next_at" timestamptz(3) not null,
        "dead" boolean not null default false,
        "error" text not null,
        primary key ("job_name", "item"));
      create index sync_failure_dead on sync_failure (last_at desc) where dead;
      alter table "sync_failure" add constraint "sync_failure_attempts" check (attempts >= 1);
      alter table "sync_failure" add constraint "sync_failure_times" check (first_at <= last_at and last_at <= next_at);
      alter table "sync_failure" add constraint "sync_failure_texts" check (length(item) >= 1 and length(item) <= 300 and length(error) <= 500);
      alter table "sync_failure" add constraint "sync_failure_job_name_foreign" foreign key ("job_name") references "sync_job" ("name");
    `)
  }
}
