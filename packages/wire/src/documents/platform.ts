import type { Operation } from '../operation.ts'
import { refusedAction } from '../platform/admin-envelope.ts'
import { adminOperations } from '../platform/admin-operations.ts'
import { event, relatedEvent, tag } from '../platform/event.ts'
import { platformStatuses } from '../platform/failure.ts'
import { conditionShape, market, marketMetadata } from '../platform/market.ts'
import { platformOperations } from '../platform/operations.ts'
import { adminExamples } from './examples/admin.ts'
import { platformExamples } from './examples/platform.ts'
import type { Json } from './json-schema.ts'
import { openApiDocument } from './openapi.ts'

const DESCRIPTION = `Events, markets and members of one deployment. Books and trading are the exchange's: see its own document.

Refusals have a status, a text for people and a \`code\` of a closed list for programs.`

const ofAdmins: Readonly<Record<string, Operation>> = Object.fromEntries(
  Object.entries<Operation>(adminOperations).map(([name, operation]) => [name, { ...operation, refusalExtras: refusedAction }]),
)

/** Every route of a deployment at `url`, whose site is called `name`, as OpenAPI 3.1. */
export const platformOpenApi = ({ url, name = 'Augury' }: { url: string; name?: string }): Json =>
  openApiDocument({
    title: `${name} platform`,
    description: DESCRIPTION,
    url,
    operations: { ...platformOperations, ...ofAdmins },
    sections: { Platform: platformOperations, Admin: adminOperations },
    always: ['service_unavailable'],
    statuses: platformStatuses,
    examples: { ...platformExamples, ...adminExamples },
    named: {
      Condition: conditionShape,
      Event: event,
      Market: market,
      MarketMetadata: marketMetadata,
      RelatedEvent: relatedEvent,
      Tag: tag,
    },
  })
