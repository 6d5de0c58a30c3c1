import { tables } from '@augury/domain/platform/tables'
import { ONE } from '@augury/units/price'
import type { Output } from '@augury/wire/operation'
import type { adminCreationOperations } from '@augury/wire/platform/admin-creation'
import type { platformPageQueries } from '@augury/wire/platform/page-queries'
import { ServiceError } from '@augury/wire/service-error'
import { z } from 'zod'
import { runAsAdmin } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { PRICED } from '../events/priced.ts'
import { plain } from '../outbound/plain-text.ts'
import { settingsOf } from '../settings/site-settings.ts'
import type { Platform } from '../site/platform.ts'
import type { Site } from '../site/site.ts'
import { askModel } from './ask-model.ts'

/** Most characters of a context. */
const MOST = 4000

const FORM =
  'In the task a word in brackets, such as [market-title], stands for the value of that name in the data. Answer {"context": string}, in plain text.'

const answered = z.object({
  context: z
    .string()
    .max(20_000)
    .transform((text) => plain(text, MOST))
    .pipe(z.string().min(1)),
})

interface Row {
  event_title: string
  event_rules: string
  main_tag: string | null
  creator: string
  event_created_at: string
  end_time: string
  title: string
  /** Null while there is neither an order nor a trade. */
  price: string | null
  volume_24h: string
  volume: string
  outcomes: string[]
}

/** Has the model write the context of a market, by the prompt of the settings. Throws `market_not_found`, and what `askModel` throws. */
export async function writeMarketContext(
  site: Site,
  admin: Admin,
  { params: { id } }: { params: { id: string } },
): Promise<Output<typeof adminCreationOperations.adminWriteMarketContext>> {
  const condition = id.toLowerCase()
  const [row]: Row[] = await site.em().execute(FACTS, [condition])
  if (!row) throw new ServiceError('market_not_found')
  const { marketContextPrompt } = await settingsOf(site, 'ai')
  const question = { purpose: 'context', instructions: `${marketContextPrompt}\n\n${FORM}`, material: materialOf(row) }
  const { context } = await askModel(site, admin, question, answered)
  return runAsAdmin(site, admin, async (em, now) => {
    const written = { text: context, generated_at: now, actor_id: admin.id }
    await tables(em)
      .insertInto('market_context')
      .values({ market_condition_id: condition, ...written })
      .onConflict((conflict) => conflict.column('market_condition_id').doUpdateSet(written))
      .execute()
    return {
      answer: { success: true, data: { text: context, generated_at: now.toISOString() } },
      record: { action: 'market_context_written', target: condition },
    }
  })
}

/** The contexts of an event's markets; none while the settings hide them. */
export async function marketContexts(
  platform: Platform,
  { slug }: { slug: string },
): Promise<Output<typeof platformPageQueries.marketContexts>> {
  if (!(await settingsOf(platform, 'ai')).marketContextEnabled) return []
  const rows = await tables(platform.em())
    .selectFrom('market_context')
    .innerJoin('market', 'condition_id', 'market_condition_id')
    .innerJoin('event', 'event.id', 'market.event_id')
    .select(['market_condition_id as condition_id', 'text', 'generated_at'])
    .where('event.slug', '=', slug)
    .orderBy('position')
    .execute()
  return rows.map((row) => ({ ...row, generated_at: row.generated_at.toISOString() }))
}

/** Given to the model in place of the 0.5 that stands in for a missing price, about which it would write as an even chance. */
const UNPRICED = 'not known: there is no price yet'

const materialOf = (row: Row): Record<string, string | string[]> => ({
  'event-title': row.event_title,
  'event-description': row.event_rules,
  'event-main-tag': row.main_tag ?? '',
  'event-creator': row.creator,
  'event-created-at': new Date(row.event_created_at).toISOString(),
  'market-estimated-end-date': new Date(row.end_time).toISOString(),
  'market-title': row.title,
  'market-probability': row.price === null ? UNPRICED : `${Math.round((Number(row.price) / ONE) * 100)}%`,
  'market-price': row.price === null ? UNPRICED : String(Number(row.price) / ONE),
  'market-volume-24h': String(Number(row.volume_24h) / 1_000_000),
  'market-volume-total': String(Number(row.volume) / 1_000_000),
  'market-outcomes': row.outcomes,
})

const FACTS = `
  select event.title as event_title, left(event.rules, 6000) as event_rules, main.name as main_tag, creator, event.created_at as event_created_at,
    end_time, market.title, case when ${PRICED} then price end as price, market.volume_24h, market.volume,
    (select jsonb_agg(text order by index) from outcome where market_condition_id = condition_id) as outcomes
  from market join event on event.id = event_id left join tag main on main.id = main_tag_id where condition_id = ?`
