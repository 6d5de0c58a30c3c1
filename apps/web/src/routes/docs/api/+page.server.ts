import { apiReference } from '#lib/server/api-reference.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals: { settings } }) => {
  const all = apiReference(settings)
  const sections = Map.groupBy(all, ({ service, section }) => (service === 'exchange' ? section : `${section} (site)`))
  return {
    exchange: settings.publicClobUrl,
    sections: [...sections].map(([name, operations]) => ({
      name,
      operations: operations.map(({ slug, call, path, summary }) => ({ slug, method: call.method, path, summary })),
    })),
  }
}
