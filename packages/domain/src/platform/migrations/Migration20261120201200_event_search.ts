import { Migration } from '@mikro-orm/migrations'

/** Titles as searches compare them, and beside the events, so that trading leaves their index alone. */
export class Migration20261120201200_event_search extends Migration {
  override up(): void {
    this.addSql(`
      drop index event_by_title;
      alter table "event" add column "title_key" text not null generated always as (casefold(normalize(title, NFKC) collate "pg_unicode_fast")) stored;
      create table "event_search" (
        "event_id" uuid not null,
        "text" text not null,
        primary key ("event_id"));
      insert into event_search (event_id, text) select id, title_key from event;
      create index event_search_by_text on event_search using gin (text gin_trgm_ops);
      alter table "event_search" add constraint "event_search_event_id_foreign" foreign key ("event_id") references "event" ("id") on update cascade on delete cascade;
    `)
    this.addSql(FOLLOW)
    this.addSql(
      'create trigger event_search_follows after insert or update of title on event for each row execute function event_search_follow()',
    )
  }
}

const FOLLOW = `
  create function event_search_follow() returns trigger language plpgsql as $$
  begin
    insert into event_search (event_id, text) values (new.id, new.title_key)
    on conflict (event_id) do update set text = excluded.text where event_search.text <> excluded.text;
    return null;
  end $$`
