import type { platformOperations } from '../../platform/operations.ts'
import type { ExamplesOf } from '../example.ts'
import { condition, marketSlug } from './subjects.ts'

const status = { data: [{ condition_id: condition, is_active: true, is_resolved: false }], next_cursor: 'LTE=' }

/** Calls of a deployment's operations, and their answers. */
export const platformExamples: ExamplesOf<typeof platformOperations> = {
  listEvents: { query: { tag: 'trending', limit: 12 } },
  marketMetadata: { params: { slug: marketSlug }, query: { conditionId: condition }, output: { data: null } },
  relatedEvents: {
    params: { slug: marketSlug },
    output: [
      {
        id: '01JGBQ6E5V0000000000000000',
        slug: 'snow-in-porto-in-january',
        title: 'Will it snow in Porto in January?',
        icon_url: '',
        common_tags_count: 1,
        chance: 3,
      },
    ],
  },
  marketsStatus: { query: { conditionIds: [condition] }, output: status },
  marketsStatusBatch: { body: { conditionIds: [condition] }, output: status },
}
