import { Migration } from '@mikro-orm/migrations'

/** Mutes the results and answers of members who had muted the kinds of notifications that these were part of. */
export class Migration20261128004000_muted_topics extends Migration {
  override up(): void {
    for (const [kind, parts] of [
      ['trade', '["result"]'],
      ['general', '["result", "answer"]'],
    ] as const)
      this.addSql(
        `update users set preferences = jsonb_set(preferences, '{chosen,muted}', preferences->'chosen'->'muted' || '${parts}')
         where jsonb_exists(preferences->'chosen'->'muted', '${kind}')`,
      )
  }
}
