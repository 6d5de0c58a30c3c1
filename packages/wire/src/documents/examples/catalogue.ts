import type { catalogueOperations } from '../../operations/catalogue.ts'
import type { ExamplesOf } from '../example.ts'
import { alice, marketSlug, yes } from './subjects.ts'

const byId = { params: { id: '17' } }
const bySlug = { params: { slug: marketSlug } }

/** Requests of clients that look for markets. */
export const catalogueExamples: ExamplesOf<typeof catalogueOperations> = {
  listCatalogueEvents: { query: { closed: 'false', order: ['volume24hr'], ascending: 'false', limit: 20 } },
  getCatalogueEvent: byId,
  getCatalogueEventBySlug: bySlug,
  listCatalogueEventTags: { ...byId, output: [{ id: '1089731654', label: 'Weather', slug: 'weather' }] },
  listCatalogueMarkets: { query: { clob_token_ids: [yes] } },
  getCatalogueMarket: byId,
  getCatalogueMarketBySlug: bySlug,
  listCatalogueMarketTags: byId,
  getCatalogueTag: byId,
  getCatalogueTagBySlug: { params: { slug: 'weather' } },
  listRelatedTags: byId,
  listRelatedTagsBySlug: { params: { slug: 'weather' } },
  listTagsRelated: byId,
  listTagsRelatedBySlug: { params: { slug: 'weather' } },
  getCatalogueSeries: byId,
  listCatalogueComments: { query: { parent_entity_type: 'Event', parent_entity_id: '17' } },
  listCommentsOfUser: { params: { address: alice } },
  getCatalogueComment: { params: { id: '0198a1b2-6f7e-7c3d-8a4b-5c6d7e8f9012' } },
  getPublicProfile: { query: { address: alice } },
  getProfile: { params: { address: alice } },
  searchCatalogue: { query: { q: 'rain', limit_per_type: 10 } },
}
