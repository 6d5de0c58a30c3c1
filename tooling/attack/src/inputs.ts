import type { Prng } from '@augury/testing/prng'
import type { Route, Schema } from './routes.ts'

/** Values that programs have tripped over. */
const hostile: unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1e308,
  -1e308,
  2 ** 53,
  2 ** 63,
  0.1,
  1e-320,
  '',
  ' ',
  '0',
  '-1',
  '1e5',
  '0x10',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '﻿',
  '‮gpj.exe',
  '💣'.repeat(50),
  "'; drop table users; --",
  '" or 1=1 --',
  '\\',
  '%',
  '%00',
  '%s%n',
  '../../etc/passwd',
  '..%2f..%2f',
  '//evil.example',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  '<svg/onload=alert(1)>',
  '=1+1',
  '{{7*7}}',
  '$' + '{7*7}',
  '\r\nset-cookie: a=b',
  'A'.repeat(5000),
  '9'.repeat(400),
  '0001-01-01',
  '9999-12-31T23:59:60Z',
  '1.005',
  '1.00000000000000000001',
  '٣',
  '１',
  '0.1.2',
  '+1',
  '1_000',
  'Ω',
  'İ',
  [],
  {},
  [[]],
  [null],
  { __proto__: null },
  { a: { a: { a: {} } } },
  Array.from({ length: 300 }, () => 0),
  JSON.parse('{"__proto__": {"admin": true}, "constructor": {"prototype": {"admin": true}}}'),
]

/** Texts that match our patterns, for the valid parts of a request. */
const known = [
  'a',
  'abc',
  '1',
  '0.5',
  '10',
  '2026-11-20',
  '2026-11-20T00:00:00Z',
  '12345678',
  'GTC',
  'BUY',
  'https://example.org/a',
  `0x${'ab'.repeat(20)}`,
  `0x${'cd'.repeat(32)}`,
  `0x${'ef'.repeat(65)}`,
  '6d0f4a2e-9d5b-4c55-8a43-0f6f6f7d6b11',
  '0190b4c5-7a4e-7cc1-8d33-2f0b6c1d5e11',
  '7'.repeat(77),
]

/** A value that a schema accepts, as far as a few guesses go. */
export function fitting(schema: Schema, rng: Prng, depth = 0): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return rng.pick(schema.enum)
  const examples = [...(schema.examples ?? []), ...(schema.example === undefined ? [] : [schema.example])]
  if (examples.length > 0 && rng.chance(0.7)) return rng.pick(examples)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fitting(rng.pick(choices), rng, depth)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => fitting(part, rng, depth)))
  const type = Array.isArray(schema.type) ? rng.pick(schema.type) : schema.type
  if (type === 'object' || schema.properties) {
    if (depth > 6) return {}
    const wanted = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name) || rng.chance(0.5))
    return Object.fromEntries(wanted.map(([name, inner]) => [name, fitting(inner, rng, depth + 1)]))
  }
  if (type === 'array')
    return Array.from({ length: rng.integer(0, Math.min(4, schema.maxItems ?? 4)) }, () => fitting(schema.items ?? {}, rng, depth + 1))
  if (type === 'integer' || type === 'number') return rng.integer(schema.minimum ?? 0, Math.min(schema.maximum ?? 1000, 2 ** 31))
  if (type === 'boolean') return rng.chance(0.5)
  if (type === 'null') return null
  const matching = schema.pattern ? known.filter((text) => new RegExp(schema.pattern!, 'u').test(text)) : known
  return matching.length > 0 ? rng.pick(matching) : rng.pick(known)
}

/** The value with something in it broken. */
function spoilt(value: unknown, rng: Prng): unknown {
  if (value === null || typeof value !== 'object' || rng.chance(0.2)) return rng.pick(hostile)
  if (Array.isArray(value)) {
    if (value.length === 0 || rng.chance(0.2)) return [...value, rng.pick(hostile)]
    const place = rng.integer(0, value.length - 1)
    return value.map((item, index) => (index === place ? spoilt(item, rng) : item))
  }
  const names = Object.keys(value)
  if (names.length === 0 || rng.chance(0.2))
    return { ...value, [rng.pick(['__proto__x', 'is_admin', 'id', 'balance', 'x'])]: rng.pick(hostile) }
  const name = rng.pick(names)
  if (rng.chance(0.15)) return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
  return { ...value, [name]: spoilt((value as Record<string, unknown>)[name], rng) }
}

/** A request to a route: valid in most parts, hostile in one or two. */
export interface Case {
  method: string
  /** Path and query, ready for the wire. */
  target: string
  body: string | undefined
}

/** Text for a place in a URL; what HTTP cannot carry is percent-encoded. */
const inAddress = (value: unknown) =>
  encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()).replaceAll('%25', '%')

/** The next request for a route. */
export function nextCase(route: Route, rng: Prng): Case {
  const badPart = rng.integer(0, 3) // 0: nothing
  const value = (schema: Schema, bad: boolean) => (bad && rng.chance(0.6) ? rng.pick(hostile) : fitting(schema, rng))
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = route.parameters.find((each) => each.in === 'path' && each.name === name)
    return inAddress(value(parameter?.schema ?? {}, badPart === 1)) || '-'
  })
  const query = route.parameters
    .filter((each) => each.in === 'query' && rng.chance(0.5))
    .flatMap(({ name, schema }) => {
      const pair = () => `${name}=${inAddress(value(schema, badPart === 2))}`
      return rng.chance(0.05) ? [pair(), pair()] : [pair()]
    })
  if (badPart === 2 && rng.chance(0.1)) query.push(rng.pick(['limit[]=1', 'a', '&&', '%', '%ff', '=1', 'limit=1&limit=2']))
  const target = path + (query.length > 0 ? `?${query.join('&')}` : '')
  if (!route.body) return { method: route.method, target, body: undefined }
  const honest = fitting(route.body, rng)
  const text = JSON.stringify(badPart === 3 ? spoilt(honest, rng) : honest)
  return { method: route.method, target, body: badPart === 3 && rng.chance(0.1) ? broken(text, rng) : text }
}

/** The text of the next frame for a socket under an id: most are honest, some have a hostile part, some are no frames. */
export function nextFrame(schema: Schema, id: number, rng: Prng): string {
  const honest = { ...(fitting(schema, rng) as object), id }
  const badPart = rng.integer(0, 3) // 0 and 1: nothing
  const text = JSON.stringify(badPart === 2 ? spoilt(honest, rng) : honest)
  return badPart === 3 ? broken(text, rng) : text
}

/** Broken JSON, or more than one value. */
function broken(text: string, rng: Prng): string {
  const at = rng.integer(0, text.length)
  return rng.pick([
    text.slice(0, at),
    `${text}${text}`,
    `${text},`,
    text.replace('{', '{"a":1,"a":2,'),
    `\ufeff${text}`,
    '['.repeat(2000),
    `${text.slice(0, at)}\u0000`,
  ])
}
