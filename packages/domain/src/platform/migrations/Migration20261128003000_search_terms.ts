import { Migration } from '@mikro-orm/migrations'

/**
 * What events are found by: words of their titles, outcomes and questions, and their tags. `event_search.text`, `event.title_key` and
 * `letter_pairs` stay for the release before this one.
 */
export class Migration20261128003000_search_terms extends Migration {
  override up(): void {
    this.addSql(`
      alter table "event_search" add column "terms" tsvector not null default '';
      create table "search_word" (
        "id" uuid not null default uuidv7(),
        "word" text not null,
        "deletions" text[] not null,
        primary key ("id"));
      create index search_word_by_word on search_word (word);
      create index search_word_by_deletion on search_word using gin (deletions);
      create index search_word_by_trigram on search_word using gin (word gin_trgm_ops);
    `)
    for (const sql of [FOLD, OTHER_TERMS, TERMS, DELETIONS, EVENT_TERMS, WRITE, ...FOLLOW]) this.addSql(sql)
    this.addSql(`select event_search_write(array(select id from event order by id))`)
    this.addSql('create index event_search_by_term on event_search using gin (terms) with (fastupdate = off)')
  }
}

/** The same as `fold` of the package `search`. */
const FOLD = `
  create function search_fold(source text) returns text language sql immutable strict parallel safe
  return case when octet_length(source) = length(source) then lower(translate(source, '\x60', '''') collate "pg_unicode_fast") else normalize(
    translate(
      replace(replace(replace(
        regexp_replace(
          lower(upper(normalize(translate(source, U&'\\2018\\2019\\201B\\02BC\\02BB\\02B9\\2032\\00B4\\0060\\FF07', ''''''''''''''''''''''), nfkd)
            collate "pg_unicode_fast")),
          '[\\u00ad\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u093c\\u094d\\u09bc\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u0e3a\\u0e47-\\u0e4e\\u0ec8-\\u0ecd\\u1039\\u103a\\u17d2\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufe00-\\ufe0f\\ufeff]+',
          '', 'g'),
        'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      'łøđħðıςىةیک٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९', 'lodhdiσيهيك012345678901234567890123456789'),
    nfc) end collate "pg_unicode_fast"`

/** Scripts without spaces between words. */
const SPACELESS =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\U00020000-\\U0003ffff'

/** Terms of a word that is not all ASCII. */
const OTHER_TERMS = `
  create function search_other_terms(word text) returns setof text language sql immutable strict parallel safe rows 4 as $$
    select term from (
      select left(m[1], 60) as run from regexp_matches(word collate "pg_unicode_fast", '([${SPACELESS}]+|[^${SPACELESS}]+)', 'g') m
    ) runs
    cross join lateral (
      select run as term where run !~ '[${SPACELESS}]'
      union select regexp_replace(regexp_replace(run, '^([وبكف]{0,1}ال|لل)(..)', '\\2'), '^[הבלומשכ]([א-ת]{3})', '\\1') where run !~ '[${SPACELESS}]'
      union select substr(run, n, 3) from generate_series(1, length(run)) n where run ~ '[${SPACELESS}]'
    ) terms
  $$`

/** The same as `termsOf` there. */
const TERMS = `
  create function search_terms(source text) returns setof text language sql immutable strict parallel safe rows 20 as $$
    select distinct term collate "C" from (
      select btrim(token, '-''.,/&_·‐–') as compound
      from regexp_split_to_table(search_fold(source) collate "pg_unicode_fast", '[^[:alnum:]''.,/&_·‐–-]+') token
    ) compounds
    cross join lateral (
      select compound as word where compound !~ '[^[:alnum:]]'
      union all select regexp_replace(compound, '[^[:alnum:]]+', '', 'g') where compound ~ '[^[:alnum:]]'
      union all select part from regexp_split_to_table(compound, '[^[:alnum:]]+') part where compound ~ '[^[:alnum:]]'
    ) words
    cross join lateral (
      select left(word, 60) as term where octet_length(word) = length(word)
      union all select other from search_other_terms(word) other where octet_length(word) <> length(word)
    ) terms
    where term <> ''
  $$`

/** The same as `deletionsOf` there. */
const DELETIONS = `
  create function search_deletions(word text) returns text[] language sql immutable strict parallel safe
  return array(select word union select overlay(word placing '' from n for 1) from generate_series(1, length(word)) n)`

