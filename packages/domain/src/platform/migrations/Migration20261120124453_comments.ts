import { Migration } from '@mikro-orm/migrations'

/** What members say about events, and what others do to it. */
export class Migration20261120124453_comments extends Migration {
  override up(): void {
    this.addSql(`
      create table "comment" (
        "id" uuid not null default uuidv7(),
        "user_id" uuid not null,
        "event_id" uuid not null,
        "parent_id" uuid null,
        "content" text not null,
        "created_at" timestamptz(3) not null,
        "deleted_at" timestamptz(3) null,
        primary key ("id"));
      create index "comment_user_id_index" on "comment" ("user_id");
      create index "comment_parent_id_index" on "comment" ("parent_id");
      create index comment_newest on comment (event_id, created_at desc, id desc);
      create table "comment_mark" (
        "comment_id" uuid not null,
        "user_id" uuid not null,
        "kind" text not null,
        "created_at" timestamptz(3) not null,
        primary key ("comment_id", "user_id", "kind"));
      create index "comment_mark_user_id_index" on "comment_mark" ("user_id");
      alter table "comment" add constraint "comment_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "comment" add constraint "comment_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete cascade;
      alter table "comment" add constraint "comment_parent_id_foreign" foreign key ("parent_id") references "comment" ("id") on delete cascade;
      alter table "comment" add constraint "comment_content" check ((deleted_at is null and length(content) >= 1 and length(content) <= 2000) or (deleted_at is not null and length(content) = 0));
      alter table "comment" add constraint "comment_not_its_own_answer" check (parent_id <> id);
      alter table "comment_mark" add constraint "comment_mark_comment_id_foreign" foreign key ("comment_id") references "comment" ("id") on delete cascade;
      alter table "comment_mark" add constraint "comment_mark_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "comment_mark" add constraint "comment_mark_kind_check" check ("kind" in ('like', 'report'));
    `)
  }
}
