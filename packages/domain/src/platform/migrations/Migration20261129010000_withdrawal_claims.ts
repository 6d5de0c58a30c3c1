import { Migration } from '@mikro-orm/migrations'

/** Adds claims of withdrawals. Payments that the settler has begun are claimed by it. */
export class Migration20261129010000_withdrawal_claims extends Migration {
  override up(): void {
    this.addSql(`
      create table chain.claim (ref text not null, holder text not null, at timestamptz(3) not null default now(), primary key (ref),
        constraint claim_holder_check check (holder in ('member', 'settler')))`)
    this.addSql(`
      insert into chain.claim (ref, holder) select distinct payment ->> 'name', 'settler'
      from chain.intent, jsonb_array_elements(purpose -> 'payments') payment where purpose ->> 'kind' = 'pay'`)
  }
}
