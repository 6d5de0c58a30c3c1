import { Migration } from '@mikro-orm/migrations'

/** Letters are counted by the mailbox that they went to, however its address was spelled. */
export class Migration20261122205600_mailboxes extends Migration {
  override up(): void {
    this.addSql(`
      create index email_verification_by_mailbox on email_verification ((replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') || '@' || split_part(lower(email), '@', 2)));
      drop index email_verification_by_email;
    `)
  }
}
