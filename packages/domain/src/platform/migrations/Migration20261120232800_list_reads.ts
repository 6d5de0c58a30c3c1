import { Migration } from '@mikro-orm/migrations'

/** What a page of events reads: the outcomes of a market beside it, and titles by words of two letters, of which three in a row know nothing. */
export class Migration20261120232800_list_reads extends Migration {
  override up(): void {
    this.addSql(`
      alter table "market" add column "yes_token" text null, add column "yes_text" text null, add column "no_token" text null, add column "no_text" text null;
      update market set yes_token = yes.token_id, yes_text = yes.text, no_token = no.token_id, no_text = no.text
        from outcome yes, outcome no
        where yes.market_condition_id = condition_id and yes.index = 0 and no.market_condition_id = condition_id and no.index = 1;
      alter table "market" add constraint "market_outcomes_whole" check ((yes_token is null) = (yes_text is null) and (no_token is null) = (no_text is null));
    `)
    this.addSql(SHOW)
    this.addSql(
      'create trigger outcome_added after insert on outcome referencing new table as written for each statement execute function outcome_show()',
    )
    this.addSql(
      'create trigger outcome_changed after update on outcome referencing new table as written for each statement execute function outcome_show()',
    )
    this.addSql(PAIRS)
    this.addSql('create index event_search_by_pair on event_search using gin (letter_pairs(text))')
  }
}

const SHOW = `
  create function outcome_show() returns trigger language plpgsql as $$
  begin
    update market set
      yes_token = coalesce(shown.yes_token, market.yes_token), yes_text = coalesce(shown.yes_text, market.yes_text),
      no_token = coalesce(shown.no_token, market.no_token), no_text = coalesce(shown.no_text, market.no_text)
    from (
      select market_condition_id,
        max(token_id) filter (where index = 0) as yes_token, max(text) filter (where index = 0) as yes_text,
        max(token_id) filter (where index = 1) as no_token, max(text) filter (where index = 1) as no_text
      from written group by market_condition_id
    ) shown
    where condition_id = market_condition_id;
    return null;
  end $$`

const PAIRS = `
  create function letter_pairs(text text) returns text[] language sql immutable strict parallel safe
  return array(select distinct substr(text, n, 2) from generate_series(1, length(text) - 1) n)`
