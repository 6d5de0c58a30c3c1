import { z } from 'zod'
import type { Schema } from '../operation.ts'
import { Components, type Json } from './json-schema.ts'
import { DOCUMENT_VERSION } from './openapi.ts'
import type { StreamDescription, TextFrame } from './streams.ts'

/** Input of `asyncApiDocument`. */
export interface DescribedStreams {
  title: string
  description: string
  /** Base URL of the service: `http://…`. */
  url: string
  streams: Readonly<Record<string, StreamDescription>>
  /** Example messages in both directions, by stream and then by name. */
  examples: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  named: Readonly<Record<string, Schema>>
}

/** The streams as an AsyncAPI 3.0 document, from the service's perspective. */
export function asyncApiDocument({ title, description, url, streams, examples, named }: DescribedStreams): Json {
  const components = new Components({ named, target: 'draft-07' })
  const { protocol, host, pathname } = new URL(url.replace(/^http/, 'ws'))
  const channels: Json = {}
  const operations: Json = {}
  for (const [name, stream] of Object.entries(streams)) {
    const { path, summary, description: text, serverMessages, clientMessages, texts = {}, isBatched = false, asksBack = false } = stream
    const streamExamples = examples[name] ?? {}
    const sent = messages(serverMessages, streamExamples, 'output', components)
    if (isBatched) sent[BATCH] = batch(serverMessages, components)
    const taken = messages(clientMessages, streamExamples, 'input', components)
    const ping: Json = { PING: textFrame({ text: 'PING', summary: 'Is anybody there?' }) }
    const pong: Json = { PONG: textFrame({ text: 'PONG', summary: 'Answer to PING.' }) }
    for (const [message, frame] of Object.entries(texts)) pong[message] = textFrame(frame)
    channels[name] = { address: path, summary, description: text, messages: { ...sent, ...pong, ...taken, ...ping } }
    const refer = (messageNames: string[]) => messageNames.map((message) => ({ $ref: `#/channels/${name}/messages/${message}` }))
    const channel = { $ref: `#/channels/${name}` }
    operations[`${name}Says`] = { action: 'send', channel, messages: refer(Object.keys({ ...sent, ...pong, ...(asksBack ? ping : {}) })) }
    operations[`${name}Hears`] = {
      action: 'receive',
      channel,
      messages: refer(Object.keys({ ...taken, ...ping, ...(asksBack ? { PONG: pong } : {}) })),
    }
  }
  return {
    asyncapi: '3.0.0',
    info: { title, version: DOCUMENT_VERSION, description, license: { name: 'Apache-2.0' } },
    defaultContentType: 'application/json',
    servers: { exchange: { host, protocol: protocol.slice(0, -1), ...(pathname === '/' ? {} : { pathname }) } },
    channels,
    operations,
    components: { schemas: components.schemas },
  }
}

/** Name of the message that stands for a frame of several. */
export const BATCH = 'batch'

const batch = (union: Schema, components: Components): Json => ({
  name: BATCH,
  summary: 'Messages of one row of the log, in one frame.',
  payload: components.write(z.array(union), 'output'),
})

const textFrame = ({ text, summary }: TextFrame): Json => ({
  name: text,
  summary,
  contentType: 'text/plain',
  payload: { type: 'string', const: text },
})

function messages(union: Schema, examples: Readonly<Record<string, unknown>>, io: 'input' | 'output', components: Components): Json {
  return Object.fromEntries(
    optionsOf(union).map((option) => {
      const name = messageName(option)
      const example = examples[name]
      return [
        name,
        { name, payload: components.write(option, io), ...(example === undefined ? {} : { examples: [{ name, payload: example }] }) },
      ]
    }),
  )
}

/** The messages of a union; a single message counts as a union of one. */
export const optionsOf = (schema: Schema) => (schema instanceof z.ZodUnion ? schema.options : [schema]) as z.ZodObject[]

/** Name of a message: its title, or the values of its first literal field. */
export function messageName(schema: z.ZodObject): string {
  const { title } = schema.meta() ?? {}
  if (title !== undefined) return title
  const { shape } = schema
  for (const field of ['event_type', 'operation', 'type']) {
    const { def } = (shape[field] ?? {}) as { def?: { values?: unknown[]; entries?: Record<string, unknown> } }
    const words = def?.values ?? Object.keys(def?.entries ?? {})
    if (words.length > 0) return words.join('_')
  }
  throw new Error(`a message has no name: ${Object.keys(shape).join(', ')}`)
}
