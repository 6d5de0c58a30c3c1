import { Migration } from '@mikro-orm/migrations'

/** What lists of members and comments are walked by, and until when reports of a comment were looked at by an admin. */
export class Migration20261123094000_people_lists extends Migration {
  override up(): void {
    this.addSql('create index users_by_email on users using gin (email gin_trgm_ops)')
    this.addSql('create index users_newest on users (created_at desc nulls last, id)')
    this.addSql('alter table "comment" add column "likes_count" int not null default 0')
    this.addSql(COUNT)
    // From here on no other transaction can mark rows until this is committed, so nothing is counted twice or not at all.
    this.addSql(
      'create trigger comment_marked after insert on comment_mark referencing new table as marks for each statement execute function comment_count_likes()',
    )
    this.addSql(
      'create trigger comment_unmarked after delete on comment_mark referencing old table as marks for each statement execute function comment_count_likes()',
    )
    this.addSql(`
      update comment set likes_count = liked.n
        from (select comment_id, count(*) as n from comment_mark where kind = 'like' group by comment_id) liked where comment_id = comment.id
    `)
    this.addSql(
      'create index comment_most_liked on comment (event_id, likes_count desc, created_at desc, id desc) where parent_id is null',
    )
    this.addSql('alter table "comment" add column "reviewed_at" timestamptz(3) null')
    this.addSql(`create index comment_reported on comment_mark (created_at, comment_id) where kind = 'report'`)
  }
}

const COUNT = `
  create function comment_count_likes() returns trigger language plpgsql as $$
  begin
    update comment set likes_count = likes_count + case tg_op when 'INSERT' then changed.n else -changed.n end
    from (select comment_id, count(*) as n from marks where kind = 'like' group by comment_id) changed
    where comment.id = changed.comment_id;
    return null;
  end $$`
