import { Migration } from '@mikro-orm/migrations'

/**
 * Every process of the site keeps the words of all events in memory, and reads from here what changed since: of each row the transaction
 * that wrote it. So the index of terms and the vocabulary are not needed, which every change of an event had to keep.
 */
export class Migration20261128010200_search_changes extends Migration {
  override up(): void {
    this.addSql(`
      alter table "event_search" add column "changed" xid8 not null default pg_current_xact_id();
      create index event_search_by_change on event_search (changed);
      drop index event_search_by_term;
      drop table search_word;
      drop function search_deletions;
    `)
    this.addSql(`
      create or replace function event_search_write(ids uuid[]) returns void language plpgsql as $$
      begin
        insert into event_search (event_id, text, terms)
        select id, title_key, event_terms(event) from event where id = any(ids) order by id
        on conflict (event_id) do update set text = excluded.text, terms = excluded.terms, changed = excluded.changed
        where event_search.text <> excluded.text or event_search.terms <> excluded.terms;
      end $$`)
  }
}
