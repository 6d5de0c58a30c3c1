import { Migration } from '@mikro-orm/migrations'

/**
 * What the halves of a pair count for that is split or merged, which in an event depends on the answers that are open; and which release made
 * the folds, so that another one makes them anew. Until then pairs count as before: half a dollar a share.
 */
export class Migration20261123190000_pairs extends Migration {
  override up(): void {
    this.addSql('alter table "condition_change" add "event_id" bytea null, add "event_size" int null')
    this.addSql(`
      update "condition_change" set event_id = known.event_id, event_size = known.size
      from (
        select condition_id, decode(substr(record ->> 'negRiskMarketId', 3), 'hex') as event_id,
          count(*) over (partition by record ->> 'negRiskMarketId') as size
        from condition_metadata where record ->> 'negRiskMarketId' is not null
      ) known
      where change = 'registered' and condition_change.condition_id = known.condition_id`)
    this.addSql(`
      alter table "condition_change" add constraint "condition_change_event"
        check ((event_id is null) = (event_size is null) and (event_id is null or octet_length(event_id) = 32))`)
    this.addSql('create index condition_change_by_event on condition_change (stream, event_id) where event_id is not null')
    // Millionths of some lots of one half: of what the open answers pay together a Yes is worth a part, and a No the rest of the pair.
    this.addSql(`
      create function worth_of_half(of_stream text, condition bytea, before bigint, side smallint, lots bigint) returns bigint
        language plpgsql stable parallel safe as $$
      declare
        pays bigint;
        answers bigint;
      begin
        select 10000 - coalesce(sum(ended.weight), 0), coalesce(max(own.event_size) - count(ended.seq), 2) into pays, answers
        from condition_change own
        join condition_change member on member.stream = own.stream and member.event_id = own.event_id
        left join condition_change ended on ended.stream = member.stream and ended.condition_id = member.condition_id
          and ended.change = 'resolved' and ended.seq < before
        where own.stream = of_stream and own.condition_id = condition and own.event_id is not null;
        return case side when 0 then pays * lots / answers else 10000 * lots - pays * lots / answers end;
      end $$`)
    this.addSql(`alter table "position" add "split_cost" bigint not null default '0', add "merged_cost" bigint not null default '0'`)
    this.addSql(`
      update "position" set merged_cost = 5000 * merged_lots,
        split_cost = 5000 * (lots + sold_lots + redeemed_lots + merged_lots - bought_lots - converted_lots)`)
    this.addSql('alter table "position" add constraint "position_pairs" check (split_cost >= 0 and merged_cost >= 0)')
    this.addSql(`alter table "projection" add "folds" int not null default 0, add "folds_seq" bigint not null default '0'`)
  }
}
