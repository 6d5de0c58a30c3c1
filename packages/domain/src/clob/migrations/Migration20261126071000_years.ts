import { Migration } from '@mikro-orm/migrations'

/** Where the record of a market has times. */
const TIMES = ['{endTime}', '{resolution,deadlineAt}', '{metadata,event,start_date}', '{metadata,event,end_date}']

/**
 * Releases before took markets of any year. Those whose times no reader takes now, because their year has not four digits or none a week
 * later, get the first or the last time that can be registered: the list with such a market could not be read.
 */
export class Migration20261126071000_years extends Migration {
  override up(): void {
    for (const path of TIMES) {
      this.addSql(
        `update condition_metadata set record = jsonb_set(record, '${path}', to_jsonb(
           case when record #>> '${path}' ~ '^([+]|9999)' then '9998-12-31T23:59:59.999Z' else '1000-01-01T00:00:00.000Z' end))
         where record #>> '${path}' !~ '^[1-9][0-9]{3}-' or record #>> '${path}' ~ '^9999'`,
      )
    }
  }
}