const EVENT_TERMS = `
  create function event_terms(event event) returns tsvector language sql stable as $$
    select array_to_tsvector(array(
      select 't/' || term from (
        select event.title as text union all select text from translation where kind = 'event' and subject = event.id
      ) titles cross join search_terms(text) term
      union all
      select 'n/' || term from (
        select string_agg(concat_ws(E'\\n', short_title, question, nullif(yes_text, 'Yes'), nullif(no_text, 'No')), E'\\n') as text
        from market where event_id = event.id
      ) names cross join search_terms(text) term
      union all
      select 'm/' || term from search_terms(concat_ws(E'\\n', event.slug, event.series_slug,
        (select instrument || E'\\n' || display_name from price_series where slug = event.series_slug))) term
      union all
      select 'g/' || tag_id from event_tag where event_id = event.id
      union all
      select 's/' || event.status
    ))
  $$`

/** Words are kept when no event has them any more. Several writers may add the same word, as none waits for another. */
const WRITE = `
  create function event_search_write(ids uuid[]) returns void language plpgsql as $$
  begin
    with written as (
      insert into event_search (event_id, text, terms)
      select id, title_key, event_terms(event) from event where id = any(ids) order by id
      on conflict (event_id) do update set text = excluded.text, terms = excluded.terms
      where event_search.text <> excluded.text or event_search.terms <> excluded.terms
      returning terms
    )
    insert into search_word (word, deletions)
    select word, search_deletions(word) from (
      select distinct substr(lexeme, 3) as word from written cross join unnest(terms) where lexeme ~ '^[tnm]/[^0-9${SPACELESS}]{4,24}$'
    ) words
    where not exists (select from search_word known where known.word = words.word);
  end $$`

const FOLLOW = [
  'drop trigger event_search_follows on event',
  'drop function event_search_follow',
  `create function event_search_follow() returns trigger language plpgsql as $$
  begin
    perform event_search_write(array(select distinct event_id from changed));
    return null;
  end $$`,
  `create function event_search_follow_event() returns trigger language plpgsql as $$
  begin
    perform event_search_write(array(select id from changed));
    return null;
  end $$`,
  `create function event_search_follow_row() returns trigger language plpgsql as $$
  begin
    perform event_search_write(array[new.id]);
    return null;
  end $$`,
  `create function event_search_follow_market() returns trigger language plpgsql as $$
  begin
    perform event_search_write(array[new.event_id]);
    return null;
  end $$`,
  `create function event_search_follow_translation() returns trigger language plpgsql as $$
  begin
    perform event_search_write(array(select distinct subject from changed where kind = 'event'));
    return null;
  end $$`,
  'create trigger event_search_inserted after insert on event referencing new table as changed for each statement execute function event_search_follow_event()',
  // By row where only some columns count: prices and volumes change all the time.
  `create trigger event_search_changed after update of title, slug, series_slug, status on event for each row
   when ((old.title, old.slug, old.series_slug, old.status) is distinct from (new.title, new.slug, new.series_slug, new.status))
   execute function event_search_follow_row()`,
  `create trigger event_search_market_changed after update of short_title, question, yes_text, no_text, event_id on market for each row
   when ((old.short_title, old.question, coalesce(old.yes_text, 'Yes'), coalesce(old.no_text, 'No')) is distinct from
     (new.short_title, new.question, coalesce(new.yes_text, 'Yes'), coalesce(new.no_text, 'No')))
   execute function event_search_follow_market()`,
  ...(['market', 'event_tag'] as const).flatMap((table) => [
    `create trigger event_search_${table}_inserted after insert on ${table} referencing new table as changed for each statement execute function event_search_follow()`,
    `create trigger event_search_${table}_deleted after delete on ${table} referencing old table as changed for each statement execute function event_search_follow()`,
  ]),
  'create trigger event_search_event_tag_updated after update on event_tag referencing new table as changed for each statement execute function event_search_follow()',
  ...(['insert', 'update', 'delete'] as const).map(
    (change) =>
      `create trigger event_search_translation_${change}d after ${change} on translation referencing ${change === 'delete' ? 'old' : 'new'} table as changed for each statement execute function event_search_follow_translation()`,
  ),
]
