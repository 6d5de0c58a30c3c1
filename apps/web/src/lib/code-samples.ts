/** A call of the API that samples show. `body` is JSON text. */
export interface SampleCall {
  /** Name of the operation: the client's method. */
  name: string
  method: string
  /** Below the address, with what parameters stand for filled in. */
  path: string
  /** What follows the `?`, or empty. */
  query: string
  body: string | null
  /** How the call proves who makes it: not at all, by an API key of the exchange, or by a session of the site. */
  proof: 'none' | 'key' | 'session'
  /** Address of the service. */
  url: string
  /** What the client's method takes: parameters, query and body. */
  input: Readonly<Record<string, unknown>>
  /** The same by the command line, where it can do it. */
  cli: string | null
}

/** The languages that samples are written in. */
export const SAMPLE_LANGUAGES = ['curl', 'TypeScript', 'CLI'] as const
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number]

/** How shell scripts and programs are given a key: what the page of API keys offers as a file. */
export const keyEnvironment = (key: { address: string; key: string; secret: string; passphrase: string }): string =>
  [
    `AUGURY_ADDRESS=${key.address}`,
    `AUGURY_API_KEY=${key.key}`,
    `AUGURY_API_SECRET=${key.secret}`,
    `AUGURY_API_PASSPHRASE=${key.passphrase}`,
  ].join('\n')

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The call as a shell script: `openssl` signs, `curl` sends. */
export function curlSample({ method, path, query, body, proof, url }: SampleCall): string {
  const target = `${url}${path}${query === '' ? '' : `?${query}`}`
  const flags = [
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(body === null ? [] : [`-H 'content-type: application/json'`, `-d "$BODY"`]),
    ...(proof === 'session' ? [`-H "authorization: Bearer $AUGURY_TOKEN"`] : []),
    ...(proof === 'key'
      ? [
          `-H "SVC_ADDRESS: $AUGURY_ADDRESS"`,
          `-H "SVC_API_KEY: $AUGURY_API_KEY"`,
          `-H "SVC_PASSPHRASE: $AUGURY_API_PASSPHRASE"`,
          `-H "SVC_TIMESTAMP: $TIME"`,
          `-H "SVC_SIGNATURE: $SIGNATURE"`,
        ]
      : []),
  ]
  const signed = `${method}${path}${method === 'GET' || query === '' ? '' : `?${query}`}`
  return [
    ...(body === null ? [] : [`BODY=${quoted(body)}`]),
    ...(proof === 'key'
      ? [
          'TIME=$(date +%s)',
          `SECRET=$(printf %s "$AUGURY_API_SECRET" | tr '_-' '/+' | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
          `SIGNATURE=$(printf %s "$TIME"${quoted(signed)}${body === null ? '' : '"$BODY"'} |`,
          `  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$SECRET" -binary | openssl base64 -A | tr '/+' '_-')`,
        ]
      : []),
    [`curl ${quoted(target)}`, ...flags].join(' \\\n  '),
  ].join('\n')
}

/** The call as a program in TypeScript. */
export function typescriptSample({ name, proof, url, input }: SampleCall): string {
  const argument = Object.keys(input).length === 0 ? '' : literal(input)
  const key = `{
  address: env.AUGURY_ADDRESS as \`0x\${string}\`,
  key: env.AUGURY_API_KEY!,
  secret: env.AUGURY_API_SECRET!,
  passphrase: env.AUGURY_API_PASSPHRASE!,
}`
  const head =
    proof === 'session'
      ? [
          `import { env } from 'node:process'`,
          `import { platformClient } from '@augury/client/platform'`,
          '',
          `const site = platformClient({ url: '${url}', token: env.AUGURY_TOKEN! })`,
        ]
      : [
          ...(proof === 'key' ? [`import { env } from 'node:process'`] : []),
          `import { venueClient } from '@augury/client/rest'`,
          '',
          ...(proof === 'key' ? [`const apiKey = ${key}`] : []),
          `const exchange = venueClient({ url: '${url}'${proof === 'key' ? ', apiKey' : ''} })`,
        ]
  return [...head, `console.log(await ${proof === 'session' ? 'site' : 'exchange'}.${name}(${argument}))`].join('\n')
}

/** A sample in a language; null where there is none. */
export function sampleIn(language: SampleLanguage, call: SampleCall): string | null {
  if (language === 'curl') return curlSample(call)
  return language === 'TypeScript' ? typescriptSample(call) : call.cli
}

/** A value as people write it in TypeScript: names without quotes where they need none. */
function literal(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, indent)).join(', ')}]`
  if (value === null || typeof value !== 'object') return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
  const inner = `${indent}  `
  const entries = Object.entries(value).map(
    ([key, each]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`}: ${literal(each, inner)}`,
  )
  const line = `{ ${entries.join(', ')} }`
  return line.length + indent.length <= 100 ? line : `{\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}}`
}
