import { z } from 'zod'
import type { Schema } from '../operation.ts'

/** A JSON object. */
export type Json = { [key: string]: unknown }

/** How a document represents schemas. */
export interface Dialect {
  /** Schemas that become components, by name. */
  named: Readonly<Record<string, Schema>>
  /** Schemas documented as another one, because they accept more than callers should send. */
  readAs?: ReadonlyMap<Schema, Schema>
  target: 'draft-2020-12' | 'draft-07'
}

/** Converts zod schemas to JSON Schema. Named schemas are collected as components of the document and referenced. */
export class Components {
  /** `components.schemas` of the document. */
  readonly schemas: Record<string, Json> = {}
  readonly #names = z.registry<{ id: string }>()
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    for (const [id, schema] of Object.entries(dialect.named)) this.#names.add(schema, { id })
  }

  /** Converts a schema of what callers send (`input`) or the service returns (`output`). Throws when two schemas have the same name. */
  write(schema: Schema, io: 'input' | 'output'): Json {
    const read = this.#dialect.readAs?.get(schema) ?? schema
    const written = z.toJSONSchema(read, {
      io,
      metadata: this.#names,
      target: this.#dialect.target === 'draft-07' ? 'draft-7' : 'draft-2020-12',
      override: ({ zodSchema, jsonSchema }) => {
        simplify(jsonSchema, io)
        if (io === 'input') Object.assign(jsonSchema, wordsOf(zodSchema))
        const items = io === 'input' ? itemsOf(zodSchema) : null
        for (const form of items ? (jsonSchema.anyOf ?? []) : []) if (form.type === 'array') form.items = this.write(items!, io)
        const description = z.globalRegistry.get(zodSchema)?.description
        if (description !== undefined) jsonSchema.description = description
      },
    }) as Json
    const { $schema: _, $defs, definitions, ...rest } = written
    for (const [name, definition] of Object.entries(($defs ?? definitions ?? {}) as Record<string, Json>)) this.#keep(name, definition)
    return referring(rest) as Json
  }

  #keep(name: string, { id: _, ...definition }: Json): void {
    const written = referring(definition) as Json
    const existing = this.schemas[name]
    if (existing && JSON.stringify(existing) !== JSON.stringify(written)) throw new Error(`two schemas are called ${name}`)
    this.schemas[name] = written
  }
}

/** The words that a text may be, where any case is accepted: documents list them as they are written. */
function wordsOf({ _zod: { def } }: z.core.$ZodTypes): { enum?: unknown[] } {
  if (def.type !== 'pipe' || def.in._zod.def.type !== 'string') return {}
  const to = (def.out as z.core.$ZodTypes)._zod.def
  return to.type === 'enum' ? { enum: Object.values(to.entries) } : {}
}

/** What the items of a list in a query may be, where it is read from a text with commas or from repeated keys. */
function itemsOf({ _zod: { def } }: z.core.$ZodTypes): Schema | null {
  if (def.type !== 'pipe' || def.in._zod.def.type !== 'pipe') return null
  const to = (def.out as z.core.$ZodTypes)._zod.def
  return to.type === 'array' ? (to.element as Schema) : null
}

/** Removes bounds without meaning, and what would forbid additional properties in later responses. */
function simplify(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  delete schema.propertyNames
}

/** Rewrites every reference to point into the components of the document. */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? inner.replace(/^#\/(\$defs|definitions)\//, '#/components/schemas/') : referring(inner),
    ]),
  )
}
